//! How many items a training learns from, stage by stage.

use lexforge_domain::protocol::{Objective, TrainItem};
use lexforge_domain::qca::QcaLevel;
use std::collections::HashSet;

/// The material to learn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ItemCounts {
    pub(crate) all: usize,
    pub(crate) sentence: usize,
    pub(crate) token: usize,
    /// Distinct rules.
    pub(crate) rules: usize,
    /// Labelled questions with a clause that answers them, one for each such clause.
    pub(crate) labelled: usize,
    pub(crate) triplets: usize,
    /// Uses of terms that acts define differently.
    pub(crate) meanings: usize,
}

impl ItemCounts {
    pub(crate) fn of(items: &[TrainItem]) -> Self {
        let token = items
            .iter()
            .filter(|i| i.level == QcaLevel::Token && i.rephrased.is_some())
            .count();
        let sentence = items
            .iter()
            .filter(|i| i.level == QcaLevel::Sentence)
            .count();
        let rules: HashSet<&str> = items
            .iter()
            .map(|i| i.rule.trim())
            .filter(|rule| !rule.is_empty())
            .collect();
        Self {
            all: items.len(),
            sentence,
            token,
            rules: rules.len(),
            ..Self::default()
        }
    }

    /// Labelled questions alone.
    pub(crate) fn labelled(labelled: usize) -> Self {
        Self {
            labelled,
            ..Self::default()
        }
    }

    /// Triplets alone.
    pub(crate) fn triplets(triplets: usize) -> Self {
        Self {
            triplets,
            ..Self::default()
        }
    }

    /// Enough for every stage: where no snapshot is at hand, and only the size of a step matters.
    pub(crate) fn many() -> Self {
        Self {
            all: 1000,
            sentence: 500,
            token: 500,
            rules: 500,
            labelled: 1000,
            triplets: 1000,
            meanings: 0,
        }
    }

    /// Items that a stage learns from.
    pub(super) fn of_stage(self, objective: &Objective) -> usize {
        match objective {
            Objective::Sentence(sentence) | Objective::Gritlm(sentence) if !sentence.all_levels => {
                self.sentence
            }
            Objective::Token { .. } => self.token,
            Objective::PlainText
            | Objective::MaskedNextToken { .. }
            | Objective::MaskedWords(_)
            | Objective::Denoising(_) => self.rules,
            Objective::Retrieval(_) | Objective::Rerank(_) => self.labelled,
            Objective::Triplets(_) => self.triplets,
            Objective::Joint { .. } => self.all + self.meanings,
            _ => self.all,
        }
    }
}
