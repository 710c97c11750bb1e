//! The screen of the questions: the queue in which they are decided (with triplets, and with sentences that get a
//! score), the conflicts of reviewers, and a table of all questions.

mod all;
mod by_endpoint;
pub mod detail;
mod estimate;
mod export;
mod filters;
mod items;
mod rejected;
mod similarity;
pub mod source;
pub mod triplets;

use crate::components::empty::Empty;
use crate::components::icon::Icon;
use crate::components::prepare::{Prepare, offers_prepare};
use crate::components::tabs::{Tab, Tabs};
use crate::i18n::t;
use crate::place::ReviewTab;
use crate::review::conflicts::Conflicts;
use crate::review::desk::Desk;
use crate::review::filter::QueueFilters;
use crate::review::queue::Queue;
use crate::state::{App, use_app};
use all::AllQuestions;
use by_endpoint::{ByEndpoint, Run};
use export::ExportSnapshot;
use items::Written;
use leptos::prelude::*;
use lexforge_domain::api::{QueueView, TripletFilter};
use lexforge_domain::review::SubjectKind;
use rejected::Rejected;
use similarity::{Similarity, SimilarityActs};
use triplets::{TripletActs, Triplets};

/// The screen.
#[component]
pub fn Questions() -> impl IntoView {
    let app = use_app();
    let any = Memo::new(move |_| {
        app.workspace.with(|ws| {
            ws.as_ref()
                .is_some_and(|ws| ws.questions + ws.triplets + ws.similarity > 0)
        })
    });
    let graph = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_some_and(|ws| ws.graph.is_some()))
    });
    let tab = app.questions_review.tab;
    // Triplets and pairs can be made without a question.
    let shown = Memo::new(move |_| {
        any.get() || matches!(tab.get(), ReviewTab::Triplets | ReviewTab::Similarity)
    });
    move || {
        if shown.get() {
            view! { <Reviewed graph/> }.into_any()
        } else {
            view! {
                <div class="head">
                    <h1>{t("nav.questions")}</h1>
                    <div class="push row">
                        <button class="btn" id="to-triplets" on:click=move |_| tab.set(ReviewTab::Triplets)>{t("triplets.title")}</button>
                        <button class="btn" id="to-similarity" on:click=move |_| tab.set(ReviewTab::Similarity)>{t("similarity.title")}</button>
                        {move || graph.get().then(|| view! { <ByEndpoint/> })}
                    </div>
                </div>
                <Run/>
                <Empty icon=Icon::Question title=t("questions.empty") text=t("questions.empty_text")>
                    <Prepare primary=true/>
                </Empty>
            }
            .into_any()
        }
    }
}

/// Without a question, what there is to review is shown.
fn show_what_there_is(app: App) {
    let only = app.workspace.with_untracked(|ws| match ws.as_ref() {
        Some(ws) if ws.questions > 0 => None,
        Some(ws) if ws.triplets > 0 => Some(SubjectKind::Triplet),
        Some(ws) if ws.similarity > 0 => Some(SubjectKind::Similarity),
        _ => None,
    });
    let filter = app.questions_review.filter;
    if let Some(kind) = only
        && filter.with_untracked(|filter| filter.kind == SubjectKind::Question)
    {
        filter.update(|filter| filter.kind = kind);
    }
}

/// The parts of the screen, with how much is in each.
fn tabs(app: App, desk: Desk) -> Vec<Tab<ReviewTab>> {
    let told = move |part: fn(&QueueView) -> u64| {
        Signal::derive(move || desk.view.value.with(|view| view.as_ref().map(part)))
    };
    let all = Signal::derive(move || app.workspace.with(|ws| ws.as_ref().map(|ws| ws.questions)));
    vec![
        Tab {
            key: ReviewTab::Queue,
            id: "tab-queue",
            name: t("review.queue"),
            count: told(|v| v.standing.to_do),
        },
        Tab {
            key: ReviewTab::Conflicts,
            id: "tab-conflicts",
            name: t("review.conflicts"),
            count: told(|v| v.conflicts),
        },
        Tab {
            key: ReviewTab::All,
            id: "tab-all",
            name: t("questions.all"),
            count: all,
        },
        Tab {
            key: ReviewTab::Rejected,
            id: "tab-rejected",
            name: t("rejected.title"),
            count: Signal::derive(|| None),
        },
        Tab {
            key: ReviewTab::Triplets,
            id: "tab-triplets",
            name: t("triplets.title"),
            count: Signal::derive(move || {
                app.workspace.with(|ws| ws.as_ref().map(|ws| ws.triplets))
            }),
        },
        Tab {
            key: ReviewTab::Similarity,
            id: "tab-similarity",
            name: t("similarity.title"),
            count: Signal::derive(move || {
                app.workspace.with(|ws| ws.as_ref().map(|ws| ws.similarity))
            }),
        },
    ]
}

/// Whether questions can be written from a part of the screen.
fn writes(tab: ReviewTab) -> bool {
    matches!(tab, ReviewTab::Queue | ReviewTab::All | ReviewTab::Rejected)
}

#[component]
fn Reviewed(graph: Memo<bool>) -> impl IntoView {
    let app = use_app();
    let place = app.questions_review;
    show_what_there_is(app);
    let desk = Desk::new(app, place.filter, place.shown);
    let tabs = tabs(app, desk);
    let exporting = RwSignal::new(false);
    let listed = RwSignal::new(TripletFilter::default());
    let frozen = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_some_and(|ws| ws.dataset.is_some()))
    });
    let prepares = offers_prepare(app, place.tab);
    view! {
        <div class="head many">
            <h1>{t("nav.questions")}</h1>
            <Tabs label=t("nav.questions") tabs now=place.tab/>
            <div class="push row head-acts">
                {move || (place.tab.get() == ReviewTab::Queue).then(|| view! { <QueueFilters filter=place.filter/> })}
                {move || (graph.get() && writes(place.tab.get())).then(|| view! { <ByEndpoint/> })}
                {move || (place.tab.get() == ReviewTab::Triplets).then(|| view! { <TripletActs filter=listed/> })}
                {move || (place.tab.get() == ReviewTab::Similarity).then(|| view! { <SimilarityActs/> })}
                {move || prepares.get().then(|| view! { <Prepare/> })}
                {move || (place.tab.get() == ReviewTab::All && frozen.get()).then(|| view! {
                    <button class="btn" id="export-dataset" on:click=move |_| exporting.set(true)>{t("dataset.export")}</button>
                })}
            </div>
        </div>
        <Run/>
        {move || matches!(place.tab.get(), ReviewTab::All | ReviewTab::Rejected).then(|| view! { <Written/> })}
        {move || exporting.get().then(|| view! { <ExportSnapshot close=move |()| exporting.set(false)/> })}
        {move || match place.tab.get() {
            ReviewTab::Queue => view! { <Queue desk place/> }.into_any(),
            ReviewTab::Conflicts => view! {
                <Conflicts kinds=&[SubjectKind::Question, SubjectKind::Triplet, SubjectKind::Similarity] place changed=move |()| desk.refresh(place.shown.get_untracked())/>
            }.into_any(),
            ReviewTab::All => view! { <AllQuestions/> }.into_any(),
            ReviewTab::Rejected => view! { <Rejected/> }.into_any(),
            ReviewTab::Triplets => view! { <Triplets filter=listed/> }.into_any(),
            ReviewTab::Similarity => view! { <Similarity/> }.into_any(),
        }}
    }
}
