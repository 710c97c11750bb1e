//! The tokenizer of a model's folder as settings of a GGUF file.

use super::{CUTS, GPT2_CUT, SPACE, kind};
use crate::architectures::sizes::unsupported;
use crate::decoding::chat::{template_text, token_text};
use crate::gguf::{Named, Value as Setting};
use crate::texts::vocabulary::{self, tokenizer_config};
use crate::{Error, Result};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The GGUF settings of a model folder's tokenizer, and a list of the features that the settings keep only in part.
/// `entries` is the size of the embedding table, `end` is the token that ends an answer.
///
/// # Errors
/// [`lexforge_domain::Code::ModelUnsupported`] for a tokenizer that the format has no name for; the message names its
/// kind.
pub fn settings(folder: &Path, entries: usize, end: u32) -> Result<(Vec<Named>, Vec<String>)> {
    let mut tokenizer = vocabulary::tokenizer(folder)?;
    tokenizer.with_padding(None);
    tokenizer
        .with_truncation(None)
        .map_err(|e| Error::Shim(e.to_string()))?;
    let text = tokenizer
        .to_string(false)
        .map_err(|e| Error::Shim(e.to_string()))?;
    let described: Value = serde_json::from_str(&text).map_err(|e| Error::Shim(e.to_string()))?;
    let config = tokenizer_config(folder)?;
    let mut notes = Vec::new();
    let model = &described["model"];
    let kind_name = model["type"].as_str().unwrap_or("none named");
    if kind_name != "BPE" {
        return Err(refused(&format!("a tokenizer of the kind {kind_name}")));
    }
    let merges: Vec<(String, String)> = merges_of(model)?;
    let by_characters = model["byte_fallback"] == true;
    let (mut tokens, mut kinds) = tokens_of(&described, entries, by_characters)?;
    let unknown = model["unk_token"]
        .as_str()
        .and_then(|unknown| tokenizer.token_to_id(unknown));
    if let Some(unknown) = unknown {
        kinds[unknown as usize] = kind::UNKNOWN;
    }
    let template = template_text(folder, &config)?;
    let mut settings = vec![];
    let mut put = |name: &str, value: Setting| settings.push((format!("tokenizer.{name}"), value));
    if by_characters {
        put("ggml.model", Setting::Text("llama".into()));
        put("ggml.pre", Setting::Text("default".into()));
        put("ggml.scores", Setting::F32s(scores_of(&tokens, &merges)));
        put(
            "ggml.add_space_prefix",
            Setting::Bool(begins_with_space(&described, template.is_some())?),
        );
    } else {
        let (cut, note) = cut_of(&described)?;
        notes.extend(note);
        put("ggml.model", Setting::Text("gpt2".into()));
        put("ggml.pre", Setting::Text(cut.into()));
        put(
            "ggml.merges",
            Setting::Texts(merges.iter().map(|(a, b)| format!("{a} {b}")).collect()),
        );
    }
    put("ggml.tokens", Setting::Texts(std::mem::take(&mut tokens)));
    put("ggml.token_type", Setting::I32s(std::mem::take(&mut kinds)));
    let named =
        |name: &str| token_text(&config, name).and_then(|text| tokenizer.token_to_id(&text));
    let around = tokenizer
        .encode("a", true)
        .map_err(|e| Error::Shim(e.to_string()))?;
    let (bare, around) = (
        tokenizer
            .encode("a", false)
            .map_err(|e| Error::Shim(e.to_string()))?,
        around.get_ids().to_vec(),
    );
    let own = bare.get_ids();
    let place = around
        .windows(own.len().max(1))
        .position(|window| window == own)
        .unwrap_or(0);
    let before = around.get(..place).and_then(<[u32]>::last).copied();
    let after = around.get(place + own.len()).copied();
    let begin = named("bos_token").or(before);
    put("ggml.eos_token_id", Setting::U32(end));
    if let Some(begin) = begin {
        put("ggml.bos_token_id", Setting::U32(begin));
    }
    if let Some(pad) = named("pad_token") {
        put("ggml.padding_token_id", Setting::U32(pad));
    }
    if let Some(unknown) = unknown {
        put("ggml.unknown_token_id", Setting::U32(unknown));
    }
    put("ggml.add_bos_token", Setting::Bool(before.is_some()));
    // Our answers end themselves: a question must not.
    put("ggml.add_eos_token", Setting::Bool(false));
    if after.is_some() {
        notes
            .push("The tokenizer ends every text by itself; in this file it does not, as in the training here.".into());
    }
    if let Some(template) = template {
        put("chat_template", Setting::Text(template));
    }
    Ok((settings, notes))
}

