//! What the bench measures systems on, what is asked of it, and what a workspace keeps of it.

use super::{
    AttackTable, BenchChoice, BenchJudging, BenchMissing, BenchSnapshot, BenchTable, ExamRow,
    ExamSample, ExamTable, TaskTable, TermsTable,
};
use crate::endpoint::Consent;
use serde::{Deserialize, Serialize};

/// The systems that can be measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchChoices {
    /// The newest snapshot, whose test questions are asked; `None` where nothing was frozen.
    pub snapshot: Option<BenchSnapshot>,
    /// Systems that can be measured.
    pub systems: Vec<BenchChoice>,
    /// Systems that are known to be unusable.
    pub missing: Vec<BenchMissing>,
    /// Exams and sets of terms that were brought in, on which systems can be measured, too.
    #[serde(default)]
    pub exams: Vec<ExamRow>,
}

/// What systems are measured on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "on")]
pub enum BenchOn {
    /// The test questions of a snapshot.
    #[default]
    Questions,
    /// These questions as they are, and under attack.
    Attack,
    /// Terms in contexts: a set that was brought in, by its name. `None` = what the snapshot's test part gives.
    Terms {
        /// The set's name.
        set: Option<String>,
    },
    /// An exam that was brought in, by its name.
    Exam {
        /// The exam's name.
        name: String,
    },
}

/// Pairs of general language that people scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "from")]
pub enum GeneralPairs {
    /// Those of the last table.
    Kept,
    /// Those of a file.
    File {
        /// Its path.
        path: String,
    },
}

/// A bench as the window asks for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchAsked {
    /// What it measures on.
    pub on: BenchOn,
    /// Of an exam, how many questions of each subject are drawn; `None` = all are asked.
    pub sample: Option<ExamSample>,
    /// The systems.
    pub systems: Vec<String>,
    /// Whether runs of one recipe with different seeds are one system.
    pub by_recipe: bool,
    /// The system that the others are compared with.
    pub baseline: Option<String>,
    /// Pairs of general language; `None` = they are not measured.
    pub general: Option<GeneralPairs>,
    /// The encoder of BERTScore.
    pub encoder: Option<String>,
    /// The judge of what the systems write.
    pub judging: Option<BenchJudging>,
    /// A person's consent to the prompts that are sent to endpoints.
    pub agreed: Vec<Consent>,
}

/// The table of a bench.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "of", content = "table")]
pub enum BenchOutcome {
    /// On test questions.
    Questions(Box<BenchTable>),
    /// Under attack.
    Attack(Box<AttackTable>),
    /// On terms in contexts.
    Terms(Box<TermsTable>),
    /// On an exam of questions.
    Exam(Box<ExamTable>),
    /// On an exam of pairs, of similarity or of texts with a class.
    Task(Box<TaskTable>),
}

/// The last table of what is no snapshot's test questions, as a workspace keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptOutcome {
    /// When it was made, RFC 3339, UTC.
    pub made: String,
    /// The table.
    pub outcome: BenchOutcome,
}
