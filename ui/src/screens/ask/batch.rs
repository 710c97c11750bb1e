//! A file of questions: who answers them, in which form the answers are written, and the consent if something is sent.

use super::deeds::{BATCH, agreed, pick_batch};
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
    let asked = RwSignal::new(None::<(AnswerBatch, AskPlan)>);
    let close = Callback::new(move |()| app.ask.over.set(None));
    let came = move || {
        let newest = app.tasks.with(|tasks| outcomes::newest(tasks, BATCH));
        newest.as_ref().and_then(outcomes::line)
    };
    let pick = move |_| {
        let planned = planned(app, way.get_untracked(), form.get_untracked());
        app.attempt_once(t("wait.batch"), planned, move |picked| match picked {
            Some((batch, Some(plan))) => asked.set(Some((batch, plan))),
            Some((batch, None)) => begin(app, batch),
            None => {}
        });
    };
    let send = move |plan: AskPlan| {
        if let Some((batch, _)) = asked.get_untracked() {
            let consent = Some(agreed(&plan));
            begin(app, AnswerBatch { consent, ..batch });
        }
    };
    let reading = move || app.waits.has(&t("wait.batch"));
    view! {
        <Titled title=t("answering.batch") close id="ask-batch-dialog">
            <p class="t-mute">{t("answering.batch_tip")}</p>
            <ChooseWay way id="batch-way"/>
            {move || app.ask.day().map(|day| view! { <p class="t-small" id="batch-day">{tf("answering.batch_day", &[("day", &day)])}</p> })}
            <h3>{t("answering.batch_as")}</h3>
            <Forms chosen=form/>
            {move || match asked.get() {
                Some((batch, plan)) => view! { <Plan plan send replaces=batch.out/> }.into_any(),
                None => view! {
                    {move || came().map(|said| view! { <p class="t-small" id="batch-came" role="status">{said}</p> })}
                    <div class="row">
                        <button class="btn primary" id="batch-begin" autofocus disabled=reading on:click=pick>{t("answering.batch_begin")}</button>
                        <Waiting words=t("wait.batch")/>
                    </div>
                }.into_any(),
            }}
        </Titled>
    }
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
                    {name.to_uppercase()}
                </button>
            }
        })
        .collect_view();
    view! { <div class="row g-1">{forms}</div> }
}

/// Asks for the files, then for what would be sent; there is no plan where nothing leaves this machine. `None` where no
/// file was named.
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

fn begin(app: App, batch: AnswerBatch) {
    app.ask.over.set(None);
    app.attempt(call(commands::AskBatch { batch }), |_| ());
}
