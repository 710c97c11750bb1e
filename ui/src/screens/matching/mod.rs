//! What matching will need, and what works until then.

use crate::components::empty::Empty;
use crate::components::icon::Icon;
use crate::i18n::t;
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;

/// Rules are matched with policies on the command line so far; regulations and policies can be imported and read here.
#[component]
pub fn Matching() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="head"><h1>{t("nav.match")}</h1></div>
        <Empty icon=Icon::Match title=t("match.empty") text=t("match.empty_text")>
            <button class="btn" on:click=move |_| app.import()>{t("action.import")}</button>
            <button class="btn ghost" on:click=move |_| app.go(Route::Training)>{t("match.to_training")}</button>
        </Empty>
    }
}
