//! The main job: regulations in, an honest report out, with embedded defaults.

use crate::graph::GraphRequest;
use crate::report::LeftOut;
use crate::watcher::cancelled;
use crate::{Engine, Result, Watcher};
use lexforge_domain::api::{MainJobReport, QuestionFilter, RunRow, RunState, TrainRequest};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::{Code, Failure, QcaId};
use lexforge_ingest::ParseOptions;
use std::path::PathBuf;

/// Questions that the result names for a first look.
const SAMPLE: usize = 20;

/// What the main job takes.
#[derive(Clone, Debug, Default)]
pub struct MainJobRequest {
    /// Files to import; none = work on what the workspace holds.
    pub files: Vec<PathBuf>,
    /// How to read them.
    pub parse: ParseOptions,
    /// How to build the graph.
    pub graph: GraphRequest,
    /// How to train.
    pub train: TrainRequest,
}

impl Engine {
    /// Import, find terms, build the graph, write questions, freeze, train, evaluate, report. Where nothing changed
    /// since an earlier job, its snapshot, run and figures are used again.
    ///
    /// # Errors
    /// When a step fails as a whole; what was done before it is kept. A corpus that the encoder cannot read still
    /// gets graph, questions and report, and the result says why nothing was trained.
    pub fn main_job(&self, request: &MainJobRequest, watcher: &dyn Watcher) -> Result<MainJobReport> {
        let import = self.import(&request.files, &request.parse, watcher)?;
        if self.documents()?.is_empty() {
            return Err(nothing_imported(import.failed));
        }
        let prepared = match self.prepared_before(&request.graph)? {
            Some(prepared) => prepared,
            None => self.prepare(&request.graph, watcher)?,
        };
        let mut skipped = Vec::new();
        let (dataset, run) = match prepared.dataset {
            Ok(dataset) => {
                let run = match self.trained(&dataset, &request.train, watcher) {
                    Ok(run) => Some(run),
                    Err(failure) if leaves_the_rest(failure.code) => {
                        skipped.push(failure);
                        None
                    }
                    Err(failure) => return Err(failure),
                };
                (Some(dataset), run)
            }
            Err(failure) if leaves_the_rest(failure.code) => {
                skipped.push(failure);
                (None, None)
            }
            Err(failure) => return Err(failure),
        };
        let evaluation = match &run {
            Some(run) => match self.evaluation(run.id)? {
                Some(kept) if run.evaluated => Some(kept),
                _ => match self.evaluate(run.id, watcher) {
                    Ok(view) => Some(view),
                    Err(failure) if leaves_the_rest(failure.code) => {
                        skipped.push(failure);
                        None
                    }
                    Err(failure) => return Err(failure),
                },
            },
            None => None,
        };
        let view = self.view()?;
        let sample = QuestionFilter { limit: SAMPLE as u64, ..QuestionFilter::default() };
        let mut report = MainJobReport {
            import,
            pages: view.pages,
            sentences: view.sentences,
            terms: prepared.terms,
            edges: prepared.graph.edges,
            graph: prepared.graph,
            questions: prepared.questions,
            dataset,
            run: run.map(|r| self.run(r.id)).transpose()?,
            evaluation,
            decoder: None,
            skipped,
            report: None,
            audit_head: view.audit_head,
            sample: self.questions(&sample)?.rows.iter().map(|r| r.question.id).collect::<Vec<QcaId>>(),
        };
        let left_out = LeftOut { failed: &report.import.failed, skipped: &report.skipped };
        let path = self.write_report(report.run.as_ref(), report.evaluation.as_ref(), left_out, watcher)?;
        report.report = Some(path.display().to_string());
        Ok(report)
    }

    /// A finished run on this snapshot: an earlier one with the same settings, else a new one followed to its end.
    fn trained(&self, dataset: &Dataset, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        let earlier = self.runs()?.into_iter().find(|r| r.dataset == dataset.id && *request == TrainRequest::default());
        let run = match earlier {
            Some(run) if run.state == RunState::Finished => return Ok(run),
            Some(run) if run.state.resumable() => self.resume_run(run.id)?,
            Some(run) => run,
            None => self.train(request, watcher)?,
        };
        let ended = self.follow_run(run.id, watcher)?;
        if watcher.cancelled() {
            return Err(cancelled("The training run goes on by itself; everything before it is kept."));
        }
        match (ended.state, ended.failure) {
            (RunState::Finished, _) => self.run(run.id),
            (_, Some(failure)) => Err(failure),
            (state, None) => Err(Failure::new(
                Code::WorkerDied,
                format!("Training run {} is {} before its last step.", run.id, state.tag()),
                format!("Resume it: lexforge runs resume WORKSPACE {}.", run.id),
            )),
        }
    }
}

/// Failures after which graph, questions and report still make sense.
fn leaves_the_rest(code: Code) -> bool {
    matches!(code, Code::LanguageUnsupported | Code::TooLittleData)
}

/// Nothing to work on: the single file's own failure, or a count of them.
fn nothing_imported(mut failed: Vec<Failure>) -> Failure {
    match failed.len() {
        1 => failed.remove(0),
        0 => Failure::new(
            Code::StepMissing,
            "The workspace is empty and no file was named.",
            "Name one or more files: lexforge run WORKSPACE FILE…",
        ),
        n => Failure::new(
            Code::StepMissing,
            format!("None of the {n} files could be imported."),
            "See the line of each file for the reason and the remedy.",
        ),
    }
}
