//! Why the gate decides as it does, as values and in words.

use super::rule::GateMeasure;
use crate::dataset::ClusterKind;
use crate::id::DatasetId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One ground of a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum GateGround {
    /// The loss by this measure is within the margin.
    WithinMargin {
        /// The measure.
        measure: GateMeasure,
        /// The bound.
        low: f64,
        /// What is tolerated.
        margin: f64,
    },
    /// The model is worse by this measure.
    Worse {
        /// The measure.
        measure: GateMeasure,
        /// Candidate − reference.
        difference: f64,
        /// The bound.
        high: f64,
        /// What is tolerated.
        margin: f64,
    },
    /// The measure may have fallen by more than the margin, or not at all.
    CannotTell {
        /// The measure.
        measure: GateMeasure,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
        /// What is tolerated.
        margin: f64,
    },
    /// Both are the same model.
    SameModel,
    /// There are too few clusters.
    TooFewAnchors {
        /// Clusters.
        anchors: u32,
        /// As many are asked for.
        least: u32,
        /// What a cluster is: `anchor`, `article`, `section`.
        #[serde(default)]
        unit: String,
    },
    /// There are too few test questions.
    TooFewQuestions {
        /// Questions.
        questions: u32,
        /// As many are asked for.
        least: u32,
    },
    /// The questions can be answered without being read.
    Shortcut {
        /// The control.
        control: String,
        /// Its share of right answers.
        accuracy: f64,
        /// What guessing scores.
        chance: f64,
    },
    /// Nobody reviewed the questions.
    Unreviewed,
    /// The leak check left leaks in the snapshot.
    Leaks {
        /// How many.
        leaks: u32,
    },
    /// The model lost general language.
    GeneralLost {
        /// Change of the rank correlation.
        change: f64,
        /// The largest loss that is tolerated.
        floor: f64,
    },
    /// The rule asks for general language, and it was not measured.
    GeneralNotMeasured,
    /// The model falls under an attack that keeps the sense.
    AttackLost {
        /// The attack's tag.
        attack: String,
        /// Accuracy under attack − accuracy as it is.
        change: f64,
        /// Upper bound of the change.
        high: f64,
        /// The largest loss that is tolerated.
        floor: f64,
    },
    /// Under an attack that keeps the sense the model may fall by more than is tolerated, or not at all.
    AttackCannotTell {
        /// The attack's tag.
        attack: String,
        /// Lower bound of the change.
        low: f64,
        /// Upper bound.
        high: f64,
        /// The largest loss that is tolerated.
        floor: f64,
    },
    /// The rule asks for attacks, and none was measured.
    AttackNotMeasured,
    /// The rule asks for a proved export, and there is none.
    ExportNotProved,
    /// The other model was trained on another snapshot, and may have been trained on some of these questions: that can
    /// only make it look better.
    OtherSnapshot {
        /// Its snapshot.
        dataset: DatasetId,
    },
}

impl GateGround {
    /// It stops the model whatever the measures say.
    pub fn blocks(&self) -> bool {
        matches!(
            self,
            Self::Shortcut { .. }
                | Self::Unreviewed
                | Self::Leaks { .. }
                | Self::GeneralLost { .. }
                | Self::AttackLost { .. }
                | Self::ExportNotProved
        )
    }
}

/// What so many clusters are called.
pub fn units(unit: &str, n: u32) -> &'static str {
    let (one, several) =
        ClusterKind::from_tag(unit).map_or(("cluster", "clusters"), ClusterKind::words);
    if n == 1 { one } else { several }
}

/// The measure's name in words.
fn name(measure: GateMeasure) -> &'static str {
    match measure {
        GateMeasure::Accuracy => "accuracy",
        GateMeasure::F1 => "F1",
        GateMeasure::ChoiceCosineGap => "gap of the choices",
    }
}

/// A difference as people read it: points of a share, or a plain number.
fn amount(measure: GateMeasure, value: f64) -> String {
    if measure.is_share() {
        format!("{:+.1} points", value * 100.0)
    } else {
        format!("{value:+.3}")
    }
}

