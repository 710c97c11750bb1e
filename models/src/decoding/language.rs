//! A decoder with its tokenizer and its chat form: everything needed to turn a question and an answer into tokens.

use crate::architectures::architecture::Config;
use crate::architectures::decoder::{Decoder, token_numbers};
use crate::decoding::chat::{ChatTemplate, Message, token_text};
use crate::folder::{CONFIG_FILE, TOKENIZER_FILE};
use crate::texts::vocabulary::{self, read_json, tokenizer_config};
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::Precision;
use serde_json::Value;
use std::ops::Range;
use std::path::Path;
use tch::{Device, Kind};
use tokenizers::Tokenizer;

/// A text as tokens that know where they are in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Token numbers.
    pub ids: Vec<u32>,
    /// Bytes of the text that each token stands for. Tokens that are parts of one character share it.
    pub spans: Vec<Range<usize>>,
}

impl Encoded {
    /// The first token that covers a byte from this byte on. The number of tokens if there is none.
    pub(crate) fn at_byte(&self, byte: usize) -> usize {
        self.spans
            .iter()
            .position(|span| span.end > byte)
            .unwrap_or(self.ids.len())
    }

    /// The tokens that stand for anything of these bytes.
    pub fn of_bytes(&self, bytes: &Range<usize>) -> Range<usize> {
        let first = self.at_byte(bytes.start);
        let last = self
            .spans
            .iter()
            .rposition(|span| span.start < bytes.end && span.end > bytes.start);
        first..last.map_or(first, |last| last + 1)
    }
}

/// A question and an answer as tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// All tokens: the question as the model reads it, the answer, the token that ends it.
    pub ids: Vec<u32>,
    /// First token of the answer.
    pub answer: usize,
    /// Bytes of the text that each token stands for; the end's is empty.
    pub spans: Vec<Range<usize>>,
    /// Bytes of the question in that text.
    pub prompt_bytes: usize,
}

/// A text as tokens; one vector is made from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// All tokens.
    pub ids: Vec<u32>,
    /// The tokens that are pooled.
    pub pooled: Range<usize>,
    /// The text was cut.
    pub cut: bool,
}

/// The tokens of a decoder's language.
pub struct Language {
    tokenizer: Tokenizer,
    template: Option<ChatTemplate>,
    specials: Vec<String>,
    end: u32,
    ends: Vec<u32>,
}

impl Language {
    /// Reads from a model folder the tokenizer, the template, and the tokens that end an answer.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if the tokenizer is missing, damaged or larger than the model's embeddings, or the
    /// token that ends an answer is unknown.
    pub fn open(folder: &Path, vocabulary: usize) -> Result<Self> {
        let mut tokenizer = vocabulary::tokenizer(folder)?;
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(None)
            .map_err(|e| Error::Shim(e.to_string()))?;
        let entries = tokenizer
            .get_vocab(true)
            .into_values()
            .max()
            .map_or(0, |last| last as usize + 1);
        if entries > vocabulary {
            return Err(Error::told_of(
                &folder.join(TOKENIZER_FILE),
                Code::ModelMissing,
                format!("The tokenizer has {entries} entries, the model only {vocabulary}."),
                "Copy the tokenizer.json that belongs to this model.",
            ));
        }
        let config = tokenizer_config(folder)?;
        let template = ChatTemplate::of_folder(folder)?;
        let mut ends = Vec::new();
        if let Some(number) =
            token_text(&config, "eos_token").and_then(|text| tokenizer.token_to_id(&text))
        {
            ends.push(number);
        }
        for file in ["generation_config.json", CONFIG_FILE] {
            let path = folder.join(file);
            if path.is_file() {
                let value: Value = read_json(&path)?;
                ends.extend(token_numbers(
                    value.get("eos_token_id").unwrap_or(&Value::Null),
                ));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        ends.retain(|&end| (end as usize) < vocabulary && seen.insert(end));
        let Some(&end) = ends.first() else {
            return Err(Error::told_of(
                folder,
                Code::ModelMissing,
                "No token is named that ends an answer (eos_token).",
                "Copy the model's folder again, with tokenizer_config.json and generation_config.json.",
            ));
        };
        let specials = tokenizer
            .get_added_tokens_decoder()
            .into_values()
            .filter(|token| token.special && token.content.chars().count() > 1)
            .map(|token| token.content)
            .collect();
        Ok(Self {
            tokenizer,
            template,
            specials,
            end,
            ends,
        })
    }

    /// Token that ends an answer.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// All tokens after which the model says nothing more.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Entries of the vocabulary, added tokens included.
    pub fn vocabulary(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }

    /// A text in which no special token of the model can occur. For this, an invisible character (word joiner) is put
    /// into each special token. The text of documents is data and must not act as control signs.
    pub fn harmless(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for special in &self.specials {
            if text.contains(special.as_str()) {
                let cut = special.chars().next().map_or(0, char::len_utf8);
                text = text.replace(
                    special.as_str(),
                    &format!("{}\u{2060}{}", &special[..cut], &special[cut..]),
                );
            }
        }
        text
    }

    /// The text that the model reads before its answer. A model without a chat template reads each message as one line.
    ///
    /// # Errors
    /// If the template refuses the messages.
    pub fn prompt(&self, messages: &[Message]) -> Result<String> {
        let messages: Vec<Message> = messages
            .iter()
            .map(|m| Message {
                role: m.role,
                content: self.harmless(&m.content),
            })
            .collect();
        match &self.template {
            Some(template) => template.prompt(&messages),
            None => Ok(messages
                .iter()
                .map(|m| format!("{}\n", m.content))
                .collect()),
        }
    }

    /// Tokens of a whole text. Special tokens written by a template are read as such; without a template the tokenizer
    /// adds the token that begins a text.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn encode(&self, text: &str) -> Result<Encoded> {
        let encoding = self
            .tokenizer
            .encode(text, self.template.is_none())
            .map_err(vocabulary::failed)?;
        let mut ids = encoding.get_ids().to_vec();
        let mut spans: Vec<Range<usize>> = encoding
            .get_offsets()
            .iter()
            .map(|&(start, end)| start..end)
            .collect();
        // Some tokenizers end every text; our answers end themselves.
        let ended = encoding.get_special_tokens_mask().last() == Some(&1);
        if self.template.is_none()
            && ended
            && ids.len() > 1
            && ids.last().is_some_and(|id| self.ends.contains(id))
        {
            ids.pop();
            spans.pop();
        }
        Ok(Encoded { ids, spans })
    }

    /// A question and its answer, encoded as one text. If they were encoded separately, the tokens where they meet
    /// could be different.
    ///
    /// # Errors
    /// If the template or the tokenizer fails.
    pub fn exchange(&self, messages: &[Message], answer: &str) -> Result<Exchange> {
        let prompt = self.prompt(messages)?;
        self.exchange_after(&prompt, &self.harmless(answer))
    }

    /// A finished prompt and its answer, encoded as one text.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn exchange_after(&self, prompt: &str, answer: &str) -> Result<Exchange> {
        let encoded = self.encode(&format!("{prompt}{answer}"))?;
        let first = encoded.at_byte(prompt.len());
        let Encoded { mut ids, mut spans } = encoded;
        let end = prompt.len() + answer.len();
        ids.push(self.end);
        spans.push(end..end);
        Ok(Exchange {
            ids,
            answer: first,
            spans,
            prompt_bytes: prompt.len(),
        })
    }

