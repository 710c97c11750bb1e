//! Sweeps: shows every combination with its run and its figure on the dev part, which combinations are best, and how
//! many questions are enough.

mod curve;

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::run_badge::RunBadge;
use crate::components::task_progress::TaskProgress;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::state::use_app;
use curve::ItemsCurve;
use leptos::prelude::*;
use lexforge_domain::api::{
    Combination, DevFigure, DevMeasure, ItemsPerAnchor, Sweep, SweepRequest, SweepRow, TrainRequest,
};

/// The sweeps of the workspace; nothing where there is none.
#[component]
pub fn Sweeps() -> impl IntoView {
    let app = use_app();
    let sweeps = Fetched::<Vec<Sweep>>::default();
    let chosen = RwSignal::new(None::<u64>);
    // Each step of the sweep at work changes its record; so does each run in its state.
    let at = Memo::new(move |_| {
        let task = app.busy("sweep");
        let step = task.map(|task| (task.id, task.progress.map(|p| (p.stage, p.done))));
        let states = app
            .runs
            .with(|runs| runs.iter().map(|r| (r.id, r.state)).collect::<Vec<_>>());
        (step, states)
    });
    Effect::new(move |_| {
        at.track();
        app.changes.track();
        sweeps.refresh(call(commands::Sweeps {}));
    });
    let shown = Memo::new(move |_| {
        sweeps.value.with(|sweeps| {
            let sweeps = sweeps.as_deref().unwrap_or_default();
            let named = sweeps.iter().find(|s| Some(s.number) == chosen.get());
            named.or_else(|| sweeps.first()).cloned()
        })
    });
    let numbers = Memo::new(move |_| {
        sweeps.value.with(|sweeps| {
            let sweeps = sweeps.as_deref().unwrap_or_default();
            sweeps.iter().map(|s| s.number).collect::<Vec<_>>()
        })
    });
    view! {
        {move || sweeps.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || shown.get().map(|sweep| view! {
            <article class="card" id="sweep">
                <div class="card-head">
                    <h2>{tf("sweep.title", &[("n", &sweep.number.to_string())])}</h2>
                    <span class="t-small t-mute nowrap" title=format::in_utc(&sweep.started)>{format::minute(&sweep.started)}</span>
                    <Other numbers chosen now=sweep.number/>
                    <span class="push row"><GoOn sweep=sweep.clone()/></span>
                </div>
                <Table sweep=sweep.clone()/>
                <Outcome sweep/>
            </article>
        })}
    }
}

/// Another sweep, where there are several.
#[component]
fn Other(numbers: Memo<Vec<u64>>, chosen: RwSignal<Option<u64>>, now: u64) -> impl IntoView {
    let options = move || {
        let option = |n: u64| view! { <option value=n.to_string() selected=n == now>{tf("sweep.title", &[("n", &n.to_string())])}</option> };
        numbers.get().into_iter().map(option).collect_view()
    };
    move || {
        (numbers.with(Vec::len) > 1).then(|| view! {
            <span class="picker">
                <select class="select" id="sweep-shown" aria-label=t("sweep.shown") on:change:target=move |event| chosen.set(event.target().value().parse().ok())>
                    {options}
                </select>
            </span>
        })
    }
}

/// While a sweep is at work how far it is; otherwise the button that trains what one has not trained yet.
#[component]
fn GoOn(sweep: Sweep) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy("sweep"));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    let open = sweep.rows.iter().any(|row| row.dev.is_none());
    let asked = StoredValue::new(sweep.request);
    let go_on = move |_| {
        let SweepRequest { train, axes } = asked.get_value();
        // The machine is not one of the values that are tried. It is the one in the form.
        let on = app.draft.with_untracked(|draft| draft.on.clone());
        let train = TrainRequest { on, ..train };
        let request = SweepRequest { train, axes };
        app.attempt(call(commands::StartSweep { request }), |_| ());
    };
    move || {
        match working.get() {
        Some(id) => view! {
            <span class="progress" role="status">
                <TaskProgress task/>
                <button class="btn ghost sm" id="cancel-sweep" title=t("sweep.cancel_tip") on:click=move |_| app.attempt(call(commands::CancelTask { id }), |()| ())>
                    {t("action.cancel")}
                </button>
            </span>
        }
        .into_any(),
        None if open => view! {
            <button class="btn sm" id="go-on-sweep" title=t("sweep.go_on_tip") on:click=go_on>
                <Sign icon=Icon::Play/>
                {t("sweep.go_on")}
            </button>
        }
        .into_any(),
        None => ().into_any(),
    }
    }
}

