//! What answers will need, and what works until then.

use crate::components::empty::Empty;
use crate::components::icon::Icon;
use crate::i18n::t;
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;

/// Answers with their pages come with a language model; the corpus can be searched now.
#[component]
pub fn Ask() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="head"><h1>{t("nav.ask")}</h1></div>
        <Empty icon=Icon::Ask title=t("ask.empty") text=t("ask.empty_text")>
            <button class="btn" on:click=move |_| app.go(Route::Library)>{t("ask.search")}</button>
        </Empty>
    }
}
