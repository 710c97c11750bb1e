//! Which encoder makes the vectors of which languages, and the names under which the vectors are kept.

use super::Models;
use super::base::{BaseModel, DEFAULT_ENCODER};
use crate::workspace::Result;
use lexforge_domain::api::EncoderChoice;
use lexforge_domain::protocol::{InspectResult, ResidentReady};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy, Sha256};
use serde::{Deserialize, Serialize};
use sha2::Digest as _;

/// Dimension of the counted vectors.
pub(crate) const LSA_DIM: usize = 128;
/// Setting under which the encoder of each language is kept.
pub(crate) const ENCODERS_SETTING: &str = "graph.encoders";

/// Which encoder made the vectors of which languages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EncoderUse {
    pub(crate) encoder: String,
    pub(crate) languages: Vec<Language>,
    /// The encoder that a user named for the graph; none = the default one, or counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) choice: Option<EncoderChoice>,
    /// The encoders were chosen language by language.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) by_language: bool,
}

/// The beginning of the names of vectors made by counting.
const COUNTED: &str = "char-ngram LSA";

/// Whether vectors of this name are counted, and not made by a model.
pub(crate) fn is_counted(label: &str) -> bool {
    label.starts_with(COUNTED)
}

/// The name that is recorded with the default encoder's vectors.
pub(crate) fn minilm_label() -> String {
    format!("{DEFAULT_ENCODER} (mean)")
}

/// The name under which the default encoder's vectors of sentences are kept that no graph has yet.
pub(crate) fn ahead_label() -> String {
    format!("{} ahead of the graph", minilm_label())
}

pub(crate) fn lsa_label(languages: &[Language]) -> String {
    let tags: Vec<_> = languages.iter().map(|l| l.tag()).collect();
    format!("{COUNTED} ({LSA_DIM}, {})", tags.join(" "))
}

/// The name that is stored with the vectors of an encoder that a user chose. It states the model, how the model reads
/// texts, and everything else on which the vectors depend.
pub(crate) fn named_label(base: &str, adapter: Option<&Sha256>, read: &ResidentReady) -> String {
    let short = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
    let adapter = adapter
        .map(|sha256| format!(" + adapter {}", short(sha256.as_str())))
        .unwrap_or_default();
    let reading = &read.reading;
    let mut how = vec![
        reading.pooling.tag().to_owned(),
        format!("{} tokens", reading.max_length),
    ];
    if !reading.normalize {
        how.push("not scaled".to_owned());
    }
    if !reading.question.is_empty() || !reading.passage.is_empty() {
        how.push("prompts".to_owned());
    }
    let seen = format!("{} {reading:?}", read.content);
    let seen = hex::encode(sha2::Sha256::digest(seen));
    format!("{base}{adapter} ({}) {}", how.join(", "), short(&seen))
}

/// The end of the names of a graph's vectors that are the last tokens of a decoder which reads each text once.
pub(crate) const LAST_TOKEN: &str = "graph, last token";

/// Whether vectors of this name are such last tokens. What is compared with them has to be read in the same way.
pub(crate) fn is_by_last_token(label: &str) -> bool {
    label.ends_with(&format!("({LAST_TOKEN})"))
}

/// MiniLM was trained on English only.
pub(crate) fn suits_minilm(language: Language) -> bool {
    language == Language::En
}

/// Whether a model reads a language, as its tokenizer showed on texts of that language.
pub(crate) fn reads(base: &BaseModel, model: &InspectResult, language: Language) -> bool {
    if base.name == DEFAULT_ENCODER {
        return suits_minilm(language);
    }
    let mut uses = model.vocabulary_use.iter();
    uses.any(|of| of.language == language && of.has_the_language())
}

/// The name under which a build leaves the basis of counted vectors.
pub(crate) fn basis_name(encoder: &str) -> String {
    format!("basis {encoder}")
}

impl Models<'_> {
    /// Which encoder covers which languages; empty before the first build.
    pub(crate) fn encoders(&self) -> Result<Vec<EncoderUse>> {
        let kept = self.workspace.store.read(|r| r.setting(ENCODERS_SETTING))?;
        Ok(kept
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default())
    }
}

/// Adds to the failure of an encoder the names of its languages, so that the user sees that only these languages are
/// affected. If there are no languages, the failure stays as it is.
pub(crate) fn for_languages(mut failure: Failure, languages: &[Language]) -> Failure {
    if !languages.is_empty() {
        let tags: Vec<_> = languages.iter().map(|l| l.tag()).collect();
        failure.message = format!(
            "The encoder for the language {} cannot be used. {}",
            tags.join(", "),
            failure.message
        );
    }
    failure
}

/// The failure if vectors are needed and none were made.
pub(crate) fn no_graph() -> Failure {
    Failure::new(
        Code::StepMissing,
        "The sentence graph was not built yet.",
        Remedy::BuildGraph,
    )
}