#[component]
fn Table(sweep: Sweep) -> impl IntoView {
    let learnt = sweep.rows.iter().any(|row| row.learnt_from.is_some());
    let best = sweep.best;
    let rows = sweep
        .rows
        .into_iter()
        .map(|row| view! { <Line best=best == Some(row.number) learnt row/> })
        .collect_view();
    view! {
        <div class="table-wrap">
            <table class="table" id="combinations">
                <thead>
                    <tr>
                        <th class="num">{t("sweep.number")}</th>
                        <th>{t("sweep.values")}</th>
                        <th class="num">{t("training.run")}</th>
                        <th>{t("training.state")}</th>
                        <th class="num">{t("sweep.on_dev")}</th>
                        <th class="num wide-only">{t("sweep.held_out_loss")}</th>
                        {learnt.then(|| view! { <th class="num">{t("sweep.learnt_from")}</th> })}
                        <th class="num wide-only">{t("sweep.time")}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Line(row: SweepRow, best: bool, learnt: bool) -> impl IntoView {
    let app = use_app();
    let none = || "–".to_owned();
    let run = row.run.map(|id| view! {
        <button class="btn ghost sm" title=t("sweep.show_run") on:click=move |_| { app.compare.set(None); app.run.set(Some(id)); }>{id.to_string()}</button>
    });
    let columns = if learnt { 8 } else { 7 };
    let failure = row
        .failure
        .map(|failure| view! { <tr><td colspan=columns><ErrorPanel failure/></td></tr> });
    view! {
        <tr aria-selected=best.to_string()>
            <td class="num">{row.number.to_string()}</td>
            <td>{values(&row.values)}{best.then(|| view! { " " <span class="badge ok">{t("sweep.best")}</span> })}</td>
            <td class="num">{run}</td>
            <td><RunBadge state=row.state/></td>
            <td class="num nowrap">{row.dev.as_ref().map_or_else(none, figure)}</td>
            <td class="num wide-only">{row.dev_loss.map_or_else(none, format::loss)}</td>
            {learnt.then(|| view! { <td class="num">{row.learnt_from.map_or_else(none, format::count)}</td> })}
            <td class="num wide-only">{row.minutes.map_or_else(none, |m| format::duration(m * 60.0))}</td>
        </tr>
        {failure}
    }
}

/// Which is best, and where more questions stop paying.
#[component]
fn Outcome(sweep: Sweep) -> impl IntoView {
    let row_of = |number: Option<u64>| sweep.rows.iter().find(|row| Some(row.number) == number);
    let best = match row_of(sweep.best) {
        None => t("sweep.none_best"),
        Some(row) => tf(
            "sweep.best_is",
            &[
                ("n", &row.number.to_string()),
                ("values", &values(&row.values)),
                (
                    "measure",
                    &row.dev
                        .as_ref()
                        .map(|dev| measure(dev.measure))
                        .unwrap_or_default(),
                ),
                (
                    "items",
                    &tn("count.items", row.dev.as_ref().map_or(0, |dev| dev.items)),
                ),
            ],
        ),
    };
    let tied = (!sweep.tied.is_empty()).then(|| {
        let tied: Vec<String> = sweep.tied.iter().map(u64::to_string).collect();
        tf("sweep.tied", &[("numbers", &format::list(&tied))])
    });
    let enough = row_of(sweep.enough).map(|row| {
        let values = &[
            ("n", &*row.number.to_string()),
            ("values", &values(&row.values)),
        ];
        tf("sweep.enough", values)
    });
    let curve: Vec<SweepRow> = sweep
        .best
        .map_or(Vec::new(), |best| sweep.curve(best))
        .into_iter()
        .cloned()
        .collect();
    view! {
        <div class="card-body stack" id="sweep-outcome">
            <p>{best} {tied.map(|text| format!(" {text}"))}</p>
            {(!curve.is_empty()).then(|| view! { <ItemsCurve rows=curve/> })}
            {enough.map(|text| view! { <p>{text}</p> })}
            <p class="t-small t-mute">{t("sweep.test_unread")}</p>
        </div>
    }
}

/// `accuracy .612 [.580, .644]`.
fn figure(dev: &DevFigure) -> String {
    let interval = dev.interval.map_or(String::new(), |[low, high]| {
        format!(" {}", format::interval(low, high))
    });
    format!("{}{interval}", format::share(dev.value))
}

fn measure(measure: DevMeasure) -> String {
    match measure {
        DevMeasure::Accuracy => t("sweep.accuracy"),
        DevMeasure::Map10 => t("sweep.map"),
        DevMeasure::Mrr10 => t("sweep.mrr"),
        DevMeasure::TripletAccuracy => t("sweep.triplet_accuracy"),
    }
}

/// The values of a combination in words.
fn values(of: &Combination) -> String {
    let mut parts = Vec::new();
    if let Some(rate) = of.learning_rate {
        parts.push(tf("sweep.rate_is", &[("value", &format::rate(rate))]));
    }
    if let Some(temperature) = of.temperature {
        parts.push(tf(
            "sweep.temperature_is",
            &[("value", &temperature.to_string())],
        ));
    }
    if let Some(weights) = of.weights {
        let value = format!("{}/{}", weights.sentence, weights.token);
        parts.push(tf("sweep.weights_are", &[("value", &value)]));
    }
    parts.extend(of.items.map(items));
    parts.join(" · ")
}

/// How many questions of each rule.
fn items(most: ItemsPerAnchor) -> String {
    match most.most() {
        Some(n) => tn("sweep.items_are", n),
        None => t("sweep.all_items"),
    }
}
