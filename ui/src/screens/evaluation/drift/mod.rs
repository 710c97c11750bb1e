//! Drift: whether what is read and asked has moved since the last samples.

mod around;
mod chart;
mod line;
mod rule;
#[cfg(test)]
mod sample;
mod series;
mod watched;

use super::ended::Ended;
use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::screens::evaluation::papers::{Paper, Papers};
use crate::state::use_app;
use around::Around;
use chart::Strip;
use leptos::prelude::*;
use lexforge_domain::drift::{DriftView, PanelMark, PanelState};
use line::Line;
use series::Series;
#[cfg(test)]
pub use series::keys;
use watched::DRIFT;
pub use watched::{alarms, watched};

/// The head of the screen: the button that takes a sample, or the progress.
#[component]
pub fn DriftHead(
    /// What was found last.
    view: Fetched<DriftView>,
) -> impl IntoView {
    let watched = Memo::new(move |_| {
        let known = |view: &DriftView| view.report.is_some();
        view.value.with(|view| view.as_ref().is_some_and(known))
    });
    view! { <div class="push row">{move || watched.get().then(|| view! { <Take primary=false/> })}</div> }
}

/// The button, or how far the sample is.
#[component]
fn Take(primary: bool) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(DRIFT));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    move || {
        match working.get() {
        Some(_) => view! { <Cancellable task name="drift"/> }.into_any(),
        None => view! {
            <button class="btn" class:primary=primary id="drift-sample" on:click=move |_| app.attempt(call(commands::TakeDriftSample { rule: None }), |_| ())>
                <Sign icon=Icon::Pulse/>
                {t("drift.sample")}
            </button>
        }
        .into_any(),
    }
    }
}

/// What was found last.
#[component]
pub fn Drift(
    /// What was found last.
    view: Fetched<DriftView>,
) -> impl IntoView {
    // If nothing has changed, nothing is rendered again.
    let known = Memo::new(move |_| view.value.get());
    let shown = move || match known.get() {
        None if view.failure.with(Option::is_some) => ().into_any(),
        None => view! { <div class="pad"><Coming words=t("wait.drift")/></div> }.into_any(),
        Some(view) if view.report.is_none() => view! {
            <Empty icon=Icon::Pulse title=t("drift.empty") text=t("drift.empty_text")>
                <Take primary=true/>
            </Empty>
            <div class="page-body"><Ended kind=DRIFT stopped=t("drift.stopped")/></div>
        }
        .into_any(),
        Some(view) => view! { <Shown view/> }.into_any(),
    };
    view! {
        {move || view.failure.get().map(|failure| view! { <div class="pad"><ErrorPanel failure/></div> })}
        {shown}
    }
}

#[component]
fn Shown(view: DriftView) -> impl IntoView {
    let DriftView {
        report,
        around,
        encoder_changed,
        panel,
        history,
        ..
    } = view;
    let all = report.map(|report| {
        let state = report.panel.clone();
        let series = report.tests.clone().into_iter().map(|test| {
            let course = history
                .iter()
                .find(|h| h.series == test.series && h.stratum == test.stratum);
            let points = course.map(|h| h.points.clone()).unwrap_or_default();
            view! { <Series test points/> }
        });
        let series = series.collect_view();
        view! {
            <Line report/>
            <div class="drift-two">
                <Panel state marks=panel/>
                <Around around/>
            </div>
            <div class="drift-two">{series}</div>
            <Papers papers=vec![Paper::Drift]/>
        }
    });
    view! {
        <div class="scroll page-body" id="drift" data-pane="list">
            <Ended kind=DRIFT stopped=t("drift.stopped")/>
            {encoder_changed.then(|| view! { <div id="drift-encoder"><Note tone=Tone::Warn>{t("drift.encoder_changed")}</Note></div> })}
            {all}
        </div>
    }
}

/// The fixed panel.
#[component]
fn Panel(state: PanelState, marks: Vec<PanelMark>) -> impl IntoView {
    let (class, icon, text) = match &state {
        PanelState::Constant { readings } => (
            "badge ok",
            Icon::Check,
            tn("drift.panel_constant", (*readings).into()),
        ),
        PanelState::Fault { first_bad, .. } => (
            "badge bad",
            Icon::Warning,
            tf("drift.panel_fault", &[("when", &format::minute(first_bad))]),
        ),
        PanelState::NotRead => ("badge", Icon::Info, t("drift.not_read")),
    };
    view! {
        <article class="card" id="drift-panel">
            <div class="card-head">
                <h2>{t("drift.panel")}</h2>
                <span class=class><Sign icon small=true/>{text}</span>
            </div>
            <div class="card-body stack">
                <Strip marks/>
                <p class="t-small t-mute">{t("drift.panel_is")}</p>
            </div>
        </article>
    }
}
