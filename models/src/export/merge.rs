//! Adds an adapter's update to the weights of a base model, one tensor at a time, and writes the result as a Hugging
//! Face folder.

use crate::adapters::adapter::Adapter;
use crate::adapters::all_weights::with_difference;
use crate::adapters::updates::{Update, Updates, fits_no_weight};
use crate::decoding::chat::TEMPLATE_FILE;
use crate::export::output::{Output, whole};
use crate::files::pretty;
use crate::folder::{CONFIG_FILE, TOKENIZER_FILE};
use crate::texts::modules::{self, MODULES_FILE};
use crate::texts::vocabulary::{MERGES_FILE, TOKENIZER_CONFIG_FILE, VOCABULARY_FILE, read_json};
use crate::weights::{INDEX_FILE, SINGLE_FILE, Weights};
use crate::{Error, Result};
use lexforge_domain::protocol::{ExportType, ExportedFile};
use lexforge_domain::{Code, Remedy};
use safetensors::Dtype;
use serde_json::{Map, Value, json};
use std::path::Path;
use tch::{Kind, Tensor};

/// Files of a model's folder that say how it is used; those that are there go along.
const COMPANIONS: [&str; 19] = [
    TOKENIZER_FILE,
    TOKENIZER_CONFIG_FILE,
    VOCABULARY_FILE,
    MERGES_FILE,
    TEMPLATE_FILE,
    "added_tokens.json",
    "special_tokens_map.json",
    "tokenizer.model",
    "sentencepiece.bpe.model",
    "spiece.model",
    "spm.model",
    "vocab.txt",
    "generation_config.json",
    MODULES_FILE,
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_xlm-roberta_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
];

/// The weights of a base model with an adapter's update.
pub struct Merged<'a> {
    /// The base.
    pub weights: &'a Weights,
    /// The adapter.
    pub updates: &'a Updates,
}

impl<'a> Merged<'a> {
    /// Joins the weights with their updates.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if an update belongs to no weight.
    pub fn of(weights: &'a Weights, updates: &'a Updates) -> Result<Self> {
        let mut fitting = 0;
        for (name, entry) in &weights.headers().tensors {
            let shape: Vec<i64> = entry.shape.iter().map(|&n| n as i64).collect();
            if let Some(difference) = updates.differences().get(name) {
                if difference.size() != shape || !is_number(entry.dtype) {
                    return Err(fits_no_weight(name));
                }
                fitting += 1;
            }
            let Some(Update { a, b, .. }) = name
                .strip_suffix(".weight")
                .and_then(|path| updates.of(path))
            else {
                continue;
            };
            if shape != [b.size()[0], a.size()[1]] {
                return Err(fits_no_weight(name));
            }
            fitting += 1;
        }
        if fitting != updates.len() {
            return Err(fits_no_weight(&format!("one of {} parts", updates.len())));
        }
        Ok(Self { weights, updates })
    }

    /// The names of the tensors that can be written, in order, with their shapes.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &[usize])> {
        let written = self
            .weights
            .headers()
            .tensors
            .iter()
            .filter(|(_, entry)| is_number(entry.dtype));
        written.map(|(name, entry)| (name.as_str(), entry.shape.as_slice()))
    }

    /// Tensors that are no weights, and their types.
    pub fn left_out(&self) -> impl Iterator<Item = (&str, Dtype)> {
        let all = self.weights.headers().tensors.iter();
        all.filter(|(_, entry)| !is_number(entry.dtype))
            .map(|(name, entry)| (name.as_str(), entry.dtype))
    }

    /// A tensor on the CPU: in fp32 if it has an update, else in the type on disk. The sum is made in fp32.
    ///
    /// # Errors
    /// If the tensor cannot be read, or its update does not fit it.
    pub fn tensor(&self, name: &str) -> Result<Tensor> {
        let shape = self.weights.shape(name).unwrap_or_default();
        let own = self.weights.tensor_as(name, &shape, None)?;
        if let Some(difference) = self.updates.differences().get(name) {
            return with_difference(&own.f_to_kind(Kind::Float)?, difference, name);
        }
        match name
            .strip_suffix(".weight")
            .and_then(|path| self.updates.of(path))
        {
            None => Ok(own),
            Some(Update { a, b, scale }) => {
                let _no_grad = tch::no_grad_guard();
                Ok(own
                    .f_to_kind(Kind::Float)?
                    .f_add(&b.f_matmul(a)?.f_mul_scalar(*scale)?)?)
            }
        }
    }
}

/// Checks that an adapter is in PEFT's format. An adapter that changes all weights is not.
///
/// # Errors
/// [`Code::InvalidRequest`] if the adapter has another format.
pub(crate) fn check_of_peft(adapter: &Adapter) -> Result<()> {
    match adapter.differences() {
        None => Ok(()),
        Some(_) => Err(Error::told(
            Code::InvalidRequest,
            "All weights were tuned, and there is no low-rank adapter to export.",
            "Export the merged model: its folder holds the tuned weights.",
        )),
    }
}

pub(super) fn is_number(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::F32 | Dtype::F16 | Dtype::BF16 | Dtype::F64)
}

/// The type as safetensors, libtorch and Transformers name it. [`ExportType::Q8_0`] is none of safetensors'.
fn names(dtype: ExportType) -> Result<(&'static str, Kind, &'static str)> {
    match dtype {
        ExportType::F32 => Ok(("F32", Kind::Float, "float32")),
        ExportType::Bf16 => Ok(("BF16", Kind::BFloat16, "bfloat16")),
        ExportType::F16 => Ok(("F16", Kind::Half, "float16")),
        ExportType::Q8_0 => Err(Error::told(
            Code::InvalidRequest,
            "q8_0 is a type of GGUF files; merged weights are f32, bf16 or f16.",
            Remedy::ExportGguf,
        )),
    }
}