    /// A text in the form in which it is compared: an instruction (which is read but not pooled), the text, and the
    /// token that ends it. The text is cut so that all of this has at most `longest` tokens.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn compared(&self, instruction: &str, text: &str, longest: usize) -> Result<Compared> {
        let before = if instruction.is_empty() {
            String::new()
        } else {
            format!("{instruction}\n")
        };
        let encoded = self.encode(&format!("{before}{}", self.harmless(text)))?;
        let first = if before.is_empty() {
            0
        } else {
            encoded.at_byte(before.len())
        };
        let mut ids = encoded.ids;
        let cut = ids.len() + 1 > longest;
        ids.truncate(longest.saturating_sub(1));
        ids.push(self.end);
        let pooled = first.min(ids.len() - 1)..ids.len();
        Ok(Compared { ids, pooled, cut })
    }

    /// The token that replaces a masked one: the tokenizer's mask token, or an underscore if it has none.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn mask(&self) -> Result<u32> {
        let own = ["[MASK]", "<mask>"]
            .iter()
            .find_map(|name| self.tokenizer.token_to_id(name));
        match own {
            Some(mask) => Ok(mask),
            None => Ok(self.encode("_")?.ids.last().copied().unwrap_or(self.end)),
        }
    }

    /// The tokenizer as its file describes it.
    ///
    /// # Errors
    /// If the tokenizer cannot be turned into JSON.
    pub(crate) fn tokenizer_json(&self) -> Result<Value> {
        let text = self
            .tokenizer
            .to_string(false)
            .map_err(|e| Error::Shim(e.to_string()))?;
        serde_json::from_str(&text).map_err(|e| Error::Shim(e.to_string()))
    }

    /// The text of tokens, with special tokens by their names.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub(crate) fn decode_whole(&self, ids: &[u32]) -> Result<String> {
        self.tokenizer
            .decode(ids, false)
            .map_err(|e| Error::Shim(format!("the tokenizer cannot decode: {e}")))
    }

    /// The text of tokens, without special ones.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn decode(&self, ids: &[u32]) -> Result<String> {
        self.tokenizer
            .decode(ids, true)
            .map_err(|e| Error::Shim(format!("the tokenizer cannot decode: {e}")))
    }
}

/// A decoder that can be asked.
pub struct LanguageModel {
    /// The model.
    pub decoder: Box<dyn Decoder>,
    /// Its language.
    pub language: Language,
}

impl LanguageModel {
    /// Opens a model folder. The weights get the number type `kind`; with `None`, they keep the type of their file.
    ///
    /// # Errors
    /// If the folder is incomplete, is not the folder of a decoder, or has parts that do not belong together.
    pub fn open(folder: &Path, kind: Option<Kind>, device: Device) -> Result<Self> {
        let config = Config::of_folder(folder)?;
        // The small files first: a wrong tokenizer should not cost the loading of a large model.
        let language = Language::open(folder, config.sizes().vocabulary)?;
        Ok(Self {
            decoder: config.load_decoder(folder, kind, device)?,
            language,
        })
    }

    /// Opens a model folder for computing in a precision.
    ///
    /// # Errors
    /// As [`LanguageModel::open`].
    pub(crate) fn open_for(folder: &Path, precision: Precision, device: Device) -> Result<Self> {
        let config = Config::of_folder(folder)?;
        let language = Language::open(folder, config.sizes().vocabulary)?;
        Ok(Self {
            decoder: config.load_decoder_for(folder, precision, device)?,
            language,
        })
    }
}
