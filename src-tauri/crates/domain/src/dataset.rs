//! Dataset snapshots: immutable, content-hashed, leak-checked.

use crate::api::AgreementRow;
use crate::id::{DatasetId, SentenceId};
use crate::metrics::ShortcutRow;
use crate::qca::{QcaLevel, Split};
use crate::review::Verdict;
use crate::term::ReviewStatus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which items may enter a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewPolicy {
    /// Everything that nobody rejected, reviewed or not; printed in every report, and blocks activation without an
    /// override.
    #[default]
    UnreviewedAutomatic,
    /// What at least one reviewer accepted and none disputes.
    SingleReviewer,
    /// What two reviewers accepted, or an adjudication.
    TwoAgree,
    /// What was accepted by an adjudication, with its reason.
    Adjudicated,
}

impl ReviewPolicy {
    /// The words that reports print.
    pub fn label(self) -> &'static str {
        match self {
            Self::UnreviewedAutomatic => "unreviewed (automatic)",
            Self::SingleReviewer => "single reviewer",
            Self::TwoAgree => "two agree",
            Self::Adjudicated => "adjudicated",
        }
    }

    /// All rules, the loosest first.
    pub const ALL: [Self; 4] = [Self::UnreviewedAutomatic, Self::SingleReviewer, Self::TwoAgree, Self::Adjudicated];

    /// Whether an item with this verdict may enter.
    pub fn admits(self, verdict: &Verdict) -> bool {
        let accepted = verdict.status == ReviewStatus::Accepted;
        match self {
            Self::UnreviewedAutomatic => accepted || verdict.status == ReviewStatus::Unreviewed,
            Self::SingleReviewer => accepted,
            Self::TwoAgree => accepted && (verdict.adjudicated || verdict.agreeing >= 2),
            Self::Adjudicated => accepted && verdict.adjudicated,
        }
    }
}

/// A pair of sentences that stand in different parts though they are the same or nearly so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leak {
    /// The sentence on the training side.
    pub train: SentenceId,
    /// The sentence on the other side.
    pub held_out: SentenceId,
    /// The part of the other side.
    pub split: Split,
    /// Jaccard similarity of their character shingles (1 = identical); 0 for versions, which are not known by their text.
    pub jaccard: f32,
    /// `anchor`, `candidate`, `distractor` or `version` (both stand in versions of one document).
    pub role: String,
}

/// What the leak check looked at and found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeakReport {
    /// Sentences and generated choices compared.
    pub compared: u64,
    /// Items left out of the snapshot because they leaked.
    pub removed: u64,
    /// Leaks that remain; empty in a frozen snapshot.
    pub leaks: Vec<Leak>,
}

/// How many items a part has, by level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitCounts {
    /// Sentence-level questions.
    pub sentence: u32,
    /// Token-level questions.
    pub token: u32,
    /// Different anchor rules.
    pub anchors: u32,
}

/// What a snapshot records of the review of its questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReviewRecord {
    /// Questions that its rule did not admit.
    pub not_admitted: u64,
    /// Questions that were left out because a term of theirs was rejected, is disputed, or was joined to another.
    pub terms_gone: u64,
    /// How far the reviewers agreed on questions when it was frozen; none where no question had two decisions.
    pub agreement: Option<AgreementRow>,
    /// Which terms its graph and its questions were made of.
    #[serde(default)]
    pub terms: ReviewPolicy,
}

/// A shortcut control on one level of a snapshot, over all its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotShortcut {
    /// The level whose questions it was computed on.
    pub level: QcaLevel,
    /// The control: `choices_only_words`, `choices_only_trigrams`, `longest_choice`, `corpus_overlap`, `first_choice`.
    #[serde(flatten)]
    pub row: ShortcutRow,
}

/// A frozen snapshot's description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    /// Its id.
    pub id: DatasetId,
    /// SHA-256 over its items in canonical form, hexadecimal.
    pub hash: String,
    /// When it was frozen, RFC 3339, UTC.
    pub created: String,
    /// Which items it took.
    pub policy: ReviewPolicy,
    /// What the review left out, and how far its reviewers agreed.
    #[serde(default)]
    pub review: ReviewRecord,
    /// Training part.
    pub train: SplitCounts,
    /// Development part.
    pub dev: SplitCounts,
    /// Test part.
    pub test: SplitCounts,
    /// Questions by level and then type, over all parts.
    #[serde(default)]
    pub by_type: BTreeMap<String, BTreeMap<String, u32>>,
    /// What can be answered without reading the questions (METHODS §1.4).
    #[serde(default)]
    pub shortcuts: Vec<SnapshotShortcut>,
    /// A control that sees the choices alone exceeds chance by more than 10 points: a model's figures on this snapshot say
    /// less than they seem to, and it must not decide about a deployment.
    #[serde(default)]
    pub flagged: bool,
    /// What the split was made by: `document` or `section`.
    pub split_unit: String,
    /// The leak check.
    pub leak_check: LeakReport,
    /// SHA-256 over the documents' hashes, hexadecimal.
    pub corpus_hash: String,
    /// Seed of split and shuffles.
    pub seed: u64,
}
