//! A list to choose one value or all from.

use leptos::prelude::*;

/// The choice; the first line stands for all.
#[component]
pub fn Picker(
    /// What the line for all says, also for a screen reader.
    all: String,
    /// Values and what they are called.
    #[prop(into)]
    choices: Signal<Vec<(String, String)>>,
    /// The value that is chosen now; none = all.
    #[prop(into)]
    now: Signal<Option<String>>,
    /// A value was chosen; empty = all.
    #[prop(into)]
    chosen: Callback<String>,
    #[prop(optional)] id: Option<&'static str>,
    /// What is chosen, for a screen reader, where the line for all does not say it.
    #[prop(optional, into)]
    label: Option<String>,
) -> impl IntoView {
    let label = label.unwrap_or_else(|| all.clone());
    let options = move || {
        let now = now.get();
        let line = |(value, name): (String, String)| {
            let selected = now.as_ref() == Some(&value);
            view! { <option value=value selected=selected>{name}</option> }
        };
        choices.get().into_iter().map(line).collect_view()
    };
    view! {
        <span class="picker">
            <select class="select" id=id aria-label=label on:change:target=move |event| chosen.run(event.target().value())>
                <option value="" selected=move || now.with(Option::is_none)>{all}</option>
                {options}
            </select>
        </span>
    }
}
