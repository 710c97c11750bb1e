//! A box to tick, with its label.

use leptos::prelude::*;

/// The box; its children are the words.
#[component]
pub fn Check(
    #[prop(optional, into)] id: Option<String>,
    /// It is ticked.
    #[prop(into)]
    on: Signal<bool>,
    /// Called when the box is ticked or unticked.
    #[prop(into)]
    tick: Callback<bool>,
    /// Whether the box cannot be changed now.
    #[prop(optional, into)]
    off: Signal<bool>,
    /// Id of what explains it.
    #[prop(optional)]
    described: Option<&'static str>,
    /// The words.
    children: Children,
) -> impl IntoView {
    view! {
        <label class="check">
            <input
                type="checkbox"
                id=id
                aria-describedby=described
                disabled=move || off.get()
                prop:checked=move || on.get()
                on:change:target=move |event| tick.run(event.target().checked())
            />
            {children()}
        </label>
    }
}
