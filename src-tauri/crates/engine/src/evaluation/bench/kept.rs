//! The view of the bench before anything is measured: the available systems and the last table.

use super::BenchRequest;
use super::systems::System;
use crate::evaluation::Evaluations;
use crate::training::Training;
use crate::workspace::{Result, Watcher, now};
use lexforge_domain::api::{BenchChoice, BenchChoices, BenchSnapshot, BenchTable, KeptBench};
use lexforge_domain::dataset::Dataset;

/// Setting under which the last table is kept.
const LAST: &str = "bench.last";

impl Evaluations<'_> {
    /// The systems that can be measured on the newest snapshot. Without a snapshot the list is empty.
    pub fn bench_choices(&self) -> Result<BenchChoices> {
        let all = Training::of(self.workspace).datasets()?;
        let Some(dataset) = all.into_iter().max_by_key(|dataset| dataset.id) else {
            return Ok(BenchChoices::default());
        };
        let found = self.all_systems(Some(&dataset))?;
        let choices = |systems: &[System], usual| -> Vec<BenchChoice> {
            let choice = |system: &System| BenchChoice {
                system: system.name(),
                usual,
            };
            systems.iter().map(choice).collect()
        };
        let mut systems = choices(&found.systems, true);
        systems.extend(choices(&found.prompted, false));
        systems.extend(choices(&found.together, false));
        systems.extend(choices(&found.endpoints, false));
        Ok(BenchChoices {
            snapshot: Some(snapshot(&dataset)),
            systems,
            missing: found.missing,
        })
    }

    /// Does the same as [`bench`](Self::bench), and stores the table as the last one.
    ///
    /// # Errors
    /// Those of the bench, and when the workspace cannot be written.
    pub fn bench_and_keep(
        &self,
        request: &BenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<BenchTable> {
        let table = self.bench(request, watcher)?;
        Ok(self.keep_table(table, request)?.table)
    }

    fn keep_table(&self, table: BenchTable, request: &BenchRequest) -> Result<KeptBench> {
        let made = now();
        let kept = KeptBench {
            made,
            asked: request.systems.clone(),
            encoder: request.bertscore.as_ref().map(|by| by.encoder.clone()),
            judge: request.judge.as_ref().map(|judge| judge.endpoint.clone()),
            table,
        };
        let text = serde_json::json!(kept).to_string();
        self.workspace.set_setting(LAST, &text)?;
        Ok(kept)
    }

    /// The table that was stored last. `None` if no table was stored, or if another version of the program wrote it in
    /// another form.
    pub fn last_bench(&self) -> Result<Option<KeptBench>> {
        let text = self.workspace.setting(LAST)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

fn snapshot(dataset: &Dataset) -> BenchSnapshot {
    BenchSnapshot {
        id: dataset.id,
        hash: dataset.hash.clone(),
        questions: u64::from(dataset.test.sentence) + u64::from(dataset.test.token),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;

    #[test]
    fn nothing_is_offered_or_kept_before_there_is_a_snapshot() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let choices = engine.evaluation().bench_choices().unwrap();
        assert_eq!(choices, BenchChoices::default());
        assert_eq!(engine.evaluation().last_bench().unwrap(), None);
    }

    #[test]
    fn the_last_table_is_shown_as_it_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let table = BenchTable {
            dataset: "abc".to_owned(),
            unit: "article".to_owned(),
            n: 3,
            clusters: 2,
            baseline: Some("tfidf".to_owned()),
            systems: Vec::new(),
            missing: Vec::new(),
            power: None,
            notes: Vec::new(),
            judge: None,
        };
        let evaluation = engine.evaluation();
        let request = BenchRequest {
            systems: vec!["tfidf".to_owned(), "run 9".to_owned()],
            ..BenchRequest::default()
        };
        let kept = evaluation.keep_table(table.clone(), &request).unwrap();
        assert_eq!((&kept.table, &kept.asked), (&table, &request.systems));
        assert_eq!(evaluation.last_bench().unwrap(), Some(kept));
        engine.workspace().set_setting(LAST, "{}").unwrap();
        assert_eq!(evaluation.last_bench().unwrap(), None);
    }
}
