//! Commands about the review: the queue, decisions, conflicts, people, packets, glossaries, schemas.

use super::{Answer, call};
use lexforge_domain::PersonId;
use lexforge_domain::api::{
    ActView, AgreementView, ConflictRow, GlossaryFormat, GlossaryReport, LookAlike, MergeReport, MergeRequest,
    NewDecision, PacketReport, PacketRequest, PeopleView, QueueFilter, QueueItem, QueueView, ReviewPlan, WorkspaceView,
};
use lexforge_domain::review::{Person, Role, Subject, SubjectKind};
use lexforge_domain::schema::{OwnSchema, TermSchema};
use lexforge_domain::text::Language;
use serde_json::json;

/// The item to decide now, or this one, with what surrounds it.
pub async fn review_queue(filter: &QueueFilter, at: Option<Subject>) -> Answer<QueueView> {
    call("review_queue", json!({ "filter": filter, "at": at })).await
}

/// Everything about one item.
pub async fn review_item(subject: Subject) -> Answer<QueueItem> {
    call("review_item", json!({ "subject": subject })).await
}

/// Records a decision.
pub async fn decide(decision: &NewDecision) -> Answer<ActView> {
    call("decide", json!({ "decision": decision })).await
}

/// Takes back what this person did last; none where nothing is left.
pub async fn undo_decision() -> Answer<Option<ActView>> {
    call("undo_decision", json!({})).await
}

/// Items on which reviewers differ, the oldest first.
pub async fn conflicts(kind: SubjectKind) -> Answer<Vec<ConflictRow>> {
    call("conflicts", json!({ "kind": kind })).await
}

/// How far reviewers agree.
pub async fn agreement(kind: SubjectKind) -> Answer<AgreementView> {
    call("agreement", json!({ "kind": kind })).await
}

/// Who reviews here, and by what plan.
pub async fn people() -> Answer<PeopleView> {
    call("people", json!({})).await
}

/// Adds a person, or changes their role and share.
pub async fn put_person(name: &str, role: Role, share: u32, like: LookAlike) -> Answer<Person> {
    call("put_person", json!({ "name": name, "role": role, "share": share, "like": like })).await
}

/// Decides under this person's name from now on.
pub async fn be_person(person: PersonId) -> Answer<PeopleView> {
    call("be_person", json!({ "person": person })).await
}

/// Changes how the workspace is reviewed.
pub async fn set_review_plan(plan: &ReviewPlan) -> Answer<PeopleView> {
    call("set_review_plan", json!({ "plan": plan })).await
}

/// Writes a share of the queue into one file for a colleague.
pub async fn write_packet(request: &PacketRequest, path: &str) -> Answer<PacketReport> {
    call("write_packet", json!({ "request": request, "path": path })).await
}

/// Makes a workspace from a colleague's packet and opens it.
pub async fn open_packet(packet: &str, workspace: &str) -> Answer<WorkspaceView> {
    call("open_packet", json!({ "packet": packet, "workspace": workspace })).await
}

/// Writes one's own decisions into one file for the colleague whose packet it answers.
pub async fn write_answer(path: &str) -> Answer<PacketReport> {
    call("write_answer", json!({ "path": path })).await
}

/// Takes a colleague's decisions in.
pub async fn merge_answer(path: &str, request: &MergeRequest) -> Answer<MergeReport> {
    call("merge_answer", json!({ "path": path, "request": request })).await
}

/// Takes a glossary in.
pub async fn import_glossary(path: &str, format: GlossaryFormat) -> Answer<GlossaryReport> {
    call("import_glossary", json!({ "path": path, "format": format })).await
}

/// Writes a glossary of what nobody rejected; returns how many terms.
pub async fn export_glossary(path: &str, format: GlossaryFormat) -> Answer<u64> {
    call("export_glossary", json!({ "path": path, "format": format })).await
}

/// The schemas of terms, shipped and own.
pub async fn term_schemas() -> Answer<Vec<TermSchema>> {
    call("term_schemas", json!({})).await
}

/// Which schemas the workspace keeps itself.
pub async fn own_term_schemas() -> Answer<Vec<OwnSchema>> {
    call("own_term_schemas", json!({})).await
}

/// Takes a schema of the workspace's own away; one that comes with the product is back then.
pub async fn remove_term_schema(name: &str, language: Language) -> Answer<()> {
    call("remove_term_schema", json!({ "name": name, "language": language })).await
}

/// Keeps a schema.
pub async fn put_term_schema(schema: &TermSchema) -> Answer<()> {
    call("put_term_schema", json!({ "schema": schema })).await
}

/// Asks where a file should be written; none if they think better of it.
pub async fn pick_save(name: &str, extension: &str) -> Answer<Option<String>> {
    call("pick_save", json!({ "name": name, "extension": extension })).await
}

/// Asks for a file with one of these extensions.
pub async fn pick_open(extensions: &[&str]) -> Answer<Option<String>> {
    call("pick_open", json!({ "extensions": extensions })).await
}
