//! Measurements as plain data. The formulas are in the evaluate crate.

use crate::id::QcaId;
use crate::qca::{QcaLevel, QuestionType};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Point estimate.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// The figures of a system on questions with choices: accuracy and macro-averaged figures. The choices of each question
/// are shuffled with a seed, and the place of the right choice is the class that precision, recall and F1 are computed
/// over (docs/methods.md, "Evaluation").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QcaMetrics {
    /// Share of right answers.
    pub accuracy: f64,
    /// Macro precision.
    pub precision: f64,
    /// Macro recall.
    pub recall: f64,
    /// Macro F1.
    pub f1: f64,
    /// Cluster bootstrap interval of the accuracy, by anchor.
    pub ci95: [f64; 2],
    /// Items.
    pub n: usize,
    /// Clusters (anchors, or articles where single documents were split).
    pub clusters: usize,
    /// How much nearer a question is to its right choice than to its wrong ones: cos(question, right choice) minus the
    /// mean of cos(question, wrong choice), averaged over the questions. The gap between a term and its contexts is
    /// another measure (docs/methods.md, "Terminology in practice").
    #[serde(alias = "cosine_gap")]
    pub choice_cosine_gap: f64,
    /// Cluster bootstrap interval of the gap.
    pub gap_ci95: [f64; 2],
    /// Accuracy by type of question.
    pub by_type: BTreeMap<String, GroupMetrics>,
    /// Accuracy by level.
    pub by_level: BTreeMap<String, GroupMetrics>,
    /// Accuracy of questions about terms in two groups. In `wrong_in_training` the right term was a wrong choice of
    /// some training question; in `never_wrong_in_training` it never was. Empty if this is not known.
    #[serde(default)]
    pub by_term_seen: BTreeMap<String, GroupMetrics>,
}

/// The figures of one group of items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupMetrics {
    /// Share of right answers.
    pub accuracy: f64,
    /// Cluster bootstrap interval of the accuracy.
    #[serde(default)]
    pub ci95: [f64; 2],
    /// Mean cosine gap of the choices.
    #[serde(alias = "cosine_gap")]
    pub choice_cosine_gap: f64,
    /// Items.
    pub n: usize,
    /// Clusters.
    #[serde(default)]
    pub clusters: usize,
}

/// How well a system chooses which of two contexts belongs to a term (docs/methods.md, "Terminology in practice").
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TermFigures {
    /// Macro F1 over the place at which the right context is shown.
    pub macro_f1: f64,
    /// Cluster bootstrap interval of it, by term.
    pub macro_f1_ci95: [f64; 2],
    /// Share of pairs whose right context is the nearer one; a tie counts half.
    pub pairwise_accuracy: f64,
    /// Cluster bootstrap interval of it.
    pub pairwise_accuracy_ci95: [f64; 2],
    /// Mean of cos(term, right context) − cos(term, wrong context).
    pub mean_cosine_gap: f64,
    /// Cluster bootstrap interval of it.
    pub mean_cosine_gap_ci95: [f64; 2],
    /// Pairs.
    pub n: usize,
    /// Different terms.
    pub clusters: usize,
}

/// A shortcut control: the score of a system that does not understand the question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortcutRow {
    /// `choices_only`, `medoid`, `longest_choice`, `corpus_overlap`.
    pub name: String,
    /// Share of right answers; a tie counts as its share.
    pub accuracy: f64,
    /// What guessing scores: mean of 1 / number of choices.
    pub chance: f64,
    /// Items.
    pub n: usize,
    /// More than 10 points above chance.
    pub flagged: bool,
}

/// What two systems are compared by on the same questions, in the order in which it is told.
pub const MEASURES: [&str; 3] = ["accuracy", "f1", "choice_cosine_gap"];

/// A paired comparison of two systems on the same items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The measure that is compared: one of [`MEASURES`].
    #[serde(deserialize_with = "measure")]
    pub measure: String,
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
    /// After − before with the cluster bootstrap interval.
    pub difference: Interval,
    /// Two-sided p-value of the cluster permutation test.
    pub p_value: f64,
    /// The p-value after Holm's correction over all comparisons of its table. `None` in three cases: the comparison
    /// belongs to no table, an earlier version measured it, or the corrected value is stored elsewhere, in
    /// [`crate::statistics::PairedComparison`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_holm: Option<f64>,
    /// The test's name.
    pub test: String,
    /// The unit of inference: `anchor`, `article`, `section`, or `article_group` (clusters of the old kind).
    pub unit: String,
    /// The model that is compared with, for example `base all-MiniLM-L6-v2`.
    pub against: String,
    /// Resamples drawn.
    pub resamples: usize,
}

impl Comparison {
    /// The p-value that decides: the corrected one, where there is one.
    pub fn p_decides(&self) -> f64 {
        self.p_holm.unwrap_or(self.p_value)
    }
}

/// A measure's name; what earlier versions called the cosine gap is the gap of the choices.
fn measure<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    Ok(if name == "cosine_gap" {
        "choice_cosine_gap".to_owned()
    } else {
        name
    })
}

/// A question whose outcome changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedItem {
    /// The question.
    pub id: QcaId,
    /// Its level.
    pub level: QcaLevel,
    /// Its type.
    #[serde(rename = "type")]
    pub question_type: QuestionType,
    /// The question's text.
    pub question: String,
    /// The choices.
    pub choices: Vec<String>,
    /// Index of the right one.
    pub answer: usize,
    /// The choice of the base model.
    pub before: usize,
    /// The choice of the tuned model.
    pub after: usize,
    /// Margin (right − best wrong) before.
    pub margin_before: f64,
    /// Margin after.
    pub margin_after: f64,
    /// `GDPR.pdf, page 33, Article 4`.
    pub place: String,
}

