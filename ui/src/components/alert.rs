//! Messages without a place on the screen: a failure, and that the page had to be loaded again.

use super::error_panel::ErrorPanel;
use super::note::{Note, Tone};
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::PageEnd;

/// Shows the latest such failure, and how the page before this one ended, until the user closes them.
#[component]
pub fn Alert() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="alerts" aria-live="assertive">
            {move || app.ended.get().map(|how| view! { <LoadedAgain how/> })}
            {move || {
                app.failure
                    .get()
                    .map(|failure| {
                        view! {
                            <ErrorPanel failure>
                                <button class="btn sm" id="put-away" on:click=move |_| app.failure.set(None)>
                                    {t("error.put_away")}
                                </button>
                            </ErrorPanel>
                        }
                    })
            }}
        </div>
    }
}

/// The page's process ended by itself: says what is still there and what may be lost.
#[component]
fn LoadedAgain(how: PageEnd) -> impl IntoView {
    let app = use_app();
    let why = match how {
        PageEnd::Crashed => t("page_end.crashed"),
        PageEnd::OutOfMemory => t("page_end.out_of_memory"),
    };
    view! {
        <div id="loaded-again">
            <Note tone=Tone::Warn>
                <b>{why}</b>{t("list.sentence")}{t("page_end.kept")}
                <span class="row note-acts">
                    <button class="btn sm" on:click=move |_| app.ended.set(None)>{t("action.close")}</button>
                </span>
            </Note>
        </div>
    }
}
