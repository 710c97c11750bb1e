//! The tokenizer of a model folder: from its `tokenizer.json`, or from `vocab.json` and `merges.txt`.

use crate::files;
use crate::folder::TOKENIZER_FILE;
use crate::texts::normaliser;
use crate::{Error, Result};
use lexforge_domain::Code;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tokenizers::decoders::byte_level::ByteLevel;
use tokenizers::models::bpe::BPE;
use tokenizers::normalizers::NFC;
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{AddedToken, SplitDelimiterBehavior, Tokenizer};

/// Name of the vocabulary of a byte-level BPE tokenizer.
pub(crate) const VOCABULARY_FILE: &str = "vocab.json";
/// Name of its merges.
pub(crate) const MERGES_FILE: &str = "merges.txt";
/// The name of the file with further settings of a tokenizer.
pub const TOKENIZER_CONFIG_FILE: &str = "tokenizer_config.json";

/// A file with more bytes is refused as a tokenizer. The largest published ones have about 35 MB.
const LARGEST: u64 = 256 << 20;

/// How Qwen cuts a text before its pairs are merged: contractions, words, single digits, signs, spaces.
pub const QWEN_WORDS: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

/// Reads the tokenizer of a model folder, with the padding and truncation from its file.
///
/// # Errors
/// [`Code::ModelMissing`] if it is missing or damaged, [`Code::ModelUnsupported`] if the folder has only files of a
/// kind from which it cannot be built.
pub fn tokenizer(folder: &Path) -> Result<Tokenizer> {
    let path = folder.join(TOKENIZER_FILE);
    let parts = [VOCABULARY_FILE, MERGES_FILE]
        .iter()
        .all(|name| folder.join(name).is_file());
    if parts && !path.is_file() {
        return from_parts(folder);
    }
    let bytes = files::read_whole(&path, LARGEST).map_err(|e| {
        Error::told_of(
            &path,
            Code::ModelMissing,
            format!("The model's tokenizer cannot be read: {e}."),
            "Copy the model's folder again, with its tokenizer.json.",
        )
    })?;
    let tokenizer = parsed(&bytes).map_err(|e| {
        Error::told_of(
            &path,
            Code::ModelMissing,
            format!("The model's tokenizer is damaged or of an unknown kind: {e}."),
            "Copy the model's folder again, with its tokenizer.json.",
        )
    })?;
    normaliser::check(&tokenizer).map_err(|why| {
        Error::told_of(
            &path,
            Code::ModelUnsupported,
            format!("The model's tokenizer cannot be used: {why}."),
            "Get the model's folder again from where it was published.",
        )
    })?;
    Ok(tokenizer)
}

/// Qwen's tokenizer from its parts; it is the one kind that is published so without a `tokenizer.json`.
fn from_parts(folder: &Path) -> Result<Tokenizer> {
    let config = tokenizer_config(folder)?;
    let class = config
        .get("tokenizer_class")
        .and_then(Value::as_str)
        .unwrap_or("none named");
    if !class.starts_with("Qwen2Tokenizer") {
        return Err(Error::told_of(
            folder,
            Code::ModelUnsupported,
            format!(
                "The folder has no {TOKENIZER_FILE}, and its parts are those of another tokenizer ({class})."
            ),
            "Copy the model's folder with its tokenizer.json; Transformers writes one with save_pretrained.",
        ));
    }
    let damaged = |file: &str, what: String| {
        Error::told_of(
            &folder.join(file),
            Code::ModelMissing,
            format!("The model's tokenizer is damaged: {what}."),
            "Copy the model's folder again, with all its files.",
        )
    };
    let [vocabulary, merges] =
        [VOCABULARY_FILE, MERGES_FILE].map(|name| folder.join(name).display().to_string());
    let model = BPE::from_file(&vocabulary, &merges)
        .build()
        .map_err(|e| damaged(VOCABULARY_FILE, e.to_string()))?;
    let split = Split::new(
        SplitPattern::Regex(QWEN_WORDS.into()),
        SplitDelimiterBehavior::Isolated,
        false,
    )
    .map_err(|e| Error::Shim(e.to_string()))?;
    let bytes = ByteLevel::new(false, false, false);
    let cut = Sequence::new(vec![
        PreTokenizerWrapper::Split(split),
        PreTokenizerWrapper::ByteLevel(bytes),
    ]);
    let mut tokenizer = Tokenizer::new(model);
    tokenizer
        .with_normalizer(Some(NFC))
        .map_err(|e| Error::Shim(e.to_string()))?;
    let _ = tokenizer
        .with_pre_tokenizer(Some(cut))
        .with_post_processor(Some(bytes))
        .with_decoder(Some(bytes));
    // Added tokens in the order of their numbers; each must get the next number.
    for (number, token) in added_tokens(folder, &config)? {
        let content = token.content.clone();
        let special = token.special;
        let list = [token];
        let added = if special {
            tokenizer.add_special_tokens(list)
        } else {
            tokenizer.add_tokens(list)
        };
        let added = added.map_err(|e| damaged(TOKENIZER_CONFIG_FILE, e.to_string()))?;
        let found = tokenizer.token_to_id(&content);
        if found != Some(number) {
            return Err(damaged(
                TOKENIZER_CONFIG_FILE,
                format!(
                    "token {content:?} would get the number {found:?} and not {number} ({added} added)"
                ),
            ));
        }
    }
    Ok(tokenizer)
}