/// One point of a training curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Optimiser step, from 1.
    pub step: u64,
    /// Training loss of that step.
    pub loss: f64,
}

/// The properties of the space of vectors (docs/methods.md, "Terminology in practice").
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceAudit {
    /// Mean cosine over pairs of different sentences; high is bad.
    pub mean_pairwise_cosine: f64,
    /// IsoScore, 0 to 1.
    pub isoscore: f64,
    /// Vectors looked at.
    pub n: usize,
    /// Shares of the variance in the first 1, 2, 4, 8, 16, 32, 64 and 128 principal directions ([`EXPLAINED_BY`]).
    /// `None` if all vectors are equal, because nothing varies then.
    pub explained: Option<[f64; EXPLAINED_BY.len()]>,
    /// How evenly the vectors are spread over the unit sphere (Wang and Isola 2020). It is the logarithm of the mean of
    /// exp(−2 d²) over all pairs, where d is the distance of a pair. From −8 to 0; lower is better. `None` for fewer
    /// than two vectors.
    pub uniformity: Option<f64>,
    /// Vectors that were drawn for the uniformity, where there are too many to compare each with each.
    pub uniformity_of: Option<usize>,
    /// How near the right choices are to their questions (Wang and Isola 2020): the mean squared distance of the unit
    /// vectors of a question and its right choice. From 0 to 4; lower is better. `None` if questions and choices have
    /// no vectors.
    pub alignment: Option<f64>,
}

/// The numbers of principal directions of [`SpaceAudit::explained`].
pub const EXPLAINED_BY: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The curves of one stage of a training; steps are counted over the whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageCurve {
    /// The stage's name.
    pub name: String,
    /// Training loss, in order.
    pub train: Vec<CurvePoint>,
    /// Held-out loss, in order; the first before the stage's first step.
    pub dev: Vec<CurvePoint>,
}

/// The comparison of base and tuned model under one scorer, which is a way to turn a model's output into a score for
/// each choice. Figures of different scorers are never compared. The primary scorer was chosen on the dev part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScorerRow {
    /// `likelihood`, `per_byte`, `pmi`, `generation` or `embedding`.
    pub scorer: String,
    /// Test figures of the base.
    pub before: QcaMetrics,
    /// Test figures of the tuned model.
    pub after: QcaMetrics,
    /// Accuracy, paired by cluster.
    pub comparison: Comparison,
    /// Answers of the base that name no choice; they count as wrong.
    pub unparseable_before: usize,
    /// Answers of the tuned model that name no choice; they count as wrong.
    pub unparseable_after: usize,
}

/// Before and after on the test questions: everything that the report shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The primary scorer: `embedding` of an encoder, `likelihood` of a decoder.
    pub scorer: String,
    /// Base model's name.
    pub base: String,
    /// Test figures of the base.
    pub before: QcaMetrics,
    /// Test figures of the tuned model.
    pub after: QcaMetrics,
    /// Paired comparisons by cluster.
    pub comparisons: Vec<Comparison>,
    /// The other scorers, for a decoder.
    #[serde(default)]
    pub scorers: Vec<ScorerRow>,
    /// Questions that are longer than the model's context; they count as wrong.
    #[serde(default)]
    pub too_long: usize,
    /// Shortcut controls on the test questions.
    pub shortcuts: Vec<ShortcutRow>,
    /// Count-based baseline on the same items: TF-IDF under the embedding scorer.
    pub tfidf: Option<QcaMetrics>,
    /// Training loss, in order.
    pub train_curve: Vec<CurvePoint>,
    /// Held-out (dev) loss, in order.
    pub dev_curve: Vec<CurvePoint>,
    /// Training and held-out losses by stage. Losses of different stages measure different things and cannot be
    /// compared.
    #[serde(default)]
    pub stages: Vec<StageCurve>,
    /// Terms told apart before and after, on what the snapshot's test part gives; `None` where it gives no such pair.
    pub terms: Option<[TermFigures; 2]>,
    /// Space of the test sentences before.
    pub space_before: SpaceAudit,
    /// Space of the test sentences after.
    pub space_after: SpaceAudit,
    /// Up to 20 questions that became right, largest gain of margin first.
    pub improved: Vec<ChangedItem>,
    /// Up to 20 questions that became wrong, largest loss of margin first.
    pub worsened: Vec<ChangedItem>,
    /// How many became right in all.
    pub improved_total: usize,
    /// How many became wrong in all.
    pub worsened_total: usize,
    /// The limits of these figures, in sentences.
    pub limits: Vec<String>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_earlier_versions_are_read_under_the_gap_s_own_name() {
        let group: GroupMetrics =
            serde_json::from_str(r#"{"accuracy": 0.5, "cosine_gap": 0.25, "n": 4}"#).unwrap();
        assert_eq!(group.choice_cosine_gap, 0.25);
        let written = serde_json::to_string(&group).unwrap();
        assert!(written.contains("\"choice_cosine_gap\":0.25"), "{written}");
        let comparison: Comparison = serde_json::from_str(
            r#"{"measure": "cosine_gap", "before": 0, "after": 0, "difference": {"value": 0, "low": 0, "high": 0},
                "p_value": 1, "test": "", "unit": "article", "against": "", "resamples": 1}"#,
        )
        .unwrap();
        assert_eq!(comparison.measure, "choice_cosine_gap");
        assert_eq!((comparison.p_holm, comparison.p_decides()), (None, 1.0));
    }
}
