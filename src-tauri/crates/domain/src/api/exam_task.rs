//! Systems on an exam of pairs, of similarity or of texts with a class: tasks that nobody trained them on.

use super::{BenchMissing, Bounded};
use crate::exam::ExamKind;
use crate::tags::{all, tagged};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

tagged!(TaskMeasure);

/// What a system is measured by on such an exam. A new one is a line here; `evaluate::tasks` says how it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum TaskMeasure {
    /// The area under the ROC curve.
    Auc,
    /// Average precision.
    AveragePrecision,
    /// Spearman's correlation of ranks.
    Spearman,
    /// Pearson's correlation.
    Pearson,
    /// The share of texts that get their own class.
    Accuracy,
    /// The mean of F1 over the classes.
    MacroF1,
}

impl TaskMeasure {
    /// All measures, in the order in which they are told.
    pub const ALL: [Self; 6] = all(Self::VARIANTS);

    /// The measures of an exam of this kind. Systems are compared by the first.
    pub fn of(kind: ExamKind) -> &'static [Self] {
        match kind {
            ExamKind::Similarity => &[Self::Spearman, Self::Pearson],
            ExamKind::Classes => &[Self::Accuracy, Self::MacroF1],
            ExamKind::Pairs | ExamKind::Questions | ExamKind::Terms => {
                &[Self::Auc, Self::AveragePrecision]
            }
        }
    }

    /// Its name in English.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auc => "AUC",
            Self::AveragePrecision => "average precision",
            Self::Spearman => "Spearman",
            Self::Pearson => "Pearson",
            Self::Accuracy => "accuracy",
            Self::MacroF1 => "macro F1",
        }
    }
}

/// Systems side by side on such an exam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskTable {
    /// The exam's name.
    pub exam: String,
    /// Its hash.
    pub hash: String,
    /// The kind of its items.
    pub kind: ExamKind,
    /// The kind of cluster, whose items are drawn together: pairs that share a text, or each text.
    pub unit: String,
    /// Pairs or texts that are measured.
    pub n: usize,
    /// Their clusters.
    pub clusters: usize,
    /// The system that the others are compared with.
    pub baseline: Option<String>,
    /// A line for each system.
    pub systems: Vec<TaskLine>,
    /// Systems that could not be measured.
    pub missing: Vec<BenchMissing>,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
}

/// A system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskLine {
    /// The system, as the bench names it.
    pub system: String,
    /// The number of training runs that this system stands for. The runs have one recipe and different seeds, and the
    /// figures are means over them. `None` = the system is not a group of runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// Pairs or texts that it can read.
    pub n: usize,
    /// The number of items in languages that it cannot read; they are not part of its figures.
    pub unread: usize,
    /// Texts that it reads in part, since they are longer than it can read.
    #[serde(default)]
    pub cut: u64,
    /// Its figures; the first is the one by which systems are compared.
    pub figures: Vec<TaskFigure>,
    /// The difference from the baseline, on what both can read.
    pub against: Option<TaskGain>,
}

/// A figure of a system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskFigure {
    /// What it measures.
    pub measure: TaskMeasure,
    /// The figure with its interval.
    #[serde(flatten)]
    pub of: Bounded,
    /// The figure of each run, where the system stands for several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_run: Vec<f64>,
}

/// A difference from the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskGain {
    /// The baseline.
    pub against: String,
    /// The difference in the first figure.
    pub difference: Bounded,
    /// How probable as large a difference is by chance; `None` where nothing can be drawn.
    pub p_value: Option<f64>,
    /// This probability after Holm's correction over the table.
    pub p_holm: Option<f64>,
    /// Pairs or texts that both read.
    pub n: usize,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_measure_has_an_exam_a_name_and_the_tag_by_which_it_is_written() {
        let kinds = [ExamKind::Pairs, ExamKind::Similarity, ExamKind::Classes];
        let measured: Vec<TaskMeasure> = kinds
            .iter()
            .flat_map(|k| TaskMeasure::of(*k))
            .copied()
            .collect();
        assert_eq!(measured, TaskMeasure::ALL);
        let names: BTreeSet<&str> = measured.iter().map(|m| m.name()).collect();
        assert_eq!(names.len(), measured.len());
        for measure in measured {
            let written = serde_json::to_value(measure).unwrap();
            assert_eq!(written, serde_json::json!(measure.tag()));
        }
        assert_eq!(TaskMeasure::MacroF1.tag(), "macro_f1");
    }
}
