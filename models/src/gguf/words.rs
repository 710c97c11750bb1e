//! A tokenizer as settings of a GGUF file, and such settings as a tokenizer.
//!
//! Two kinds are known: byte-level BPE (`gpt2`: GPT-2, LLaMA 3, Qwen), whose way of cutting a text into words has a
//! name there, and BPE over characters with bytes to fall back on, as SentencePiece makes it (`llama`: LLaMA 2,
//! Mistral), whose merges become scores of the tokens.

use crate::architectures::sizes::unsupported;
use crate::decoding::chat::{ChatTemplate, template_text, token_text};
use crate::gguf::read::GgufFile;
use crate::gguf::{Named, Value as Setting};
use crate::texts::vocabulary::{self, QWEN_WORDS, tokenizer_config};
use crate::{Error, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tokenizers::Tokenizer;

/// How LLaMA 3 cuts a text: as Qwen does, with up to three digits together.
const LLAMA3_WORDS: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);
/// The format's names for ways of cutting a text, by the expression that cuts.
const CUTS: [(&str, &str); 2] = [("qwen2", QWEN_WORDS), ("llama-bpe", LLAMA3_WORDS)];
/// The name of GPT-2's own cut.
const GPT2_CUT: &str = "gpt-2";
/// What stands for a space in a token of SentencePiece's.
const SPACE: &str = "\u{2581}";

/// The format's numbers for kinds of tokens.
mod kind {
    pub const NORMAL: i32 = 1;
    pub const UNKNOWN: i32 = 2;
    pub const CONTROL: i32 = 3;
    pub const USER_DEFINED: i32 = 4;
    pub const UNUSED: i32 = 5;
    pub const BYTE: i32 = 6;
}

/// The settings that a model folder's tokenizer becomes, and what holds only in part. `entries` is the size of the
/// embedding table, `end` the token that ends an answer.
///
/// # Errors
/// [`lexforge_domain::Code::ModelUnsupported`] for a tokenizer that the format has no name for, by its kind.
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
    // Rows beyond the vocabulary stand for nothing; each needs a text of its own all the same.
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
    // What no merge makes is never merged; its score is not asked for.
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
            // Before the first text alone: after the token with which a template begins, there is none.
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

/// A tokenizer that was made of a file's settings alone.
pub struct GgufWords {
    way: Way,
    begin: Option<u32>,
    template: Option<ChatTemplate>,
}

enum Way {
    Bytes(Box<Tokenizer>),
    Characters(Characters),
}

impl GgufWords {
    /// Reads the settings of an open file.
    ///
    /// # Errors
    /// [`lexforge_domain::Code::ModelMissing`] where they are incomplete.
    pub fn of(file: &GgufFile) -> Result<Self> {
        let of = |name: &str| file.setting(&format!("tokenizer.{name}"));
        let missing = |name: &str| file.damaged(&format!("has no setting tokenizer.{name}"));
        let texts = |name: &str| match of(name) {
            Some(Setting::Texts(texts)) => Ok(texts),
            _ => Err(missing(name)),
        };
        let tokens = texts("ggml.tokens")?;
        let kinds = match of("ggml.token_type") {
            Some(Setting::I32s(kinds)) if kinds.len() == tokens.len() => kinds,
            _ => return Err(missing("ggml.token_type")),
        };
        let whole = |kind: i32| matches!(kind, kind::CONTROL | kind::USER_DEFINED);
        let marks: BTreeMap<&str, u32> = tokens
            .iter()
            .zip(kinds)
            .zip(0..)
            .filter(|((_, kind), _)| whole(**kind))
            .map(|((t, _), n)| (t.as_str(), n))
            .collect();
        let way = match of("ggml.model") {
            Some(Setting::Text(model)) if model == "gpt2" => {
                let cut = match of("ggml.pre") {
                    Some(Setting::Text(cut)) => cut.as_str(),
                    _ => return Err(missing("ggml.pre")),
                };
                Way::Bytes(Box::new(by_bytes(
                    file,
                    tokens,
                    kinds,
                    texts("ggml.merges")?,
                    cut,
                    &marks,
                )?))
            }
            Some(Setting::Text(model)) if model == "llama" => {
                let Some(Setting::F32s(scores)) = of("ggml.scores") else {
                    return Err(missing("ggml.scores"));
                };
                let scored = tokens.iter().zip(scores).zip(0..).zip(kinds);
                let known = scored.filter(|(_, kind)| !whole(**kind) && **kind != kind::UNUSED);
                Way::Characters(Characters {
                    known: known
                        .map(|(((token, &score), number), _)| (token.clone(), (score, number)))
                        .collect(),
                    marks: marks
                        .iter()
                        .map(|(text, &number)| ((*text).to_owned(), number))
                        .collect(),
                    space: of("ggml.add_space_prefix") != Some(&Setting::Bool(false)),
                })
            }
            _ => return Err(missing("ggml.model")),
        };
        let number = |name: &str| match of(name) {
            Some(Setting::U32(number)) => Some(*number),
            _ => None,
        };
        let text_of = |name: &str| number(name).and_then(|n| tokens.get(n as usize).cloned());
        let begin = number("ggml.bos_token_id")
            .filter(|_| of("ggml.add_bos_token") == Some(&Setting::Bool(true)));
        let template = match of("chat_template") {
            Some(Setting::Text(text)) => {
                let (begin, end) = (text_of("ggml.bos_token_id"), text_of("ggml.eos_token_id"));
                let read = ChatTemplate::new(text, begin, end);
                Some(read.map_err(|e| {
                    file.damaged(&format!("has a chat template that cannot be run: {e}"))
                })?)
            }
            _ => None,
        };
        Ok(Self {
            way,
            begin,
            template,
        })
    }

