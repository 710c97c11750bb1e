//! What the model will confuse, and why two sentences are linked: one node among its neighbours, never the whole graph.

mod age;
pub mod calibration;
pub mod census;
mod details;
mod figures;
mod group;
mod layout;
mod legend;
mod measure;
pub mod names;
mod outline;
pub mod place;
mod search;
mod stage;
mod vectors_by;

use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::components::prepare::Prepare;
use crate::components::tabs::{Tab, Tabs};
use crate::fetched::Fetched;
use crate::i18n::{t, tn};
use crate::state::use_app;
use age::Rebuild;
use calibration::Calibration;
use details::Details;
use figures::Figures;
use legend::Legend;
use leptos::prelude::*;
use lexforge_domain::api::{DocumentRow, Neighbourhood, NodeRef, Rows, TermFilter};
use lexforge_domain::term::Term;
use outline::Outline;
use place::{Crumb, GraphTab};
use search::Search;
use stage::Stage;
use std::sync::Arc;

/// The screen.
#[component]
pub fn Graph() -> impl IntoView {
    let app = use_app();
    let built = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_some_and(|ws| ws.graph.is_some()))
    });
    move || {
        if built.get() {
            view! { <Built/> }.into_any()
        } else {
            view! {
                <div class="head"><h1>{t("nav.graph")}</h1></div>
                <Empty icon=Icon::Graph title=t("graph.empty") text=t("graph.empty_text")>
                    <Prepare primary=true/>
                </Empty>
            }
            .into_any()
        }
    }
}

#[component]
fn Built() -> impl IntoView {
    let app = use_app();
    let place = app.graph;
    let documents = Fetched::<Vec<DocumentRow>>::default();
    Effect::new(move |_| {
        app.changes.track();
        documents.refresh(call(commands::Documents {}));
    });
    begin(app);
    let size = move || {
        let graph = app
            .workspace
            .with(|ws| ws.as_ref().and_then(|ws| ws.graph.clone()));
        graph.map(|graph| {
            [
                tn("count.sentences", graph.sentences),
                tn("count.terms", graph.entities),
            ]
            .join(" · ")
        })
    };
    let none = Signal::derive(|| None);
    let tabs = vec![
        Tab {
            key: GraphTab::Neighbourhood,
            id: "tab-neighbourhood",
            name: t("graph.neighbourhood"),
            count: none,
        },
        Tab {
            key: GraphTab::Calibration,
            id: "tab-calibration",
            name: t("graph.calibration"),
            count: none,
        },
        Tab {
            key: GraphTab::Figures,
            id: "tab-figures",
            name: t("graph.figures"),
            count: none,
        },
    ];
    view! {
        <div class="head">
            <h1>{t("nav.graph")}</h1>
            <Tabs label=t("nav.graph") tabs now=place.tab/>
            <span class="t-mute clip graph-size">{size}</span>
            <div class="push row">
                {move || (place.tab.get() == GraphTab::Neighbourhood).then(|| view! { <Search documents/> })}
                <Rebuild/>
            </div>
        </div>
        {move || match place.tab.get() {
            GraphTab::Neighbourhood => view! { <Around documents/> }.into_any(),
            GraphTab::Calibration => view! { <Calibration/> }.into_any(),
            GraphTab::Figures => view! { <Figures/> }.into_any(),
        }}
    }
}

/// If there is no centre, the term that was looked at last becomes it, or else the term with the best score.
fn begin(app: crate::state::App) {
    let place = app.graph;
    let offered = Fetched::<Rows<Term>>::default();
    let wanted = Fetched::<Term>::default();
    Effect::new(move |_| {
        if place.trail.with(Vec::is_empty) {
            match app.term.get_untracked() {
                Some(id) => wanted.ask(async move {
                    call(commands::Term { id }).await.map(|detail| detail.term)
                }),
                None => offered.ask(call(commands::Terms {
                    filter: TermFilter {
                        limit: 1,
                        ..TermFilter::default()
                    },
                })),
            }
        }
    });
    Effect::new(move |_| {
        let best = offered
            .value
            .with(|rows| rows.as_ref().and_then(|rows| rows.rows.first().cloned()));
        if let Some(term) = wanted.value.get().or(best)
            && place.trail.with_untracked(Vec::is_empty)
        {
            place.centre(Crumb {
                node: NodeRef::term(term.id),
                name: term.text,
                language: term.language,
            });
        }
    });
}

