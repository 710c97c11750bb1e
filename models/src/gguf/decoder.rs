//! Converts a decoder to a GGUF file and back: the names of settings and tensors, the order of dimensions in LLaMA's
//! queries and keys, and the features that the format cannot express.

use crate::architectures::decoder::DecoderConfig;
use crate::architectures::rope::{RopeConfig, Scaling, llama3};
use crate::architectures::sizes::unsupported;
use crate::gguf::read::GgufFile;
use crate::gguf::stored::Q8_0_NUMBERS;
use crate::gguf::{Stored, Value};
use crate::weights::Source;
use crate::{Error, Result};
use std::collections::BTreeMap;
use tch::{Device, Kind, Tensor};

/// Name of the tensor with the divisors of the rotary frequencies.
pub(crate) const ROTARY_DIVISORS: &str = "rope_freqs.weight";

/// The format's name for an architecture, whose modules it has in common.
pub fn architecture(config: &DecoderConfig) -> &'static str {
    match config.name {
        // Mistral computes what LLaMA computes.
        "mistral" => "llama",
        other => other,
    }
}

/// Refuses a model with features that other programs would compute differently when they read a GGUF file. Returns the
/// features that the format keeps only in part.
///
/// # Errors
/// [`lexforge_domain::Code::ModelUnsupported`] with the feature's name.
pub fn check(config: &DecoderConfig) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    let refused = |what: &str| {
        Err(unsupported(&format!(
            "{what}, which llama.cpp does not compute for {}",
            config.name
        )))
    };
    let window = config.windows.iter().flatten().min();
    if let Some(window) = window {
        if config.name != "mistral" {
            return refused("windows of attention (use_sliding_window)");
        }
        notes.push(format!(
            "The model sees a window of {window} tokens; readers of this format see all of them, so the context is given as \
             {} tokens, up to which both are the same.",
            context(config)
        ));
    }
    if config.name != "llama" && config.output_bias {
        return refused("a bias of the attention's output (attention_bias)");
    }
    if config.name == "qwen3" && config.query_key_value_bias {
        return refused("a bias of queries, keys and values (attention_bias)");
    }
    match config.rope.scaling {
        Scaling::Dynamic => notes.push(format!(
            "Dynamic rotary scaling cannot be written; up to {} tokens it is none, and more are not offered.",
            config.positions
        )),
        Scaling::Yarn { factor, beta_fast, beta_slow, attention, truncate, .. } => {
            let usual = 0.1 * factor.ln() + 1.0;
            if beta_fast != 32.0 || beta_slow != 1.0 || !truncate || (attention - usual).abs() > 1e-9 {
                return refused("YaRN with other settings than the usual ones (rope_scaling)");
            }
        }
        Scaling::None | Scaling::Linear { .. } | Scaling::Llama3 { .. } => {}
    }
    Ok(notes)
}

/// How many tokens a text may have so that a reader that knows no windows computes the same.
fn context(config: &DecoderConfig) -> i64 {
    config
        .windows
        .iter()
        .flatten()
        .min()
        .map_or(config.positions, |&window| window.min(config.positions))
}

