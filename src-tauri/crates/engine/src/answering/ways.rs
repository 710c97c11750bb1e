//! Who can put an answer together, and who is to.

use super::Answering;
use super::model_writer::{ModelWriter, Planner};
use super::writer::{EXTRACTIVE, Extractive, Writer};
use crate::asking::{AskRequest, Asking, LocalModel, Target};
use crate::evaluation::Evaluations;
use crate::models::{DEMO_DECODER, Models};
use crate::runs::Runs;
use crate::workspace::Result;
use lexforge_domain::api::{
    AnswerNote, AnswerWay, AnswerWayRow, BaseRow, CertifiedWriter, Deployment, Inquiry, ModelKind,
    RunRow, RunState,
};
use lexforge_domain::endpoint::LOCAL;
use lexforge_domain::gate::GateVerdict;
use lexforge_domain::{Code, Failure, Remedy, RunId};

/// Most requests for one answer: a person waits for it.
const ATTEMPTS: u32 = 3;

impl<'w> Answering<'w> {
    /// All ways of answering that can be used now. Quoting the clauses comes first. This function sends nothing and
    /// starts nothing.
    pub fn answer_ways(&self) -> Result<Vec<AnswerWayRow>> {
        let mut ways = vec![AnswerWayRow {
            way: AnswerWay::Extractive,
            model: EXTRACTIVE.to_owned(),
            host: None,
            local: true,
        }];
        let mut adapters = self.adapters()?;
        // The active one first: it is what is meant where no run is named.
        let active = self.active_adapter()?;
        adapters.sort_by_key(|run| Some(run.id) != active);
        let adapters = adapters.into_iter().map(|run| AnswerWayRow {
            way: AnswerWay::Adapter { run: Some(run.id) },
            model: run.base,
            host: None,
            local: true,
        });
        ways.extend(adapters);
        ways.extend(self.untuned());
        let endpoints = Asking::of(self.workspace).endpoints()?;
        let usable = endpoints.into_iter().filter(|row| row.confirmed);
        ways.extend(usable.map(|row| AnswerWayRow {
            way: AnswerWay::Endpoint {
                name: Some(row.endpoint.name),
            },
            model: row.endpoint.model,
            host: Some(row.host),
            local: row.local,
        }));
        Ok(ways)
    }

    /// The decoders on this machine that were not tuned. Without the worker the list is empty, because only the worker
    /// can examine a decoder and answer with it.
    fn untuned(&self) -> Vec<AnswerWayRow> {
        let bases = Models::of(self.workspace).base_models().unwrap_or_default();
        let usable = bases
            .into_iter()
            .filter(|base| base.decoder && base.problem.is_none());
        let row = |base: BaseRow| AnswerWayRow {
            way: AnswerWay::Base {
                model: Some(base.name.clone()),
            },
            model: base.name,
            host: None,
            local: true,
        };
        usable.map(row).collect()
    }

    /// The identity by which a certificate names the writer; `None` = the clauses are quoted.
    pub(super) fn certified_writer(&self, inquiry: &Inquiry) -> Result<Option<CertifiedWriter>> {
        Ok(self.writer(inquiry)?.certified())
    }

    /// The finished runs that have an adapter of a decoder, newest first.
    fn adapters(&self) -> Result<Vec<RunRow>> {
        let runs = Runs::of(self.workspace).runs()?;
        let writes = |run: &RunRow| {
            run.state == RunState::Finished && run.adapter.is_some() && !run.is_of_encoder()
        };
        Ok(runs.into_iter().filter(writes).collect())
    }

    /// The run whose adapter is active.
    fn active_adapter(&self) -> Result<Option<RunId>> {
        let active = self
            .workspace
            .store
            .read(|r| r.newest_deployment(ModelKind::Decoder))?;
        Ok(active.and_then(|active| active.run))
    }

    /// Notes about the model for the reader of an answer: that the active model was activated although the gate advised
    /// against it, or that the answer comes from an adapter that is not the active one.
    pub(super) fn deployment_notes(&self, way: &AnswerWay) -> Result<Vec<AnswerNote>> {
        let active = Evaluations::of(self.workspace).active_models()?;
        let mut notes = Vec::new();
        if let AnswerWay::Adapter { run } = way {
            let asked = match run {
                Some(run) => Some(*run),
                None => self.meant_adapter()?.map(|row| row.id),
            };
            let of_active = active.decoder.as_ref().and_then(|d| d.run);
            notes.extend(
                asked
                    .filter(|run| Some(*run) != of_active)
                    .map(|run| AnswerNote::NotActivated { run }),
            );
        }
        for kind in ModelKind::ALL {
            if let Some(Deployment {
                run: Some(run),
                overridden: Some(stands),
                decision,
                ..
            }) = active.of(kind)
            {
                let verdict = decision.as_ref().map(|d| d.verdict);
                notes.push(AnswerNote::AgainstTheGate {
                    run: *run,
                    verdict: verdict.unwrap_or(GateVerdict::Undecided),
                    by: stands.by.clone(),
                    reason: stands.reason.clone(),
                });
            }
        }
        Ok(notes)
    }

