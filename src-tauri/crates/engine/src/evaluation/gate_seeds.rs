//! Accuracy of runs with the same recipe and other seeds, as far as their answers are stored. It shows how much of a
//! difference may be due to the seed alone.

use super::Evaluations;
use crate::runs::Runs;
use crate::workspace::Result;
use lexforge_domain::RunId;
use lexforge_domain::api::{EvaluationView, RunState};
use lexforge_domain::gate::{GateSeeds, ItemOutcome};
use std::collections::BTreeMap;

impl Evaluations<'_> {
    /// The runs that have the same recipe as `run`, one for each seed, with their accuracy on the test questions of an
    /// evaluation. Only runs whose answers are stored are counted; no model is run for this. `None` if there are fewer
    /// than two such runs, or if the recipe of `run` cannot be read.
    pub(super) fn seeds_of(&self, run: RunId, view: &EvaluationView) -> Result<Option<GateSeeds>> {
        // The bundle of the run's training may be gone. Then it is not known which other runs have the same recipe.
        let Ok((recipe, own)) = self.recipe_of(run) else {
            return Ok(None);
        };
        let mut found: BTreeMap<u64, (RunId, f64)> = BTreeMap::new();
        for row in Runs::of(self.workspace).runs()? {
            if row.state != RunState::Finished || row.dataset != Some(view.dataset.id) {
                continue;
            }
            let seed = match self.recipe_of(row.id) {
                Ok((theirs, seed)) if theirs == recipe => seed,
                _ => continue,
            };
            let again = row.id != run && (seed == own || found.contains_key(&seed));
            if again {
                continue;
            }
            // A run whose result cannot be read is left out.
            let answers = self.kept_answers(row.id, view).ok().flatten();
            if let Some(accuracy) = answers.and_then(|kept| accuracy(&kept.items)) {
                found.insert(seed, (row.id, accuracy));
            }
        }
        Ok(together(found.into_values().collect()))
    }
}

/// Runs with their accuracy, in their order; `None` of fewer than two.
fn together(mut found: Vec<(RunId, f64)>) -> Option<GateSeeds> {
    found.sort_by_key(|(run, _)| *run);
    let (runs, accuracy): (Vec<RunId>, Vec<f64>) = found.into_iter().unzip();
    (runs.len() > 1).then_some(GateSeeds { runs, accuracy })
}

/// The share of questions that were answered rightly; `None` of no question.
fn accuracy(items: &[ItemOutcome]) -> Option<f64> {
    let right = items.iter().filter(|item| item.chosen == Some(item.answer));
    (!items.is_empty()).then(|| right.count() as f64 / items.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::QcaId;

    #[test]
    fn several_seeds_stand_with_their_spread_and_one_alone_says_nothing() {
        let item = |id: i64, chosen| ItemOutcome {
            id: QcaId(id),
            cluster: id,
            answer: 1,
            chosen,
            gap: None,
        };
        let items = [
            item(1, Some(1)),
            item(2, Some(0)),
            item(3, None),
            item(4, Some(1)),
        ];
        assert_eq!((accuracy(&items), accuracy(&[])), (Some(0.5), None));
        assert_eq!(together(vec![(RunId(3), 0.5)]), None);
        let seeds = together(vec![(RunId(5), 0.7), (RunId(3), 0.5)]);
        let told = seeds.map(|seeds| (seeds.spread(), seeds.runs));
        assert_eq!(told, Some(([0.5, 0.7], vec![RunId(3), RunId(5)])));
    }
}
