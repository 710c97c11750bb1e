//! Questions: lists, and what writing them did.

use super::{Items, JudgeReport};
use crate::id::{DocumentId, QcaId};
use crate::qca::{QcaLevel, QuestionType, Split};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The questions to list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionFilter {
    /// Text that question or choices contain.
    pub query: Option<String>,
    /// Level.
    pub level: Option<QcaLevel>,
    /// Type.
    pub question_type: Option<QuestionType>,
    /// Part of the dataset.
    pub split: Option<Split>,
    /// First row.
    #[serde(default)]
    pub offset: u64,
    /// Most rows; 0 = all.
    #[serde(default)]
    pub limit: u64,
}

/// A question in the list, with its anchor's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionRow {
    /// The question.
    #[serde(flatten)]
    pub question: crate::qca::Qca,
    /// The anchor's text.
    pub anchor_text: String,
    /// The anchor's document.
    pub document: DocumentId,
    /// Title of that document.
    pub document_title: String,
    /// Page of the anchor.
    pub page: u32,
    /// Section path of the anchor.
    pub section: String,
    /// A reviewer's note on the question. It is part of no snapshot and no packet.
    pub note: Option<String>,
    /// The graph was built again since it was written, and gives other candidates now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub candidates_changed: bool,
}

/// A question as `qca export` prints it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedQuestion {
    /// The question with its place.
    #[serde(flatten)]
    pub row: QuestionRow,
    /// The name of its cluster, the unit by which intervals are drawn: `Article 37`.
    pub cluster: Option<String>,
}

/// What `augment` did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AugmentReport {
    /// Questions accepted, by level and then split.
    pub questions: BTreeMap<String, BTreeMap<String, u64>>,
    /// Drafts rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Anchors for which no question could be drafted, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// The writer, in words: `offline generator (patterns and minimal edits; no language model)`.
    pub source: String,
    /// Counts of the requests to the endpoint that wrote them, and their answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<crate::endpoint::AskCounts>,
    /// Answers that were asked for again with the reason why the one before could not be used.
    #[serde(default)]
    pub reasked: u64,
    /// Of these, those that gave a question which passed the checks.
    #[serde(default)]
    pub recovered: u64,
    /// The judge's report on the questions; `None` if there was no judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<JudgeReport>,
    /// The numbers of prompts and what became of them; `None` without an endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Items>,
    /// The shares that the parts should have; `None` in a report of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares: Option<crate::qca::SplitShares>,
    /// Questions that stand first in the review: a sample by level and type.
    #[serde(default)]
    pub sample: Vec<QcaId>,
}
