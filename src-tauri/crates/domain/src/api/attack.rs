//! The results of systems under attack. An attack changes the test questions so that their meaning stays the same, or
//! adds a wrong choice that looks right.

use super::BenchMissing;
use crate::metrics::Comparison;
use crate::statistics::PairedComparison;
use crate::tags::{all, tagged};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

tagged!(Attack);

/// A way to attack a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Attack {
    /// Words of the question are misspelt.
    Typo,
    /// Letters of the question are written with others that look alike.
    Homoglyph,
    /// The condition of a choice stands behind its rule.
    ClauseOrder,
    /// Question and choices are put in other words.
    Paraphrase,
    /// A wrong choice is the right one with a word turned into its opposite.
    Negation,
    /// A wrong choice is the right one with another number.
    Number,
    /// A wrong choice is the right one with a term that could be taken for its own.
    NearTerm,
}

impl Attack {
    /// All attacks; those that keep the meaning come first.
    pub const ALL: [Self; 7] = all(Self::VARIANTS);

    /// Whether all texts say what they said before; else a wrong choice looks like the right one.
    pub fn keeps_the_sense(self) -> bool {
        matches!(
            self,
            Self::Typo | Self::Homoglyph | Self::ClauseOrder | Self::Paraphrase
        )
    }
}

/// Systems under attack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttackTable {
    /// The snapshot's hash.
    pub dataset: String,
    /// The kind of cluster: items of one cluster are drawn together.
    pub unit: String,
    /// Test questions.
    pub n: usize,
    /// How many of them each attack can change.
    pub attacked: Vec<(Attack, usize)>,
    /// A line for each system, scorer and attack.
    pub rows: Vec<AttackRow>,
    /// Systems that could not be measured.
    pub missing: Vec<BenchMissing>,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
}

/// A system under one attack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttackRow {
    /// The system.
    pub system: String,
    /// The scorer.
    pub scorer: String,
    /// The attack.
    pub attack: Attack,
    /// Whether it keeps the sense.
    pub keeps_the_sense: bool,
    /// Questions that it changes and the system reads.
    pub n: usize,
    /// Accuracy on the questions in their original form (before) and in their changed form (after). The p-values are
    /// corrected over all comparisons of the table.
    pub accuracy: PairedComparison,
    /// The gap of the choices, where the scores are cosines.
    pub gap: Option<Comparison>,
}
