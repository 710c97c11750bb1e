//! The cross-encoder that puts the first clauses in order: whether it is on, how well it ranks, and switching it.

use super::deeds::{RERANKING, SEARCHING};
use super::ranked::Ranked;
use super::to_training::ToTraining;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::i18n::{t, tf};
use crate::outcomes;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{Outcome, Preset, RerankGap, RerankReport, RerankRow};

/// The state of a cross-encoder in words.
fn state(row: &RerankRow) -> String {
    match (row.gap, row.on) {
        (None, true) => t("labels.rerank_used"),
        (None, false) => t("labels.rerank_waits"),
        (Some(RerankGap::NotMeasured), _) => t("labels.rerank_not_measured"),
        (Some(RerankGap::OtherSearch), _) => t("labels.rerank_other_search"),
        (Some(RerankGap::NotBetter), _) => t("labels.rerank_not_better"),
        (Some(RerankGap::Gone), _) => t("labels.rerank_gone"),
    }
}

/// The cross-encoders that were tuned here.
#[component]
pub fn Rerank() -> impl IntoView {
    let app = use_app();
    let rows = Fetched::<Vec<RerankRow>>::default();
    let task = Memo::new(move |_| app.busy(RERANKING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let searching = Memo::new(move |_| app.busy(SEARCHING).is_some());
    Effect::new(move |_| {
        app.changes.track();
        working.track();
        searching.track();
        rows.refresh(call(commands::Rerankers {}));
    });
    let chosen = RwSignal::new(None::<RunId>);
    // The one that is named, else the one that is on, else the newest.
    let row = Memo::new(move |_| {
        let rows = rows.value.get().unwrap_or_default();
        let named = rows.iter().find(|row| Some(row.run) == chosen.get());
        let row = named.or_else(|| rows.iter().find(|row| row.on));
        row.or(rows.first()).cloned()
    });
    let controls = move || row.get().map(|row| view! { <Controls row rows chosen/> });
    let newest = outcomes::newest_here(app, RERANKING);
    let said = move || {
        newest
            .get()
            .and_then(|outcome: Outcome| outcomes::line(&outcome))
            .map(|said| view! { <p class="t-small" id="rerank-said">{said}</p> })
    };
    view! {
        <h3>{t("labels.rerank")}</h3>
        {move || rows.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || if working.get() {
            view! { <Cancellable task/> }.into_any()
        } else if rows.value.with(|rows| rows.as_ref().is_some_and(Vec::is_empty)) {
            view! {
                <p class="t-mute" id="rerank-none">{t("labels.rerank_none")}</p>
                <ToTraining preset=Preset::Rerank id="rerank-train"/>
            }
            .into_any()
        } else {
            view! { <p class="t-mute">{t("labels.rerank_text")}</p> {controls} {said} }.into_any()
        }}
    }
}

/// The controls for one cross-encoder: choosing another, measuring it, switching it on or off, and its figures.
#[component]
fn Controls(
    /// The one that is shown.
    row: RerankRow,
    rows: Fetched<Vec<RerankRow>>,
    /// The one that was chosen.
    chosen: RwSignal<Option<RunId>>,
) -> impl IntoView {
    let app = use_app();
    let (run, said) = (row.run, state(&row));
    let options = move || {
        let option = |row: RerankRow| {
            let name = tf("training.run_n", &[("n", &row.run.to_string())]);
            view! {
                <option value=row.run.to_string() selected=row.run == run>{format!("{name} · {}", row.model)}</option>
            }
        };
        let rows = rows.value.get().unwrap_or_default();
        rows.into_iter().map(option).collect_view()
    };
    let choose = move |value: String| chosen.set(value.parse().ok().map(RunId));
    let switch = move |run: Option<RunId>| {
        let used = call(commands::UseRerank { run });
        app.attempt_once(t("wait.rerank"), used, move |_| {
            rows.refresh(call(commands::Rerankers {}));
        });
    };
    let switching = move || app.waits.has(&t("wait.rerank"));
    let measure = move |_| app.attempt(call(commands::MeasureRerank { run }), |_| ());
    let switch = match (row.on, row.gap) {
        (true, _) => view! {
            <button class="btn" id="rerank-off" disabled=switching on:click=move |_| switch(None)>{t("labels.rerank_off")}</button>
        }
        .into_any(),
        (false, None) => view! {
            <button class="btn" id="rerank-on" disabled=switching on:click=move |_| switch(Some(run))>{t("labels.rerank_on")}</button>
        }
        .into_any(),
        (false, Some(_)) => ().into_any(),
    };
    view! {
        <div class="row g-1 wrap">
            <span class="picker">
                <select class="select" id="rerank-run" aria-label=t("labels.rerank") on:change:target=move |event| choose(event.target().value())>
                    {options}
                </select>
            </span>
            <button class="btn" id="rerank-measure" on:click=measure>{t("labels.rerank_measure")}</button>
            {switch}
            <Waiting words=t("wait.rerank")/>
        </div>
        <p id="rerank-state">{said}</p>
        {row.report.map(|report| view! { <Compared report/> })}
    }
}

/// How the clauses are ranked without it and with it.
#[component]
fn Compared(report: RerankReport) -> impl IntoView {
    let orders = [
        (t("labels.rerank_without"), report.without),
        (t("labels.rerank_with"), report.with),
    ];
    view! { <Ranked id="rerank-figures" label=t("labels.rerank") orders/> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_says_why() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let row = |on, gap| RerankRow {
            run: RunId(3),
            model: "all-MiniLM-L6-v2".to_owned(),
            on,
            gap,
            report: None,
        };
        assert!(state(&row(true, None)).contains("put in order"));
        assert!(state(&row(false, None)).contains("switched off"));
        let not = |gap| state(&row(true, Some(gap)));
        assert!(not(RerankGap::OtherSearch).contains("another search"));
        assert!(not(RerankGap::NotBetter).contains("not make the order better"));
    }
}
