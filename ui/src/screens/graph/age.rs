//! How old the graph is, and what to do where that matters.

use crate::backend::{call, commands};
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{GraphState, StaleReason};
use lexforge_domain::graph::{GraphPart, GraphStats};

/// A note that the graph is older than the corpus, with the button that updates it. If the graph is up to date, nothing
/// is shown. The note is above the legend, because in a small window it would be hidden below it.
#[component]
pub fn Stale() -> impl IntoView {
    let app = use_app();
    let state = state(app);
    move || {
        let state = state.get()?;
        let reasons: Vec<String> = state.reasons.iter().map(reason).collect();
        let news = (reasons.is_empty() && state.can_update).then(|| news(&state));
        let shown = !reasons.is_empty() || state.can_update;
        shown.then(|| {
            view! {
                <section class="part" id="graph-stale">
                    {(!reasons.is_empty()).then(|| view! {
                        <Note tone=Tone::Warn>
                            {reasons.into_iter().map(|text| view! { <span class="block">{text}" "</span> }).collect_view()}
                            <span class="block">{t("graph.stale_remedy")}</span>
                        </Note>
                    })}
                    {news.map(|text| view! { <Note tone=Tone::Info>{text}</Note> })}
                    {state.can_update.then(|| view! {
                        <button class="btn sm self-start" id="update-graph" disabled=move || app.busy("graph").is_some()
                            on:click=move |_| app.attempt(call(commands::UpdateGraph {}), |_| ())>{t("graph.update")}</button>
                    })}
                </section>
            }
        })
    }
}

/// How many questions were written with other candidates than the graph gives now, and the way to write them again.
#[component]
pub fn QuestionsChanged() -> impl IntoView {
    let app = use_app();
    let state = state(app);
    move || {
        let changed = state.get()?.questions_changed;
        (changed > 0).then(|| view! {
            <section class="part" id="graph-questions">
                <Note tone=Tone::Warn>{tn("graph.questions_changed", changed)}</Note>
                <button class="btn sm self-start" id="mine-again" on:click=move |_| app.go(Route::Questions)>{t("graph.mine_again")}</button>
            </section>
        })
    }
}

/// When it was built, and with which encoder.
#[component]
pub fn Age() -> impl IntoView {
    let app = use_app();
    let state = state(app);
    let encoders = move || {
        let of = app
            .workspace
            .with(|ws| ws.as_ref().and_then(|ws| ws.graph.as_ref().map(made_by)));
        of.unwrap_or_default()
    };
    move || {
        state.get().map(|state| {
            let built = (!state.created.is_empty())
                .then(|| tf("graph.built", &[("date", &format::minute(&state.created))]));
            view! {
                <section class="part" id="graph-age">
                    {built.map(|text| view! { <p class="t-small" title=format::in_utc(&state.created)>{text}</p> })}
                    {encoders().into_iter().map(|text| view! { <p class="t-small t-mute">{text}</p> }).collect_view()}
                </section>
            }
        })
    }
}

/// What made the vectors, in words: a line for each encoder.
fn made_by(graph: &GraphStats) -> Vec<String> {
    if graph.parts.len() < 2 {
        return vec![tf("graph.vectors_by", &[("encoder", &graph.encoder)])];
    }
    let of = |part: &GraphPart| {
        let languages: Vec<String> = part
            .languages
            .iter()
            .map(|l| tag("language", l.tag()))
            .collect();
        let languages = format::list(&languages);
        tf(
            "graph.vectors_of",
            &[("languages", &languages), ("encoder", &part.encoder)],
        )
    };
    graph.parts.iter().map(of).collect()
}

fn state(app: App) -> Memo<Option<GraphState>> {
    Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().map(|ws| ws.graph_state.clone()))
    })
}

/// Why a graph is stale, in words.
fn reason(reason: &StaleReason) -> String {
    match reason {
        StaleReason::Grown { percent } => tf(
            "graph.stale_grown",
            &[("percent", &format!("{percent:.0}"))],
        ),
        StaleReason::Old { days } => tn("graph.stale_old", u64::from(*days)),
        StaleReason::DocumentsRemoved { documents } => tn("graph.stale_removed", *documents),
        StaleReason::TermsChanged { terms } => tn("graph.stale_terms", *terms),
        StaleReason::Unknown => t("graph.stale_unknown"),
    }
}

/// The changes that a graph which is not out of date does not contain yet.
fn news(state: &GraphState) -> String {
    tf(
        "graph.not_in_it",
        &[
            ("sentences", &tn("count.sentences", state.sentences.added)),
            ("terms", &tn("count.terms", state.terms.added)),
        ],
    )
}

/// The button that builds the graph again; while that is done, how far it is.
#[component]
pub fn Rebuild() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy("graph").or_else(|| app.busy("prepare")));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    move || {
        match working.get() {
        Some(_) => view! { <Cancellable task/> }.into_any(),
        None => view! {
            <button class="btn" id="rebuild-graph" title=t("graph.rebuild_tip") on:click=move |_| app.attempt(call(commands::BuildGraph { settings: None, encoder: None, by_language: None }), |_| ())>
                <Sign icon=Icon::Graph/>
                {t("graph.rebuild")}
            </button>
        }
        .into_any(),
    }
    }
}
