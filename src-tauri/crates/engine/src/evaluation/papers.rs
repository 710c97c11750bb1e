//! Papers for the people who approve a model and sign for it: a comparison, a decision of the gate, a model's card, a
//! report on drift. Each is a page beside the workspace or at a chosen place, with its data as JSON under the same
//! name.

use super::Evaluations;
use super::bench::BenchRequest;
use super::documents::documents_of;
use super::report::{LeftOut, Shown, whole};
use crate::corpus::Corpus;
use crate::runs::{Runs, device_of, train_job};
use crate::training::Training;
use crate::workspace::{Result, Watcher, file_failure, now, refuse_workspace, stem, tell};
use lexforge_domain::api::{
    AttackTable, BenchTable, ComparisonPaper, DecisionPaper, DriftPaper, GateRequest, ModelCard,
    ModelKind, PaperHead, PaperLanguage, PaperWritten, RunRow, RunState, Stage,
};
use lexforge_domain::gate::GateDecision;
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_evaluate::report::{
    card_html, comparison_html, decision_html, drift_html, in_language,
};
use lexforge_files::Aside;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How a paper is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct PaperHow {
    /// The test questions under attack are measured for it, too.
    pub attack: bool,
    /// Language of its page.
    pub language: PaperLanguage,
}

impl Evaluations<'_> {
    /// Writes the report of a run again, with the present state of the workspace. `None` = the run that was evaluated
    /// last. If no run was evaluated, the report of the workspace is written.
    ///
    /// # Errors
    /// When there is no such run, or the page cannot be written.
    pub fn report_anew(&self, run: Option<RunId>, watcher: &dyn Watcher) -> Result<PaperWritten> {
        let row = match run {
            Some(run) => Some(Runs::of(self.workspace).run(run)?),
            None => self.newest(|row| row.evaluated)?,
        };
        let view = row
            .as_ref()
            .map(|row| self.evaluation(row.id))
            .transpose()?;
        let view = view.flatten();
        let shown = row.as_ref().map(|run| Shown {
            run,
            evaluation: view.as_ref(),
        });
        let models: Vec<Shown> = shown.into_iter().collect();
        let page = self.write_report(&models, LeftOut::default(), watcher)?;
        Ok(PaperWritten {
            page: page.display().to_string(),
            data: None,
        })
    }

    /// Writes a comparison of systems and, if requested, the comparison under attack.
    ///
    /// # Errors
    /// As [`Evaluations::bench`]; also when the page cannot be written.
    pub fn comparison_paper(
        &self,
        request: &BenchRequest,
        how: PaperHow,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        let systems = self.bench(request, watcher)?;
        let attack = how
            .attack
            .then(|| self.bench_attacked(request, watcher))
            .transpose()?;
        let to = self.beside("comparison");
        self.write_comparison((systems, attack), how.language, &to, watcher)
    }

    /// Writes a page with the table that was stored last. Nothing is measured again, except the attacks if they are
    /// asked for.
    ///
    /// # Errors
    /// When no table is kept, its snapshot is gone and attacks are asked for, or the page cannot be written.
    pub fn kept_comparison_paper(
        &self,
        how: PaperHow,
        to: &Path,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        self.may_write(to)?;
        let Some(kept) = self.last_bench()? else {
            return Err(Failure::new(
                Code::StepMissing,
                "No systems were measured side by side yet.",
                "Measure them, then write the report.",
            ));
        };
        let systems = kept.table;
        let attack = how
            .attack
            .then(|| self.attacked_like(&systems, watcher))
            .transpose()?;
        self.write_comparison((systems, attack), how.language, to, watcher)
    }

    /// The systems of a table under attack, on the table's own snapshot.
    fn attacked_like(&self, table: &BenchTable, watcher: &dyn Watcher) -> Result<AttackTable> {
        let all = Training::of(self.workspace).datasets()?;
        let Some(dataset) = all.into_iter().find(|d| d.hash == table.dataset) else {
            return Err(Failure::new(
                Code::StepMissing,
                "The snapshot that the systems were measured on is not in the workspace any more.",
                "Measure the systems again, then write the report.",
            ));
        };
        // A decoder stands in the table once for each scorer.
        let mut systems: Vec<String> = Vec::new();
        for row in &table.systems {
            if !systems.contains(&row.system) {
                systems.push(row.system.clone());
            }
        }
        let request = BenchRequest {
            dataset: Some(dataset.id),
            systems,
            baseline: table.baseline.clone(),
            ..BenchRequest::default()
        };
        self.bench_attacked(&request, watcher)
    }

    fn write_comparison(
        &self,
        (systems, attack): (BenchTable, Option<AttackTable>),
        language: PaperLanguage,
        to: &Path,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        // Nobody signs a page on which nothing was measured.
        if systems.systems.is_empty()
            && let Some(missing) = systems.missing.first()
        {
            return Err(missing.failure.clone());
        }
        let paper = ComparisonPaper {
            head: self.paper_head()?,
            systems,
            attack,
        };
        let page = in_language(comparison_html(&paper), language);
        write_paper(to, &page, &paper, watcher)
    }

    /// Asks the gate and writes its decision into a page.
    ///
    /// # Errors
    /// As [`Evaluations::gate`]; also when the page cannot be written.
    pub fn decision_paper(
        &self,
        request: &GateRequest,
        language: PaperLanguage,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        let decision = self.gate(request, watcher)?;
        let to = self.beside(&format!("gate-run-{}", decision.run));
        self.write_decision(decision, language, &to, watcher)
    }

    /// Writes the gate's decision on a run by the workspace's rule into a chosen page. No model is run for this.
    ///
    /// # Errors
    /// When the gate cannot decide without running a model, or the page cannot be written.
    pub fn kept_decision_paper(
        &self,
        run: RunId,
        language: PaperLanguage,
        to: &Path,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        self.may_write(to)?;
        let Some(decision) = self.gate_of_kept(run)? else {
            return Err(Failure::new(
                Code::StepMissing,
                format!(
                    "The gate cannot decide about run {run} yet: some of the answers that it compares are not there."
                ),
                "Evaluate the run, and the active model on the same snapshot.",
            ));
        };
        self.write_decision(decision, language, to, watcher)
    }

    fn write_decision(
        &self,
        decision: GateDecision,
        language: PaperLanguage,
        to: &Path,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        let paper = DecisionPaper {
            head: self.paper_head()?,
            decision,
        };
        let page = in_language(decision_html(&paper), language);
        write_paper(to, &page, &paper, watcher)
    }

    /// Writes a page about the newest drift sample, at `to` or beside the workspace. It takes no new sample.
    ///
    /// # Errors
    /// When no sample was taken yet, or the page cannot be written.
    pub fn drift_paper(
        &self,
        language: PaperLanguage,
        to: Option<&Path>,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        let to = self.page_at(to, "drift")?;
        let Some(report) = self.drift_view()?.report else {
            return Err(Failure::new(
                Code::StepMissing,
                "No sample was taken yet, so that nothing is known of what has moved.",
                "Take a sample, then write the report.",
            ));
        };
        let paper = DriftPaper {
            head: self.paper_head()?,
            report,
        };
        let page = in_language(drift_html(&paper), language);
        write_paper(&to, &page, &paper, watcher)
    }

    /// Writes the card of a run's adapter, at `to` or beside the workspace. It states only figures that were measured
    /// before, with one exception: the attacks are measured now if they are asked for.
    ///
    /// # Errors
    /// When there is no such run or it has not finished, or the page cannot be written.
    pub fn model_card(
        &self,
        run: RunId,
        how: PaperHow,
        to: Option<&Path>,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        let to = self.page_at(to, &format!("card-run-{run}"))?;
        let runs = Runs::of(self.workspace);
        let row = runs.run(run)?;
        if row.state != RunState::Finished {
            return Err(Failure::invalid(
                format!("Run {run} has not finished, so that there is no model to describe."),
                "Wait until it has, or resume it.",
            ));
        }
        let bundle = runs.bundle(run)?;
        let evaluation = self.evaluation(run)?;
        let dataset = match (&evaluation, row.dataset) {
            (Some(view), _) => Some(view.dataset.clone()),
            (None, Some(id)) => Some(Training::of(self.workspace).dataset(id)?),
            (None, None) => None,
        };
        // Documents may have come in since: what it was measured on is what the evaluation recorded.
        let documents = match &evaluation {
            Some(view) => view.hashes.documents.clone(),
            None => documents_of(
                &Corpus::of(self.workspace).documents()?,
                dataset.as_ref().map(|d| d.corpus_hash.as_str()),
            ),
        };
        let attack = match (how.attack, row.dataset) {
            (true, Some(_)) => {
                let request = BenchRequest {
                    dataset: row.dataset,
                    systems: vec![format!("run {run}")],
                    ..BenchRequest::default()
                };
                Some(self.bench_attacked(&request, watcher)?)
            }
            _ => None,
        };
        let kind = ModelKind::of(&row);
        let active = self.workspace.store.read(|r| r.newest_deployment(kind))?;
        let card = ModelCard {
            head: self.paper_head()?,
            job: train_job(&bundle)?,
            result: runs.train_result(run).ok(),
            device: device_of(&bundle)?,
            documents,
            dataset,
            evaluation,
            decision: self.gate_of_kept(run)?,
            active: active.filter(|deployment| deployment.run == Some(run)),
            attack,
            exports: Training::of(self.workspace).exports(run)?,
            run: row,
        };
        let page = in_language(card_html(&card), how.language);
        write_paper(&to, &page, &card, watcher)
    }

    /// The newest finished run that learnt from a snapshot.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn newest_of_snapshot(&self) -> Result<RunId> {
        let found = self.newest(|r| r.state == RunState::Finished && r.dataset.is_some())?;
        found.map(|row| row.id).ok_or_else(|| {
            Failure::new(
                Code::StepMissing,
                "There is no finished training run to decide about.",
                Remedy::Train,
            )
        })
    }

    fn newest(&self, which: impl Fn(&RunRow) -> bool) -> Result<Option<RunRow>> {
        let rows = Runs::of(self.workspace).runs()?;
        Ok(rows.into_iter().find(|row| which(row)))
    }

    fn paper_head(&self) -> Result<PaperHead> {
        Ok(PaperHead {
            workspace: stem(self.workspace.path()),
            created: now(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            audit_head: self.workspace.store.read(|r| r.audit_head())?,
        })
    }

    /// The page `to`, which has to be one that may be written; without it that of a name beside the workspace.
    fn page_at(&self, to: Option<&Path>, name: &str) -> Result<PathBuf> {
        let Some(to) = to else {
            return Ok(self.beside(name));
        };
        self.may_write(to)?;
        Ok(whole(to.to_owned()))
    }

    /// The page of a name beside the workspace.
    fn beside(&self, name: &str) -> PathBuf {
        let file = format!("{}-{name}.html", stem(self.workspace.path()));
        whole(self.workspace.path().with_file_name(file))
    }

    /// Refuses a page whose place, or that of its value, is the workspace's or holds something else.
    fn may_write(&self, page: &Path) -> Result<()> {
        let refused =
            |what: String| Failure::invalid(what, "Choose another name or folder for the report.");
        let data = page.with_extension("json");
        if page == data {
            return Err(refused(
                "A report is a page and, beside it, a file that ends in .json; the page cannot end so, too.".to_owned(),
            ));
        }
        refuse_workspace(page, Some(self.workspace.path()))?;
        if data.exists() && !is_paper(&data) {
            let place = data.display();
            return Err(refused(format!(
                "Beside the report its data would be written to {place}, and that file is not a report's."
            )));
        }
        Ok(())
    }
}

