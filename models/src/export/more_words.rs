//! Makes a folder of an encoder whose tokenizer no longer splits certain words (domain tokens, docs/methods.md,
//! "Financial embeddings"). Each of these words has its own row in the table of words, and this row is the mean of the
//! rows of the word's pieces. All other files are as in the base.

use crate::adapters::lora::Pass;
use crate::architectures::architecture::Config;
use crate::architectures::encoder::Encoder;
use crate::export::merge::{is_number, write_companions};
use crate::export::output::whole;
use crate::files::pretty;
use crate::folder::{CONFIG_FILE, TOKENIZER_FILE};
use crate::tensors::{NamedTensors, to_bytes};
use crate::texts::vocabulary::{self, TOKENIZER_CONFIG_FILE, read_json};
use crate::weights::{SINGLE_FILE, Weights};
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{AddedWord, ExportType, Pooling};
use lexforge_text::script::is_unspaced;
use serde_json::{Map, Value, json};
use std::path::Path;
use tch::{Device, Kind, Tensor};
use tokenizers::{AddedToken, Tokenizer};

/// Parts of the names of tables that have a row for each word: of embeddings, and of heads that foretell words.
const TABLES: [&str; 8] = [
    "word_embeddings",
    "tok_embeddings",
    "embed_tokens",
    "shared",
    "predictions",
    "lm_head",
    "vocab_projector",
    "decoder",
];
/// Vectors of a text without a new word may differ by so much; they are computed from the same numbers.
const SAME: f64 = 1e-5;
/// Tokens of such a text.
const LOOKED_AT: usize = 16;

/// Which words are added.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The words, the most important first.
    pub words: &'a [String],
    /// Most of them that are added.
    pub most: usize,
    /// Pieces that a word is broken into at least; fewer than two are none.
    pub pieces: usize,
}

/// What was made.
pub struct Made {
    /// Rows of the table of words.
    pub vocabulary: u64,
    /// The words that were added.
    pub added: Vec<AddedWord>,
}

/// A word with its row.
struct Added {
    word: String,
    id: i64,
    pieces: Vec<i64>,
    /// The word is found only between blanks, and its token includes the blank before it.
    spaced: bool,
}

/// Makes `folder` from `base` and reads it back.
///
/// # Errors
/// If the base is not an encoder or is damaged, if no word is broken into enough pieces, or if the new folder reads
/// other texts differently from the base.
pub fn write(base: &Path, folder: &Path, name: &str, wanted: Wanted<'_>) -> Result<Made> {
    let config = Config::of_folder(base)?;
    if matches!(config, Config::Decoder(_)) {
        return Err(Error::told(
            Code::InvalidRequest,
            "Words are added to text encoders alone; the base model is a decoder.",
            "Choose an encoder as the base model.",
        ));
    }
    let (tokenizer, added) = added(base, wanted)?;
    let rows = config.sizes().vocabulary as i64;
    let last = added.iter().map(|one| one.id).max().unwrap_or_default();
    let total = rows.max(last + 1);
    // Remove the folder that a killed attempt left.
    if folder.is_dir() {
        std::fs::remove_dir_all(folder).map_err(Error::io(folder))?;
    }
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let (tensors, kind) = tensors(base, rows, total, &added)?;
    whole(&folder.join(SINGLE_FILE), &to_bytes(&tensors)?)?;
    drop(tensors);
    write_companions(base, folder, kind, name)?;
    let again = |file: &str, bytes: &[u8]| -> Result<()> {
        let path = folder.join(file);
        if path.is_file() {
            std::fs::remove_file(&path).map_err(Error::io(&path))?;
        }
        whole(&path, bytes).map(drop)
    };
    let mut config: Map<String, Value> = read_json(&folder.join(CONFIG_FILE))?;
    config.insert("vocab_size".into(), total.into());
    again(CONFIG_FILE, &pretty(&Value::Object(config))?)?;
    let text = tokenizer.to_string(true).map_err(|e| failed(&e))?;
    again(TOKENIZER_FILE, text.as_bytes())?;
    if folder.join(TOKENIZER_CONFIG_FILE).is_file() {
        let mut config: Map<String, Value> = read_json(&folder.join(TOKENIZER_CONFIG_FILE))?;
        // If Transformers lists added words a second time, the new words must be added there, too.
        if let Some(Value::Object(listed)) = config.get_mut("added_tokens_decoder") {
            listed.extend(added.iter().map(|one| (one.id.to_string(), listed_as(one))));
            again(TOKENIZER_CONFIG_FILE, &pretty(&Value::Object(config))?)?;
        }
    }
    check(base, folder, rows, &added)?;
    Ok(Made {
        vocabulary: total as u64,
        added: added
            .into_iter()
            .map(|one| AddedWord {
                word: one.word,
                pieces: one.pieces.len() as u64,
            })
            .collect(),
    })
}

/// A word as Transformers lists it.
fn listed_as(one: &Added) -> Value {
    json!({
        "content": one.word, "lstrip": one.spaced, "normalized": true, "rstrip": false, "single_word": one.spaced,
        "special": false,
    })
}

fn failed(e: &dyn std::fmt::Display) -> Error {
    Error::told(
        Code::ModelUnsupported,
        format!("The tokenizer failed: {e}."),
        "Choose another encoder as the base model.",
    )
}