    /// The adapter that is used if no run is named: the active one or, if none is active, the newest.
    fn meant_adapter(&self) -> Result<Option<RunRow>> {
        if let Some(run) = self.active_adapter()? {
            return Ok(Some(Runs::of(self.workspace).run(run)?));
        }
        Ok(self.adapters()?.into_iter().next())
    }

    /// The writer that makes the answer.
    pub(super) fn writer(&self, inquiry: &Inquiry) -> Result<Box<dyn Writer + 'w>> {
        Ok(match self.model_writer(inquiry)? {
            Some(writer) => Box::new(writer),
            None => Box::new(Extractive),
        })
    }

    /// The writer for answers whose prompts were sent before; it sends nothing now.
    pub(super) fn reader(&self, inquiry: &Inquiry) -> Result<Box<dyn Writer + 'w>> {
        Ok(match self.model_writer(inquiry)? {
            Some(writer) => Box::new(ModelWriter {
                asks: false,
                ..writer
            }),
            None => Box::new(Extractive),
        })
    }

    /// A writer that only collects the prompts that a model would get.
    pub(super) fn planner(&self, inquiry: &Inquiry) -> Result<Planner<'w>> {
        Ok(Planner::of(self.model_writer(inquiry)?))
    }

    fn model_writer(&self, inquiry: &Inquiry) -> Result<Option<ModelWriter<'w>>> {
        let asking = Asking::of(self.workspace);
        let request = |endpoint: &str, local: LocalModel| AskRequest {
            endpoint: endpoint.to_owned(),
            local,
            ..AskRequest::default()
        };
        let (way, request, adapter) = match &inquiry.way {
            AnswerWay::Extractive => return Ok(None),
            AnswerWay::Adapter { run } => {
                let run = match run {
                    Some(run) => Runs::of(self.workspace).run(*run)?,
                    None => self.meant_adapter()?.ok_or_else(no_adapter)?,
                };
                let local = LocalModel {
                    run: Some(run.id),
                    ..LocalModel::default()
                };
                let way = AnswerWay::Adapter { run: Some(run.id) };
                (way, request(LOCAL, local), run.adapter)
            }
            AnswerWay::Base { model } => {
                let local = LocalModel {
                    base: model.clone(),
                    ..LocalModel::default()
                };
                let model = model.clone().unwrap_or_else(|| DEMO_DECODER.to_owned());
                let way = AnswerWay::Base { model: Some(model) };
                (way, request(LOCAL, local), None)
            }
            AnswerWay::Endpoint { name } => {
                let name = match name {
                    Some(name) => name.clone(),
                    None => self.only_endpoint()?,
                };
                let request = request(&name, LocalModel::default());
                (AnswerWay::Endpoint { name: Some(name) }, request, None)
            }
        };
        let mut target: Target = asking.asked_target(&request)?;
        let settings = &mut target.endpoint.settings;
        settings.attempts = settings.attempts.min(ATTEMPTS);
        Ok(Some(ModelWriter {
            answering: *self,
            wordings: asking.wordings()?,
            terms: self.hash_of_terms()?,
            target,
            way,
            adapter,
            consent: inquiry.consent.clone(),
            asks: true,
        }))
    }

    fn only_endpoint(&self) -> Result<String> {
        let mut named = Asking::of(self.workspace)
            .endpoints()?
            .into_iter()
            .map(|row| row.endpoint.name);
        match (named.next(), named.next()) {
            (Some(one), None) => Ok(one),
            (None, _) => Err(Failure::new(
                Code::NotFound,
                "There is no endpoint in this workspace.",
                "Name one first.",
            )),
            (Some(_), Some(_)) => Err(Failure::new(
                Code::InvalidRequest,
                "There are several endpoints.",
                "Say which of them is to answer.",
            )),
        }
    }
}

fn no_adapter() -> Failure {
    Failure::new(
        Code::StepMissing,
        "No training run has left an adapter of a language model that could answer.",
        Remedy::ChooseDecoder,
    )
}