/// The settings of a decoder, except those of its tokenizer.
///
/// # Errors
/// If a number does not fit.
pub fn settings(
    config: &DecoderConfig,
    name: &str,
    stored: Stored,
) -> Result<Vec<(String, Value)>> {
    let architecture = architecture(config);
    let own = |name: &str| format!("{architecture}.{name}");
    let count = |n: i64| {
        u32::try_from(n)
            .map(Value::U32)
            .map_err(|e| Error::Shim(e.to_string()))
    };
    let file_type = match stored {
        Stored::F32 => 0,
        Stored::F16 => 1,
        Stored::Q8_0 => 7,
    };
    let mut settings = vec![
        (
            "general.architecture".to_owned(),
            Value::Text(architecture.into()),
        ),
        ("general.type".to_owned(), Value::Text("model".into())),
        ("general.name".to_owned(), Value::Text(name.into())),
        ("general.file_type".to_owned(), Value::U32(file_type)),
        ("general.quantization_version".to_owned(), Value::U32(2)),
        (own("block_count"), count(config.layers as i64)?),
        (own("context_length"), count(context(config))?),
        (own("embedding_length"), count(config.hidden)?),
        (own("feed_forward_length"), count(config.inner)?),
        (own("attention.head_count"), count(config.heads)?),
        (own("attention.head_count_kv"), count(config.key_heads)?),
        (own("attention.key_length"), count(config.head)?),
        (own("attention.value_length"), count(config.head)?),
        (
            own("attention.layer_norm_rms_epsilon"),
            Value::F32(config.epsilon as f32),
        ),
        (own("rope.dimension_count"), count(config.head)?),
        (own("rope.freq_base"), Value::F32(config.rope.theta as f32)),
        (own("vocab_size"), count(config.vocabulary)?),
    ];
    let scaling = match config.rope.scaling {
        Scaling::Linear { factor } => Some(("linear", factor, None)),
        Scaling::Yarn {
            factor, original, ..
        } => Some(("yarn", factor, Some(original))),
        _ => None,
    };
    if let Some((kind, factor, original)) = scaling {
        settings.push((own("rope.scaling.type"), Value::Text(kind.into())));
        settings.push((own("rope.scaling.factor"), Value::F32(factor as f32)));
        if let Some(original) = original {
            settings.push((
                own("rope.scaling.original_context_length"),
                count(original as i64)?,
            ));
        }
    }
    Ok(settings)
}

/// The divisors of the frequencies in LLaMA 3's scaling, one for each pair of a head's dimensions; `None` for other
/// scalings.
pub(crate) fn rotary_divisors(config: &DecoderConfig) -> Option<Vec<f32>> {
    let Scaling::Llama3 {
        factor,
        low,
        high,
        original,
    } = config.rope.scaling
    else {
        return None;
    };
    let divisor = |i: i64| {
        let frequency = config.rope.theta.powf(-(2 * i) as f64 / config.head as f64);
        (frequency / llama3(frequency, factor, low, high, original)) as f32
    };
    Some((0..config.head / 2).map(divisor).collect())
}

/// The format's name for a tensor of a Hugging Face folder; `None` for one that it does not know.
pub fn name_of(name: &str) -> Option<String> {
    let bare = name.strip_prefix("model.").unwrap_or(name);
    let whole = match bare {
        "embed_tokens.weight" => Some("token_embd.weight"),
        "norm.weight" => Some("output_norm.weight"),
        "lm_head.weight" => Some("output.weight"),
        _ => None,
    };
    if let Some(whole) = whole {
        return Some(whole.to_owned());
    }
    let (layer, module) = bare.strip_prefix("layers.")?.split_once('.')?;
    let layer: usize = layer.parse().ok()?;
    let (module, kind) = module.rsplit_once('.')?;
    let module = match module {
        "input_layernorm" => "attn_norm",
        "post_attention_layernorm" => "ffn_norm",
        "self_attn.q_proj" => "attn_q",
        "self_attn.k_proj" => "attn_k",
        "self_attn.v_proj" => "attn_v",
        "self_attn.o_proj" => "attn_output",
        "self_attn.q_norm" => "attn_q_norm",
        "self_attn.k_norm" => "attn_k_norm",
        "mlp.gate_proj" => "ffn_gate",
        "mlp.up_proj" => "ffn_up",
        "mlp.down_proj" => "ffn_down",
        _ => return None,
    };
    matches!(kind, "weight" | "bias").then(|| format!("blk.{layer}.{module}.{kind}"))
}

/// How many heads the rows of a tensor belong to, where LLaMA's order of rows is another in this format.
fn turned_heads(config: &DecoderConfig, name: &str) -> Option<i64> {
    if architecture(config) != "llama" {
        return None;
    }
    let (_, module) = name.rsplit_once("self_attn.")?;
    match module.split('.').next()? {
        "q_proj" => Some(config.heads),
        "k_proj" => Some(config.key_heads),
        _ => None,
    }
}