/// The base's tokenizer with the words, and the words.
fn added(base: &Path, wanted: Wanted<'_>) -> Result<(Tokenizer, Vec<Added>)> {
    let mut kept = vocabulary::tokenizer(base)?;
    // Reads words as they are, whatever the file says of padding and length.
    let mut plain = vocabulary::tokenizer(base)?;
    plain.with_padding(None);
    plain.with_truncation(None).map_err(|e| failed(&e))?;
    let mut added: Vec<Added> = Vec::new();
    for word in wanted.words {
        let word = word.trim();
        if added.len() == wanted.most {
            break;
        }
        let pieces = ids(&plain, word)?;
        // A piece that happens to be called so has a row already, and stands within other words.
        let is_piece = plain.token_to_id(word).is_some();
        if is_piece || pieces.len() < wanted.pieces.max(2) {
            continue;
        }
        // In a script with blanks, the word is found only between blanks. The token includes the blank before it, as
        // the tokenizer's own words do.
        let spaced = !word.chars().any(is_unspaced);
        let token = AddedToken::from(word, false)
            .single_word(spaced)
            .lstrip(spaced);
        for tokenizer in [&mut kept, &mut plain] {
            let token = token.clone();
            tokenizer.add_tokens([token]).map_err(|e| failed(&e))?;
        }
        let id = kept.token_to_id(word).map(i64::from);
        match id.filter(|id| ids(&plain, word).is_ok_and(|found| found == [*id])) {
            Some(id) => added.push(Added {
                word: word.to_owned(),
                id,
                pieces,
                spaced,
            }),
            None => return Err(failed(&"it does not find a word that was added to it")),
        }
    }
    if added.is_empty() {
        return Err(Error::told(
            Code::TooLittleData,
            format!(
                "The tokenizer breaks none of the {} terms into {} pieces or more.",
                wanted.words.len(),
                wanted.pieces.max(2)
            ),
            "Accept more terms, or add terms of fewer pieces.",
        ));
    }
    Ok((kept, added))
}

fn ids(tokenizer: &Tokenizer, word: &str) -> Result<Vec<i64>> {
    let encoding = tokenizer.encode(word, false).map_err(|e| failed(&e))?;
    Ok(encoding.get_ids().iter().map(|&id| i64::from(id)).collect())
}

/// The base's tensors, its tables of words with more rows, and the type of these.
fn tensors(
    base: &Path,
    rows: i64,
    total: i64,
    added: &[Added],
) -> Result<(NamedTensors, ExportType)> {
    let weights = Weights::open(base, Device::Cpu)?;
    let (mut all, mut kind) = (NamedTensors::new(), None);
    for (name, entry) in &weights.headers().tensors {
        if !is_number(entry.dtype) {
            continue;
        }
        let shape: Vec<i64> = entry.shape.iter().map(|&n| n as i64).collect();
        let own = weights.tensor_as(name, &shape, None)?;
        let own = match own.f_kind()? {
            Kind::Float | Kind::Half | Kind::BFloat16 => own,
            _ => own.f_to_kind(Kind::Float)?,
        };
        let of_words =
            shape.first() == Some(&rows) && TABLES.iter().any(|part| name.contains(part));
        let tensor = match of_words {
            true => grown(&own, total, added)?,
            false => own,
        };
        if of_words && shape.len() == 2 {
            kind = Some(tensor.f_kind()?);
        }
        all.insert(name.clone(), tensor);
    }
    let kind = match kind {
        Some(Kind::Half) => ExportType::F16,
        Some(Kind::BFloat16) => ExportType::Bf16,
        Some(_) => ExportType::F32,
        None => {
            return Err(Error::told(
                Code::ModelUnsupported,
                "The model's table of words was not found, so that no word can be added.",
                "Choose another encoder as the base model.",
            ));
        }
    };
    Ok((all, kind))
}

/// A table with so many rows, in which each added word has the mean of its pieces.
fn grown(own: &Tensor, total: i64, added: &[Added]) -> Result<Tensor> {
    let _no_grad = tch::no_grad_guard();
    let mut shape = own.size();
    let before = shape[0];
    shape[0] = total;
    let table = Tensor::f_zeros(shape, (Kind::Float, Device::Cpu))?;
    table.f_narrow(0, 0, before)?.f_copy_(own)?;
    // In their order: a later word may have an earlier one as a piece.
    for one in added {
        let pieces = Tensor::f_from_slice(&one.pieces)?;
        let read = table.f_index_select(0, &pieces)?;
        let mean = read.f_mean_dim([0i64].as_slice(), true, Kind::Float)?;
        table.f_narrow(0, one.id, 1)?.f_copy_(&mean)?;
    }
    Ok(table.f_to_kind(own.f_kind()?)?)
}

/// Checks that a text without a new word has the same vector as before.
fn check(base: &Path, folder: &Path, rows: i64, added: &[Added]) -> Result<()> {
    let old = added.iter().find_map(|one| {
        let ids = one.pieces.iter().map(|&id| u32::try_from(id).ok());
        let ids: Option<Vec<u32>> = ids.collect();
        ids.filter(|ids| ids.iter().all(|&id| i64::from(id) < rows))
    });
    let Some(ids) = old else {
        return Ok(());
    };
    let vector = |of: &Path| -> Result<Tensor> {
        let encoder = Encoder::open(of, Pooling::Mean, LOOKED_AT, Device::Cpu)?;
        encoder.encode(&[&ids[..ids.len().min(LOOKED_AT)]], Pass::Infer)
    };
    let _no_grad = tch::no_grad_guard();
    let apart = vector(base)?.f_sub(&vector(folder)?)?.f_abs()?.f_max()?;
    if apart.f_double_value(&[])? <= SAME {
        return Ok(());
    }
    Err(Error::told(
        Code::ExportDiffers,
        "The model with more words does not read other texts as the base model does.",
        "Report this message.",
    ))
}
