//! The field at the head of a list in which one types what is looked for.

use super::icon::{Icon, Sign};
use leptos::prelude::*;

/// The field.
#[component]
pub fn Find(
    /// Its name for a screen reader.
    label: String,
    /// The text of the field while it is empty.
    #[prop(into)]
    hint: Signal<String>,
    #[prop(into)] text: Signal<String>,
    /// Something was typed.
    #[prop(into)]
    typed: Callback<String>,
) -> impl IntoView {
    view! {
        <div class="search grow">
            <Sign icon=Icon::Search/>
            <input
                class="input"
                id="find"
                type="search"
                placeholder=move || hint.get()
                aria-label=label
                prop:value=move || text.get()
                on:input:target=move |event| typed.run(event.target().value())
            />
        </div>
    }
}

/// The search text of a typed text. `None` if it consists only of blanks.
pub fn wanted(text: String) -> Option<String> {
    (!text.trim().is_empty()).then_some(text)
}
