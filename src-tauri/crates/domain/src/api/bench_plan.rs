//! What a bench still has to score, and about how long that takes.

use super::BenchMissing;
use serde::{Deserialize, Serialize};

/// How long it takes to score questions, as far as this machine's own earlier measurements tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchTime {
    /// The seconds of the systems whose pace is known, from the least to the most that is expected. `None` = none of
    /// them is known, or nothing is left to score.
    pub seconds: Option<[f64; 2]>,
    /// Systems with open questions whose pace is not known. Their time is not in `seconds`.
    pub unknown: u64,
}

/// What a system still has to score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchAhead {
    /// The system.
    pub system: String,
    /// Questions without a stored answer. A system of several runs has each question once for each run.
    pub open: u64,
    /// Questions whose answer is stored. They are not asked again.
    pub kept: u64,
    /// As [`BenchTime::seconds`], for this system. `None` = nothing is open, or the pace is not known.
    pub seconds: Option<[f64; 2]>,
}

/// What a bench still has to score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchPlan {
    /// What each system has to score.
    pub systems: Vec<BenchAhead>,
    /// Systems that could not be measured.
    pub missing: Vec<BenchMissing>,
    /// The time of all of them.
    pub time: BenchTime,
    /// Something else was ordered that takes time and is not in `time`: general language, BERTScore or a judge.
    pub more: bool,
}

impl BenchPlan {
    /// Questions without a stored answer, over all systems.
    pub fn open(&self) -> u64 {
        self.systems.iter().map(|system| system.open).sum()
    }

    /// Questions whose answer is stored, over all systems.
    pub fn kept(&self) -> u64 {
        self.systems.iter().map(|system| system.kept).sum()
    }

    /// Systems with open questions.
    pub fn to_score(&self) -> u64 {
        self.systems.iter().filter(|system| system.open > 0).count() as u64
    }
}
