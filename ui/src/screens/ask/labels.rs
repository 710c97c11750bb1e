//! Labelled questions: how many there are, what they are enough for, and bringing more in.

use super::certificate::said;
use super::deeds::{MEASURING, RANKING, measure};
use super::learned::{Order, Tuning};
use super::rerank::Rerank;
use super::ways::ChooseWay;
use crate::backend::{call, commands};
use crate::components::dialog::Dialog;
use crate::components::error_panel::ErrorPanel;
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::said::said as told;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::api::{LabelsOverview, RejectedPair};

/// What bringing labels in came to.
#[derive(Clone, Debug, PartialEq)]
struct Brought {
    said: String,
    left_out: Vec<RejectedPair>,
}

/// Labelled questions of a file.
async fn pairs() -> Result<Option<Brought>, Failure> {
    let extensions = vec!["jsonl".to_owned()];
    let Some(file) = call(commands::PickOpen { extensions }).await? else {
        return Ok(None);
    };
    let report = call(commands::ImportPairs { file }).await?;
    let said = tf(
        "labels.brought",
        &[
            ("new", &format::count(report.imported)),
            ("same", &format::count(report.unchanged)),
            ("out", &format::count(report.rejected.len() as u64)),
        ],
    );
    let left_out = report.rejected;
    Ok(Some(Brought { said, left_out }))
}

/// Verdicts of a table of answers.
async fn verdicts() -> Result<Option<Brought>, Failure> {
    let extensions = ["csv", "xlsx", "ods"].map(str::to_owned).to_vec();
    let Some(file) = call(commands::PickOpen { extensions }).await? else {
        return Ok(None);
    };
    let report = call(commands::ImportVerdicts { file }).await?;
    let said = tf(
        "labels.judged",
        &[
            ("new", &format::count(report.judged)),
            ("same", &format::count(report.unchanged)),
            ("open", &format::count(report.open)),
            ("out", &format::count(report.rejected.len() as u64)),
        ],
    );
    let left_out = report.rejected;
    Ok(Some(Brought { said, left_out }))
}

/// The dialog.
#[component]
pub fn Labels() -> impl IntoView {
    let app = use_app();
    let overview = Fetched::<LabelsOverview>::default();
    let looks = RwSignal::new(0_u32);
    let ranking = Memo::new(move |_| app.busy(RANKING).is_some());
    let measuring = Memo::new(move |_| app.busy(MEASURING).is_some());
    Effect::new(move |_| {
        app.changes.track();
        app.ask.encoders.value.track();
        for memo in [ranking, measuring] {
            memo.track();
        }
        looks.track();
        let way = app.ask.way.get();
        overview.refresh(call(commands::Labels { way }));
    });
    let close = Callback::new(move |()| app.ask.over.set(None));
    let comes =
        move || overview.value.with(Option::is_none) && overview.failure.with(Option::is_none);
    let counts = move || {
        overview.value.get().map(|labels| {
            let answerable = tn("labels.answerable", labels.answerable);
            format!(
                "{answerable} · {}",
                tn("labels.unanswerable", labels.unanswerable)
            )
        })
    };
    view! {
        <Dialog label=t("labels.title") close id="ask-labels-dialog" class="padded wide">
            <div class="row between">
                <h2>{t("labels.title")}</h2>
                <button class="btn sm" autofocus on:click=move |_| close.run(())>{t("action.close")}</button>
            </div>
            <p class="t-mute">{t("labels.text")}</p>
            <p id="labels-counts"><b>{counts}</b></p>
            {move || comes().then(|| view! { <p class="t-small waiting" role="status">{t("wait.overview")}</p> })}
            {move || overview.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <Bring looks/>
            <h3>{t("certificate.title")}</h3>
            <ChooseWay way=app.ask.way id="labels-way"/>
            <Certified overview/>
            <Order overview/>
            <Rerank/>
            <Tuning/>
        </Dialog>
    }
}

/// The ways to bring labels in, and what that came to.
#[component]
fn Bring(
    /// Grows when something was brought in.
    looks: RwSignal<u32>,
) -> impl IntoView {
    let app = use_app();
    let brought = RwSignal::new(None::<Brought>);
    let show = move |came: Option<Brought>| {
        if came.is_some() {
            brought.set(came);
            looks.update(|n| *n += 1);
            super::deeds::reload_history(app);
        }
    };
    let reading = move || app.waits.has(&t("wait.labels"));
    view! {
        <div class="row wrap">
            <button class="btn" id="labels-import" title=t("labels.import_tip") disabled=reading on:click=move |_| app.attempt_once(t("wait.labels"), pairs(), show)>
                {t("labels.import")}
            </button>
            <button class="btn" id="labels-verdicts" title=t("labels.verdicts_tip") disabled=reading on:click=move |_| app.attempt_once(t("wait.labels"), verdicts(), show)>
                {t("labels.verdicts")}
            </button>
            <Waiting words=t("wait.labels")/>
        </div>
        {move || brought.get().map(|came| view! { <Came came/> })}
    }
}

/// The labels that were imported, and each line that was not.
#[component]
fn Came(came: Brought) -> impl IntoView {
    let lines = came
        .left_out
        .into_iter()
        .map(|row| {
            let said = [("n", row.line.to_string()), ("why", told(&row.reason))];
            let said = said.each_ref().map(|(name, text)| (*name, text.as_str()));
            view! { <li class="t-small">{tf("labels.line", &said)}</li> }
        })
        .collect_view();
    view! {
        <p class="t-small" id="labels-brought" role="status">{came.said}</p>
        <ul class="list" id="labels-left-out">{lines}</ul>
    }
}

/// How often answers of the way that is chosen are wrong, and what is missing to know it.
#[component]
fn Certified(overview: Fetched<LabelsOverview>) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(MEASURING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let planning = move || app.waits.has(&t("wait.plan"));
    let state = move || {
        overview.value.get().map(|labels| {
            let (title, behind) = said(&labels.certificate);
            let valid = labels.certificate.valid.to_string();
            view! {
                <p id="labels-certificate" class="stack g-half" data-valid=valid><b>{title}</b><span class="t-small">{behind}</span></p>
            }
        })
    };
    view! {
        {state}
        {move || if working.get() {
            view! { <Cancellable task/> }.into_any()
        } else {
            view! {
                <div class="row">
                    <button class="btn" id="labels-measure" disabled=planning on:click=move |_| measure_chosen(app)>{t("certificate.measure")}</button>
                    <Waiting words=t("wait.plan")/>
                </div>
            }.into_any()
        }}
    }
}

fn measure_chosen(app: App) {
    measure(app, app.ask.way.get_untracked());
}
