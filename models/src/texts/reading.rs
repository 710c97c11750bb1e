//! How a folder says that its encoder reads texts, by the files that Sentence Transformers writes beside a model:
//! - `modules.json` lists the modules that are run one after the other ([`modules`]).
//! - `1_Pooling/config.json` says how one vector is made from the token vectors.
//! - Folders like `2_Dense` have dense layers ([`dense`]).
//! - `config_sentence_transformers.json` has the texts that are put before questions and passages.
//! - `sentence_bert_config.json` has the longest input.
//!
//! Without these files, texts are pooled by the mean and vectors have unit length.

use crate::adapters::sidecar::Sidecar;
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
        // Sentence Transformers runs a decoder as the language model that it is.
        causal: decoder && modules.is_some() && !sees_both_ways(folder)?,
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
        reading.max_length = length.max_seq_length.unwrap_or(reading.max_length);
        break;
    }
    Ok(reading)
}

/// Whether a file of the folder says how one vector is made from the token vectors. Otherwise the mean is taken,
/// although many models were not made for it.
pub fn is_said(folder: &Path) -> bool {
    let pooling = format!("{POOLING_FOLDER}/config.json");
    [MODULES_FILE, pooling.as_str()]
        .iter()
        .any(|name| folder.join(name).is_file())
}

/// Whether a decoder's configuration says that its tokens see each other in both directions.
fn sees_both_ways(folder: &Path) -> Result<bool> {
    let config: Option<Value> = read(folder, CONFIG_FILE)?;
    let said = |name: &str| config.as_ref()?.get(name)?.as_bool();
    Ok(said("is_causal") == Some(false) || said("use_bidirectional_attention") == Some(true))
}