/// Writes the weights, in files of a limited number of bytes (a single tensor may be larger). `done` is called after
/// every tensor, and may cancel.
///
/// # Errors
/// If a system call fails, a number does not fit the type, or `done` fails.
pub(crate) fn write_weights(
    merged: &Merged<'_>,
    folder: &Path,
    dtype: ExportType,
    shard_bytes: u64,
    done: &mut dyn FnMut() -> Result<()>,
) -> Result<Vec<ExportedFile>> {
    let (stored, kind, _) = names(dtype)?;
    let width = kind.elt_size_in_bytes() as u64;
    // A shard is its bytes and its tensors: name, shape, bytes.
    type Planned<'a> = (&'a str, &'a [usize], u64);
    let mut shards: Vec<(u64, Vec<Planned<'_>>)> = Vec::new();
    for (name, shape) in merged.tensors() {
        let bytes = shape.iter().product::<usize>() as u64 * width;
        match shards.last_mut() {
            Some((held, tensors)) if *held + bytes <= shard_bytes => {
                *held += bytes;
                tensors.push((name, shape, bytes));
            }
            _ => shards.push((bytes, vec![(name, shape, bytes)])),
        }
    }
    let (mut files, mut places) = (Vec::new(), Map::new());
    let (count, total): (usize, u64) = (shards.len(), shards.iter().map(|(bytes, _)| bytes).sum());
    for (number, (_, tensors)) in shards.into_iter().enumerate() {
        let file = match count {
            1 => SINGLE_FILE.to_owned(),
            _ => format!("model-{:05}-of-{count:05}.safetensors", number + 1),
        };
        let mut output = Output::create(&folder.join(&file))?;
        output.write(&header(&tensors, stored)?)?;
        for (name, ..) in tensors {
            let tensor = merged.tensor(name)?.f_to_kind(kind)?;
            check_finite(name, &tensor, dtype)?;
            output.write_tensor(&tensor)?;
            places.insert(name.to_owned(), file.clone().into());
            done()?;
        }
        files.push(output.finish()?);
    }
    if count > 1 {
        let index = json!({"metadata": {"total_size": total}, "weight_map": places});
        files.push(whole(&folder.join(INDEX_FILE), &pretty(&index)?)?);
    }
    Ok(files)
}

/// The bytes before the tensors of a safetensors file: a length, and JSON filled up with blanks.
fn header(tensors: &[(&str, &[usize], u64)], stored: &str) -> Result<Vec<u8>> {
    let mut described = Map::from_iter([("__metadata__".to_owned(), json!({"format": "pt"}))]);
    let mut place = 0;
    for (name, shape, bytes) in tensors {
        described.insert(
            (*name).to_owned(),
            json!({"dtype": stored, "shape": shape, "data_offsets": [place, place + bytes]}),
        );
        place += bytes;
    }
    let mut text = serde_json::to_vec(&described).map_err(|e| Error::Shim(e.to_string()))?;
    text.resize(text.len().next_multiple_of(8), b' ');
    Ok([&(text.len() as u64).to_le_bytes()[..], &text].concat())
}

fn check_finite(name: &str, tensor: &Tensor, dtype: ExportType) -> Result<()> {
    if dtype != ExportType::F16 || tensor.f_isfinite()?.f_all()?.f_double_value(&[])? != 0.0 {
        return Ok(());
    }
    Err(Error::told(
        Code::ModelUnsupported,
        format!("A number of {name} is too large for f16, or is none."),
        Remedy::ExportTypes {
            types: "bf16, f32".to_owned(),
        },
    ))
}

/// Writes `config.json` with the type and the name of the export, and copies the files that say how the model is used.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn write_companions(
    base: &Path,
    folder: &Path,
    dtype: ExportType,
    name: &str,
) -> Result<Vec<ExportedFile>> {
    let (.., torch) = names(dtype)?;
    let mut config: Map<String, Value> = read_json(&base.join(CONFIG_FILE))?;
    // Transformers 5 writes `dtype`, what came before it `torch_dtype`; both read the older name.
    config.insert("torch_dtype".into(), torch.into());
    if config.contains_key("dtype") {
        config.insert("dtype".into(), torch.into());
    }
    config.insert("_name_or_path".into(), name.into());
    let mut files = vec![whole(
        &folder.join(CONFIG_FILE),
        &pretty(&Value::Object(config))?,
    )?];
    let mut companions: Vec<String> = COMPANIONS.map(str::to_owned).to_vec();
    // Modules have their files in folders of their own.
    for module in modules::of_folder(base)?.iter().flatten() {
        let path = &module.path;
        let of_module = [CONFIG_FILE, SINGLE_FILE].map(|file| format!("{path}/{file}"));
        let new = |name: &String| !path.is_empty() && !COMPANIONS.contains(&name.as_str());
        companions.extend(of_module.into_iter().filter(new));
    }
    for name in companions {
        let from = base.join(&name);
        if !from.is_file() {
            continue;
        }
        let to = folder.join(&name);
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent).map_err(Error::io(parent))?;
        }
        let bytes = std::fs::read(&from).map_err(Error::io(&from))?;
        files.push(ExportedFile {
            name,
            ..whole(&to, &bytes)?
        });
    }
    Ok(files)
}