fn refused(what: &str) -> Error {
    unsupported(&format!(
        "{what}, for which GGUF has no name that Lexforge knows"
    ))
}

fn merges_of(model: &Value) -> Result<Vec<(String, String)>> {
    let pair = |merge: &Value| match merge {
        Value::String(text) => text
            .split_once(' ')
            .map(|(a, b)| (a.to_owned(), b.to_owned())),
        Value::Array(two) => Some((
            two.first()?.as_str()?.to_owned(),
            two.get(1)?.as_str()?.to_owned(),
        )),
        _ => None,
    };
    let merges = model["merges"]
        .as_array()
        .map(|merges| merges.iter().map(pair).collect::<Option<Vec<_>>>());
    merges
        .flatten()
        .ok_or_else(|| refused("a tokenizer without merges"))
}

/// Text and kind of each entry of the embedding table.
fn tokens_of(
    described: &Value,
    entries: usize,
    by_characters: bool,
) -> Result<(Vec<String>, Vec<i32>)> {
    // Rows beyond the vocabulary stand for nothing; each needs a text of its own nevertheless.
    let mut tokens: Vec<String> = (0..entries)
        .map(|number| format!("[PAD{number}]"))
        .collect();
    let mut kinds = vec![kind::UNUSED; entries];
    let mut put = |number: Option<u64>, text: &str, kind: i32| -> Result<()> {
        let number = number
            .and_then(|n| usize::try_from(n).ok())
            .filter(|&n| n < entries);
        let number = number.ok_or_else(|| refused("a token beyond the model's vocabulary"))?;
        text.clone_into(&mut tokens[number]);
        kinds[number] = kind;
        Ok(())
    };
    for (text, number) in described["model"]["vocab"]
        .as_object()
        .into_iter()
        .flatten()
    {
        let byte =
            by_characters && text.len() == 6 && text.starts_with("<0x") && text.ends_with('>');
        put(
            number.as_u64(),
            text,
            if byte { kind::BYTE } else { kind::NORMAL },
        )?;
    }
    for token in described["added_tokens"].as_array().into_iter().flatten() {
        let kind = if token["special"] == true {
            kind::CONTROL
        } else {
            kind::USER_DEFINED
        };
        put(
            token["id"].as_u64(),
            token["content"].as_str().unwrap_or_default(),
            kind,
        )?;
    }
    Ok((tokens, kinds))
}

/// The later a merge, the lower the score of what it makes.
fn scores_of(tokens: &[String], merges: &[(String, String)]) -> Vec<f32> {
    let mut ranks: HashMap<String, usize> = HashMap::with_capacity(merges.len());
    for (rank, (a, b)) in merges.iter().enumerate() {
        ranks.entry(format!("{a}{b}")).or_insert(rank);
    }
    // A token that no merge makes is never the result of a merge, so its score does not matter.
    let last = merges.len();
    tokens
        .iter()
        .enumerate()
        .map(|(number, token)| -(ranks.get(token).copied().unwrap_or(last + number) as f32))
        .collect()
}

/// The parts of a component that may be a sequence.
fn parts<'a>(component: &'a Value, list: &str) -> Vec<&'a Value> {
    match component {
        Value::Null => Vec::new(),
        one if one["type"] == "Sequence" => one[list].as_array().into_iter().flatten().collect(),
        one => vec![one],
    }
}

