//! Commands about how questions are written: the estimate, what was turned down, prompts and their test bench, snapshots
//! as files.

use crate::shell::{Answer, Shell};
use lexforge_domain::api::{
    DatasetExport, DatasetExportRequest, DatasetFormat, PromptFile, PromptKind, PromptTrial, RejectedDraftRow,
    RejectedFilter, Rows, TrialPlan, TrialSubject, WritingEstimate,
};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::text::Language;
use lexforge_engine::{AskRequest, JudgeRequest, Silent};
use serde::Deserialize;
use std::path::PathBuf;
use tauri::State;

/// Who is to write, and who is to judge what they wrote.
#[derive(Clone, Debug, Deserialize)]
pub struct Writing {
    /// The endpoint's name.
    endpoint: String,
    /// What a person agreed to.
    #[serde(default)]
    consent: Option<Consent>,
    /// Lowest score that keeps a question; none = nobody judges.
    #[serde(default)]
    judged_from: Option<f64>,
    /// What a person agreed to for the judge.
    #[serde(default)]
    judge_consent: Option<Consent>,
}

impl From<Writing> for AskRequest {
    fn from(writing: Writing) -> Self {
        let judge = writing.judged_from.map(|threshold| JudgeRequest {
            endpoint: writing.endpoint.clone(),
            threshold,
            consent: writing.judge_consent.clone(),
            ..JudgeRequest::default()
        });
        Self { endpoint: writing.endpoint, judge, consent: writing.consent, ..Self::default() }
    }
}

/// What judging the questions would send to whom. Nothing is sent.
#[tauri::command]
pub async fn plan_judging(shell: State<'_, Shell>, writing: Writing) -> Answer<AskPlan> {
    shell.ask(move |engine| engine.plan_judging(&writing.into(), &Silent)).await
}

/// What asking the sample of an estimate would send to whom. Nothing is sent.
#[tauri::command]
pub async fn plan_estimate(shell: State<'_, Shell>, writing: Writing) -> Answer<AskPlan> {
    shell.ask(move |engine| engine.plan_estimate(&writing.into(), &Silent)).await
}

/// Asks a sample and says what a run over all would take.
#[tauri::command]
pub async fn estimate_writing(shell: State<'_, Shell>, writing: Writing) -> Answer<WritingEstimate> {
    shell.ask(move |engine| engine.estimate_writing(&writing.into(), &Silent)).await
}

#[tauri::command]
pub async fn rejected_drafts(shell: State<'_, Shell>, filter: RejectedFilter) -> Answer<Rows<RejectedDraftRow>> {
    shell.ask(move |engine| engine.rejected_drafts(&filter)).await
}

/// Writes the newest snapshot into a new folder within this one.
#[tauri::command]
pub async fn export_dataset(
    shell: State<'_, Shell>,
    folder: PathBuf,
    format: DatasetFormat,
    without_choices: bool,
) -> Answer<DatasetExport> {
    shell
        .ask(move |engine| {
            let newest = engine.datasets()?.into_iter().next();
            let hash = newest.as_ref().and_then(|d| d.hash.get(..8)).unwrap_or("snapshot").to_owned();
            let out = folder.join(format!("{hash}-{}", format.tag())).display().to_string();
            engine.export_dataset(&DatasetExportRequest { dataset: None, format, without_choices, out })
        })
        .await
}

#[tauri::command]
pub async fn prompts(shell: State<'_, Shell>) -> Answer<Vec<PromptFile>> {
    shell.ask(|engine| engine.prompts()).await
}

#[tauri::command]
pub async fn put_prompt(
    shell: State<'_, Shell>,
    kind: PromptKind,
    language: Language,
    text: String,
) -> Answer<PromptFile> {
    shell.ask(move |engine| engine.put_prompt(kind, language, &text)).await
}

#[tauri::command]
pub async fn reset_prompt(shell: State<'_, Shell>, kind: PromptKind, language: Language) -> Answer<PromptFile> {
    shell.ask(move |engine| engine.reset_prompt(kind, language)).await
}

/// The prompt about a sentence as it would be sent, and to whom. Nothing is sent.
#[tauri::command]
pub async fn plan_trial(shell: State<'_, Shell>, subject: TrialSubject, endpoint: String) -> Answer<TrialPlan> {
    let request = AskRequest { endpoint, ..AskRequest::default() };
    shell.ask(move |engine| engine.plan_trial(&subject, &request)).await
}

/// Sends the prompt about a sentence, once somebody agreed to it.
#[tauri::command]
pub async fn try_prompt(
    shell: State<'_, Shell>,
    subject: TrialSubject,
    endpoint: String,
    consent: Option<Consent>,
) -> Answer<PromptTrial> {
    let request = AskRequest { endpoint, consent, ..AskRequest::default() };
    shell.ask(move |engine| engine.try_prompt(&subject, &request)).await
}