/// Whether a file is the value of a paper, which may be replaced with the page.
fn is_paper(data: &Path) -> bool {
    let value = std::fs::read(data)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    value.is_some_and(|value| value["head"]["audit_head"].is_string())
}

/// Writes the page, and its value into a file beside it. Each file is complete, or is the one that was there before.
fn write_paper(
    to: &Path,
    page: &str,
    value: &impl Serialize,
    watcher: &dyn Watcher,
) -> Result<PaperWritten> {
    tell(watcher, Stage::Report, "", 0, 1);
    let data_path = to.with_extension("json");
    let data = serde_json::to_vec_pretty(value).map_err(|e| {
        Failure::new(
            Code::Internal,
            format!("The paper cannot be written as JSON: {e}."),
            "Report this message.",
        )
    })?;
    Aside::write_whole(&data_path, &data).map_err(file_failure)?;
    Aside::write_whole(to, page.as_bytes()).map_err(file_failure)?;
    tell(watcher, Stage::Report, "", 1, 1);
    Ok(PaperWritten {
        page: to.display().to_string(),
        data: Some(data_path.display().to_string()),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{PaperHow, whole};
    use crate::{Engine, Silent};
    use lexforge_domain::api::PaperLanguage;
    use lexforge_domain::{Code, RunId};

    #[test]
    fn where_a_report_is_is_told_from_the_root_on() {
        let here = std::env::current_dir().unwrap();
        let there = here.join("w-report.html");
        assert_eq!(whole("w-report.html".into()), there);
        assert_eq!(whole(there.clone()), there);
    }

    #[test]
    fn a_report_is_written_over_nothing_but_a_report() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.lexforge");
        let engine = Engine::create(&path).unwrap();
        let evaluation = engine.evaluation();
        let page = folder.path().join("a.html");
        let data = folder.path().join("a.json");
        assert!(evaluation.may_write(&page).is_ok());
        std::fs::write(&data, "{\"mine\": 1}").unwrap();
        for refused in [&page, &data, &path] {
            let failure = evaluation.may_write(refused).unwrap_err();
            assert_eq!(failure.code, Code::InvalidRequest, "{refused:?}");
        }
        assert_eq!(std::fs::read_to_string(&data).unwrap(), "{\"mine\": 1}");
        std::fs::write(&data, "{\"head\": {\"audit_head\": \"ab\"}}").unwrap();
        assert!(evaluation.may_write(&page).is_ok());
    }

    #[test]
    fn what_was_not_measured_has_no_report() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let page = folder.path().join("a.html");
        let failed = engine
            .evaluation()
            .kept_comparison_paper(PaperHow::default(), &page, &Silent)
            .unwrap_err();
        assert_eq!(failed.code, Code::StepMissing);
        let not_sampled = engine
            .evaluation()
            .drift_paper(PaperLanguage::English, Some(&page), &Silent)
            .unwrap_err();
        assert_eq!(not_sampled.code, Code::StepMissing);
        let no_run = engine.evaluation().kept_decision_paper(
            RunId(1),
            PaperLanguage::English,
            &page,
            &Silent,
        );
        assert!(no_run.is_err() && !page.exists());
    }
}