/// Whether a space is put before each text, of a tokenizer by characters.
fn begins_with_space(described: &Value, template: bool) -> Result<bool> {
    let mut space = false;
    for part in parts(&described["normalizer"], "normalizers") {
        match part["type"].as_str() {
            Some("Prepend") if part["prepend"] == SPACE => space = true,
            Some("Replace") if part["pattern"]["String"] == " " && part["content"] == SPACE => {}
            other => {
                return Err(refused(&format!(
                    "a tokenizer that normalises ({})",
                    other.unwrap_or_default()
                )));
            }
        }
    }
    for part in parts(&described["pre_tokenizer"], "pretokenizers") {
        match (part["type"].as_str(), part["prepend_scheme"].as_str()) {
            (Some("Metaspace"), Some("always")) => space = true,
            // A blank is added only before the first text, and not after the token with which a template begins.
            (Some("Metaspace"), Some("first")) => space = !template,
            (Some("Metaspace"), Some("never")) => {}
            (other, _) => {
                return Err(refused(&format!(
                    "a tokenizer that cuts texts ({})",
                    other.unwrap_or_default()
                )));
            }
        }
    }
    Ok(space)
}

/// The name of the way in which a byte-level tokenizer cuts a text.
fn cut_of(described: &Value) -> Result<(&'static str, Option<String>)> {
    let mut note = None;
    for part in parts(&described["normalizer"], "normalizers") {
        match part["type"].as_str() {
            Some("NFC") => {
                note = Some(
                    "The tokenizer composes characters (Unicode NFC); readers of this format do not. Texts that are composed \
                     already, as nearly all are, become the same tokens."
                        .to_owned(),
                );
            }
            other => {
                return Err(refused(&format!(
                    "a tokenizer that normalises ({})",
                    other.unwrap_or_default()
                )));
            }
        }
    }
    let mut cut = None;
    let mut bytes = false;
    for part in parts(&described["pre_tokenizer"], "pretokenizers") {
        match part["type"].as_str() {
            Some("Split") if part["behavior"] == "Isolated" && part["invert"] != true => {
                let expression = part["pattern"]["Regex"].as_str().unwrap_or_default();
                let known = CUTS.iter().find(|(_, known)| *known == expression);
                cut = Some(
                    known
                        .ok_or_else(|| {
                            refused("a tokenizer that cuts texts by an expression of its own")
                        })?
                        .0,
                );
            }
            Some("ByteLevel") if part["add_prefix_space"] != true => {
                bytes = true;
                if part["use_regex"] == true {
                    cut = cut.or(Some(GPT2_CUT));
                }
            }
            other => {
                return Err(refused(&format!(
                    "a tokenizer that cuts texts ({})",
                    other.unwrap_or_default()
                )));
            }
        }
    }
    match cut.filter(|_| bytes) {
        Some(cut) => Ok((cut, note)),
        None => Err(refused("a tokenizer that does not read bytes")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::LLAMA3_WORDS;
    use super::*;
    use crate::texts::vocabulary::QWEN_WORDS;
    use serde_json::json;

    #[test]
    fn scores_fall_with_the_rank_of_the_merge() {
        let tokens: Vec<String> = ["<unk>", "a", "b", "ab", "abb"].map(str::to_owned).to_vec();
        let merges =
            [("a", "b"), ("ab", "b"), ("a", "bb")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(scores_of(&tokens, &merges), [-3.0, -4.0, -5.0, 0.0, -1.0]);
    }

    #[test]
    fn a_cut_without_a_name_is_refused() {
        let described =
            |pre: Value, normalizer: Value| json!({"pre_tokenizer": pre, "normalizer": normalizer});
        let bytes = |regex: bool| json!({"type": "ByteLevel", "add_prefix_space": false, "use_regex": regex});
        let split = |expression: &str| {
            json!({"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex": expression},
                    "behavior": "Isolated", "invert": false}, bytes(false)]})
        };
        assert_eq!(
            cut_of(&described(split(QWEN_WORDS), json!({"type": "NFC"})))
                .unwrap()
                .0,
            "qwen2"
        );
        assert_eq!(
            cut_of(&described(split(LLAMA3_WORDS), Value::Null)).unwrap(),
            ("llama-bpe", None)
        );
        assert_eq!(
            cut_of(&described(bytes(true), Value::Null)).unwrap().0,
            "gpt-2"
        );
        for (pre, normalizer) in [
            (split(r"\w+"), Value::Null),
            (json!({"type": "Whitespace"}), Value::Null),
            (bytes(false), Value::Null),
            (split(QWEN_WORDS), json!({"type": "Lowercase"})),
        ] {
            assert!(
                cut_of(&described(pre, normalizer))
                    .unwrap_err()
                    .to_string()
                    .contains("GGUF")
            );
        }
    }
}
