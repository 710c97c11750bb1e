//! The rule of the gate: measures, margins, and what else is asked for.

use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(GateMeasure, GateVerdict);

/// A measure that the gate can look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum GateMeasure {
    /// Share of right answers.
    Accuracy,
    /// Macro F1 over the place of the answer.
    F1,
    /// Mean of cos(question, right choice) − mean cos(question, wrong choice).
    ChoiceCosineGap,
}

impl GateMeasure {
    /// All measures.
    pub const ALL: [Self; 3] = [Self::Accuracy, Self::F1, Self::ChoiceCosineGap];

    /// Its value is a share, so that a difference can be said in percentage points.
    pub fn is_share(self) -> bool {
        self != Self::ChoiceCosineGap
    }
}

/// A measure and how much worse a model may be by it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// The measure.
    pub measure: GateMeasure,
    /// A loss of this size is not tolerated; .02 = two points.
    pub margin: f64,
}

/// The rule of the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GatePolicy {
    /// The measures that are compared. A model passes only if it passes by every measure.
    pub measures: Vec<Margin>,
    /// How sure each bound is, one-sided.
    pub level: f64,
    /// With fewer anchors (clusters of test questions) nothing is decided.
    pub least_anchors: u32,
    /// With fewer test questions the gate decides nothing.
    pub least_questions: u32,
    /// A control that never reads the question may exceed chance by this share; more of it stops.
    pub shortcut: f64,
    /// A snapshot in which a leak was left stops.
    pub leaks: bool,
    /// Whether a snapshot of questions that nobody reviewed stops a model.
    pub reviewed: bool,
    /// The largest tolerated loss in general language, as a difference of Spearman's rank correlation with the scores
    /// of a general set. `None` = this is not checked.
    pub general_floor: Option<f64>,
    /// The largest tolerated loss of accuracy under an attack that keeps the questions' meaning, compared with the
    /// unchanged questions. `None` = this is not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack_floor: Option<f64>,
    /// There must be an export that was proved to answer as the run does.
    pub export_parity: bool,
}

impl Default for GatePolicy {
    fn default() -> Self {
        let margin = |measure| Margin {
            measure,
            margin: 0.02,
        };
        Self {
            measures: vec![
                margin(GateMeasure::F1),
                margin(GateMeasure::ChoiceCosineGap),
            ],
            level: 0.95,
            least_anchors: 30,
            least_questions: 100,
            shortcut: 0.10,
            leaks: true,
            reviewed: true,
            general_floor: None,
            attack_floor: None,
            export_parity: false,
        }
    }
}

/// The verdict of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum GateVerdict {
    /// The model may become active.
    Pass,
    /// It may not.
    Stop,
    /// The test questions are too few to tell.
    Undecided,
}
