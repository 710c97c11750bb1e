//! A cross-encoder that puts the first clauses of a search in order: what measuring it came to, and which there are.

use super::answering::AnswerIndex;
use super::ranking::RankingFigures;
use super::reranked::{RerankGap, RerankName};
use crate::id::RunId;
use serde::{Deserialize, Serialize};

/// The result of measuring a cross-encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RerankReport {
    /// The run that tuned it.
    pub run: RunId,
    /// Its name in answers, with the chosen weight.
    pub name: RerankName,
    /// Labelled questions that were left out because it, or the encoder of the search, was tuned on them.
    pub learned: u64,
    /// The figures of the search by words.
    pub words: RankingFigures,
    /// The figures of the search without it.
    pub without: RankingFigures,
    /// The figures of the search with the cross-encoder, and their differences from the search without it. The
    /// cross-encoder's weight is chosen separately for each fold, without the questions of this fold.
    pub with: RankingFigures,
    /// The order by its score alone, with the differences from the search by words.
    pub alone: RankingFigures,
    /// Why it is not used; `None` where it is from now on.
    pub gap: Option<RerankGap>,
    /// The index with which it was measured, without the cross-encoder.
    pub index: AnswerIndex,
}

impl RerankReport {
    /// Whether it alone ranks better than the words.
    pub fn beats_words(&self) -> bool {
        self.alone.map_10 > self.words.map_10
    }
}

/// A cross-encoder that was tuned here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RerankRow {
    /// Its run.
    pub run: RunId,
    /// Its base model.
    pub model: String,
    /// The first clauses are put in order by it now.
    pub on: bool,
    /// Why it is not, or could not be.
    pub gap: Option<RerankGap>,
    /// The report on measuring it; `None` if it was not measured.
    pub report: Option<RerankReport>,
}