/// A tensor with its dimensions in the order that GGUF requires. The order differs only for LLaMA's queries and keys.
/// Readers of GGUF rotate two neighbouring dimensions of a head as a pair; in a Hugging Face folder the two dimensions
/// are half a head apart.
pub fn turned(config: &DecoderConfig, name: &str, tensor: &Tensor) -> Result<Tensor> {
    regrouped(tensor, turned_heads(config, name), |rows, heads| {
        [heads, 2, rows / heads / 2]
    })
}

/// The way back.
fn turned_back(config: &DecoderConfig, name: &str, tensor: &Tensor) -> Result<Tensor> {
    regrouped(tensor, turned_heads(config, name), |rows, heads| {
        [heads, rows / heads / 2, 2]
    })
}

fn regrouped(
    tensor: &Tensor,
    heads: Option<i64>,
    groups: impl Fn(i64, i64) -> [i64; 3],
) -> Result<Tensor> {
    let Some(heads) = heads else {
        return Ok(tensor.shallow_clone());
    };
    let size = tensor.size();
    let grouped: Vec<i64> = groups(size[0], heads)
        .into_iter()
        .chain(size[1..].iter().copied())
        .collect();
    Ok(tensor
        .f_reshape(grouped.as_slice())?
        .f_transpose(1, 2)?
        .f_reshape(size.as_slice())?)
}

/// How a tensor is stored in a file of type `wanted`. Single rows are always stored in 32 bits. A matrix whose rows do
/// not fill whole blocks is stored in 16 bits.
pub(crate) fn stored_as(shape: &[i64], wanted: Stored) -> Stored {
    match (shape, wanted) {
        ([_], _) => Stored::F32,
        ([.., width], Stored::Q8_0) if width % Q8_0_NUMBERS != 0 => Stored::F16,
        _ => wanted,
    }
}

/// A decoder that was read back from its file: settings and tensors are the file's own.
pub struct GgufDecoder {
    /// The configuration from the file's settings.
    pub config: DecoderConfig,
    file: GgufFile,
    device: Device,
    /// Names by those of a Hugging Face folder.
    names: BTreeMap<String, String>,
}

impl GgufDecoder {
    /// Reads the settings of an open file.
    ///
    /// # Errors
    /// [`lexforge_domain::Code::ModelMissing`] if a setting is missing or impossible,
    /// [`lexforge_domain::Code::ModelUnsupported`] for an architecture that is not supported.
    pub fn of(file: GgufFile, device: Device) -> Result<Self> {
        let config = config_of(&file)?;
        let mut names = BTreeMap::new();
        for name in [
            "model.embed_tokens.weight",
            "model.norm.weight",
            "lm_head.weight",
        ] {
            names.extend(name_of(name).map(|own| (name.to_owned(), own)));
        }
        for layer in 0..config.layers {
            for module in [
                "input_layernorm",
                "post_attention_layernorm",
                "self_attn.q_proj",
                "self_attn.k_proj",
                "self_attn.v_proj",
                "self_attn.o_proj",
                "self_attn.q_norm",
                "self_attn.k_norm",
                "mlp.gate_proj",
                "mlp.up_proj",
                "mlp.down_proj",
            ] {
                for kind in ["weight", "bias"] {
                    let name = format!("model.layers.{layer}.{module}.{kind}");
                    names.extend(name_of(&name).map(|own| (name, own)));
                }
            }
        }
        Ok(Self {
            config,
            file,
            device,
            names,
        })
    }

    /// The file.
    pub fn file(&self) -> &GgufFile {
        &self.file
    }
}