    /// The file's chat template.
    pub fn template(&self) -> Option<&ChatTemplate> {
        self.template.as_ref()
    }

    /// Tokens of a text. What begins a text is put before it where no template has.
    ///
    /// # Errors
    /// Where the tokenizer refuses.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let own = match &self.way {
            Way::Bytes(tokenizer) => tokenizer
                .encode(text, false)
                .map_err(|e| Error::Shim(e.to_string()))?
                .get_ids()
                .to_vec(),
            Way::Characters(characters) => characters.encode(text),
        };
        Ok(self
            .begin
            .filter(|_| self.template.is_none())
            .into_iter()
            .chain(own)
            .collect())
    }
}

fn by_bytes(
    file: &GgufFile,
    tokens: &[String],
    kinds: &[i32],
    merges: &[String],
    cut: &str,
    marks: &BTreeMap<&str, u32>,
) -> Result<Tokenizer> {
    let bytes = |regex: bool| json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": regex});
    let words = match CUTS.iter().find(|(name, _)| *name == cut) {
        Some((_, expression)) => json!({"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": false}, bytes(false)]}),
        None if cut == GPT2_CUT => bytes(true),
        None => {
            return Err(file.damaged(&format!("cuts texts in a way that is not known ({cut:?})")));
        }
    };
    let vocabulary: serde_json::Map<String, Value> = tokens
        .iter()
        .zip(kinds)
        .enumerate()
        .filter(|(_, (_, kind))| **kind != kind::UNUSED)
        .map(|(number, (token, _))| (token.clone(), number.into()))
        .collect();
    let mut added: Vec<(&&str, &u32)> = marks.iter().collect();
    added.sort_by_key(|(_, number)| **number);
    let added: Vec<Value> = added
        .into_iter()
        .map(|(text, number)| {
            json!({"id": number, "content": text, "special": kinds[*number as usize] == kind::CONTROL,
                "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
        })
        .collect();
    let described = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": added, "normalizer": null,
        "pre_tokenizer": words, "post_processor": null, "decoder": bytes(false),
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
            // Readers take words of LLaMA 3's vocabulary whole.
            "ignore_merges": cut == "llama-bpe", "vocab": vocabulary, "merges": merges},
    });
    Tokenizer::from_bytes(described.to_string().as_bytes())
        .map_err(|e| file.damaged(&format!("has a tokenizer that cannot be put together: {e}")))
}

/// SentencePiece's BPE: the neighbours whose union scores highest become one, until none are known.
struct Characters {
    /// Score and number of each token.
    known: HashMap<String, (f32, u32)>,
    /// Tokens that are never part of a word.
    marks: Vec<(String, u32)>,
    /// A space before each piece of text.
    space: bool,
}

impl Characters {
    fn encode(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let found = self
                .marks
                .iter()
                .filter_map(|(mark, number)| Some((rest.find(mark.as_str())?, mark, *number)));
            // The first one, and of those in one place the longest.
            let next = found.min_by_key(|(at, mark, _)| (*at, usize::MAX - mark.len()));
            let words = &rest[..next.map_or(rest.len(), |(at, ..)| at)];
            if !words.is_empty() {
                self.words(words, &mut ids);
            }
            rest = match next {
                Some((at, mark, number)) => {
                    ids.push(number);
                    &rest[at + mark.len()..]
                }
                None => "",
            };
        }
        ids
    }

    fn words(&self, text: &str, ids: &mut Vec<u32>) {
        let text = text.replace(' ', SPACE);
        let begin = if self.space { SPACE } else { "" };
        let mut parts: Vec<String> = begin
            .chars()
            .chain(text.chars())
            .map(String::from)
            .collect();
        let union = |parts: &[String], at: usize| {
            let next = parts.get(at + 1)?;
            self.known
                .get(&format!("{}{next}", parts[at]))
                .map(|(score, _)| *score)
        };
        let mut scores: Vec<Option<f32>> = (0..parts.len()).map(|at| union(&parts, at)).collect();
        loop {
            let mut best: Option<(usize, f32)> = None;
            for (at, score) in scores.iter().enumerate() {
                if let Some(score) = *score
                    && best.is_none_or(|(_, highest)| score > highest)
                {
                    best = Some((at, score));
                }
            }
            let Some((at, _)) = best else { break };
            let next = parts.remove(at + 1);
            scores.remove(at + 1);
            parts[at].push_str(&next);
            scores[at] = union(&parts, at);
            if let Some(before) = at.checked_sub(1) {
                scores[before] = union(&parts, before);
            }
        }
        for part in parts {
            match self.known.get(&part) {
                Some((_, number)) => ids.push(*number),
                None => ids.extend(part.bytes().filter_map(|byte| {
                    self.known
                        .get(&format!("<0x{byte:02X}>"))
                        .map(|(_, number)| *number)
                })),
            }
        }
    }
}

#[cfg(test)]
mod tests;
