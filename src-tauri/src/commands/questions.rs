//! Commands about questions and how they are written.

use super::reply::{Reply, ask, job};
use crate::shell::{Answer, Shell};
use lexforge_domain::api::commands::{ExportDataset, QuestionsRequest as Request};
use lexforge_domain::api::{DatasetExport, DatasetExportRequest, Writing};
use lexforge_engine::{AskRequest, Engine, JudgeRequest, Silent};
use std::path::Path;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Questions(asked) => ask(shell, asked, |engine, asked| {
            engine.writing().questions(&asked.filter)
        }),
        Request::PlanQuestions(asked) => ask(shell, asked, |engine, asked| {
            engine
                .writing()
                .plan_questions(&who(asked.writing), &Silent)
        }),
        Request::PlanJudging(asked) => ask(shell, asked, |engine, asked| {
            engine.writing().plan_judging(&who(asked.writing), &Silent)
        }),
        Request::WriteQuestions(asked) => {
            let title = asked.writing.endpoint.clone();
            job(shell, asked, "questions", &title, |engine, watch, asked| {
                engine
                    .writing()
                    .augment_with(&who(asked.writing), watch)
                    .map(|_| ())
            })
        }
        Request::PlanEstimate(asked) => ask(shell, asked, |engine, asked| {
            engine.writing().plan_estimate(&who(asked.writing), &Silent)
        }),
        Request::EstimateWriting(asked) => ask(shell, asked, |engine, asked| {
            engine
                .writing()
                .estimate_writing(&who(asked.writing), &Silent)
        }),
        Request::WritingReport(asked) => ask(shell, asked, |engine, _| engine.writing().report()),
        Request::RejectedDrafts(asked) => ask(shell, asked, |engine, asked| {
            engine.writing().rejected_drafts(&asked.filter)
        }),
        Request::ExportDataset(asked) => ask(shell, asked, |engine, asked| export(engine, &asked)),
    }
}

/// Who is to write, as the engine takes it.
fn who(writing: Writing) -> AskRequest {
    let judge = writing.judged_from.map(|threshold| JudgeRequest {
        endpoint: writing.endpoint.clone(),
        threshold,
        consent: writing.judge_consent.clone(),
        ..JudgeRequest::default()
    });
    AskRequest {
        endpoint: writing.endpoint,
        extent: writing.extent,
        judge,
        consent: writing.consent,
        ..AskRequest::default()
    }
}

/// The folder is named after the snapshot and its form.
fn export(engine: &Engine, asked: &ExportDataset) -> Answer<DatasetExport> {
    let ExportDataset {
        folder,
        format,
        without_choices,
        licence,
    } = asked;
    let newest = engine.training().datasets()?.into_iter().next();
    let hash = newest
        .as_ref()
        .and_then(|d| d.hash.get(..8))
        .unwrap_or("snapshot")
        .to_owned();
    let out = Path::new(folder)
        .join(format!("{hash}-{}", format.tag()))
        .display()
        .to_string();
    engine.training().export_dataset(&DatasetExportRequest {
        dataset: None,
        format: *format,
        without_choices: *without_choices,
        licence: licence.clone(),
        out,
    })
}
