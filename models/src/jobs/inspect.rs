//! The content of a model folder, and what is missing in it.

use crate::Result;
use crate::architectures::architecture::Config;
use crate::data::{Records, TextLine};
use crate::decoding::chat::ChatTemplate;
use crate::files::write_atomically;
use crate::folder::{TOKENIZER_FILE, content_hash};
use crate::texts::reading;
use crate::texts::tokenizer::TextTokenizer;
use crate::weights::Headers;
use lexforge_domain::protocol::{InspectResult, VocabularyUse};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use std::collections::BTreeMap;
use std::path::Path;

/// Texts that are cut into tokens at a time, on all threads of the job.
const AT_A_TIME: usize = 4096;

/// Describes a model folder. Whatever is wrong is listed in `problems`; unknown figures are 0.
///
/// # Errors
/// If there is no readable `config.json`: then it is not a model folder.
pub fn inspect(folder: &Path) -> Result<InspectResult> {
    let name = folder
        .canonicalize()
        .ok()
        .as_deref()
        .unwrap_or(folder)
        .file_name()
        .unwrap_or_default()
        .to_owned();
    let mut result = InspectResult {
        name: name.to_string_lossy().into_owned(),
        sha256: String::new(),
        architecture: String::new(),
        parameters: 0,
        layers: 0,
        hidden_size: 0,
        vocabulary: 0,
        max_positions: 0,
        dtype: String::new(),
        bytes: 0,
        decoder: false,
        chat_template: false,
        reading: None,
        reading_assumed: !reading::is_said(folder),
        problems: Vec::new(),
        memory: None,
        vocabulary_use: Vec::new(),
    };
    let (mut embedded, mut known) = (None, None);
    match Config::of_folder(folder) {
        Ok(config) => {
            let sizes = config.sizes();
            result.architecture = config.name().into();
            result.layers = sizes.layers as u64;
            result.hidden_size = sizes.hidden as u64;
            result.max_positions = sizes.positions as u64;
            result.decoder = matches!(config, Config::Decoder(_));
            embedded = Some(sizes.vocabulary);
            known = Some(config);
        }
        Err(error) => {
            let failure = error.into_failure();
            if failure.code != Code::ModelUnsupported {
                return Err(failure.into());
            }
            result.problems.push(failure);
        }
    }
    result.sha256 = content_hash(folder)?;
    match Headers::of_folder(folder) {
        Ok(headers) => {
            result.bytes = headers.bytes;
            result.parameters = headers
                .tensors
                .iter()
                // A buffer of older checkpoints, not a weight.
                .filter(|(name, _)| !name.ends_with("embeddings.position_ids"))
                .filter(|(name, _)| known.as_ref().is_none_or(|known| !known.leaves_out(name)))
                .map(|(_, entry)| entry.shape.iter().product::<usize>() as u64)
                .sum();
            let mut types: Vec<String> = headers
                .tensors
                .values()
                .map(|e| format!("{:?}", e.dtype))
                .collect();
            types.sort_unstable();
            types.dedup();
            types.retain(|t| t != "I64" || headers.tensors.len() == 1);
            result.dtype = types.join(", ");
            let fits = known.as_ref().map(|known| known.check_weights(&headers));
            if let Some(Err(error)) = fits {
                result.problems.push(error.into_failure());
            }
        }
        Err(error) => result.problems.push(error.into_failure()),
    }
    match TextTokenizer::open(folder, 64) {
        Ok(tokenizer) => {
            result.vocabulary = tokenizer.vocabulary() as u64;
            result
                .problems
                .extend(tokenizer_problem(&tokenizer, embedded));
        }
        Err(error) => result.problems.push(error.into_failure()),
    }
    if result.decoder {
        match ChatTemplate::of_folder(folder) {
            Ok(template) => result.chat_template = template.is_some(),
            Err(error) => result.problems.push(error.into_failure()),
        }
    }
    match reading::of_folder(folder) {
        Ok(reading) => result.reading = Some(reading),
        Err(error) => result.problems.push(error.into_failure()),
    }
    Ok(result)
}

/// A line of the texts that an inspect job's tokenizer is tried on.
#[derive(serde::Deserialize)]
struct Sample {
    text: String,
    language: Language,
}

/// Measures for each language how the folder's tokenizer splits the texts of this language. The results are in the
/// order of the languages. `texts` is a JSONL file of `{"text", "language"}`.
///
/// # Errors
/// If the tokenizer is missing, or a line is not valid.
pub fn vocabulary_use(folder: &Path, texts: &Path) -> Result<Vec<VocabularyUse>> {
    // Texts are not cut here, because the number of tokens of the whole text counts.
    let tokenizer = TextTokenizer::open(folder, 1 << 20)?;
    let mut by_language: BTreeMap<Language, VocabularyUse> = BTreeMap::new();
    for sample in Records::<Sample>::open(texts)? {
        let Sample { text, language } = sample?;
        let entry = by_language.entry(language).or_insert(VocabularyUse {
            language,
            bytes: 0,
            tokens: 0,
            unknown: 0,
        });
        entry.bytes += text.len() as u64;
        for tokens in tokenizer.tokenize(&[&text])? {
            entry.tokens += tokens.own_tokens as u64;
            entry.unknown += tokens.unknown_tokens as u64;
        }
    }
    Ok(by_language.into_values().collect())
}

/// Writes the token ids of each text, one line for each text, without special tokens. `texts` is JSONL of `{"text"}`.
///
/// # Errors
/// If the tokenizer is missing, a line is not valid, or the file cannot be written.
pub fn tokens(folder: &Path, texts: &Path, output: &Path) -> Result<()> {
    let tokenizer = TextTokenizer::open(folder, 1 << 20)?;
    let mut lines = String::new();
    let mut records = Records::<TextLine>::open(texts)?;
    loop {
        let block: Vec<TextLine> = records.by_ref().take(AT_A_TIME).collect::<Result<_>>()?;
        if block.is_empty() {
            break;
        }
        let texts: Vec<&str> = block.iter().map(|line| line.text.as_str()).collect();
        for tokens in tokenizer.tokenize(&texts)? {
            let own = tokens.ids.iter().zip(&tokens.special);
            let own: Vec<String> = own
                .filter(|(_, special)| !**special)
                .map(|(id, _)| id.to_string())
                .collect();
            lines.push_str(&own.join(" "));
            lines.push('\n');
        }
    }
    write_atomically(output, lines.as_bytes())
}

/// A tokenizer that can give numbers for which the model has no embedding.
fn tokenizer_problem(tokenizer: &TextTokenizer, embedded: Option<usize>) -> Option<Failure> {
    let embedded = embedded.filter(|&n| tokenizer.vocabulary() > n)?;
    Some(
        Failure::new(
            Code::ModelMissing,
            format!(
                "The tokenizer has {} entries, the model only {embedded}.",
                tokenizer.vocabulary()
            ),
            "Copy the tokenizer.json that belongs to this model.",
        )
        .in_file(TOKENIZER_FILE),
    )
}
