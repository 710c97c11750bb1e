//! Triplets: a sentence, one that says the same, and one that differs in meaning and hardly in words.

use super::ScoredPair;
use crate::endpoint::Consent;
use crate::id::{DocumentId, RunId, SentenceId, TripletId};
use crate::qca::Split;
use crate::tags::{read_by_tag, tagged};
use crate::term::ReviewStatus;
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::{EnumString, IntoStaticStr};

tagged!(TripletMaker);
read_by_tag!(TripletMaker);

/// A way in which a meaning can shift while the words stay (docs/methods.md, "Financial embeddings").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShiftType {
    /// Its tag: class and sub-type, for example `temporal.time_limit`.
    pub tag: String,
    /// Its name in English.
    pub en: String,
    /// Its name in Chinese.
    pub zh: String,
    /// What shifts, as a language model is told it.
    pub what: String,
    /// The names of the minimal edits that make this shift without a language model. An edit makes only one kind of
    /// shift: the first in the list of shifts that names the edit.
    #[serde(default)]
    pub edits: Vec<String>,
}

impl ShiftType {
    /// The class that it belongs to: `temporal`, `perspectival`, `structural`, `rule_based` or one of a user's own.
    pub fn class(&self) -> &str {
        self.tag.split('.').next().unwrap_or(&self.tag)
    }
}

/// The triplets that are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TripletsRequest {
    /// The known ways of shifting.
    pub shifts: Vec<ShiftType>,
    /// Only these shifts or classes of shifts; empty = all known ones.
    #[serde(default)]
    pub only: Vec<String>,
    /// Most triplets a sentence, without a language model.
    pub most: usize,
    /// Seed of what is chosen among edits; `None` = the usual one.
    pub seed: Option<u64>,
    /// Whether a language model writes the sentence with the same meaning as a translation into the other language.
    #[serde(default)]
    pub translated: bool,
}

impl TripletsRequest {
    /// Most triplets a sentence, unless a request says otherwise.
    pub const MOST: usize = 3;

    /// All of the usual ones with these ways of shifting.
    pub fn usual(shifts: Vec<ShiftType>) -> Self {
        Self {
            shifts,
            only: Vec::new(),
            most: Self::MOST,
            seed: None,
            translated: false,
        }
    }
}

/// Whether a shift is named by this tag, its own or that of its class.
pub fn shift_is(shift: &str, tag: &str) -> bool {
    let rest = shift.strip_prefix(tag);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What triplets are made with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TripletsBy {
    /// Minimal edits and rewordings by lists.
    Offline,
    /// The lexical edges of the newest graph.
    Graph,
    /// A language model behind an endpoint.
    Endpoint(TripletsAsked),
}

/// The language model that writes triplets and judges them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TripletsAsked {
    /// The endpoint's name.
    pub endpoint: String,
    /// Most prompts that are sent now; `None` = all.
    pub limit: Option<u64>,
    /// The person's consent.
    pub consent: Option<Consent>,
}

/// The maker of a triplet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum TripletMaker {
    /// Minimal edits and rewordings by lists; no language model.
    Offline,
    /// A language model behind an endpoint.
    Endpoint,
    /// The lexical graph: sentences of the documents as they are.
    Graph,
    /// It was imported from a file.
    Import,
}

impl TripletMaker {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Offline, Self::Endpoint, Self::Graph, Self::Import];
}

/// How a triplet was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletOrigin {
    /// Who made it.
    pub by: TripletMaker,
    /// What made the negative of the source: the minimal edit, or the model.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub negative: String,
    /// The words that the edit took away.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub removed: String,
    /// The words that it put there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub added: String,
    /// What made the positive of the source: rewordings in their order, or the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positive: Vec<String>,
    /// Anything else that a file said of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A triplet before it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewTriplet {
    /// The sentence of the workspace; `None` where it came in a file.
    pub sentence: Option<SentenceId>,
    /// Its language.
    pub language: Language,
    /// The sentence as it is compared.
    pub source: String,
    /// The sentence in other words; empty in a draft that was rejected before.
    pub positive: String,
    /// What differs in meaning; empty in a draft that was rejected before.
    pub negative: String,
    /// Tag of the shift; empty = not known.
    pub shift: String,
    /// How it was made.
    pub origin: TripletOrigin,
    /// How much nearer the positive is, as a teacher says.
    pub margin: Option<f64>,
    /// Its part of the dataset.
    pub split: Split,
    /// Near-duplicate group of its source.
    pub group: i64,
    /// Unit of inference.
    pub cluster: i64,
    /// Why it was rejected; `None` = it is kept.
    pub reason: Option<String>,
}

/// A triplet in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletRow {
    /// Its id.
    pub id: TripletId,
    /// What it is.
    pub triplet: NewTriplet,
    /// The reviewers' verdict on it.
    pub status: ReviewStatus,
    /// Whether its positive or its negative is as a reviewer corrected it.
    #[serde(default)]
    pub corrected: bool,
    /// The document of its sentence.
    pub document: Option<DocumentId>,
    /// That document's title.
    pub document_title: String,
    /// The page.
    pub page: Option<u32>,
}

impl TripletRow {
    /// Whether the triplet may be used for training and measuring. It may be used unless a check or a person rejected
    /// it, or reviewers disagree about it.
    pub fn is_used(&self) -> bool {
        let stays = !matches!(self.status, ReviewStatus::Rejected | ReviewStatus::Conflict);
        self.triplet.reason.is_none() && stays
    }
}

