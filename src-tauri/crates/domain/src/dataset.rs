//! Dataset snapshots: immutable, content-hashed, leak-checked.

use crate::agreement::AgreementRow;
use crate::id::{DatasetId, SentenceId};
use crate::metrics::ShortcutRow;
use crate::qca::{QcaLevel, Split, SplitShares};
use crate::review::Verdict;
use crate::tags::{all, tagged};
use crate::term::ReviewStatus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::{IntoStaticStr, VariantArray};

tagged!(ClusterKind, ReviewPolicy);

/// The rules for items that may enter a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ReviewPolicy {
    /// All questions except those that somebody rejected, so also questions that nobody reviewed. Every report says
    /// that such questions were used. A model that was trained on them can be activated only with an override.
    #[default]
    UnreviewedAutomatic,
    /// Items that at least one reviewer accepted and none disputes.
    SingleReviewer,
    /// Items that two reviewers accepted, or that an adjudication accepted.
    TwoAgree,
    /// Questions that an adjudication accepted with a reason.
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

    /// All rules, the least strict first.
    pub const ALL: [Self; 4] = all(Self::VARIANTS);

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

/// The kind of cluster of a snapshot. A cluster is a group of questions that depend on each other. Intervals and tests
/// resample whole clusters instead of single questions (docs/methods.md, "Evaluation").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ClusterKind {
    /// The kind that earlier versions used. They joined two articles into one cluster if a fifth of their sentences
    /// were nearly the same. Two articles were also joined if only a chain of other articles connected them in this
    /// way. All this was done only if a document was split into its sections. New snapshots never have this kind.
    #[default]
    #[strum(serialize = "article_group")]
    Joined,
    /// An article or a recital.
    Article,
    /// A section of a document that has no articles.
    Section,
    /// An anchor sentence with its near-duplicates.
    Anchor,
}

impl ClusterKind {
    /// The words that reports print, for one and for several.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Joined => ("group of articles", "groups of articles"),
            Self::Article => ("article", "articles"),
            Self::Section => ("section", "sections"),
            Self::Anchor => ("anchor", "anchors"),
        }
    }

    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Joined, Self::Article, Self::Section, Self::Anchor];

    /// The kind of a tag.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.tag() == tag)
    }
}

/// The clusters of one part of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClusterSizes {
    /// How many there are.
    pub clusters: u32,
    /// Questions of the middle one; of two middle ones the mean.
    pub median: f64,
    /// Questions of the largest.
    pub largest: u32,
    /// Its name.
    pub largest_name: String,
}

/// A pair of sentences that are in different parts though they are the same or nearly so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leak {
    /// The sentence on the training side.
    pub train: SentenceId,
    /// The sentence on the other side.
    pub held_out: SentenceId,
    /// The part of the other side.
    pub split: Split,
    /// Jaccard similarity of the character shingles of both texts, 0 to 1 (1 = identical). It is 0 for two versions of
    /// one document, because versions are found by other facts and not by this similarity.
    pub jaccard: f32,
    /// `anchor`, `candidate`, `distractor` or `version` (both stand in versions of one document).
    pub role: String,
}

/// The material and the findings of the leak check.
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

/// The record of the review of a snapshot's questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReviewRecord {
    /// Questions that its rule did not admit.
    pub not_admitted: u64,
    /// Questions that were left out because a term of theirs was rejected, is disputed, or was joined to another.
    pub terms_gone: u64,
    /// How far the reviewers agreed on questions when it was frozen; `None` where no question had two decisions.
    pub agreement: Option<AgreementRow>,
    /// The rule for the terms of which its graph and its questions were made.
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
    /// The rule by which items were admitted.
    pub policy: ReviewPolicy,
    /// The questions that the review left out, and how far its reviewers agreed.
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
    /// The share of questions that can be answered without reading them (docs/methods.md, "Evaluation").
    #[serde(default)]
    pub shortcuts: Vec<SnapshotShortcut>,
    /// Whether too many questions can be answered without reading them. This is so if a control that sees only the
    /// choices is right more than 10 points more often than chance. A model's figures on this snapshot then look better
    /// than the model is, and must not decide about a deployment.
    #[serde(default)]
    pub flagged: bool,
    /// The unit of the split: `document` or `section`.
    pub split_unit: String,
    /// The shares of the questions that the parts should have; `None` if they were not recorded.
    pub shares: Option<SplitShares>,
    /// What a cluster is. Snapshots of earlier versions do not state it. They keep the clusters with which they were
    /// made: see [`Dataset::clusters_by`].
    #[serde(default)]
    pub cluster_kind: ClusterKind,
    /// Number and sizes of the clusters, by part; empty in snapshots of earlier versions.
    #[serde(default)]
    pub clusters: BTreeMap<String, ClusterSizes>,
    /// The number of sentences about which no question is asked, because nearly the same sentence is in another part of
    /// the dataset. They belong to none of the parts train, dev and test.
    #[serde(default)]
    pub set_aside: u64,
    /// The leak check.
    pub leak_check: LeakReport,
    /// SHA-256 over the documents' hashes, hexadecimal.
    pub corpus_hash: String,
    /// Seed of split and shuffles.
    pub seed: u64,
}

impl Dataset {
    /// The kind of its clusters. If whole documents were split, the clusters of earlier versions are anchors, too.
    pub fn clusters_by(&self) -> ClusterKind {
        match self.cluster_kind {
            ClusterKind::Joined if self.split_unit == "document" => ClusterKind::Anchor,
            kind => kind,
        }
    }

    /// A warning about a snapshot whose clusters are of the old kind.
    pub fn of_the_old_kind(&self) -> Option<&'static str> {
        (self.clusters_by() == ClusterKind::Joined).then_some(
            "Its clusters are of the old kind: articles were joined where a fifth of the smaller one stood nearly the same in \
             the other, and those with others in turn. Freeze the questions anew for clusters that are single articles.",
        )
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A snapshot as the version before clusters were named described it.
    fn earlier(split_unit: &str) -> Dataset {
        let part = serde_json::json!({ "sentence": 1, "token": 0, "anchors": 1 });
        serde_json::from_value(serde_json::json!({
            "id": 1, "hash": "", "created": "", "policy": "unreviewed_automatic", "train": part, "dev": part, "test": part,
            "split_unit": split_unit, "leak_check": { "compared": 0, "removed": 0, "leaks": [] }, "corpus_hash": "", "seed": 1
        }))
        .unwrap()
    }

    #[test]
    fn a_snapshot_of_an_earlier_version_says_what_its_clusters_are() {
        let check = |unit: &str, kind: ClusterKind| {
            let dataset = earlier(unit);
            assert_eq!(
                (dataset.clusters_by(), dataset.of_the_old_kind().is_some()),
                (kind, kind == ClusterKind::Joined)
            );
            assert!(dataset.clusters.is_empty());
        };
        check("section", ClusterKind::Joined);
        check("document", ClusterKind::Anchor);
        for kind in ClusterKind::ALL {
            assert_eq!(ClusterKind::from_tag(kind.tag()), Some(kind));
        }
    }
}
