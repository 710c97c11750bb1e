//! How well sentences and terms are linked: how many links each has, terms that are nearly everywhere, sentences
//! without links.

use super::place::{Crumb, GraphTab};
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::law::lang_tag;
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{DegreeDistribution, GraphCensus, HubEntity, IsolatedSentence, NodeRef};
use lexforge_domain::graph::{NodeClass, TypeOrigin};
use lexforge_domain::text::Language;
use std::collections::BTreeMap;

/// Hubs, and sentences alone, that are listed before the rest is asked for.
const LISTED: usize = 12;

/// A distribution of degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Degrees {
    Sentences,
    Mentions,
    Similar,
    Candidates,
}

impl Degrees {
    const ALL: [Self; 4] = [
        Self::Sentences,
        Self::Mentions,
        Self::Similar,
        Self::Candidates,
    ];

    fn tag(self) -> &'static str {
        match self {
            Self::Sentences => "sentences",
            Self::Mentions => "mentions",
            Self::Similar => "similar",
            Self::Candidates => "candidates",
        }
    }

    fn of(self, census: &GraphCensus) -> &DegreeDistribution {
        match self {
            Self::Sentences => &census.sentence_degrees,
            Self::Mentions => &census.entity_mentions,
            Self::Similar => &census.entity_similar,
            Self::Candidates => &census.candidates,
        }
    }
}

/// The tags of the distributions, for the locale files.
pub fn degree_tags() -> [&'static str; 4] {
    Degrees::ALL.map(Degrees::tag)
}

/// The census of the newest build.
#[component]
pub fn Census() -> impl IntoView {
    let app = use_app();
    let found = Fetched::<GraphCensus>::default();
    Effect::new(move |_| {
        app.changes.track();
        found.refresh(call(commands::GraphCensus {}));
    });
    move || match (found.failure.get(), found.value.get()) {
        (Some(failure), _) => view! { <ErrorPanel failure/> }.into_any(),
        (None, None) => view! { <Coming words=t("wait.census")/> }.into_any(),
        (None, Some(census)) => view! { <Shown census/> }.into_any(),
    }
}

#[component]
fn Shown(census: GraphCensus) -> impl IntoView {
    let which = RwSignal::new(Degrees::Sentences);
    let degrees = StoredValue::new(census.clone());
    let choice = Degrees::ALL
        .map(|degrees| {
            view! { <button aria-pressed=move || (which.get() == degrees).to_string() on:click=move |_| which.set(degrees)>{tag("degrees", degrees.tag())}</button> }
        })
        .collect_view();
    let bins = move || degrees.with_value(|census| table(which.get().of(census)));
    view! {
        <section class="card" id="graph-degrees">
            <div class="card-head"><h2>{t("graph.degrees")}</h2></div>
            <div class="card-body stack g-3">
                <div class="seg self-start" role="group" aria-label=t("graph.degrees")>{choice}</div>
                <p class="t-small t-mute">{move || tag("degrees_mean", which.get().tag())}</p>
                {bins}
            </div>
        </section>
        <Hubs hubs=census.hubs count=census.hub_count/>
        <Isolated sentences=census.isolated count=census.isolated_count/>
        <Kinds classes=census.classes types=census.types/>
    }
}

