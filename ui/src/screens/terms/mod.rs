//! Terms: the queue in which they are decided, the conflicts of reviewers, and the table of all of them.

mod all;
mod batch;
mod by_endpoint;
mod detail;
mod doubtful;
mod filters;
mod found_badge;

use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::icon::Icon;
use crate::components::menu::{Item, Menu};
use crate::components::note::{Note, Tone};
use crate::components::prepare::{Prepare, offers_prepare};
use crate::components::tabs::{Tab, Tabs};
use crate::format;
use crate::i18n::{t, tf};
use crate::place::ReviewTab;
use crate::review::conflicts::Conflicts;
use crate::review::desk::Desk;
use crate::review::filter::QueueFilters;
use crate::review::packets::{self, PacketForm};
use crate::review::queue::Queue;
use crate::state::{App, use_app};
use all::AllTerms;
use by_endpoint::FindByEndpoint;
use doubtful::Doubtful;
use leptos::prelude::*;
use lexforge_domain::api::{PacketOrigin, QueueView};
use lexforge_domain::review::SubjectKind;

/// The screen.
#[component]
pub fn Terms() -> impl IntoView {
    let app = use_app();
    let any = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_some_and(|ws| ws.terms > 0))
    });
    move || {
        if any.get() {
            view! { <Reviewed/> }.into_any()
        } else {
            view! {
                <div class="head"><h1>{t("nav.terms")}</h1></div>
                <Empty icon=Icon::Terms title=t("terms.empty") text=t("terms.empty_text")>
                    <Prepare primary=true/>
                </Empty>
            }
            .into_any()
        }
    }
}

#[component]
fn Reviewed() -> impl IntoView {
    let app = use_app();
    let place = app.terms_review;
    let desk = Desk::new(app, place.filter, place.shown);
    let tabs = tabs(app, desk);
    let to_do = told(desk, |view| view.standing.to_do);
    let origin = Memo::new(move |_| {
        app.people
            .with(|people| people.as_ref().and_then(|people| people.packet.clone()))
    });
    let exporting = RwSignal::new(false);
    let finding = RwSignal::new(false);
    let doubting = RwSignal::new(false);
    let deeds = deeds(app, finding, doubting);
    let export = move || {
        if origin.with(Option::is_some) {
            // In the queue, the primary deed is to decide, as long as something is left.
            let ready = place.tab.get() != ReviewTab::Queue || to_do.get() == Some(0);
            let class = if ready { "btn primary" } else { "btn" };
            view! { <button class=class id="write-answer" on:click=move |_| packets::answer(app)>{t("packet.answer")}</button> }
                .into_any()
        } else {
            view! { <button class="btn" id="export-packet" on:click=move |_| exporting.set(true)>{t("packet.export")}</button> }
                .into_any()
        }
    };
    let prepares = offers_prepare(app, place.tab);
    view! {
        <div class="head">
            <h1>{t("nav.terms")}</h1>
            <Tabs label=t("nav.terms") tabs now=place.tab/>
            <div class="push row head-acts">
                {move || (place.tab.get() == ReviewTab::Queue).then(|| view! { <QueueFilters filter=place.filter/> })}
                {move || prepares.get().then(|| view! { <Prepare/> })}
                {export}
                <Menu id="terms-more" name=t("action.more") items=deeds/>
            </div>
        </div>
        {move || origin.get().map(|origin| view! { <Origin origin/> })}
        {move || match place.tab.get() {
            ReviewTab::Queue => view! { <Queue desk place/> }.into_any(),
            ReviewTab::Conflicts => view! {
                <Conflicts kinds=&[SubjectKind::Term, SubjectKind::Pair] place changed=move |()| desk.refresh(place.shown.get_untracked())/>
            }.into_any(),
            ReviewTab::All | ReviewTab::Rejected | ReviewTab::Triplets | ReviewTab::Similarity => {
                view! { <AllTerms/> }.into_any()
            }
        }}
        {move || finding.get().then(|| view! { <FindByEndpoint close=move |()| finding.set(false)/> })}
        {move || doubting.get().then(|| view! { <Doubtful filter=place.filter.get_untracked() close=move |()| doubting.set(false)/> })}
        {move || exporting.get().then(|| {
            let held = desk.view.value.with_untracked(|view| view.as_ref().map_or(0, |view| view.standing.total));
            view! { <PacketForm filter=place.filter.get_untracked() held close=move |()| exporting.set(false)/> }
        })}
    }
}

/// A figure of the queue.
fn told(desk: Desk, part: fn(&QueueView) -> u64) -> Signal<Option<u64>> {
    Signal::derive(move || desk.view.value.with(|view| view.as_ref().map(part)))
}

fn tabs(app: App, desk: Desk) -> Vec<Tab<ReviewTab>> {
    vec![
        Tab {
            key: ReviewTab::Queue,
            id: "tab-queue",
            name: t("review.queue"),
            count: told(desk, |view| view.standing.to_do),
        },
        Tab {
            key: ReviewTab::Conflicts,
            id: "tab-conflicts",
            name: t("review.conflicts"),
            count: told(desk, |view| view.conflicts),
        },
        Tab {
            key: ReviewTab::All,
            id: "tab-all",
            name: t("terms.all"),
            count: Signal::derive(move || app.workspace.with(|ws| ws.as_ref().map(|ws| ws.terms))),
        },
    ]
}

/// What can be done with all terms.
fn deeds(app: App, finding: RwSignal<bool>, doubting: RwSignal<bool>) -> Vec<Item> {
    let item = |id, icon, name, run: Callback<()>| Item {
        id,
        icon,
        name,
        run,
    };
    let mut deeds = vec![
        item(
            "find-terms-by",
            Icon::Search,
            t("terms.find_by_model"),
            Callback::new(move |()| finding.set(true)),
        ),
        item(
            "list-doubtful",
            Icon::Warning,
            t("terms.doubtful"),
            Callback::new(move |()| doubting.set(true)),
        ),
        item(
            "find-confusables",
            Icon::Match,
            t("terms.find_confusables"),
            Callback::new(move |()| app.attempt(call(commands::FindConfusables {}), |_| ())),
        ),
    ];
    deeds.extend(packets::items(app, true));
    deeds
}

/// Says that the workspace was made from a packet: for which person, and from which workspace.
#[component]
fn Origin(origin: PacketOrigin) -> impl IntoView {
    let text = tf(
        "packet.origin",
        &[
            ("person", &origin.person),
            ("workspace", &origin.workspace),
            ("hash", &format::short_hash(&origin.packet)),
        ],
    );
    view! { <div class="remark-row" id="packet-origin"><Note tone=Tone::Info>{text}</Note></div> }
}
