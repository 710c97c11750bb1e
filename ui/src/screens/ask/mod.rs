//! Questions to the documents: the question, an answer with its citations, and the cited page beside it.

mod answer;
mod batch;
mod beginning;
mod both;
mod certificate;
mod chip;
mod cited;
mod coming;
mod compare;
mod consent;
mod copied;
pub mod deeds;
pub mod figures;
mod head;
mod history;
mod in_view;
mod keys;
mod labels;
mod learned;
mod nearest;
mod not_found;
mod notes;
pub mod place;
mod provenance;
mod question_box;
mod ranked;
mod refers;
mod rerank;
#[cfg(test)]
mod sample;
pub mod searched_by;
mod since;
mod statement;
mod terms;
mod to_training;
mod verdicts;
mod ways;
mod words_only;

use crate::backend::{call, commands};
use crate::i18n::t;
use crate::reading::Reading;
use crate::state::{App, use_app};
use answer::Shown;
use batch::Batch;
use beginning::Beginning;
use cited::Cited;
use compare::Compare;
use consent::{ConsentAsked, MeasureAsked};
use head::Head;
use history::History;
use labels::Labels;
use leptos::prelude::*;
use lexforge_domain::api::AnswerWay;
use place::{Over, Wish};
use question_box::QuestionBox;

/// History, answer, cited page.
#[component]
pub fn Ask() -> impl IntoView {
    let app = use_app();
    let reading = Reading::begin(app);
    provide_context(reading);
    keys::listen(reading);
    keep_up(app);
    // The library may have turned to another page meanwhile.
    if let Some(spot) = app.ask.spot.get_untracked() {
        deeds::show(app, spot);
    }
    if let Some(id) = app.ask.left.get_untracked() {
        deeds::fetch(app, Wish::Kept(id));
    }
    let none = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_none_or(|ws| ws.documents == 0))
    });
    view! {
        <Head none/>
        <div class="panes ask">
            <aside class="pane quiet" aria-label=t("answering.history") data-pane="history">
                <History/>
            </aside>
            <section class="pane ground" aria-label=t("answering.answer") data-pane="answer">
                <Shown nothing=move || view! { <Beginning none/> }/>
                <QuestionBox/>
            </section>
            <section class="pane" aria-label=t("answering.cited_page") data-pane="page">
                <Cited/>
            </section>
        </div>
        {move || app.ask.over.get().map(|over| match over {
            Over::Batch => view! { <Batch/> }.into_any(),
            Over::Compare => view! { <Compare/> }.into_any(),
            Over::Labels => view! { <Labels/> }.into_any(),
        })}
        // Above the others: they may ask for it.
        <ConsentAsked/>
        <MeasureAsked/>
    }
}

/// Keeps the screen up to date while it is shown: the history, the ways of answering, the encoders and the certificate
/// are read again when something else has changed them.
fn keep_up(app: App) {
    Effect::new(move |_| {
        app.changes.track();
        deeds::reload_history(app);
    });
    // A measurement that has ended may have made another certificate.
    let measuring = Memo::new(move |_| app.busy(deeds::MEASURING).is_some());
    Effect::new(move |before: Option<(AnswerWay, Option<String>)>| {
        app.changes.track();
        measuring.track();
        app.ask.encoders.value.track();
        let way = deeds::certified_way(app);
        let question = app
            .ask
            .answer
            .with(|answer| answer.as_ref().map(|answer| answer.question.clone()));
        let now = (way.clone(), question.clone());
        // The certificate of another way or language does not apply to this one.
        if before.is_some_and(|before| before != now) {
            app.ask.certificate.forget();
        }
        app.ask
            .certificate
            .refresh(call(commands::CurrentCertificate { way, question }));
        now
    });
    Effect::new(move |_| {
        app.changes.track();
        app.ask.ways.refresh(call(commands::AnswerWays {}));
    });
    // Another encoder changes what is found, and what was certified.
    let searching = Memo::new(move |_| app.busy(deeds::SEARCHING).is_some());
    Effect::new(move |_| {
        app.changes.track();
        searching.track();
        app.ask.encoders.refresh(call(commands::SearchEncoders {}));
    });
    // The job that answers may end while another screen is shown.
    Effect::new(move |_| {
        let Some(id) = app.ask.task.get() else { return };
        let task = app
            .tasks
            .with(|tasks| tasks.iter().find(|t| t.id == id && t.done).cloned());
        if let Some(task) = task {
            deeds::ended(app, &task);
        }
    });
}