impl Source for GgufDecoder {
    fn has(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|own| self.file.has(own))
    }

    fn tensor_as(&self, name: &str, shape: &[i64], wanted: Option<Kind>) -> Result<Tensor> {
        let own = self
            .names
            .get(name)
            .ok_or_else(|| self.file.damaged(&format!("has no place for {name:?}")))?;
        let tensor = turned_back(&self.config, name, &self.file.tensor(own)?)?;
        if tensor.size() != shape {
            return Err(self.file.damaged(&format!(
                "gives tensor {own:?} the shape {:?}, its settings ask for {shape:?}",
                tensor.size()
            )));
        }
        Ok(tensor
            .f_to_kind(wanted.unwrap_or(Kind::Float))?
            .f_to_device(self.device)?)
    }

    fn rotary_divisors(&self) -> Result<Option<Vec<f32>>> {
        if !self.file.has(ROTARY_DIVISORS) {
            return Ok(None);
        }
        Ok(Some(Vec::<f32>::try_from(
            self.file.tensor(ROTARY_DIVISORS)?,
        )?))
    }
}

/// The decoder's configuration from a file's settings.
fn config_of(file: &GgufFile) -> Result<DecoderConfig> {
    let name = match file.setting("general.architecture") {
        Some(Value::Text(name)) => match name.as_str() {
            "llama" => "llama",
            "qwen2" => "qwen2",
            "qwen3" => "qwen3",
            other => return Err(unsupported(&format!("the architecture {other:?}"))),
        },
        _ => return Err(file.damaged("names no architecture")),
    };
    let of = |setting: &str| file.setting(&format!("{name}.{setting}"));
    let missing = |setting: &str| file.damaged(&format!("has no setting {name}.{setting}"));
    let count = |setting: &str| match of(setting) {
        Some(Value::U32(n)) if *n > 0 => Ok(i64::from(*n)),
        _ => Err(missing(setting)),
    };
    let number = |setting: &str| match of(setting) {
        Some(Value::F32(n)) => Ok(f64::from(*n)),
        _ => Err(missing(setting)),
    };
    let layers = count("block_count")? as usize;
    let positions = count("context_length")?;
    let scaling = match of("rope.scaling.type") {
        None => Scaling::None,
        Some(Value::Text(kind)) if kind == "linear" => Scaling::Linear {
            factor: number("rope.scaling.factor")?,
        },
        Some(Value::Text(kind)) if kind == "yarn" => {
            let factor = number("rope.scaling.factor")?;
            let original = count("rope.scaling.original_context_length")? as f64;
            let attention = 0.1 * factor.ln() + 1.0;
            Scaling::Yarn {
                factor,
                original,
                beta_fast: 32.0,
                beta_slow: 1.0,
                attention,
                truncate: true,
            }
        }
        Some(other) => {
            return Err(file.damaged(&format!(
                "has the rotary scaling {other:?}, which is not known"
            )));
        }
    };
    let config = DecoderConfig {
        name,
        vocabulary: count("vocab_size")?,
        hidden: count("embedding_length")?,
        inner: count("feed_forward_length")?,
        layers,
        heads: count("attention.head_count")?,
        key_heads: count("attention.head_count_kv")?,
        head: count("attention.key_length")?,
        positions,
        epsilon: number("attention.layer_norm_rms_epsilon")?,
        rope: RopeConfig {
            theta: number("rope.freq_base")?,
            scaling,
        },
        tied: !file.has("output.weight"),
        query_key_norm: file.has("blk.0.attn_q_norm.weight"),
        query_key_value_bias: file.has("blk.0.attn_q.bias"),
        output_bias: file.has("blk.0.attn_output.bias"),
        inner_bias: file.has("blk.0.ffn_gate.bias"),
        windows: vec![None; layers],
        end_tokens: Vec::new(),
    };
    let whole =
        config.heads % config.key_heads == 0 && config.head % 2 == 0 && config.rope.theta > 1.0;
    if whole {
        Ok(config)
    } else {
        Err(file.damaged("has settings that do not fit each other"))
    }
}

#[cfg(test)]
mod tests;
