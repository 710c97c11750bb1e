//! How a folder says that its encoder reads texts, by the files that Sentence Transformers writes beside a model:
//! - `modules.json` lists the modules that are run one after the other ([`modules`]).
//! - `1_Pooling/config.json` says how one vector is made from the token vectors.
//! - Folders like `2_Dense` have dense layers ([`dense`]).
//! - `config_sentence_transformers.json` has the texts that are put before questions and passages.
//! - `sentence_bert_config.json` has the longest input. If it does not, the tokenizer's own bound counts
//!   (`tokenizer_config.json`), as in Sentence Transformers.
//!
//! Without these files, texts are pooled by the mean and vectors have unit length.
//!
//! A decoder is run as the language model that it is: a token sees only those before it. It is otherwise only if its
//! configuration, or an adapter, says that all tokens see each other.

use crate::adapters::adapter::Adapter;
use crate::architectures::architecture::Config;
use crate::architectures::dense;
use crate::folder::CONFIG_FILE;
use crate::texts::modules::{self, MODULES_FILE, Module, read, refused};
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{Pooling, TextReading};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Prompts, and what vectors are compared by.
const PROMPTS_FILE: &str = "config_sentence_transformers.json";
/// The longest input; the name depends on the architecture.
const LENGTH_FILES: [&str; 3] = [
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_xlm-roberta_config.json",
];
/// The tokenizer's settings, with the longest input that it was made for.
const TOKENIZER_SETTINGS: &str = "tokenizer_config.json";
/// The longest input of a folder that states none, whatever its tokenizer and its positions allow. A decoder may
/// allow 100,000 tokens and more, and the memory of one text would be without a bound.
const LONGEST_UNSTATED: usize = 8192;
/// The folder of the pooling if `modules.json` does not name one.
const POOLING_FOLDER: &str = "1_Pooling";
/// Names under which a passage's prompt is written, the first that is there counts.
const PASSAGE: [&str; 3] = ["document", "passage", "corpus"];

#[derive(Default, Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, Option<String>>,
    #[serde(default)]
    default_prompt_name: Option<String>,
    #[serde(default)]
    similarity_fn_name: Option<String>,
}

#[derive(Default, Deserialize)]
struct TokenizerBound {
    /// Written as a number beyond all integers (1e30) if there is no bound.
    #[serde(default)]
    model_max_length: Option<f64>,
}

