//! A file of questions: who answers them, in which form the answers are written, and the consent if something is sent.

use super::deeds::{BATCH, agreed, pick_batch};
use super::place::Over;
use super::ways::ChooseWay;
use crate::backend::{Answer, call, commands};
use crate::components::asking::Plan;
use crate::components::dialog::Titled;
use crate::components::waiting::Waiting;
use crate::i18n::{t, tf};
use crate::outcomes;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{AnswerBatch, AnswerWay};
use lexforge_domain::endpoint::AskPlan;

/// The forms in which answers are written, by the end of a file's name.
const FORMS: [&str; 3] = ["csv", "xlsx", "docx"];

/// The dialog.
#[component]
pub fn Batch() -> impl IntoView {
    let app = use_app();
    let form = RwSignal::new(FORMS[0]);
    let way = RwSignal::new(app.ask.way.get_untracked());
    // The files that were named, with what would be sent where something is.
    let asked = RwSignal::new(None::<(AnswerBatch, Option<AskPlan>)>);
    let choice = Memo::new(move |_| (way.get(), form.get()));
    Effect::new(move |before: Option<()>| {
        choice.track();
        // They were named, and planned, for another choice.
        if before.is_some() {
            asked.set(None);
        }
    });
    let close = Callback::new(move |()| app.ask.over.set(None));
    let pick = move |_| {
        let planned = planned(app, way.get_untracked(), form.get_untracked());
        app.attempt_once(t("wait.batch"), planned, move |picked| {
            if let Some((batch, plan)) = picked {
                asked.try_set(Some((batch.clone(), plan.clone())));
                if plan.is_none() {
                    begin(app, batch);
                }
            }
        });
    };
    let again = move |_| {
        if let Some((batch, None)) = asked.get_untracked() {
            begin(app, batch);
        }
    };
    let send = move |plan: AskPlan| {
        if let Some((batch, _)) = asked.get_untracked() {
            let consent = Some(agreed(&plan));
            begin(app, AnswerBatch { consent, ..batch });
        }
    };
    let at_work = move || app.waits.has(&t("wait.batch")) || app.waits.has(&t("wait.begin"));
    view! {
        <Titled title=t("answering.batch") close id="ask-batch-dialog">
            <p class="t-mute">{t("answering.batch_tip")}</p>
            <ChooseWay way id="batch-way"/>
            {move || app.ask.day().map(|day| view! { <p class="t-small" id="batch-day">{tf("answering.batch_day", &[("day", &day)])}</p> })}
            <h3>{t("answering.batch_as")}</h3>
            <Forms chosen=form/>
            {move || match asked.get() {
                Some((batch, Some(plan))) => view! { <Plan plan send replaces=batch.out/> }.into_any(),
                named => view! {
                    <Came/>
                    <div class="row">
                        <button class="btn primary" id="batch-begin" autofocus disabled=at_work on:click=pick>{t("answering.batch_begin")}</button>
                        {named.map(|_| view! { <button class="btn" id="batch-again" disabled=at_work on:click=again>{t("action.again")}</button> })}
                        <Waiting words=t("wait.batch")/>
                    </div>
                }.into_any(),
            }}
            <Waiting words=t("wait.begin")/>
        </Titled>
    }
}

/// What the newest file of questions came to.
#[component]
fn Came() -> impl IntoView {
    let newest = outcomes::newest_here(use_app(), BATCH);
    let came = move || newest.get().as_ref().and_then(outcomes::line);
    move || came().map(|said| view! { <p class="t-small" id="batch-came" role="status">{said}</p> })
}

/// The forms to choose from.
#[component]
fn Forms(chosen: RwSignal<&'static str>) -> impl IntoView {
    let forms = FORMS
        .into_iter()
        .map(|name| {
            let pressed = move || (chosen.get() == name).to_string();
            view! {
                <button class="chip" data-form=name aria-pressed=pressed on:click=move |_| chosen.set(name)>
                    {form_name(name)}
                </button>
            }
        })
        .collect_view();
    view! { <div class="row g-1">{forms}</div> }
}

/// What a form is called.
fn form_name(form: &str) -> String {
    match form {
        "xlsx" => t("answering.form_xlsx"),
        "docx" => t("answering.form_docx"),
        _ => t("answering.form_csv"),
    }
}

/// Asks the user for the files, then asks the shell what would be sent. The plan is missing if nothing would leave this
/// machine. The whole result is `None` if the user named no file.
async fn planned(
    app: App,
    way: AnswerWay,
    form: &'static str,
) -> Answer<Option<(AnswerBatch, Option<AskPlan>)>> {
    let Some(batch) = pick_batch(way, app.ask.day(), form.to_owned()).await? else {
        return Ok(None);
    };
    let plan = call(commands::PlanBatch {
        batch: batch.clone(),
    });
    let plan = plan.await?.filter(|plan| !plan.local && plan.prompts > 0);
    Ok(Some((batch, plan)))
}

/// Begins the job. The dialog stays until it has begun, so that a refusal leaves the files that were named.
fn begin(app: App, batch: AnswerBatch) {
    let begun = call(commands::AskBatch { batch });
    app.attempt_once(t("wait.begin"), begun, move |_| {
        if app.ask.over.get_untracked() == Some(Over::Batch) {
            app.ask.over.set(None);
        }
    });
}
