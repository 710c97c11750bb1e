//! Writing the report: everything that the workspace knows, on one page beside it.

use super::Evaluations;
use crate::corpus::Corpus;
use crate::runs::{Runs, device_of, train_job};
use crate::terms::Terms;
use crate::workspace::{Result, Watcher, file_failure, now, stem, tell};
use crate::writing::{Writing, in_words};
use lexforge_domain::api::{
    EvaluationView, QuestionFilter, QuestionRow, RunRow, Stage, Sweep, TermFilter,
};
use lexforge_domain::protocol::{TrainJob, TrainResult};
use lexforge_domain::{Failure, RunId};
use lexforge_evaluate::report::{Model, ReportInput, Training, html};
use lexforge_files::Aside;
use std::path::PathBuf;

/// Terms that the report shows.
const TERMS_SHOWN: u64 = 40;
/// Questions of each level that the report shows.
const QUESTIONS_SHOWN: u64 = 5;

/// Models that the last job left out, for the page.
#[derive(Clone, Copy, Default)]
pub(crate) struct LeftOut<'a> {
    /// Files that could not be imported.
    pub(crate) failed: &'a [Failure],
    /// Steps that were not made.
    pub(crate) skipped: &'a [Failure],
}

/// A model that the page shows.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) run: &'a RunRow,
    pub(crate) evaluation: Option<&'a EvaluationView>,
}

/// An absolute path, because the reader of a message about the page may be in another folder.
pub(super) fn whole(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

impl Evaluations<'_> {
    /// The path of the report of a run; `None` = the report of a workspace without a run.
    pub(crate) fn report_path(&self, run: Option<RunId>) -> PathBuf {
        let name = stem(self.workspace.path());
        let file = match run {
            Some(run) => format!("{name}-report-run-{run}.html"),
            None => format!("{name}-report.html"),
        };
        whole(self.workspace.path().with_file_name(file))
    }

    /// The report of an evaluated run. It is looked for beside the workspace, because it stays there if the workspace
    /// is moved. A path recorded in the workspace is not used, because the workspace may come from elsewhere.
    pub fn report_of(&self, run: RunId) -> Option<PathBuf> {
        let path = self.report_path(Some(run));
        std::fs::symlink_metadata(&path)
            .is_ok_and(|meta| meta.is_file())
            .then_some(path)
    }

    /// Write the page for the workspace as it is, with one model or two; it is named after the first one's run.
    pub(crate) fn write_report(
        &self,
        models: &[Shown],
        left_out: LeftOut,
        watcher: &dyn Watcher,
    ) -> Result<PathBuf> {
        tell(watcher, Stage::Report, "", 0, 1);
        let path = self.report_path(models.first().map(|m| m.run.id));
        let page = self.report_page(models, left_out)?;
        // Written aside and renamed: a full disk must not leave half a page under the report's name.
        Aside::write_whole(&path, page.as_bytes()).map_err(file_failure)?;
        tell(watcher, Stage::Report, "", 1, 1);
        Ok(path)
    }

    fn report_page(&self, models: &[Shown], left_out: LeftOut) -> Result<String> {
        let documents = Corpus::of(self.workspace).documents()?;
        let terms = Terms::of(self.workspace).terms_report()?;
        let sample = TermFilter {
            limit: TERMS_SHOWN,
            ..TermFilter::default()
        };
        let term_sample = Terms::of(self.workspace).terms(&sample)?.rows;
        let (graph, questions, dataset, audit_head) = self.workspace.store.read(|r| {
            Ok((
                r.latest_graph()?,
                r.augment_report()?,
                r.datasets()?.into_iter().next(),
                r.audit_head()?,
            ))
        })?;
        let questions = questions.map(in_words);
        let question_sample = self.question_sample()?;
        let settings = models
            .iter()
            .map(|m| self.settings_of(m.run.id))
            .collect::<Result<Vec<_>>>()?;
        let mut shown = models.iter().zip(&settings).map(|(model, settings)| Model {
            training: Some(Training {
                run: model.run,
                job: Some(&settings.job),
                result: settings.result.as_ref(),
                device: &settings.device,
            }),
            evaluation: model.evaluation,
        });
        let first = shown.next().unwrap_or_default();
        let sweep = match models.first() {
            Some(model) => self.items_sweep(model.run)?,
            None => None,
        };
        let created = now();
        let workspace = stem(self.workspace.path());
        Ok(html(&ReportInput {
            workspace: &workspace,
            created: &created,
            version: env!("CARGO_PKG_VERSION"),
            documents: &documents,
            failed: left_out.failed,
            terms: Some(&terms),
            term_sample: &term_sample,
            graph: graph.as_ref().map(|g| &g.stats),
            questions: questions.as_ref(),
            question_sample: &question_sample,
            dataset: first.evaluation.map(|e| &e.dataset).or(dataset.as_ref()),
            training: first.training,
            sweep: sweep.as_ref(),
            evaluation: first.evaluation,
            decoder: shown.next(),
            skipped: left_out.skipped,
            audit_head: &audit_head,
        }))
    }

    /// The newest sweep over the number of questions on the snapshot that a run learnt from.
    fn items_sweep(&self, run: &RunRow) -> Result<Option<Sweep>> {
        let Some(dataset) = run.dataset else {
            return Ok(None);
        };
        let sweeps = Runs::of(self.workspace).recorded_sweeps()?;
        let on_it = |sweep: &Sweep| {
            sweep.request.train.dataset == Some(dataset)
                && sweep.best.is_some_and(|best| !sweep.curve(best).is_empty())
        };
        Ok(sweeps.into_iter().rev().find(on_it))
    }

    fn question_sample(&self) -> Result<Vec<QuestionRow>> {
        use lexforge_domain::qca::QcaLevel;
        let mut sample = Vec::new();
        for level in [QcaLevel::Sentence, QcaLevel::Token] {
            let filter = QuestionFilter {
                level: Some(level),
                limit: QUESTIONS_SHOWN,
                ..QuestionFilter::default()
            };
            sample.extend(Writing::of(self.workspace).questions(&filter)?.rows);
        }
        Ok(sample)
    }

    fn settings_of(&self, run: RunId) -> Result<RunSettings> {
        let bundle = Runs::of(self.workspace).bundle(run)?;
        Ok(RunSettings {
            job: train_job(&bundle)?,
            result: Runs::of(self.workspace).train_result(run).ok(),
            device: device_of(&bundle)?,
        })
    }
}

struct RunSettings {
    job: TrainJob,
    result: Option<TrainResult>,
    device: String,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;

    /// The window opens this path with another program, so a workspace from elsewhere must not choose it.
    #[test]
    fn a_report_is_opened_only_where_this_workspace_writes_it() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let found = || engine.evaluation().report_of(RunId(7));
        let (other, own) = (
            folder.path().join("other-report-run-7.html"),
            folder.path().join("w-report-run-7.html"),
        );
        std::fs::write(&other, "<!doctype html>").unwrap();
        assert_eq!(found(), None, "that of another workspace");
        std::fs::create_dir(&own).unwrap();
        assert_eq!(found(), None, "a folder");
        std::fs::remove_dir(&own).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&other, &own).unwrap();
            assert_eq!(found(), None, "a link");
            std::fs::remove_file(&own).unwrap();
        }
        std::fs::write(&own, "<!doctype html>").unwrap();
        assert_eq!(found(), Some(own));
    }
}
