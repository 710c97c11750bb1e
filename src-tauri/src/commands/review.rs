//! Commands about the review: the queue, decisions, conflicts, people, packets, glossaries, schemas.

use crate::shell::{Answer, Shell, apart};
use lexforge_domain::PersonId;
use lexforge_domain::api::{
    ActView, AgreementView, ConflictRow, GlossaryFormat, GlossaryReport, LookAlike, MergeReport, MergeRequest,
    NewDecision, PacketReport, PacketRequest, PeopleView, QueueFilter, QueueItem, QueueView, ReviewPlan, WorkspaceView,
};
use lexforge_domain::review::{Person, Role, Subject, SubjectKind};
use lexforge_domain::schema::{OwnSchema, TermSchema};
use lexforge_domain::text::Language;
use std::path::PathBuf;
use tauri::State;

#[tauri::command]
pub async fn review_queue(shell: State<'_, Shell>, filter: QueueFilter, at: Option<Subject>) -> Answer<QueueView> {
    shell.ask(move |engine| engine.review_queue(&filter, at)).await
}

#[tauri::command]
pub async fn review_item(shell: State<'_, Shell>, subject: Subject) -> Answer<QueueItem> {
    shell.ask(move |engine| engine.review_item(subject)).await
}

#[tauri::command]
pub async fn decide(shell: State<'_, Shell>, decision: NewDecision) -> Answer<ActView> {
    shell.ask(move |engine| engine.decide(&decision)).await
}

#[tauri::command]
pub async fn undo_decision(shell: State<'_, Shell>) -> Answer<Option<ActView>> {
    shell.ask(|engine| engine.undo_decision()).await
}

#[tauri::command]
pub async fn conflicts(shell: State<'_, Shell>, kind: SubjectKind) -> Answer<Vec<ConflictRow>> {
    shell.ask(move |engine| engine.conflicts(kind)).await
}

#[tauri::command]
pub async fn agreement(shell: State<'_, Shell>, kind: SubjectKind) -> Answer<AgreementView> {
    shell.ask(move |engine| engine.agreement(kind)).await
}

#[tauri::command]
pub async fn people(shell: State<'_, Shell>) -> Answer<PeopleView> {
    shell.ask(|engine| engine.people()).await
}

#[tauri::command]
pub async fn put_person(
    shell: State<'_, Shell>,
    name: String,
    role: Role,
    share: u32,
    like: Option<LookAlike>,
) -> Answer<Person> {
    shell.ask(move |engine| engine.put_person(&name, role, share, like.unwrap_or_default())).await
}

#[tauri::command]
pub async fn be_person(shell: State<'_, Shell>, person: PersonId) -> Answer<PeopleView> {
    shell.ask(move |engine| engine.be_person(person).and_then(|()| engine.people())).await
}

#[tauri::command]
pub async fn set_review_plan(shell: State<'_, Shell>, plan: ReviewPlan) -> Answer<PeopleView> {
    shell.ask(move |engine| engine.set_review_plan(plan).and_then(|()| engine.people())).await
}

#[tauri::command]
pub async fn write_packet(shell: State<'_, Shell>, request: PacketRequest, path: PathBuf) -> Answer<PacketReport> {
    shell.ask(move |engine| engine.write_packet(&request, &path)).await
}

/// Makes a workspace from a packet and opens it in place of the one that was open.
#[tauri::command]
pub async fn open_packet(shell: State<'_, Shell>, packet: PathBuf, workspace: PathBuf) -> Answer<WorkspaceView> {
    let shell = shell.inner().clone();
    apart(move || shell.open_packet(&packet, &workspace.with_extension("lexforge"))).await
}

#[tauri::command]
pub async fn write_answer(shell: State<'_, Shell>, path: PathBuf) -> Answer<PacketReport> {
    shell.ask(move |engine| engine.write_answer(&path)).await
}

#[tauri::command]
pub async fn merge_answer(
    shell: State<'_, Shell>,
    path: PathBuf,
    request: Option<MergeRequest>,
) -> Answer<MergeReport> {
    shell.ask(move |engine| engine.merge_answer(&path, &request.unwrap_or_default())).await
}

#[tauri::command]
pub async fn import_glossary(shell: State<'_, Shell>, path: PathBuf, format: GlossaryFormat) -> Answer<GlossaryReport> {
    shell.ask(move |engine| engine.import_glossary(&path, format)).await
}

#[tauri::command]
pub async fn export_glossary(shell: State<'_, Shell>, path: PathBuf, format: GlossaryFormat) -> Answer<u64> {
    shell.ask(move |engine| engine.export_glossary(&path, format)).await
}

#[tauri::command]
pub async fn term_schemas(shell: State<'_, Shell>) -> Answer<Vec<TermSchema>> {
    shell.ask(|engine| engine.term_schemas()).await
}

#[tauri::command]
pub async fn own_term_schemas(shell: State<'_, Shell>) -> Answer<Vec<OwnSchema>> {
    shell.ask(|engine| engine.own_term_schemas()).await
}

#[tauri::command]
pub async fn remove_term_schema(shell: State<'_, Shell>, name: String, language: Language) -> Answer<()> {
    shell.ask(move |engine| engine.remove_term_schema(&name, language)).await
}

#[tauri::command]
pub async fn put_term_schema(shell: State<'_, Shell>, schema: TermSchema) -> Answer<()> {
    shell.ask(move |engine| engine.put_term_schema(schema)).await
}
