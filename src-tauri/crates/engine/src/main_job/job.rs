//! The main job: regulations in, an honest report out, with embedded defaults.

use super::begin::finished;
use crate::engine::Engine;
use crate::evaluation::{LeftOut, Shown};
use crate::graph::GraphRequest;
use crate::models::DEMO_DECODER;
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{
    MainJobReport, Preset, QuestionFilter, RunRow, RunState, TrainRequest, TrainedModel,
};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::{Code, Failure, QcaId, Remedy};
use lexforge_ingest::ParseOptions;
use std::path::PathBuf;

/// Questions that the result names for a first look.
const SAMPLE: usize = 20;

#[derive(Clone, Debug, Default)]
pub struct MainJobRequest {
    /// Files to import; empty = work on the present content of the workspace.
    pub files: Vec<PathBuf>,
    /// How to read them.
    pub parse: ParseOptions,
    /// How to build the graph.
    pub graph: GraphRequest,
    /// How to train.
    pub train: TrainRequest,
}

impl Engine {
    /// Imports, finds terms, builds the graph, writes questions, freezes a snapshot, trains, evaluates and writes the
    /// report. If nothing has changed since an earlier job, its snapshot, run and figures are used again.
    ///
    /// # Errors
    /// When a step fails as a whole; the results of earlier steps are kept. If a model cannot read the corpus, the
    /// corpus still gets a graph, questions and a report, and the result says why that model was not trained.
    pub fn main_job(
        &self,
        request: &MainJobRequest,
        watcher: &dyn Watcher,
    ) -> Result<MainJobReport> {
        let import = self
            .corpus()
            .import(&request.files, &request.parse, watcher)?;
        if self.corpus().documents()?.is_empty() {
            return Err(nothing_imported(import.failed, !request.files.is_empty()));
        }
        let prepared = match self.prepared_before(&request.graph)? {
            Some(prepared) => prepared,
            None => self.prepare(&request.graph, watcher)?,
        };
        let mut skipped = Vec::new();
        let (mut encoder, mut decoder) = (None, None);
        let dataset = match prepared.dataset {
            Ok(dataset) => {
                encoder = self.model_of(&dataset, &request.train, &mut skipped, watcher)?;
                if let Some(request) = beside(&request.train) {
                    decoder = self.model_of(&dataset, &request, &mut skipped, watcher)?;
                }
                Some(dataset)
            }
            Err(failure) if leaves_the_rest(failure.code) => {
                skipped.push(failure);
                None
            }
            Err(failure) => return Err(failure),
        };
        let view = self.view()?;
        let sample = QuestionFilter {
            limit: SAMPLE as u64,
            ..QuestionFilter::default()
        };
        let mut report = MainJobReport {
            import,
            pages: view.pages,
            sentences: view.sentences,
            terms: prepared.terms,
            edges: prepared.graph.edges,
            graph: prepared.graph,
            questions: prepared.questions,
            dataset,
            run: encoder.as_ref().map(|m| m.run.clone()),
            evaluation: encoder.and_then(|m| m.evaluation),
            decoder,
            skipped,
            report: None,
            audit_head: view.audit_head,
            sample: self
                .writing()
                .questions(&sample)?
                .rows
                .iter()
                .map(|r| r.question.id)
                .collect::<Vec<QcaId>>(),
        };
        let left_out = LeftOut {
            failed: &report.import.failed,
            skipped: &report.skipped,
        };
        let first = report.run.as_ref().map(|run| Shown {
            run,
            evaluation: report.evaluation.as_ref(),
        });
        let second = report.decoder.as_ref().map(|m| Shown {
            run: &m.run,
            evaluation: m.evaluation.as_ref(),
        });
        let models: Vec<Shown> = first.into_iter().chain(second).collect();
        let path = self.evaluation().write_report(&models, left_out, watcher)?;
        report.report = Some(path.display().to_string());
        Ok(report)
    }