/// How texts are read with an adapter: as in the adapter's training. The folder's prompts are not used; the adapter's
/// own texts are put before questions and passages.
pub fn with_adapter(folder: TextReading, sidecar: Option<&Sidecar>) -> TextReading {
    match sidecar {
        Some(sidecar) => TextReading {
            pooling: sidecar.pooling,
            question: sidecar.instruction.clone(),
            passage: sidecar.passage.clone(),
            causal: false,
            ..folder
        },
        None => folder,
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
mod tests {
    use super::*;

    const ST: &str = "sentence_transformers.models.";

    fn modules(kinds: &[(&str, &str)]) -> String {
        let list: Vec<Value> = kinds
            .iter()
            .map(|(kind, path)| serde_json::json!({"type": format!("{ST}{kind}"), "path": path}))
            .collect();
        Value::from(list).to_string()
    }

    fn reading(
        files: &[(&str, &str)],
    ) -> std::result::Result<TextReading, lexforge_domain::Failure> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        of_folder(folder.path()).map_err(Error::into_failure)
    }

    #[test]
    fn a_folder_that_says_nothing_is_read_by_the_mean() {
        assert_eq!(reading(&[]).unwrap(), TextReading::default());
        let usual = modules(&[
            ("Transformer", ""),
            ("Pooling", "1_Pooling"),
            ("Normalize", "2_Normalize"),
        ]);
        let mean = r#"{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}"#;
        let length = r#"{"max_seq_length": 256, "do_lower_case": false}"#;
        let minilm = [
            (MODULES_FILE, usual.as_str()),
            ("1_Pooling/config.json", mean),
            ("sentence_bert_config.json", length),
            (PROMPTS_FILE, r#"{"__version__": {"pytorch": "1.8.1"}}"#),
        ];
        assert_eq!(reading(&minilm).unwrap(), TextReading::default());
    }

    #[test]
    fn pooling_prompts_and_length_are_those_of_the_files() {
        let files = modules(&[("Transformer", ""), ("Pooling", "pool")]);
        let prompts = r#"{"prompts": {"query": "query: ", "passage": "passage: "}, "similarity_fn_name": "dot"}"#;
        let read = reading(&[
            (MODULES_FILE, &files),
            (
                "pool/config.json",
                r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#,
            ),
            (PROMPTS_FILE, prompts),
            ("sentence_bert_config.json", r#"{"max_seq_length": 512}"#),
        ])
        .unwrap();
        let expected = TextReading {
            pooling: Pooling::Cls,
            normalize: false,
            question: "query: ".into(),
            passage: "passage: ".into(),
            max_length: 512,
            ..TextReading::default()
        };
        assert_eq!(read, expected);
        let last = reading(&[
            ("1_Pooling/config.json", r#"{"pooling_mode": "lasttoken"}"#),
            (
                PROMPTS_FILE,
                r#"{"prompts": {"any": "x "}, "default_prompt_name": "any"}"#,
            ),
            ("sentence_bert_config.json", r#"{"max_seq_length": null}"#),
        ])
        .unwrap();
        assert_eq!(last.pooling, Pooling::Last);
        assert_eq!(
            (last.question.as_str(), last.passage.as_str()),
            ("x ", "x ")
        );
        assert_eq!((last.normalize, last.max_length), (true, 256));
    }

    #[test]
    fn every_single_way_of_pooling_is_known_in_both_spellings() {
        let check = |mode: &str, expected: Pooling| {
            let older = format!(r#"{{"pooling_mode_{mode}": true, "pooling_mode_x": false}}"#);
            let newer = format!(r#"{{"pooling_mode": "{}"}}"#, mode.replace("_tokens", ""));
            for text in [
                older,
                newer
                    .replace("_len", "_len_tokens")
                    .replace("cls_token", "cls"),
            ] {
                let read = reading(&[("1_Pooling/config.json", &text)]).unwrap();
                assert_eq!(read.pooling, expected, "{text}");
            }
        };
        check("mean_tokens", Pooling::Mean);
        check("cls_token", Pooling::Cls);
        check("lasttoken", Pooling::Last);
        check("max_tokens", Pooling::Max);
        check("mean_sqrt_len_tokens", Pooling::MeanSqrt);
        check("weightedmean_tokens", Pooling::WeightedMean);
    }

    #[test]
    fn dense_layers_are_read_from_their_folders_or_refused() {
        let files = modules(&[
            ("Transformer", ""),
            ("Pooling", "1_Pooling"),
            ("Dense", "2_Dense"),
            ("Normalize", "3_Normalize"),
        ]);
        let of = |config: &str| reading(&[(MODULES_FILE, &files), ("2_Dense/config.json", config)]);
        let plain = r#"{"in_features": 8, "out_features": 4, "bias": true,
            "activation_function": "torch.nn.modules.linear.Identity"}"#;
        let read = of(plain).unwrap();
        let layer = &read.dense[0];
        assert_eq!((layer.inputs, layer.outputs, layer.bias), (8, 4, true));
        assert_eq!(
            (layer.path.as_str(), layer.function.tag()),
            ("2_Dense", "identity")
        );
        let check = |from: &str, to: &str, code: Code, named: &str| {
            let failure = of(&plain.replace(from, to)).unwrap_err();
            assert_eq!(failure.code, code, "{to}");
            assert!(failure.message.contains(named), "{}", failure.message);
        };
        check(
            "linear.Identity",
            "activation.Hardswish",
            Code::ModelUnsupported,
            "Hardswish",
        );
        check(
            "\"bias\": true",
            "\"use_residual\": true",
            Code::ModelUnsupported,
            "use_residual",
        );
        check(
            "\"bias\": true",
            "\"module_input_name\": \"token_embeddings\"",
            Code::ModelUnsupported,
            "token_embeddings",
        );
        check("8", "0", Code::ModelMissing, "in_features");
        let alone = reading(&[(MODULES_FILE, &files)]).unwrap_err();
        assert!(
            alone.message.contains("2_Dense/config.json"),
            "{}",
            alone.message
        );
    }

    #[test]
    fn what_is_not_computed_here_is_named_and_refused() {
        let check = |files: &[(&str, &str)], code: Code, file: &str, named: &str| {
            let failure = reading(files).unwrap_err();
            assert_eq!(failure.code, code, "{named}");
            assert_eq!(failure.file.as_deref(), Some(file));
            assert!(failure.message.contains(named), "{}", failure.message);
        };
        let unknown = modules(&[
            ("Transformer", ""),
            ("Pooling", "1_Pooling"),
            ("LSTM", "2_LSTM"),
        ]);
        check(
            &[(MODULES_FILE, &unknown)],
            Code::ModelUnsupported,
            MODULES_FILE,
            "LSTM",
        );
        let outside = modules(&[("Transformer", ""), ("Pooling", "../1_Pooling")]);
        check(
            &[(MODULES_FILE, &outside)],
            Code::ModelMissing,
            MODULES_FILE,
            "../1_Pooling",
        );
        let twice = modules(&[("Transformer", ""), ("Pooling", "a"), ("Pooling", "b")]);
        check(
            &[(MODULES_FILE, &twice)],
            Code::ModelUnsupported,
            MODULES_FILE,
            "Pooling",
        );
        let pooling = "1_Pooling/config.json";
        let both = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}"#;
        check(
            &[(pooling, both)],
            Code::ModelUnsupported,
            pooling,
            "2 ways at a time (cls_token, mean_tokens)",
        );
        let other = r#"{"pooling_mode_median_tokens": true}"#;
        check(
            &[(pooling, other)],
            Code::ModelUnsupported,
            pooling,
            "median_tokens",
        );
        check(
            &[(pooling, "{}")],
            Code::ModelUnsupported,
            pooling,
            "no way",
        );
        check(
            &[(pooling, "{")],
            Code::ModelMissing,
            pooling,
            "cannot be read",
        );
        let far = r#"{"similarity_fn_name": "euclidean"}"#;
        check(
            &[(PROMPTS_FILE, far)],
            Code::ModelUnsupported,
            PROMPTS_FILE,
            "euclidean",
        );
        let lower = r#"{"max_seq_length": 128, "do_lower_case": true}"#;
        let name = "sentence_bert_config.json";
        check(&[(name, lower)], Code::ModelUnsupported, name, "lower case");
        let left_out = r#"{"pooling_mode_mean_tokens": true, "include_prompt": false}"#;
        let files = [
            (pooling, left_out),
            (PROMPTS_FILE, r#"{"prompts": {"query": "q: "}}"#),
        ];
        check(&files, Code::ModelUnsupported, pooling, "include_prompt");
    }
}
