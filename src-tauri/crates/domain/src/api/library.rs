//! Documents, their pages and versions, and the search in them.

use super::validity::{OutOfForce, Validity};
use crate::document::{
    DocumentFormat, DocumentMetadata, DocumentWarning, EngineCounts, ReadEngine, ReaderDifference,
    RemovedLine, Section, Sentence,
};
use crate::id::{DocumentId, RunId, SentenceId, TermId};
use crate::text::{Language, Region, SentenceKind};
use serde::{Deserialize, Serialize};

/// A document in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentRow {
    /// Its id.
    pub id: DocumentId,
    /// File name.
    pub file: String,
    /// Title.
    pub title: String,
    /// `pdf`, `text`, `jsonl`, `markdown`, `html` or `docx`.
    pub format: DocumentFormat,
    /// Language.
    pub language: Language,
    /// Pages.
    pub pages: u32,
    /// Sentences.
    pub sentences: u32,
    /// Pages without a text layer.
    pub scanned_pages: u32,
    /// Pages by engine.
    pub engines: EngineCounts,
    /// Mean agreement of the two readers.
    pub reader_agreement: Option<f64>,
    /// Warnings for the user.
    pub warnings: Vec<DocumentWarning>,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
    /// When it was imported, RFC 3339, UTC.
    pub imported: String,
    /// Facts that it states about itself.
    #[serde(default)]
    pub metadata: DocumentMetadata,
    /// The document whose new version it is.
    pub predecessor: Option<DocumentId>,
    /// Since when and until when it is in force, as a person set it; `None` where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validity: Option<Validity>,
}

impl DocumentRow {
    /// Why it is not in force on a day, by what a person set.
    #[must_use]
    pub fn out_of_force(&self, day: &str) -> Option<OutOfForce> {
        self.validity.as_ref()?.out_of_force(day)
    }
}

/// A title of more characters than this is long.
const LONG: usize = 60;
/// A word of a name that begins with a small letter has no more letters than this: `of`, `the`, `with`.
const SMALL: usize = 4;

impl DocumentRow {
    /// The number and the short name that a long title gives in its own words: `Regulation (EU) 2016/679 (General Data
    /// Protection Regulation)`. `None` if the title is short, does not begin with the number, or gives no short name.
    #[must_use]
    pub fn short_title(&self) -> Option<String> {
        let number = self.metadata.identifier.as_deref()?.trim();
        if self.title.chars().count() <= LONG || number.is_empty() {
            return None;
        }
        let begins = self.title.get(..number.len())?;
        if begins.to_lowercase() != number.to_lowercase() {
            return None;
        }
        let name = short_names(self.title.get(number.len()..)?).next_back()?;
        Some(format!("{number} ({name})"))
    }
}

/// The names in brackets of a title: some words with capitals, or one of several capitals.
fn short_names(title: &str) -> impl DoubleEndedIterator<Item = &str> {
    title.match_indices('(').filter_map(|(at, _)| {
        let (name, after) = title.get(at + 1..)?.split_once(')')?;
        // `(EU) 2017/745` and `(EC) No 1060/2009` are numbers.
        let after = after.trim_start();
        let numbers = after.starts_with("No ") || after.starts_with(|c: char| c.is_ascii_digit());
        let capitals = name.chars().filter(|c| c.is_uppercase()).count();
        let mut words = name.split_whitespace();
        let named = |w: &str| w.starts_with(char::is_uppercase) || w.chars().count() <= SMALL;
        let several = name.contains(' ') && words.all(named) && capitals > 1;
        let one = !name.contains(' ') && capitals > 1 && name.chars().count() > 2;
        let plain = !name.contains([',', '(']) && !name.to_lowercase().contains("eea relevance");
        (plain && !numbers && (several || one)).then_some(name)
    })
}

/// Sections and page count of a document, for the viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentOutline {
    /// The document.
    pub document: DocumentRow,
    /// Its sections in reading order.
    pub sections: Vec<Section>,
    /// Its pages in order, without their text.
    #[serde(default)]
    pub pages: Vec<PageMark>,
    /// Lines that were taken out of its text as running heads, page numbers and marks of printing, page by page.
    #[serde(default)]
    pub removed: Vec<RemovedLine>,
}

/// How a page was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageMark {
    /// Number, from 1.
    pub number: u32,
    /// The engine whose reading was kept.
    pub engine: ReadEngine,
    /// Agreement of the two readers.
    pub agreement: Option<f64>,
    /// No text layer.
    pub scanned: bool,
    /// A person should compare its text with the page: it carries a warning, or its text is not the main reader's.
    pub look: bool,
}

/// A page for the viewer; its image comes over the `page` scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageView {
    /// The document.
    pub document: DocumentId,
    /// Number, from 1.
    pub number: u32,
    /// Width as displayed, in points (0: no image).
    pub width: f32,
    /// Height as displayed, in points (0: no image).
    pub height: f32,
    /// The engine whose reading was kept.
    pub engine: ReadEngine,
    /// Agreement of the two readers.
    pub agreement: Option<f64>,
    /// No text layer.
    pub scanned: bool,
    /// The page's text in reading order.
    pub text: String,
    /// For a page without an image: where the text of the page begins in the text of the document. The pages are joined
    /// by a form feed, and the offset counts Unicode scalar values.
    #[serde(default)]
    pub offset: usize,
    /// Sentences that begin on this page, in order.
    pub sentences: Vec<SentenceView>,
    /// The places where the two readers differ.
    #[serde(default)]
    pub differences: Vec<ReaderDifference>,
}