/// `added_tokens_decoder` of the configuration, or else `added_tokens.json`.
fn added_tokens(folder: &Path, config: &Value) -> Result<BTreeMap<u32, AddedToken>> {
    let mut tokens = BTreeMap::new();
    if let Some(listed) = config
        .get("added_tokens_decoder")
        .and_then(Value::as_object)
    {
        for (number, token) in listed {
            let is = |name: &str| token.get(name).and_then(Value::as_bool).unwrap_or(false);
            if let (Ok(number), Some(content)) =
                (number.parse(), token.get("content").and_then(Value::as_str))
            {
                let token = AddedToken::from(content, is("special"))
                    .lstrip(is("lstrip"))
                    .rstrip(is("rstrip"))
                    .normalized(is("normalized"))
                    .single_word(is("single_word"));
                tokens.insert(number, token);
            }
        }
        return Ok(tokens);
    }
    let path = folder.join("added_tokens.json");
    if path.is_file() {
        let listed: BTreeMap<String, u32> = read_json(&path)?;
        tokens.extend(
            listed
                .into_iter()
                .map(|(content, number)| (number, AddedToken::from(content, true))),
        );
    }
    Ok(tokens)
}

/// The content of `tokenizer_config.json`. If the folder has no such file, the result is null.
///
/// # Errors
/// [`Code::ModelMissing`] if the file is damaged.
pub fn tokenizer_config(folder: &Path) -> Result<Value> {
    let path = folder.join(TOKENIZER_CONFIG_FILE);
    if path.is_file() {
        read_json(&path)
    } else {
        Ok(Value::Null)
    }
}

/// A JSON file of a model folder.
///
/// # Errors
/// [`Code::ModelMissing`] if it cannot be read.
pub fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = files::read_whole(path, LARGEST).map_err(Error::io(path))?;
    serde_json::from_slice(&text).map_err(|e| {
        Error::told_of(
            path,
            Code::ModelMissing,
            format!("The file is damaged: {e}."),
            "Copy the model's folder again.",
        )
    })
}
/// A tokenizer of a file's bytes. The crate breaks off on some damaged descriptions, which must not end the worker.
fn parsed(bytes: &[u8]) -> std::result::Result<Tokenizer, String> {
    let read = std::panic::catch_unwind(|| Tokenizer::from_bytes(bytes).map_err(|e| e.to_string()));
    read.unwrap_or_else(|_| Err("a part of it is described in a way that cannot be".to_owned()))
}

/// The tokenizer refused a text.
pub(crate) fn failed(e: tokenizers::Error) -> Error {
    Error::told(
        Code::Internal,
        format!("The tokenizer failed: {e}."),
        "Check the input's texts.",
    )
}
