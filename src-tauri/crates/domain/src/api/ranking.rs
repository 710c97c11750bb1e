//! How well clauses are ranked, and the ranker that is fitted on labelled questions.

use super::answering::{AnswerIndex, Certificate, RankerName};
use super::reranked::RerankName;
use crate::id::RunId;
use crate::metrics::Comparison;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Figures of a ranking over labelled questions, and what it was made with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankingReport {
    /// How clauses were searched.
    pub mode: String,
    /// How texts are cut into words.
    pub tokeniser: String,
    /// The encoder that made the vectors; `None` if only words were searched.
    pub encoder: Option<String>,
    /// The adapter; `None` without one.
    pub adapter: Option<String>,
    /// The ranker that combines both; `None` = equal weight.
    pub ranker: Option<RankerName>,
    /// The cross-encoder that sorts the first clauses again; `None` = no cross-encoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank: Option<RerankName>,
    /// Questions among these that it learned from: it ranks their clauses too well.
    #[serde(default, skip_serializing_if = "is_none_of")]
    pub learned: u64,
    /// The figures.
    #[serde(flatten)]
    pub figures: RankingFigures,
}

/// Figures of a ranking, as trec_eval counts them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankingFigures {
    /// Questions.
    pub n: usize,
    /// Share of the right passages among the first ten, the mean over the questions.
    #[serde(rename = "recall@10")]
    pub recall_10: f64,
    /// Mean average precision, cut at ten.
    #[serde(rename = "map@10")]
    pub map_10: f64,
    /// Normalised discounted cumulative gain, cut at ten.
    #[serde(rename = "ndcg@10")]
    pub ndcg_10: f64,
    /// Mean reciprocal rank of the first right passage.
    pub mrr: f64,
    /// Share of the questions with two or more right passages for which all of these are among the first ten. `None` if
    /// there are no such questions.
    #[serde(rename = "both@10")]
    pub both_10: Option<f64>,
    /// What a cluster is. `document` = the questions whose first right passage is in the same document. `passage` = the
    /// questions with the same first right passage; this is used if no workspace says which document a passage is from.
    pub unit: String,
    /// How many there are.
    pub clusters: usize,
    /// 95 % interval of each figure, by its name: a bootstrap that draws whole clusters.
    pub intervals: BTreeMap<String, [f64; 2]>,
    /// The figures by kind of question, where questions have a kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_kind: BTreeMap<String, RankingFigures>,
    /// Differences from another ranking of the same questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Comparison>,
    /// Questions with right passages that the run has no line for; they count in nothing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missing: usize,
}

fn is_none_of(n: &u64) -> bool {
    *n == 0
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// A mixture of a base model and the model tuned from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlendPoint {
    /// How much of the tuning counts, in hundredths; 0 = the base model.
    pub percent: u8,
    /// Share of the right passages among the first ten.
    #[serde(rename = "recall@10")]
    pub recall_10: f64,
    /// Mean average precision, cut at ten.
    #[serde(rename = "map@10")]
    pub map_10: f64,
    /// Questions that were ranked.
    #[serde(default)]
    pub questions: u64,
    /// 95 % interval of each figure of the ranking, by its name.
    #[serde(default)]
    pub intervals: BTreeMap<String, [f64; 2]>,
    /// Spearman's ρ between the cosines of general sentences and what people say of them; `None` without such pairs.
    pub general: Option<f64>,
    /// How many such pairs there were.
    pub pairs: u64,
}

/// How much of a tuning pays, measured on labelled questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelCurve {
    /// The run that tuned the encoder.
    pub run: RunId,
    /// Questions that were measured on.
    pub questions: u64,
    /// Labelled questions that were left out because the encoder was tuned on them.
    pub learned: u64,
    /// From the base model to the tuned one.
    pub points: Vec<BlendPoint>,
}

/// The labelled questions of a workspace, and what they are enough for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelsOverview {
    /// Questions whose right clauses are known.
    pub answerable: u64,
    /// Questions that nothing answers, as far as is known.
    pub unanswerable: u64,
    /// Questions with a right clause that are missing before a ranker can be fitted.
    pub missing_for_ranker: u64,
    /// The ranker that orders the clauses; `None` = words and vectors with equal weight.
    pub ranker: Option<RankerName>,
    /// How often answers are wrong, as the workspace is now.
    pub certificate: Certificate,
}

/// The result of fitting a ranker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankerReport {
    /// Labelled questions that it was fitted on.
    pub questions: u64,
    /// Labelled questions that were left out because the encoder was tuned on them.
    #[serde(default)]
    pub learned: u64,
    /// Labelled questions with none of their right passages among the candidates: nothing can be learned from them.
    pub out_of_reach: u64,
    /// It ranks better than an equal mixture on questions that it was not fitted on, and is used from now on.
    pub kept: bool,
    /// The figures of words and vectors with equal weight.
    pub half: RankingFigures,
    /// The figures of the ranker, with their differences from a search that mixes words and vectors equally. Each
    /// question is ranked with weights that were fitted without the questions of its document.
    pub ranked: RankingFigures,
    /// The weight of each feature.
    pub weights: BTreeMap<String, f64>,
    /// The index for which it is valid.
    pub index: AnswerIndex,
}