/// A sentence with the terms in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SentenceView {
    /// The sentence.
    #[serde(flatten)]
    pub sentence: Sentence,
    /// Terms mentioned: (term, first scalar value, one past the last).
    pub terms: Vec<(TermId, u32, u32)>,
    /// References to other clauses, in order.
    #[serde(default)]
    pub references: Vec<ReferenceView>,
}

/// A reference in a sentence, in Unicode scalar values of the sentence's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReferenceView {
    /// First scalar value.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// The words themselves.
    pub text: String,
    /// The instrument that it names, as written; `None` where it is its own document.
    pub instrument: Option<String>,
    /// The clause in this workspace; `None` where the workspace does not hold it.
    pub target: Option<ReferenceTarget>,
}

/// A clause that is referred to, by its first sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReferenceTarget {
    /// The document.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// Page on which the clause begins, from 1.
    pub page: u32,
    /// Path of its section, or empty.
    pub section: String,
    /// Its first sentence.
    pub sentence: SentenceId,
}

/// A sentence that says something else in the newer version of its document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedSentence {
    /// The sentence in the older version.
    pub before: Sentence,
    /// The sentence in the newer version.
    pub after: Sentence,
}

/// What changed from one version of a document to another. Sentences that only moved count as unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentDiff {
    /// The older version.
    pub from: DocumentId,
    /// The newer version.
    pub to: DocumentId,
    /// Only in the newer version, in its reading order.
    pub added: Vec<Sentence>,
    /// Only in the older version, in its reading order.
    pub removed: Vec<Sentence>,
    /// In both, with other words, in the newer one's reading order.
    pub changed: Vec<ChangedSentence>,
    /// How many sentences are the same.
    pub unchanged: u64,
}

/// How much changed from one version of a document to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffCounts {
    /// Sentences only in the newer version.
    pub added: u64,
    /// Sentences only in the older version.
    pub removed: u64,
    /// Sentences in both, with other words.
    pub changed: u64,
    /// Sentences that are the same.
    pub unchanged: u64,
}

impl From<&DocumentDiff> for DiffCounts {
    fn from(diff: &DocumentDiff) -> Self {
        Self {
            added: diff.added.len() as u64,
            removed: diff.removed.len() as u64,
            changed: diff.changed.len() as u64,
            unchanged: diff.unchanged,
        }
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchMode {
    /// Words: BM25.
    #[default]
    Lexical,
    /// Vectors.
    Dense,
    /// Both with equal weight; each score is divided by the greatest of its ranking.
    Hybrid,
}

/// A request to search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    /// The words.
    pub query: String,
    /// How.
    pub mode: SearchMode,
    /// Most hits.
    pub top: usize,
    /// By words only: the document to look in; `None` = all.
    pub document: Option<DocumentId>,
    /// The encoder; `None` = the encoder of the graph.
    pub encoder: Option<EncoderChoice>,
}

/// What makes the vectors of questions and of the sentences that may answer them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EncoderChoice {
    /// The model by its name or the path of its folder; `None` = the base model of the run.
    pub model: Option<String>,
    /// The training run whose adapter is used; `None` = the model alone.
    pub run: Option<RunId>,
    /// How much of the tuning counts, in hundredths: between the base model and the tuned one; `None` = all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// A decoder reads each text twice, and the vector of its last token counts (echo).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub echo: bool,
}

impl EncoderChoice {
    /// The encoder with only a share of its tuning applied: 0 percent is the base model alone, 100 percent is the whole
    /// tuning of the run.
    pub fn at(run: RunId, base: Option<String>, percent: u8) -> Self {
        if percent == 0 {
            return Self {
                model: base,
                ..Self::default()
            };
        }
        Self {
            run: Some(run),
            percent: (percent < 100).then_some(percent),
            ..Self::default()
        }
    }
}

/// An encoder that questions can be searched with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchEncoderRow {
    /// How it is named; `None` = the encoder of the graph.
    pub choice: Option<EncoderChoice>,
    /// The base model; for the graph what made its vectors, empty where there are none.
    pub model: String,
    /// Questions are searched with it now.
    pub chosen: bool,
}

/// The result of making an encoder's vectors for sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncoderVectors {
    /// The name of the encoder, as in all records of its vectors.
    pub encoder: String,
    /// Sentences that have vectors now.
    pub sentences: u64,
    /// How many of them had none before.
    pub made: u64,
    /// How many texts that clauses have beside their sentences got vectors: clauses of several sentences as a whole,
    /// and the sentences of long passages.
    #[serde(default)]
    pub clauses: u64,
    /// Sentences that are gone or have other words, whose vectors went with them.
    pub removed: u64,
}

/// A passage found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchHit {
    /// Rank, from 1.
    pub rank: usize,
    /// The sentence.
    pub id: SentenceId,
    /// Id that the corpus file gave it.
    pub external_id: Option<String>,
    /// Score under the mode.
    pub score: f64,
    /// The text.
    pub text: String,
    /// The document.
    pub document: DocumentId,
    /// Page, from 1.
    pub page: u32,
    /// Section path.
    pub section: String,
    /// Kind.
    pub kind: SentenceKind,
    /// Where it stands.
    pub boxes: Vec<Region>,
    /// Where the words of the query stand in the text: (first scalar value, one past the last), in order.
    #[serde(default)]
    pub marks: Vec<(u32, u32)>,
    /// Why its document is not in force today, by what a person set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_force: Option<OutOfForce>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