/// One node among its neighbours.
#[component]
fn Around(documents: Fetched<Vec<DocumentRow>>) -> impl IntoView {
    let app = use_app();
    let place = app.graph;
    let found = Fetched::<Neighbourhood>::default();
    let request = Memo::new(move |_| place.request());
    Effect::new(move |_| {
        app.changes.track();
        if let Some(request) = request.get() {
            found.refresh(call(commands::Neighbourhood { request }));
        }
    });
    let failed = Signal::derive(move || found.failure.with(Option::is_some));
    // What is shown is about the centre: an answer about the one before stays in view only until this one's comes.
    let around = Memo::new(move |_| found.value.get().map(Arc::new));
    Effect::new(move |_| {
        let Some(what) = around.with(|around| Some(around.as_ref()?.nodes.first()?.what.clone()))
        else {
            return;
        };
        // A sentence is called by its clause, which the graph knows and the search did not.
        if let Some(known) = names::crumb(&what) {
            let last = place.trail.with_untracked(|trail| trail.last().cloned());
            if last.is_some_and(|last| last.node == known.node && last != known) {
                place.trail.update(|trail| {
                    if let Some(last) = trail.last_mut() {
                        *last = known;
                    }
                });
            }
        }
    });
    view! {
        <div class="panes graph">
            <aside class="pane quiet" aria-label=t("graph.filters") data-pane="list"><Legend found documents/></aside>
            <section class="stage" aria-label=t("graph.neighbourhood") data-pane="graph">
                <Trail/>
                {move || found.failure.get().map(|failure| view! {
                    <div class="pad">
                        <ErrorPanel failure>
                            <button class="btn sm" on:click=move |_| { place.back(); }>{t("graph.back")}</button>
                        </ErrorPanel>
                    </div>
                })}
                {move || if place.as_list.get() {
                    view! { <Outline around/> }.into_any()
                } else {
                    view! { <Stage around failed/> }.into_any()
                }}
            </section>
            <aside class="pane" aria-label=t("graph.details") aria-live="polite" data-pane="detail"><Details around failed/></aside>
        </div>
    }
}

/// The centres on the way here, and how far the picture reaches.
#[component]
fn Trail() -> impl IntoView {
    let place = use_app().graph;
    let crumbs = move || {
        let trail = place.trail.get();
        let last = trail.len().saturating_sub(1);
        // The nearest ones; those before are behind the button.
        trail
            .into_iter()
            .enumerate()
            .skip(last.saturating_sub(2))
            .map(|(at, crumb)| {
                let lang = lang_tag(crumb.language);
                if at == last {
                    view! { <b class="law cell clip" id="graph-centre" lang=lang aria-current="page" title=crumb.name.clone()>{crumb.name.clone()}</b> }
                        .into_any()
                } else {
                    view! {
                        <button class="link law cell clip" lang=lang title=crumb.name.clone() on:click=move |_| place.back_to(at)>{crumb.name.clone()}</button>
                        <Sign icon=Icon::Right small=true/>
                    }
                    .into_any()
                }
            })
            .collect_view()
    };
    let step = move |n: u8, name: String| {
        let set = move |_| {
            place.steps.set(n);
            place.begin_at_centre();
        };
        view! { <button id=format!("steps-{n}") aria-pressed=move || (place.steps.get() == n).to_string() on:click=set>{name}</button> }
    };
    view! {
        <div class="crumbs">
            <button class="btn icon sm" id="graph-back" title=t("graph.back") aria-label=t("graph.back")
                disabled=move || { place.trail.with(|trail| trail.len() < 2) } on:click=move |_| { place.back(); }>
                <Sign icon=Icon::Left/>
            </button>
            <nav class="row grow" aria-label=t("graph.trail")>{crumbs}</nav>
            <div class="seg" role="group" aria-label=t("graph.reach")>
                {step(1, t("graph.one_step"))}
                {step(2, t("graph.two_steps"))}
            </div>
            <button class="btn ghost sm" id="graph-as-list" aria-pressed=move || place.as_list.get().to_string()
                on:click=move |_| place.as_list.update(|on| *on = !*on)>
                {move || if place.as_list.get() { t("graph.as_picture") } else { t("graph.as_list") }}
            </button>
        </div>
    }
}
