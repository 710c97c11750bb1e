//! The bench: systems side by side on one snapshot's test questions.

use super::{BenchJudge, BertScoreFigures, Bounded, ConfusedPair, JudgedFigures};
use crate::metrics::{GroupMetrics, QcaMetrics};
use crate::statistics::{PairedComparison, Power};
use crate::{DatasetId, Failure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Systems side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchTable {
    /// The snapshot's hash.
    pub dataset: String,
    /// The kind of cluster: items of one cluster are drawn together.
    pub unit: String,
    /// Test questions.
    pub n: usize,
    /// Their clusters.
    pub clusters: usize,
    /// The system that the others are compared with, under its own scorers.
    pub baseline: Option<String>,
    /// A line for each system and scorer.
    pub systems: Vec<BenchRow>,
    /// Systems that could not be measured.
    pub missing: Vec<BenchMissing>,
    /// What these questions are able to show.
    pub power: Option<Power>,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
    /// A judge's report on the answers of the systems, if a judge was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<BenchJudge>,
}

/// A system under one scorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchRow {
    /// The system: `tfidf`, `lsa`, `bm25`, `base NAME`, `run N`, or the runs of one recipe, `runs N+M`.
    pub system: String,
    /// The number of training runs that this system stands for. The runs have one recipe and different seeds, and the
    /// figures are means over them. `None` = the system is not a group of runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// The accuracy of each of these runs: how far it depends on the seed; empty where it is one system.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_run: Vec<f64>,
    /// The scorer: systems are compared under the same one alone.
    pub scorer: String,
    /// Its figures over the questions that it can read.
    pub figures: QcaMetrics,
    /// Questions that are longer than it can read; they count as wrong.
    pub too_long: usize,
    /// The difference in accuracy from the baseline under the same scorer, on the questions that both can read.
    pub against: Option<PairedComparison>,
    /// Its accuracy by class of document, if there are several classes. A document without a class counts by its
    /// format.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_class: BTreeMap<String, GroupMetrics>,
    /// Terms that it takes for others, the commonest first.
    pub confused: Vec<ConfusedPair>,
    /// How well the encoder's cosines agree with people's scores in general language. Measured only on request, and
    /// only under the scorer `embedding`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub general: Option<GeneralFigures>,
    /// How near its written answers come to the right choices. Only under the scorer `generation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<WrittenFigures>,
}

impl BenchRow {
    /// The smallest and the largest accuracy of its runs; `None` where it is one system.
    pub fn over_seeds(&self) -> Option<[f64; 2]> {
        let least = self.by_run.iter().copied().reduce(f64::min)?;
        let most = self.by_run.iter().copied().reduce(f64::max)?;
        Some([least, most])
    }
}

/// How well a system's cosines follow what people say of pairs of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneralFigures {
    /// Pairs.
    pub n: usize,
    /// Spearman's rank correlation.
    pub spearman: Bounded,
    /// The correlation minus that of the baseline; `None` for the baseline itself.
    pub gained: Option<Bounded>,
    /// The p-value: the probability that chance alone gives a difference this large. It has Holm's correction over all
    /// differences of this kind in the table.
    pub p_holm: Option<f64>,
}

/// How near what a system wrote comes to the right choices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WrittenFigures {
    /// Answers.
    pub n: usize,
    /// Questions for which it wrote nothing; they count as 0.
    pub empty: usize,
    /// BLEU of the corpus with runs of up to four words, in hundredths.
    pub bleu: f64,
    /// BLEU of all answers together, computed with n-grams of up to one, two and three words; 0 to 100. `None` in
    /// tables of versions that did not compute it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shorter_bleu: Option<[f64; 3]>,
    /// ROUGE-1, mean F1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rouge1: Option<f64>,
    /// ROUGE-2, mean F1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rouge2: Option<f64>,
    /// ROUGE-L, mean F1.
    #[serde(rename = "rougeL")]
    pub rouge_l: f64,
    /// Mean METEOR.
    pub meteor: f64,
    /// chrF of the corpus, in hundredths.
    pub chrf: f64,
    /// BERTScore, where an encoder was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bertscore: Option<BertScoreFigures>,
    /// The differences from the baseline in ROUGE-L, METEOR, chrF and sentence BLEU (n-grams of up to four words). The
    /// answers are compared one by one; intervals and tests are by cluster.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<PairedComparison>,
    /// A judge's marks, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<JudgedFigures>,
}

/// A system that could not be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchMissing {
    /// The system.
    pub system: String,
    /// Why.
    pub failure: Failure,
}

/// The snapshot of a bench.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchSnapshot {
    /// Its id.
    pub id: DatasetId,
    /// Its hash.
    pub hash: String,
    /// Its test questions.
    pub questions: u64,
}

/// A system that can be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchChoice {
    /// Its name, as in [`BenchRow::system`].
    pub system: String,
    /// Whether it is measured if no system is named.
    pub usual: bool,
    /// Whether it was trained on another snapshot, so that only exams can be asked of it.
    #[serde(default)]
    pub exams_only: bool,
}

/// A table that a workspace keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptBench {
    /// When it was made, RFC 3339, UTC.
    pub made: String,
    /// The systems that were asked for, those that could not be measured among them.
    #[serde(default)]
    pub asked: Vec<String>,
    /// The encoder of its BERTScore, where one was named.
    pub encoder: Option<String>,
    /// The endpoint whose judgements count, also where no system of this table writes.
    pub judge: Option<String>,
    /// The name of the file of general language, where its pairs were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub general: Option<String>,
    /// The table.
    pub table: BenchTable,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_row_of_an_earlier_version_opens_without_the_newer_figures() {
        let kept =
            r#"{"n": 3, "empty": 1, "bleu": 12.5, "rougeL": 0.5, "meteor": 0.25, "chrf": 30.0}"#;
        let written: WrittenFigures = serde_json::from_str(kept).unwrap();
        assert_eq!((written.n, written.rouge1, written.rouge2), (3, None, None));
        assert_eq!(written.shorter_bleu, None);
        // What it does not know it does not write as zero.
        let again = serde_json::to_string(&written).unwrap();
        assert!(!again.contains("rouge1") && !again.contains("shorter_bleu"));
    }
}
