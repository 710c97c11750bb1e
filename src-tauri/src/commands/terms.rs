//! Commands about terms.

use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::TermId;
use lexforge_domain::api::{Rows, TermDetail, TermFilter};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::term::Term;
use lexforge_engine::{AskRequest, TermRequest};
use tauri::State;

#[tauri::command]
pub async fn terms(shell: State<'_, Shell>, filter: TermFilter) -> Answer<Rows<Term>> {
    shell.ask(move |engine| engine.terms(&filter)).await
}

#[tauri::command]
pub async fn term(shell: State<'_, Shell>, id: TermId) -> Answer<TermDetail> {
    shell.ask(move |engine| engine.term(id)).await
}

/// What finding terms by these schemas would send to whom. Nothing is sent.
#[tauri::command]
pub async fn plan_terms(shell: State<'_, Shell>, endpoint: String, schemas: Vec<String>) -> Answer<AskPlan> {
    let request = TermRequest { ask: AskRequest { endpoint, ..AskRequest::default() }, schemas };
    shell.ask(move |engine| engine.plan_terms(&request)).await
}

/// Finds terms in the background, once somebody agreed to what is sent.
#[tauri::command]
pub fn find_terms(
    shell: State<'_, Shell>,
    endpoint: String,
    schemas: Vec<String>,
    consent: Option<Consent>,
) -> Answer<u64> {
    let title = endpoint.clone();
    let request = TermRequest { ask: AskRequest { endpoint, consent, ..AskRequest::default() }, schemas };
    begin(&shell, "terms", &title, move |engine, watch| engine.extract_terms_with(&request, watch).map(|_| ()))
}

/// Looks for terms that could be taken for each other, in the background. Where only spelling could be compared, the job
/// says why.
#[tauri::command]
pub fn find_confusables(shell: State<'_, Shell>) -> Answer<u64> {
    begin(&shell, "confusables", "", |engine, watch| match engine.find_confusables(watch)?.reason {
        Some(reason) => Err(reason),
        None => Ok(()),
    })
}
