//! Whether a tuned model may go live: the rule, what it found, and how often the rule itself is wrong.

use crate::id::{DatasetId, QcaId, RunId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// How one system answered one test question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemOutcome {
    /// The question.
    pub id: QcaId,
    /// Its cluster: the anchor rule, or the article or section of a single document.
    pub cluster: i64,
    /// Place of the right choice.
    pub answer: usize,
    /// Place of the choice that the system gives; none where it gives none.
    pub chosen: Option<usize>,
    /// cos(question, right choice) − mean cos(question, wrong choice); none where there is no such number.
    pub gap: Option<f64>,
}

/// The answers of one system to the test questions of a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcomes {
    /// `embedding` or `likelihood`: only answers under the same scorer are compared.
    pub scorer: String,
    /// SHA-256 of the base model, hexadecimal.
    pub base: String,
    /// SHA-256 of the adapter, hexadecimal; none = the base as it is.
    pub adapter: Option<String>,
    /// Question by question.
    pub items: Vec<ItemOutcome>,
}

/// A measure that the gate can look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

    /// The name that is stored and printed.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::F1 => "f1",
            Self::ChoiceCosineGap => "choice_cosine_gap",
        }
    }

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
    /// What is compared. A model passes only if it passes by every measure.
    pub measures: Vec<Margin>,
    /// How sure each bound is, one-sided.
    pub level: f64,
    /// With fewer anchors (clusters of test questions) nothing is decided.
    pub least_anchors: u32,
    /// With fewer test questions nothing is decided.
    pub least_questions: u32,
    /// A control that never reads the question may exceed chance by this share; more of it stops.
    pub shortcut: f64,
    /// A snapshot in which a leak was left stops.
    pub leaks: bool,
    /// A snapshot of questions that nobody reviewed stops.
    pub reviewed: bool,
    /// Largest loss of general language (Spearman's rank correlation with the scores of a general set) that is tolerated;
    /// none = not asked for.
    pub general_floor: Option<f64>,
    /// An export must stand that was proved to answer as the run does.
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
            export_parity: false,
        }
    }
}

/// What the gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    /// It may go live.
    Pass,
    /// It may not.
    Stop,
    /// The test questions are too few to tell.
    Undecided,
}

impl GateVerdict {
    /// The word that is stored and printed.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Stop => "stop",
            Self::Undecided => "undecided",
        }
    }
}

/// One measure of the two models.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateFigure {
    /// The measure.
    pub measure: GateMeasure,
    /// Of the model that it is compared with.
    pub reference: f64,
    /// Of the model that is to go live.
    pub candidate: f64,
    /// Candidate − reference.
    pub difference: f64,
    /// Lower bound of the difference, by cluster, one-sided at the policy's level.
    pub low: f64,
    /// Upper bound, likewise.
    pub high: f64,
    /// What is tolerated.
    pub margin: f64,
    /// What this measure says by itself.
    pub verdict: GateVerdict,
}

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
    /// There are too few anchors.
    TooFewAnchors {
        /// Anchors.
        anchors: u32,
        /// As many are asked for.
        least: u32,
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
                | Self::ExportNotProved
        )
    }
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
            Self::TooFewAnchors { anchors, least } => write!(
                f,
                "There are {anchors} anchors in the test part; at least {least} are asked for."
            ),
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

/// Where the figures of a characteristic come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CharacteristicSource {
    /// The differences of the two models at hand, cluster by cluster.
    Measured,
    /// Assumed shares of differing answers.
    Assumed,
}

/// How often each verdict is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GateRates {
    /// Pass.
    pub passes: f64,
    /// Stop.
    pub stopped: f64,
    /// Undecided.
    pub undecided: f64,
    /// Standard error of the larger of these figures: of the simulation, and of the differences that it draws from.
    pub error: f64,
}

/// Margins under which an equal model passes often enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarginOffer {
    /// An equal model passes so often.
    pub equal_passes: f64,
    /// The margins.
    pub margins: Vec<Margin>,
    /// How often a model that is worse by so many points would be stopped.
    pub worse_stopped: BTreeMap<String, f64>,
}

/// How often the gate is right, by simulation on the clusters of these test questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Characteristic {
    /// What it draws from.
    pub from: CharacteristicSource,
    /// Pairs of models that were simulated.
    pub simulations: u32,
    /// Share of questions that one of the two models answers right and the other wrong.
    pub discordant: f64,
    /// How far the differences within an anchor go together (intraclass correlation).
    pub within: f64,
    /// How often an equal model passes.
    pub equal_passes: f64,
    /// How often a model that is worse by so many points is stopped.
    pub worse_stopped: BTreeMap<String, f64>,
    /// All rates, by how many points the model is worse: `0` is an equal one.
    pub rates: BTreeMap<String, GateRates>,
    /// Margins that give at least 80 and at least 95 %.
    pub offers: Vec<MarginOffer>,
}

/// What the gate says of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateDecision {
    /// The run.
    pub run: RunId,
    /// The verdict.
    pub verdict: GateVerdict,
    /// Why.
    pub reasons: Vec<GateReason>,
    /// What it was compared with: `run 3`, or `base all-MiniLM-L6-v2`.
    pub against: String,
    /// That run; none = the base.
    pub against_run: Option<RunId>,
    /// The snapshot.
    pub dataset: DatasetId,
    /// SHA-256 of the snapshot, hexadecimal.
    pub dataset_hash: String,
    /// SHA-256 of the adapter, hexadecimal.
    pub adapter: String,
    /// Under which scorer.
    pub scorer: String,
    /// What a cluster is: `anchor`, `article`, `section`.
    pub unit: String,
    /// Test questions.
    pub questions: u32,
    /// Clusters.
    pub anchors: u32,
    /// About so many anchors would decide: an equal model passes in 80 of 100 cases, and one that is worse by 3 points is
    /// stopped in 95. None where it is decided.
    pub needed: Option<u64>,
    /// The measures.
    pub figures: Vec<GateFigure>,
    /// How often the gate is right here.
    pub characteristic: Characteristic,
    /// The rule.
    pub policy: GatePolicy,
}