/// A margin as people read it.
fn tolerated(measure: GateMeasure, margin: f64) -> String {
    if measure.is_share() {
        format!("{:.1} points", margin * 100.0)
    } else {
        format!("{margin:.3}")
    }
}

impl fmt::Display for GateGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WithinMargin {
                measure,
                low,
                margin,
            } => write!(
                f,
                "{}: at worst {}, which is within the margin of {}.",
                name(*measure),
                amount(*measure, *low),
                tolerated(*measure, *margin)
            ),
            Self::Worse {
                measure,
                difference,
                high,
                margin,
            } => write!(
                f,
                "{}: the model is worse, {} ({} at best); the margin is {}.",
                name(*measure),
                amount(*measure, *difference),
                amount(*measure, *high),
                tolerated(*measure, *margin)
            ),
            Self::CannotTell {
                measure,
                low,
                high,
                margin,
            } => write!(
                f,
                "{}: between {} and {}; the margin is {}, so these questions cannot tell.",
                name(*measure),
                amount(*measure, *low),
                amount(*measure, *high),
                tolerated(*measure, *margin)
            ),
            Self::SameModel => f.write_str("Both are the same model."),
            Self::TooFewAnchors {
                anchors,
                least,
                unit,
            } => {
                let units = units(unit, *anchors);
                write!(
                    f,
                    "The test questions come from {anchors} {units}; at least {least} are asked for."
                )
            }
            Self::TooFewQuestions { questions, least } => write!(
                f,
                "There are {questions} test questions; at least {least} are asked for."
            ),
            Self::Shortcut {
                control,
                accuracy,
                chance,
            } => write!(
                f,
                "The questions can be answered without being read: the control {control} scores {:.1} % where guessing scores {:.1} %.",
                accuracy * 100.0,
                chance * 100.0
            ),
            Self::Unreviewed => f.write_str(
                "The snapshot is unreviewed (automatic): nobody has looked at its questions.",
            ),
            Self::Leaks { leaks } => write!(
                f,
                "{leaks} sentences of the test part stand, or nearly stand, in the training part."
            ),
            Self::GeneralLost { change, floor } => write!(
                f,
                "General language: the rank correlation changed by {change:+.3}; a loss of {floor:.3} is tolerated."
            ),
            Self::GeneralNotMeasured => f.write_str("General language was not measured."),
            Self::AttackLost {
                attack,
                change,
                high,
                floor,
            } => write!(
                f,
                "Under the attack {attack}: {} of accuracy ({} at best); a loss of {} is tolerated.",
                amount(GateMeasure::Accuracy, *change),
                amount(GateMeasure::Accuracy, *high),
                tolerated(GateMeasure::Accuracy, *floor)
            ),
            Self::AttackCannotTell {
                attack,
                low,
                high,
                floor,
            } => write!(
                f,
                "Under the attack {attack}: between {} and {} of accuracy; a loss of {} is tolerated, so these questions cannot tell.",
                amount(GateMeasure::Accuracy, *low),
                amount(GateMeasure::Accuracy, *high),
                tolerated(GateMeasure::Accuracy, *floor)
            ),
            Self::AttackNotMeasured => f.write_str("Attacks were not measured."),
            Self::ExportNotProved => {
                f.write_str("No export of this run was proved to answer as the run does.")
            }
            Self::OtherSnapshot { dataset } => write!(
                f,
                "The model that it is compared with was trained on snapshot {dataset}; it may know some of these questions, which can only help it."
            ),
        }
    }
}

/// A ground with its words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateReason {
    /// In words.
    pub text: String,
    /// It stops the model whatever the measures say.
    pub blocking: bool,
    /// As a value.
    #[serde(flatten)]
    pub ground: GateGround,
}

impl From<GateGround> for GateReason {
    fn from(ground: GateGround) -> Self {
        Self {
            text: ground.to_string(),
            blocking: ground.blocks(),
            ground,
        }
    }
}