/// The triplets that a list contains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TripletFilter {
    /// Only of this shift or class of shifts.
    pub shift: Option<String>,
    /// Only of this part of the dataset.
    pub split: Option<Split>,
    /// Only triplets with this review status.
    pub status: Option<ReviewStatus>,
    /// The drafts that were rejected, instead of what is kept.
    pub turned_down: bool,
    /// Of these drafts, only those with this reason.
    pub reason: Option<String>,
    /// Rows to leave out at the beginning.
    pub offset: u64,
    /// Most rows; 0 = all.
    pub limit: u64,
}

/// How many triplets a workspace has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TripletCounts {
    /// Kept triplets by the reviewers' verdict.
    pub by_status: BTreeMap<String, u64>,
    /// Kept triplets by their shift; an empty tag = no shift is named.
    pub by_shift: BTreeMap<String, u64>,
    /// Drafts that were rejected, by reason.
    pub turned_down: BTreeMap<String, u64>,
}

impl TripletCounts {
    /// All kept triplets.
    pub fn kept(&self) -> u64 {
        self.by_status.values().sum()
    }
}

/// What making or reading in triplets came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TripletReport {
    /// How they were made.
    pub source: String,
    /// Sentences that were looked at, or lines of the file.
    pub looked_at: u64,
    /// Triplets kept.
    pub kept: u64,
    /// Kept triplets by their shift.
    pub by_shift: BTreeMap<String, u64>,
    /// Of these, those with a rewording as their source: they are made for shifts with few triplets.
    pub filled: BTreeMap<String, u64>,
    /// Kept triplets by their part.
    pub by_split: BTreeMap<String, u64>,
    /// Sentences that gave none, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Drafts that were rejected and are listed, by reason.
    pub turned_down: BTreeMap<String, u64>,
    /// The unit that the split keeps whole: `document` or `section`.
    pub unit: String,
}

impl TripletReport {
    /// Counts sentences that gave none for this reason.
    pub fn skip(&mut self, reason: &str, n: u64) {
        if n > 0 {
            *self.skipped.entry(reason.to_owned()).or_default() += n;
        }
    }
}

/// A request to measure an encoder on triplets and on scored pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletsMeasured {
    /// The run whose tuning is measured; `None` = only the base model.
    pub run: Option<RunId>,
    /// The base model, where no run is measured; `None` = the usual encoder.
    pub base: Option<String>,
    /// Hundredths of the tuning; 0 is the base model and is always measured first.
    pub percents: Vec<u8>,
    /// The part of the triplets; `None` = only pairs are measured.
    pub split: Option<Split>,
    /// Whether the pairs that were scored in the workspace are measured.
    pub own: OwnPairs,
    /// Pairs of files that people scored, each set with its name.
    #[serde(default)]
    pub sets: Vec<(String, Vec<ScoredPair>)>,
}

/// Whether the pairs that were scored in a workspace are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnPairs {
    /// They are measured; if there are too few, this is an error.
    Wanted,
    /// They are measured if there are enough of them.
    WhereEnough,
    /// They are not.
    LeftOut,
}

/// A figure with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounded {
    /// The figure.
    pub value: f64,
    /// Its 95 % interval; `None` if nothing can be drawn.
    pub interval: Option<[f64; 2]>,
}

/// How one encoder does on triplets and on pairs that people scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletPoint {
    /// How many hundredths of the tuning count; 0 = the base model.
    pub percent: u8,
    /// Share of the triplets whose positive is nearer than its negative.
    pub accuracy: Option<Bounded>,
    /// Accuracy and number of triplets by shift.
    pub by_shift: BTreeMap<String, (f64, u64)>,
    /// Spearman's ρ of each set of pairs, in the order in which they were given.
    pub similarity: Vec<Bounded>,
    /// Pearson's r of each set.
    pub pearson: Vec<Bounded>,
    /// Its gain in ρ over the base model on each set, paired by pair; empty for the base itself.
    pub gained: Vec<Bounded>,
    /// The p-values: the probability that chance alone gives a gain or loss of this size. It is twice the share of
    /// resamples in which the difference has the other sign. `None` if nothing can be resampled.
    pub gained_p: Vec<Option<f64>>,
}

/// The gain and the cost of a tuning on triplets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletFigures {
    /// The run; `None` where a base model was measured alone.
    pub run: Option<RunId>,
    /// Base model.
    pub base: String,
    /// Which part of the triplets was measured on.
    pub split: Split,
    /// Triplets in it.
    pub triplets: u64,
    /// Units of inference among them.
    pub clusters: u64,
    /// Names of the sets of pairs, with how many pairs each has.
    pub sets: Vec<(String, u64)>,
    /// Whether the first of these sets is that of the workspace.
    #[serde(default)]
    pub own: bool,
    /// The points between base and tuned model.
    pub points: Vec<TripletPoint>,
    /// Remarks for the reader on the pairs that were scored in the workspace; each is a sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_named_by_its_tag_and_by_its_class() {
        for (tag, expected) in [
            ("temporal.time_limit", true),
            ("temporal", true),
            ("temporal.time", false),
            ("temp", false),
            ("rule_based", false),
            ("temporal.time_limit.short", false),
        ] {
            assert_eq!(shift_is("temporal.time_limit", tag), expected, "{tag}");
        }
    }
}