/// The terms with the most sentences; a press puts one in the centre.
#[component]
fn Hubs(
    hubs: Vec<HubEntity>,
    /// How many there are; the first of them are listed.
    count: u64,
) -> impl IntoView {
    let place = use_app().graph;
    let none = hubs.is_empty();
    let more = count.saturating_sub(LISTED as u64);
    let rows = hubs
        .into_iter()
        .take(LISTED)
        .map(|hub| {
            let (id, name) = (hub.term, hub.text.clone());
            view! {
                <tr>
                    <td>
                        <button class="link law cell" on:click=move |_| {
                            place.centre(Crumb { node: NodeRef::term(id), name: name.clone(), language: Language::Other });
                            place.tab.set(GraphTab::Neighbourhood);
                        }>{hub.text}</button>
                    </td>
                    <td class="num">{format::count(hub.sentences)}</td>
                    <td class="num">{format::percent(hub.share)}</td>
                    <td class="num">{format::count(hub.similar)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section class="card" id="graph-hubs">
            <div class="card-head"><h2>{t("graph.hubs")}</h2><span class="t-small t-mute">{tn("count.terms", count)}</span></div>
            <div class="card-body stack">
                <p class="t-small t-mute">{t("graph.hubs_mean")}</p>
                {if none {
                    view! { <p>{t("graph.no_hubs")}</p> }.into_any()
                } else {
                    view! {
                        <table class="table">
                            <thead><tr><th>{t("graph.term")}</th><th class="num">{t("graph.sentences")}</th><th class="num">{t("graph.share")}</th><th class="num">{t("graph.similar_terms")}</th></tr></thead>
                            <tbody>{rows}</tbody>
                        </table>
                    }.into_any()
                }}
                {(more > 0).then(|| view! { <p class="t-small t-mute">{tn("graph.and_more", more)}</p> })}
            </div>
        </section>
    }
}

/// Sentences without an edge; a press opens the page of one.
#[component]
fn Isolated(
    sentences: Vec<IsolatedSentence>,
    /// How many there are; the first of them are listed.
    count: u64,
) -> impl IntoView {
    let app = use_app();
    let more = count.saturating_sub(sentences.len().min(LISTED) as u64);
    let listed = sentences
        .into_iter()
        .take(LISTED)
        .map(|one| {
            let (document, page, id) = (one.document, one.page, one.sentence);
            view! {
                <li>
                    <button class="member" title=t("graph.opens_page") on:click=move |_| app.open_sentence(document, page, Some(id))>
                        <span class="law cell two-lines" lang=lang_tag(Language::Other)>{one.text}</span>
                        <span class="t-small t-mute">{tf("count.page_n", &[("n", &page.to_string())])}</span>
                    </button>
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="card" id="graph-isolated">
            <div class="card-head"><h2>{t("graph.isolated")}</h2><span class="t-small t-mute">{tn("count.sentences", count)}</span></div>
            <div class="card-body stack">
                {(count == 0).then(|| view! { <p>{t("graph.none_isolated")}</p> })}
                <ul class="members">{listed}</ul>
                {(more > 0).then(|| view! { <p class="t-small t-mute">{tn("graph.and_more", more)}</p> })}
            </div>
        </section>
    }
}

/// How many sentences are of each class, and how many types come from where.
#[component]
fn Kinds(classes: BTreeMap<NodeClass, u64>, types: BTreeMap<TypeOrigin, u64>) -> impl IntoView {
    let classes = classes
        .into_iter()
        .map(|(class, n)| view! { <dt>{tag("node_class", class.tag())}</dt><dd class="num">{format::count(n)}</dd> })
        .collect_view();
    let origins = types
        .into_iter()
        .map(|(origin, n)| view! { <dt>{tag("type_origin", origin.tag())}</dt><dd class="num">{format::count(n)}</dd> })
        .collect_view();
    view! {
        <section class="card">
            <div class="card-head"><h2>{t("graph.classes")}</h2></div>
            <div class="card-body two">
                <dl class="kv">{classes}</dl>
                <dl class="kv">{origins}</dl>
            </div>
        </section>
    }
}

/// How many nodes have so many edges, as bars.
fn table(degrees: &DegreeDistribution) -> impl IntoView + use<> {
    let most = degrees
        .bins
        .iter()
        .map(|(.., n)| *n)
        .max()
        .unwrap_or(0)
        .max(1);
    let rows = degrees
        .bins
        .iter()
        .map(|(from, to, n)| {
            let name = if from == to {
                format::count(*from)
            } else {
                format!("{} – {}", format::count(*from), format::count(*to))
            };
            let part = format!("{:.1}%", *n as f64 / most as f64 * 100.0);
            view! {
                <tr>
                    <td class="num">{name}</td>
                    <td class="bar-cell"><span class="bar" style=("--part", part)><i></i></span></td>
                    <td class="num">{format::count(*n)}</td>
                </tr>
            }
        })
        .collect_view();
    let figures = tf(
        "graph.degree_figures",
        &[
            ("mean", &format!("{:.1}", degrees.mean)),
            ("median", &format::count(degrees.median)),
            ("most", &format::count(degrees.most)),
        ],
    );
    view! {
        <table class="table tight">
            <thead><tr><th class="num">{t("graph.degree")}</th><th></th><th class="num">{t("graph.nodes")}</th></tr></thead>
            <tbody>{rows}</tbody>
        </table>
        <p class="t-small">{figures}</p>
    }
}