    /// A model trained on this snapshot and measured; `None` with a message if the snapshot has nothing for it.
    fn model_of(
        &self,
        dataset: &Dataset,
        request: &TrainRequest,
        skipped: &mut Vec<Failure>,
        watcher: &dyn Watcher,
    ) -> Result<Option<TrainedModel>> {
        // A corpus is prepared and an encoder tuned where the demo decoder was not installed, too.
        let demo = request.base.as_deref() == Some(DEMO_DECODER);
        let mut tell = |failure: Failure| match leaves_the_rest(failure.code)
            || (demo && failure.code == Code::ModelMissing)
        {
            true => {
                skipped.push(failure);
                Ok(())
            }
            false => Err(failure),
        };
        let run = match self.trained(dataset, request, watcher) {
            Ok(run) => run,
            Err(failure) => return tell(failure).map(|()| None),
        };
        let evaluation = match self.evaluation().evaluation(run.id)? {
            Some(kept) if run.evaluated => Some(kept),
            _ => match self.evaluation().evaluate(run.id, watcher) {
                Ok(view) => Some(view),
                Err(failure) => tell(failure).map(|()| None)?,
            },
        };
        Ok(Some(TrainedModel {
            run: self.runs().run(run.id)?,
            evaluation,
        }))
    }

    /// A finished run on this snapshot: an earlier one with the same settings, else a new one followed to its end.
    fn trained(
        &self,
        dataset: &Dataset,
        request: &TrainRequest,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let request = TrainRequest {
            dataset: Some(dataset.id),
            ..request.clone()
        };
        let planned = self.training().planned(&request)?;
        // Which text is learnt again is not recorded with a run.
        let same = if request.replay.is_some() {
            None
        } else {
            self.training().same_run(&planned)?
        };
        let run = match same {
            Some(run) if run.state == RunState::Finished => return Ok(run),
            Some(run) if self.runs().may_lack_a_worker(&run)? => self.runs().take_up(run.id)?,
            Some(run) => run,
            None => self.training().start_planned(planned, watcher)?,
        };
        let ended = self.runs().follow_run(run.id, watcher)?;
        finished(&ended, watcher)?;
        self.runs().run(run.id)
    }
}

/// The request for a second training: that of a decoder, in addition to the encoder. `None` if the user named a base
/// model or a recipe, because then only that one model is trained.
fn beside(request: &TrainRequest) -> Option<TrainRequest> {
    let own = request.base.is_none() && request.preset.is_none();
    own.then(|| TrainRequest {
        base: Some(DEMO_DECODER.to_owned()),
        preset: Some(Preset::QuickLook),
        threads: request.threads,
        seed: request.seed,
        checkpoint_every: request.checkpoint_every,
        max_steps: request.max_steps,
        ..TrainRequest::default()
    })
}

/// Failures after which graph, questions and report still make sense.
fn leaves_the_rest(code: Code) -> bool {
    matches!(code, Code::LanguageUnsupported | Code::TooLittleData)
}

/// The failure when nothing could be imported: the failure of the single file, or a summary with the number of failed
/// files. If no file was tried, `named` decides what the failure says: that the named folders hold no file that can be
/// imported, or that nothing was named.
fn nothing_imported(mut failed: Vec<Failure>, named: bool) -> Failure {
    match failed.len() {
        1 => failed.remove(0),
        0 if named => Failure::new(
            Code::StepMissing,
            "The folders that were named hold no file that can be imported.",
            Remedy::NameFiles,
        ),
        0 => Failure::new(
            Code::StepMissing,
            "The workspace is empty and no file was named.",
            Remedy::NameFiles,
        ),
        n => Failure::new(
            Code::StepMissing,
            format!("None of the {n} files could be imported."),
            "See the line of each file for the reason and the remedy.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_was_named_is_not_said_to_be_missing() {
        let nothing = nothing_imported(Vec::new(), false);
        assert!(nothing.message.contains("no file was named"), "{nothing}");
        let named = nothing_imported(Vec::new(), true);
        assert!(named.message.contains("hold no file"), "{named}");
        let own = nothing_imported(vec![named.clone()], true);
        assert_eq!(own, named);
    }
}
