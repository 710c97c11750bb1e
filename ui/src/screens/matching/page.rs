//! The page on which a rule or a statement stands, with its region marked.

use crate::components::icon::{Icon, Sign};
use crate::i18n::t;
use crate::place::Place;
use crate::reading::{Page, PageBar, use_reading};
use crate::state::use_app;
use leptos::prelude::*;

/// The page, its title, and the ways to the library and back.
#[component]
pub fn OpenPage() -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let place = app.matching;
    // Another screen may have turned to another page meanwhile.
    if let Some(spot) = place.open.get_untracked() {
        app.place.set(Place {
            document: Some(spot.document),
            page: spot.page,
            sentence: Some(spot.sentence),
        });
    }
    let title = move || {
        let document = place.open.with(|spot| spot.as_ref().map(|s| s.document));
        document
            .and_then(|id| reading.row(id))
            .map(|row| row.title)
            .unwrap_or_default()
    };
    let library = move |_| {
        if let Some(spot) = place.open.get_untracked() {
            app.open_sentence(spot.document, spot.page, Some(spot.sentence));
        }
    };
    view! {
        <div class="pane-head" id="match-page-head">
            <b class="clip" title=title>{title}</b>
            <div class="push row g-1">
                <button class="btn ghost icon sm" id="match-in-library" aria-label=t("answering.open_in_library") title=t("answering.open_in_library") on:click=library>
                    <Sign icon=Icon::Out/>
                </button>
                <button class="btn ghost icon sm" id="match-close-page" aria-label=t("match.close_page") title=t("match.close_page") on:click=move |_| place.open.set(None)>
                    <Sign icon=Icon::Close/>
                </button>
            </div>
        </div>
        <PageBar/>
        <Page/>
    }
}
