//! A field under its name.

use leptos::html::Input;
use leptos::prelude::*;

/// The name, the field, and what it takes.
#[component]
pub fn Field(
    /// The id that the field has.
    #[prop(into)]
    id: String,
    /// What it is called.
    label: String,
    /// What it takes.
    #[prop(optional)]
    hint: Option<String>,
    /// The field itself.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=id>{label}</label>
            {children()}
            {hint.map(|hint| view! { <span class="hint">{hint}</span> })}
        </div>
    }
}

/// What was typed into a field, as it is there.
pub fn typed(field: NodeRef<Input>) -> String {
    field
        .get_untracked()
        .map(|field| field.value())
        .unwrap_or_default()
}
