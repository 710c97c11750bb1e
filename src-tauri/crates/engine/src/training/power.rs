//! What the test questions of a snapshot will be able to show, before anything is trained on it.

use super::Training;
use super::items::{cluster_sizes, frozen};
use crate::workspace::Result;
use lexforge_domain::api::RunRow;
use lexforge_domain::gate::{ItemOutcome, Outcomes};
use lexforge_domain::qca::Split;
use lexforge_domain::statistics::{FEW_CLUSTERS, Power};
use lexforge_domain::{DatasetId, RunId};
use lexforge_evaluate::statistics::{Plan, Seen, power};
use std::collections::{HashMap, HashSet};

/// A report on fewer questions says too little of how two models differ.
const FEWEST_ITEMS: usize = 50;

impl Training<'_> {
    /// The statistical power of all test questions of a snapshot: which differences they will be able to show. `None`
    /// if the snapshot has no test questions.
    ///
    /// # Errors
    /// When there is no such snapshot, or the workspace cannot be read.
    pub fn power(&self, dataset: DatasetId) -> Result<Option<Power>> {
        let rows = self
            .workspace
            .store
            .read(|r| r.dataset_items(dataset, Some(Split::Test)))?;
        let items = rows.iter().map(frozen).collect::<Result<Vec<_>>>()?;
        self.power_of(&cluster_sizes(&items), None)
    }

    /// The statistical power of test questions in clusters of these sizes. How much a model and its base differ is
    /// taken from the newest report of this workspace; a report on the same base is preferred. Without a report, the
    /// usual values are assumed.
    pub(super) fn power_of(&self, sizes: &[usize], base: Option<&str>) -> Result<Option<Power>> {
        let Some((run, seen)) = self.seen(base)? else {
            return Ok(power(&Plan::Sizes(sizes)));
        };
        let found = power(&Plan::Like(sizes, seen));
        Ok(found.map(|power| Power {
            taken_from: Some(run),
            ..power
        }))
    }

    /// How the model of an earlier run and its base differ on the test questions that both answered.
    fn seen(&self, base: Option<&str>) -> Result<Option<(RunId, Seen)>> {
        let mut rows = self.workspace.store.read(|r| r.runs())?;
        // The newest first, and those of the same base before them.
        rows.sort_by_key(|row| Some(row.base.as_str()) != base);
        for row in rows {
            if let Some([before, after]) = self.answers_of(&row)?
                && let Some(seen) = differing(&before.items, &after.items)
            {
                return Ok(Some((row.id, seen)));
            }
        }
        Ok(None)
    }

    /// The answers that a run's newest report compares, where they were kept.
    fn answers_of(&self, row: &RunRow) -> Result<Option<[Outcomes; 2]>> {
        Ok(self.workspace.store.read(|r| {
            let Some(view) = r.evaluation(row.id)? else {
                return Ok(None);
            };
            let (dataset, scorer) = (view.dataset.id, view.evaluation.scorer.as_str());
            let of = |adapter| r.outcomes(dataset, scorer, &view.hashes.base, adapter);
            let (before, after) = (of(None)?, of(Some(view.hashes.adapter.as_str()))?);
            Ok(before.zip(after).map(|(before, after)| [before, after]))
        })?)
    }
}

/// How two systems differ, where enough questions in enough clusters say so.
fn differing(before: &[ItemOutcome], after: &[ItemOutcome]) -> Option<Seen> {
    let right = |item: &ItemOutcome| f64::from(u8::from(item.chosen == Some(item.answer)));
    let known: HashMap<_, f64> = before.iter().map(|item| (item.id, right(item))).collect();
    let mut place: HashMap<i64, usize> = HashMap::new();
    let (mut clusters, mut differences) = (Vec::new(), Vec::new());
    for item in after {
        if let Some(before) = known.get(&item.id) {
            let next = place.len();
            clusters.push(*place.entry(item.cluster).or_insert(next));
            differences.push(right(item) - before);
        }
    }
    let distinct: HashSet<usize> = clusters.iter().copied().collect();
    let enough = differences.len() >= FEWEST_ITEMS && distinct.len() >= FEW_CLUSTERS;
    enough.then(|| Seen::of(&clusters, &differences)).flatten()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::QcaId;

    fn answered(n: i64, clusters: i64, right: impl Fn(i64) -> bool) -> Vec<ItemOutcome> {
        let of = |i: i64| ItemOutcome {
            id: QcaId(i),
            cluster: i % clusters,
            answer: 1,
            chosen: Some(usize::from(right(i))),
            gap: None,
        };
        (0..n).map(of).collect()
    }

    #[test]
    fn an_earlier_report_counts_where_it_has_enough_questions_and_clusters() {
        let seen = |n, clusters| {
            let before = answered(n, clusters, |i| i % 2 == 0);
            let after = answered(n, clusters, |i| i % 2 == 0 || i % 5 == 0);
            differing(&before, &after)
        };
        // One in ten is odd and divisible by five.
        let found = seen(100, 20).unwrap();
        assert!((found.discordant - 0.1).abs() < 1e-12, "{found:?}");
        assert_eq!(seen(40, 20), None);
        assert_eq!(seen(100, 9), None);
        let same = answered(100, 20, |_| true);
        assert_eq!(differing(&same, &same), None);
    }
}
