//! All runs, and the choice of two to compare.

use super::details::Details;
use crate::components::empty::Empty;
use crate::components::icon::Icon;
use crate::components::run_badge::RunBadge;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::place::SettingsTab;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::RunRow;

/// All runs, newest first.
#[component]
pub fn Runs(
    /// The run that is shown above.
    shown: Memo<Option<RunId>>,
) -> impl IntoView {
    let app = use_app();
    let ids = Memo::new(move |_| {
        app.runs
            .with(|runs| runs.iter().map(|run| run.id).collect::<Vec<_>>())
    });
    let empty = Memo::new(move |_| ids.with(Vec::is_empty));
    view! {
        <article class="card">
            <div class="card-head">
                <h2>{t("training.runs")}</h2>
                {move || (!empty.get()).then(|| view! { <Compare/> })}
            </div>
            {move || if empty.get() {
                view! {
                    <Empty icon=Icon::Curve title=t("training.no_runs") text=t("training.no_runs_text")>
                        <button class="btn" on:click=move |_| app.open_settings(SettingsTab::Machines)>{t("action.check_machine")}</button>
                    </Empty>
                }.into_any()
            } else {
                view! {
                    <div class="table-wrap">
                        <table class="table" id="runs">
                            <thead>
                                <tr>
                                    <th>{t("training.run")}</th>
                                    <th class="wide-only">{t("training.started")}</th>
                                    <th>{t("training.recipe_name")}</th>
                                    <th>{t("training.stages")}</th>
                                    <th>{t("training.base")}</th>
                                    <th class="num wide-only">{t("training.dataset")}</th>
                                    <th class="num">{t("training.step")}</th>
                                    <th class="num">{t("training.best")}</th>
                                    <th class="num">{t("measure.accuracy")}</th>
                                    <th>{t("training.state")}</th>
                                </tr>
                            </thead>
                            <tbody><For each=move || ids.get() key=|id| *id children=move |id| view! { <Line id shown/> }/></tbody>
                        </table>
                    </div>
                }.into_any()
            }}
        </article>
    }
}

/// The button that compares the two runs that were marked; until then it says what to mark.
#[component]
fn Compare() -> impl IntoView {
    let app = use_app();
    let pair = Memo::new(move |_| {
        app.marked.with(|marked| match marked.as_slice() {
            [a, b] => Some((*a.min(b), *a.max(b))),
            _ => None,
        })
    });
    let text = move || match pair.get() {
        Some((a, b)) => tf(
            "compare.these",
            &[("a", &a.to_string()), ("b", &b.to_string())],
        ),
        None => t("compare.start"),
    };
    view! {
        <span class="push row">
            {move || pair.get().is_none().then(|| view! { <span class="t-small t-mute">{t("compare.mark_two")}</span> })}
            <button class="btn sm" id="compare-runs" disabled=move || pair.get().is_none() on:click=move |_| app.compare.set(pair.get_untracked())>
                {text}
            </button>
        </span>
    }
}

#[component]
fn Line(id: RunId, shown: Memo<Option<RunId>>) -> impl IntoView {
    let app = use_app();
    let details = expect_context::<Details>();
    let row = Memo::new(move |_| {
        app.runs
            .with(|runs| runs.iter().find(|run| run.id == id).cloned())
    });
    let of = move |show: fn(&RunRow) -> String| {
        move || row.with(|run| run.as_ref().map(show).unwrap_or_default())
    };
    let state = Memo::new(move |_| row.with(|run| run.as_ref().map(|run| run.state)));
    let marked = move || app.marked.with(|marked| marked.contains(&id));
    let mark = move |on: bool| app.marked.update(|marked| put(marked, id, on));
    // Before the first step nobody knows of how many.
    let steps = |run: &RunRow| match run.of {
        0 => "–".to_owned(),
        of => format!("{} / {}", format::count(run.step), format::count(of)),
    };
    let or_dash = |figure: Option<String>| figure.unwrap_or_else(|| "–".to_owned());
    let best = move || or_dash(details.best(id).map(format::loss));
    let accuracy = move || or_dash(details.accuracy(id).map(format::share));
    let interval = move || {
        let bounds = details.accuracy_interval(id);
        bounds.map(|[low, high]| format::interval(low, high))
    };
    view! {
        <tr
            class="pick"
            tabindex="0"
            aria-selected=move || (shown.get() == Some(id)).to_string()
            on:click=move |_| app.run.set(Some(id))
            on:keydown=move |event| if event.key() == "Enter" { app.run.set(Some(id)) }
        >
            <td>
                <label class="check" on:click=|event| event.stop_propagation()>
                    <input
                        type="checkbox"
                        id=format!("mark-{id}")
                        aria-label=tf("compare.mark", &[("n", &id.to_string())])
                        prop:checked=marked
                        on:change:target=move |event| mark(event.target().checked())
                    />
                    <b>{id.to_string()}</b>
                </label>
            </td>
            <td class="nowrap wide-only" title=of(|run| format::in_utc(&run.started))>{of(|run| format::minute(&run.started))}</td>
            <td>{of(|run| format::recipe(&run.recipe))}</td>
            <td>{of(|run| stages(&run.recipe))}</td>
            <td class="wrap-anywhere">{of(|run| run.base.clone())}</td>
            <td class="num wide-only">{of(|run| run.dataset.map_or_else(|| "–".to_owned(), |id| id.to_string()))}</td>
            <td class="num">{of(steps)}</td>
            <td class="num">{best}</td>
            <td class="num" title=interval>{accuracy}</td>
            <td>{move || state.get().map(|state| view! { <RunBadge state/> })}</td>
        </tr>
    }
}

/// Marks a run, or takes its mark away; a third mark takes the place of the oldest.
fn put(marked: &mut Vec<RunId>, run: RunId, on: bool) {
    marked.retain(|known| *known != run);
    if on {
        if marked.len() == 2 {
            marked.remove(0);
        }
        marked.push(run);
    }
}

/// The stages that a recipe's label names, in words.
fn stages(label: &str) -> String {
    let names: Vec<String> = format::recipe_stages(label)
        .into_iter()
        .map(|name| tag("stage_name", name))
        .collect();
    format::list(&names)
}
