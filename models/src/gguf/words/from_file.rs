//! A tokenizer that is made of the settings of a GGUF file alone.

use super::characters::Characters;
use super::{CUTS, GPT2_CUT, kind};
use crate::decoding::chat::ChatTemplate;
use crate::gguf::Value as Setting;
use crate::gguf::read::GgufFile;
use crate::{Error, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokenizers::Tokenizer;

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
    /// [`lexforge_domain::Code::ModelMissing`] if they are incomplete.
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

    /// Tokens of a text. The token that begins a text is added unless a template has put it there.
    ///
    /// # Errors
    /// If the tokenizer fails.
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
