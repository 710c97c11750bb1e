//! The screen that shows rules next to the statements of policies: how much the rules are covered, chapter by chapter,
//! which rules are not covered, and the decisions of people.

mod actions;
mod brought;
mod by_method;
mod chapters;
mod choose;
mod coverage;
pub mod deeds;
mod detail;
mod differences;
mod failed;
mod head;
mod history;
mod keys;
mod link;
mod list;
mod marks;
mod nearest;
mod page;
pub mod place;
mod proposed;
mod remark;
mod running;
mod strip;
mod summary;
mod taken;
mod texts;
mod words;

use crate::components::error_panel::ErrorPanel;
use crate::components::waiting::Coming;
use crate::i18n::t;
use crate::reading::Reading;
use crate::state::use_app;
use actions::Actions;
use brought::Brought;
use choose::Choose;
use deeds::refresh;
use detail::Detail;
use failed::Failed;
use head::Head;
use leptos::prelude::*;
use link::Link;
use list::List;
use page::OpenPage;
use place::Over;
use remark::Remark;
use strip::Strip;
use summary::Summary;

/// The screen.
#[component]
pub fn Matching() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let reading = Reading::begin(app);
    provide_context(reading);
    keys::listen(reading);
    Effect::new(move |_| {
        app.changes.track();
        refresh(app);
    });
    // A newer matching may not have the rule that was shown; then the rule is no longer listed.
    Effect::new(move |_| {
        let rules = place.overview.value.with(|overview| {
            let rows = overview.iter().flatten().flat_map(|o| &o.rows);
            rows.map(|row| row.rule.id).collect::<Vec<_>>()
        });
        let shown = place.shown.get_untracked();
        if shown.is_none_or(|shown| !rules.contains(&shown)) {
            place.shown.set(rules.first().copied());
        }
    });
    Effect::new(move |_| {
        if let Some(rule) = place.shown.get() {
            place.detail.ask(crate::backend::call(
                crate::backend::commands::MatchedRule { rule },
            ));
        }
    });
    let matched = Memo::new(move |_| {
        place
            .overview
            .value
            .with(|o| o.as_ref().map(Option::is_some))
    });
    let choosing = Memo::new(move |_| place.choosing.get());
    let body = move || {
        match (matched.get(), choosing.get()) {
        (None, _) => view! {
            {move || place.overview.failure.get().map(|failure| view! {
                <div class="pad"><ErrorPanel failure>
                    <button class="btn sm" on:click=move |_| refresh(app)>{t("action.again")}</button>
                </ErrorPanel></div>
            })}
            {move || place.overview.failure.with(Option::is_none).then(|| view! { <div class="pad"><Coming words=t("wait.matching")/></div> })}
        }
        .into_any(),
        (Some(true), false) => view! { <Matched/> }.into_any(),
        _ => view! { <Choose/> }.into_any(),
    }
    };
    view! {
        <Head/>
        {body}
        <div class="sr" role="status" aria-live="polite" id="match-said">{move || place.said.get()}</div>
    }
}

/// Counts, list, one rule, and the page where one is open.
#[component]
fn Matched() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let open = Memo::new(move |_| place.open.with(Option::is_some));
    view! {
        <Strip/>
        <Failed/>
        <div class="panes matching" class:reading=move || open.get()>
            <aside class="pane quiet m-map" aria-label=t("match.coverage") data-pane="map">
                <Summary/>
            </aside>
            <section class="pane m-list" aria-label=t("match.rules") data-pane="list">
                <List/>
            </section>
            <section class="pane ground m-work" aria-label=t("match.rule") data-pane="rule">
                <Detail/>
            </section>
            {move || open.get().then(|| view! {
                <section class="pane m-page" aria-label=t("answering.cited_page") data-pane="page">
                    <OpenPage/>
                </section>
            })}
            <Actions/>
        </div>
        {move || match place.over.get() {
            Some(Over::Link(verdict)) => view! { <Link verdict/> }.into_any(),
            Some(Over::Remark(field)) => view! { <Remark field/> }.into_any(),
            Some(Over::Brought) => view! { <Brought/> }.into_any(),
            Some(Over::Correct) | None => ().into_any(),
        }}
    }
}
