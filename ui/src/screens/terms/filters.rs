//! Which terms are listed.

use crate::components::icon::{Icon, Sign};
use crate::i18n::{t, tag};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::term::FoundBy;

/// Words and class.
#[component]
pub fn Filters() -> impl IntoView {
    let app = use_app();
    let found = move || app.term_filter.with(|f| f.found);
    let chip = move |wanted: Option<FoundBy>, name: String| {
        view! {
            <button class="chip" aria-pressed=move || (found() == wanted).to_string() on:click=move |_| app.term_filter.update(|f| f.found = wanted)>
                {name}
            </button>
        }
    };
    view! {
        <div class="pane-head filters">
            <div class="search grow">
                <Sign icon=Icon::Search/>
                <input
                    class="input"
                    id="find"
                    type="search"
                    placeholder=t("terms.filter")
                    aria-label=t("terms.filter")
                    prop:value=app.term_filter.with_untracked(|f| f.query.clone().unwrap_or_default())
                    on:input:target=move |event| {
                        let text = event.target().value();
                        app.term_filter.update(|f| f.query = (!text.trim().is_empty()).then_some(text));
                    }
                />
            </div>
            {chip(None, t("action.all"))}
            {[FoundBy::Defined, FoundBy::Phrase, FoundBy::Abbreviation].map(|c| chip(Some(c), tag("found", c.tag()))).collect_view()}
        </div>
    }
}
