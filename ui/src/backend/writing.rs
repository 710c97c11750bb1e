//! Commands about how questions are written: plan, estimate, run, what was turned down, prompts and their test bench,
//! snapshots as files.

use super::{Answer, call};
use lexforge_domain::api::{
    DatasetExport, DatasetFormat, PromptFile, PromptKind, PromptTrial, RejectedDraftRow, RejectedFilter, Rows,
    TrialPlan, TrialSubject, WritingEstimate,
};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::text::Language;
use serde::Serialize;
use serde_json::json;

/// Who is to write, and who is to judge what they wrote.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Writing {
    /// The endpoint's name.
    pub endpoint: String,
    /// What a person agreed to.
    pub consent: Option<Consent>,
    /// Lowest score that keeps a question; none = nobody judges.
    pub judged_from: Option<f64>,
    /// What a person agreed to for the judge.
    pub judge_consent: Option<Consent>,
}

/// What writing questions would send to whom; nothing is sent.
pub async fn plan_questions(writing: &Writing) -> Answer<AskPlan> {
    call("plan_questions", json!({ "writing": writing })).await
}

/// What judging them would send to whom; nothing is sent.
pub async fn plan_judging(writing: &Writing) -> Answer<AskPlan> {
    call("plan_judging", json!({ "writing": writing })).await
}

/// Writes questions in the background; returns the job's number.
pub async fn write_questions(writing: &Writing) -> Answer<u64> {
    call("write_questions", json!({ "writing": writing })).await
}

/// What asking the sample of an estimate would send to whom; nothing is sent.
pub async fn plan_estimate(writing: &Writing) -> Answer<AskPlan> {
    call("plan_estimate", json!({ "writing": writing })).await
}

/// Asks a sample and says what a run over all would take.
pub async fn estimate_writing(writing: &Writing) -> Answer<WritingEstimate> {
    call("estimate_writing", json!({ "writing": writing })).await
}

/// Drafts that were turned down.
pub async fn rejected_drafts(filter: &RejectedFilter) -> Answer<Rows<RejectedDraftRow>> {
    call("rejected_drafts", json!({ "filter": filter })).await
}

/// Writes the newest snapshot into a new folder within this one.
pub async fn export_dataset(folder: &str, format: DatasetFormat, without_choices: bool) -> Answer<DatasetExport> {
    call("export_dataset", json!({ "folder": folder, "format": format, "withoutChoices": without_choices })).await
}

/// The prompts as they are used now.
pub async fn prompts() -> Answer<Vec<PromptFile>> {
    call("prompts", json!({})).await
}

/// Keeps a wording of the workspace's own.
pub async fn put_prompt(kind: PromptKind, language: Language, text: &str) -> Answer<PromptFile> {
    call("put_prompt", json!({ "kind": kind, "language": language, "text": text })).await
}

/// Goes back to the shipped wording.
pub async fn reset_prompt(kind: PromptKind, language: Language) -> Answer<PromptFile> {
    call("reset_prompt", json!({ "kind": kind, "language": language })).await
}

/// The prompt about a sentence as it would be sent, and to whom; nothing is sent.
pub async fn plan_trial(subject: &TrialSubject, endpoint: &str) -> Answer<TrialPlan> {
    call("plan_trial", json!({ "subject": subject, "endpoint": endpoint })).await
}

/// Sends the prompt about a sentence.
pub async fn try_prompt(subject: &TrialSubject, endpoint: &str, consent: Option<&Consent>) -> Answer<PromptTrial> {
    call("try_prompt", json!({ "subject": subject, "endpoint": endpoint, "consent": consent })).await
}
