//! The legend of the drawing. It is also the filter.

use super::age::{Age, QuestionsChanged, Stale};
use crate::components::check::Check;
use crate::components::field::Field;
use crate::components::picker::Picker;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::said::said;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{DocumentRow, Neighbourhood};
use lexforge_domain::graph::EdgeKind;

/// A line as it is drawn for a kind of edges.
#[component]
pub fn Sample(kind: EdgeKind) -> impl IntoView {
    let class = format!("edge {}", kind.tag());
    let arrow = kind
        .about()
        .directed
        .then(|| view! { <path class="head" d="M20 1l6 4-6 4z"></path> });
    let to = if arrow.is_some() { "21" } else { "26" };
    view! {
        <svg class=class width="28" height="10" viewBox="0 0 28 10" aria-hidden="true">
            <line x1="1" x2=to y1="5" y2="5"></line>
            {arrow}
        </svg>
    }
}

/// Kinds of edges with their counts, hubs, documents; and how old the graph is.
#[component]
pub fn Legend(
    /// What is shown.
    found: Fetched<Neighbourhood>,
    documents: Fetched<Vec<DocumentRow>>,
) -> impl IntoView {
    let place = use_app().graph;
    let kinds = EdgeKind::ORDER
        .map(|kind| view! { <Kind kind found/> })
        .collect_view();
    view! {
        <div class="scroll">
            <Stale/>
            <QuestionsChanged/>
            <section class="part">
                <h2>{t("graph.edges")}</h2>
                <div>{kinds}</div>
            </section>
            <section class="part">
                <h2>{t("graph.show")}</h2>
                <Fold/>
                <Check id="accepted-only" on=place.accepted tick=move |on: bool| { place.accepted.set(on); place.begin_at_centre(); }>
                    <span>{t("graph.accepted_only")}</span>
                </Check>
                <ChooseDocument documents/>
            </section>
            <Age/>
            <Bounds/>
        </div>
    }
}

/// The document whose part of the graph is shown, or all.
#[component]
fn ChooseDocument(documents: Fetched<Vec<DocumentRow>>) -> impl IntoView {
    let app = use_app();
    let place = app.graph;
    let choices = Signal::derive(move || {
        let named = |d: DocumentRow| {
            (
                d.id.to_string(),
                if d.title.is_empty() { d.file } else { d.title },
            )
        };
        documents
            .value
            .get()
            .unwrap_or_default()
            .into_iter()
            .map(named)
            .collect::<Vec<_>>()
    });
    let all = move || tn("graph.all_documents", app.documents());
    let failed = move || {
        let failure = documents.failure.get()?;
        let why = said(&failure.message);
        Some(tf("library.titles_failed", &[("why", &why)]))
    };
    view! {
        <Field id="graph-document" label=t("graph.documents")>
            {move || view! {
                <Picker
                    all=all()
                    id="graph-document"
                    choices
                    now=Signal::derive(move || place.document.get().map(|id| id.to_string()))
                    chosen=move |id: String| { place.document.set(id.parse().ok()); place.begin_at_centre(); }
                />
            }}
            {move || failed().map(|text| view! { <span class="hint" role="status">{text}</span> })}
        </Field>
    }
}

/// Between which bounds the terms of the graph are held to be similar.
#[component]
fn Bounds() -> impl IntoView {
    let app = use_app();
    view! {
        <section class="part">
            <p class="t-small t-mute">{move || {
                app.workspace.with(|ws| ws.as_ref().and_then(|ws| ws.graph.clone())).map(|graph| {
                    tf("graph.window", &[("low", &super::names::strength(graph.entity_low)), ("high", &super::names::strength(graph.entity_high))])
                })
            }}</p>
        </section>
    }
}

/// A kind of edges: how many there are here, and whether they are drawn.
#[component]
fn Kind(kind: EdgeKind, found: Fetched<Neighbourhood>) -> impl IntoView {
    let place = use_app().graph;
    let count = move || {
        let of = |around: &Neighbourhood| around.counts.get(&kind).copied().unwrap_or(0);
        let count = found.value.with(|around| around.as_ref().map(of));
        count.map(format::count)
    };
    let checked = move || place.kinds.with(|kinds| kinds.contains(&kind));
    let change = move |on: bool| {
        place.kinds.update(|kinds| {
            kinds.retain(|k| *k != kind);
            if on {
                kinds.push(kind);
            }
        });
        place.at.set(0);
        place.shown.set(None);
    };
    view! {
        <label class="kind" id=format!("kind-{}", kind.tag())>
            <span class="check">
                <input type="checkbox" prop:checked=checked on:change:target=move |event| change(event.target().checked())/>
            </span>
            <Sample kind/>
            <span><b>{tag("edge_name", kind.tag())}</b><small>{tag("edge_means", kind.tag())}</small></span>
            <span class="n">{count}</span>
        </label>
    }
}

/// Whether a node with many neighbours of one kind is folded, and from how many on.
#[component]
fn Fold() -> impl IntoView {
    let place = use_app().graph;
    view! {
        <div class="row between">
            <Check id="fold-hubs" on=place.fold tick=move |on: bool| { place.fold.set(on); place.begin_at_centre(); }>
                <span>{t("graph.fold_over")}</span>
            </Check>
            <input class="input short-field" id="fold-over" inputmode="numeric" aria-label=t("graph.fold_over")
                prop:value=move || place.fold_over.get().to_string()
                disabled=move || !place.fold.get()
                on:change:target=move |event| {
                    match event.target().value().trim().parse::<u32>() {
                        Ok(n) if n > 0 => { place.fold_over.set(n); place.begin_at_centre(); }
                        _ => event.target().set_value(&place.fold_over.get_untracked().to_string()),
                    }
                }/>
        </div>
    }
}
