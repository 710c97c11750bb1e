//! Papers for people who sign: a comparison, a decision of the gate, a model's card. Each is a page beside the workspace and, under
//! the same name, its value as JSON.

use super::Evaluations;
use super::bench::BenchRequest;
use super::report::{LeftOut, Shown};
use crate::corpus::Corpus;
use crate::runs::{Runs, device_of, train_job};
use crate::training::Training;
use crate::workspace::{Result, Watcher, file_failure, now, stem, tell};
use lexforge_domain::api::{
    ComparisonPaper, DecisionPaper, GateRequest, ModelCard, ModelKind, PaperHead, PaperWritten,
    RunRow, RunState, Stage,
};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_evaluate::report::{card_html, comparison_html, decision_html};
use lexforge_files::Aside;
use serde::Serialize;

impl Evaluations<'_> {
    /// Writes the report of a run (none = of the newest that was evaluated) anew, for the workspace as it is now; without any,
    /// the report of the workspace.
    ///
    /// # Errors
    /// When the run is not there, or the page cannot be written.
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

    /// Writes a comparison of systems, with the same under attack where that is asked for.
    ///
    /// # Errors
    /// Those of [`Evaluations::bench`]; when the page cannot be written.
    pub fn comparison_paper(
        &self,
        request: &BenchRequest,
        attack: bool,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        let systems = self.bench(request, watcher)?;
        let attack = attack
            .then(|| self.bench_attacked(request, watcher))
            .transpose()?;
        let paper = ComparisonPaper {
            head: self.paper_head()?,
            systems,
            attack,
        };
        self.write_paper("comparison", &comparison_html(&paper), &paper, watcher)
    }

    /// Asks the gate and writes what it says.
    ///
    /// # Errors
    /// Those of [`Evaluations::gate`]; when the page cannot be written.
    pub fn decision_paper(
        &self,
        request: &GateRequest,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        let decision = self.gate(request, watcher)?;
        let name = format!("gate-run-{}", decision.run);
        let paper = DecisionPaper {
            head: self.paper_head()?,
            decision,
        };
        self.write_paper(&name, &decision_html(&paper), &paper, watcher)
    }

    /// Writes the card of a run's adapter. What was not measured is not measured for it, but for the attacks where they are
    /// asked for.
    ///
    /// # Errors
    /// When the run is not there or has not finished; when the page cannot be written.
    pub fn model_card(
        &self,
        run: RunId,
        attack: bool,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        let runs = Runs::of(self.workspace);
        let row = runs.run(run)?;
        if row.state != RunState::Finished {
            return Err(Failure::new(
                Code::InvalidRequest,
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
            None => Corpus::of(self.workspace)
                .documents()?
                .into_iter()
                .map(|d| (d.file, d.sha256))
                .collect(),
        };
        let attack = match (attack, row.dataset) {
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
        self.write_paper(
            &format!("card-run-{run}"),
            &card_html(&card),
            &card,
            watcher,
        )
    }

    /// The newest finished run that learnt from a snapshot.
    ///
    /// # Errors
    /// When there is none.
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

    /// The page, and the value beside it; both whole, or what stood there before.
    fn write_paper(
        &self,
        name: &str,
        page: &str,
        value: &impl Serialize,
        watcher: &dyn Watcher,
    ) -> Result<PaperWritten> {
        tell(watcher, Stage::Report, "", 0, 1);
        let named = |ending: &str| {
            let file = format!("{}-{name}.{ending}", stem(self.workspace.path()));
            self.workspace.path().with_file_name(file)
        };
        let (page_path, data_path) = (named("html"), named("json"));
        let data = serde_json::to_vec_pretty(value).map_err(|e| {
            Failure::new(
                Code::Internal,
                format!("The paper cannot be written as JSON: {e}."),
                "Report this message.",
            )
        })?;
        Aside::write_whole(&data_path, &data).map_err(file_failure)?;
        Aside::write_whole(&page_path, page.as_bytes()).map_err(file_failure)?;
        tell(watcher, Stage::Report, "", 1, 1);
        Ok(PaperWritten {
            page: page_path.display().to_string(),
            data: Some(data_path.display().to_string()),
        })
    }
}