#[derive(Default, Deserialize)]
struct Length {
    #[serde(default)]
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

/// How the folder's encoder reads texts.
///
/// # Errors
/// [`lexforge_domain::Code::ModelUnsupported`] if the folder asks for a module, a pooling or a comparison that is
/// not supported; [`lexforge_domain::Code::ModelMissing`] if a file is damaged.
pub fn of_folder(folder: &Path) -> Result<TextReading> {
    let modules: Option<Vec<Module>> = modules::of_folder(folder)?;
    let (mut pooled, mut unit, mut layers) = (None, modules.is_none(), Vec::new());
    for module in modules.iter().flatten() {
        match module.kind() {
            // A second pooling, or a module after the scaling of vectors, would be a model that is not computed here.
            "Transformer" if pooled.is_none() && !unit => {}
            "Pooling" if pooled.is_none() && !unit => pooled = Some(module.path.as_str()),
            "Dense" if pooled.is_some() && !unit => {
                layers.push(dense::described(folder, &module.path)?);
            }
            "Normalize" => unit = true,
            kind => return Err(unknown_module(kind)),
        }
    }
    // An unknown configuration is reported by another function.
    let config = Config::of_folder(folder).ok();
    if let Some(config) = &config {
        dense::check_sizes(&layers, config.sizes().hidden)?;
    }
    let decoder = matches!(config, Some(Config::Decoder(_)));
    let (pooling, with_prompt) = pooling(folder, pooled.unwrap_or(POOLING_FOLDER))?;
    let prompts: Prompts = read(folder, PROMPTS_FILE)?.unwrap_or_default();
    let named = |name: &str| prompts.prompts.get(name).cloned().flatten();
    let usual = prompts.default_prompt_name.as_deref().and_then(named);
    let passage = PASSAGE.iter().find_map(|name| named(name));
    let mut reading = TextReading {
        pooling,
        dense: layers,
        normalize: unit,
        question: named("query").or_else(|| usual.clone()).unwrap_or_default(),
        passage: passage.or(usual).unwrap_or_default(),
        causal: decoder && !sees_both_ways(folder)?,
        ..TextReading::default()
    };
    let prompted = !reading.question.is_empty() || !reading.passage.is_empty();
    if prompted && !with_prompt {
        return Err(refused(
            &format!("{}/config.json", pooled.unwrap_or(POOLING_FOLDER)),
            "The model leaves its prompts out of the pooling (include_prompt), which is not computed here.",
        ));
    }
    match prompts.similarity_fn_name.as_deref() {
        // Of unit length or not, a cosine is the same; at unit length it is a product.
        None | Some("cosine") => reading.normalize = true,
        Some("dot") => {}
        Some(other) => {
            return Err(refused(
                PROMPTS_FILE,
                &format!(
                    "The model's vectors are compared by {other:?}, which is not computed here."
                ),
            ));
        }
    }
    if let Some(stated) = stated_length(folder)? {
        reading.max_length = stated;
    } else if modules.is_some() {
        let positions = config.map(|config| config.sizes().positions);
        let bounds = [tokenizer_length(folder)?, positions];
        if let Some(least) = bounds.into_iter().flatten().min() {
            reading.max_length = least.min(LONGEST_UNSTATED);
        }
    }
    Ok(reading)
}

/// The longest input that the folder states beside its modules.
fn stated_length(folder: &Path) -> Result<Option<usize>> {
    for name in LENGTH_FILES {
        let Some(length) = read::<Length>(folder, name)? else {
            continue;
        };
        if length.do_lower_case {
            return Err(refused(
                name,
                "The model's texts are made lower case before its tokenizer (do_lower_case), which is not done here.",
            ));
        }
        return Ok(length.max_seq_length);
    }
    Ok(None)
}

/// The longest input that the folder's tokenizer was made for.
fn tokenizer_length(folder: &Path) -> Result<Option<usize>> {
    let said: Option<TokenizerBound> = read(folder, TOKENIZER_SETTINGS)?;
    let longest = said.and_then(|said| said.model_max_length);
    Ok(longest
        .filter(|&length| length >= 1.0)
        .map(|length| length as usize))
}

/// Whether a file of the folder says how one vector is made from the token vectors. Otherwise the mean is taken,
/// although many models were not made for it.
pub fn is_said(folder: &Path) -> bool {
    let pooling = format!("{POOLING_FOLDER}/config.json");
    [MODULES_FILE, pooling.as_str()]
        .iter()
        .any(|name| folder.join(name).is_file())
}

/// Whether a decoder's configuration says that its tokens see each other in both directions: by a setting, or by the
/// class that runs it.
fn sees_both_ways(folder: &Path) -> Result<bool> {
    let Some(config) = read::<Value>(folder, CONFIG_FILE)? else {
        return Ok(false);
    };
    let classes = config["architectures"].as_array().into_iter().flatten();
    let mut classes = classes.chain([&config["auto_map"]["AutoModel"]]);
    Ok(config["is_causal"] == false
        || config["use_bidirectional_attention"] == true
        || classes.any(|class| class.as_str().is_some_and(is_of_both_ways)))
}

/// Whether a class, by its name, runs a decoder with its tokens seeing each other in both directions. The names are
/// those of LLM2Vec: `LlamaBiModel`, `LlamaBiForMNTP`, `modeling_llama_encoder.LlamaEncoderModel`.
fn is_of_both_ways(class: &str) -> bool {
    ["BiModel", "BiForMNTP", "EncoderModel"]
        .iter()
        .any(|end| class.ends_with(end))
}

/// How texts are read with an adapter: as in the adapter's training. The folder's prompts are not used; the adapter's
/// own texts are put before questions and passages. An adapter of PEFT's own says at most which class it was trained
/// in.
pub fn with_adapter(folder: TextReading, adapter: Option<&Adapter>) -> TextReading {
    let class = adapter.and_then(Adapter::class_of_base);
    match adapter.and_then(Adapter::sidecar) {
        Some(sidecar) => TextReading {
            pooling: sidecar.pooling,
            question: sidecar.instruction.clone(),
            passage: sidecar.passage.clone(),
            causal: false,
            ..folder
        },
        None => TextReading {
            causal: folder.causal && !class.is_some_and(is_of_both_ways),
            ..folder
        },
    }
}

/// The pooling that is in a folder, and whether a prompt's tokens are pooled, too.
fn pooling(folder: &Path, path: &str) -> Result<(Pooling, bool)> {
    let name = format!("{path}/config.json");
    let Some(config) = read::<BTreeMap<String, Value>>(folder, &name)? else {
        return Ok((Pooling::Mean, true));
    };
    let mut modes: Vec<&str> = config
        .iter()
        .filter(|(_, value)| **value == Value::Bool(true))
        .filter_map(|(key, _)| key.strip_prefix("pooling_mode_"))
        .collect();
    match config.get("pooling_mode") {
        Some(Value::String(mode)) => modes.push(mode),
        Some(Value::Array(several)) => modes.extend(several.iter().filter_map(Value::as_str)),
        _ => {}
    }
    let pooling = match modes[..] {
        ["mean_tokens" | "mean"] => Pooling::Mean,
        ["cls_token" | "cls"] => Pooling::Cls,
        ["lasttoken" | "last"] => Pooling::Last,
        ["max_tokens" | "max"] => Pooling::Max,
        ["mean_sqrt_len_tokens"] => Pooling::MeanSqrt,
        ["weightedmean_tokens" | "weightedmean"] => Pooling::WeightedMean,
        [] => {
            return Err(refused_pooling(
                &name,
                "The pooling's configuration names no way of pooling.",
            ));
        }
        [one] => {
            return Err(refused(
                &name,
                &format!("The model pools its tokens by {one:?}, which is not computed here."),
            ));
        }
        _ => {
            return Err(refused_pooling(
                &name,
                &format!(
                    "The model pools its tokens in {} ways at a time ({}), which is not computed here.",
                    modes.len(),
                    modes.join(", ")
                ),
            ));
        }
    };
    let with_prompt = config.get("include_prompt") != Some(&Value::Bool(false));
    Ok((pooling, with_prompt))
}

/// A pooling of none or of several ways, where its user may know which one is meant.
fn refused_pooling(file: &str, message: &str) -> Error {
    Error::told_of(
        Path::new(file),
        Code::ModelUnsupported,
        message,
        "Use an encoder that pools its tokens in one way. If you know that one of them is meant, say so for this folder: the first \
         token, the last, the mean or the largest.",
    )
}

fn unknown_module(kind: &str) -> Error {
    refused(
        MODULES_FILE,
        &format!(
            "The model runs a module {kind:?} where this program knows none, so that its vectors would be wrong."
        ),
    )
}

#[cfg(test)]
mod tests;
