//! A place where nothing is yet: what it will show, and the step that leads there.

use super::icon::{Icon, Sign};
use leptos::prelude::*;

/// An empty state; its children are the buttons of the next step.
#[component]
pub fn Empty(
    /// Its sign.
    icon: Icon,
    /// What is missing.
    title: String,
    /// What to do.
    text: String,
    /// Buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <Sign icon/>
            <h2>{title}</h2>
            <p>{text}</p>
            {children.map(|children| view! { <div class="acts">{children()}</div> })}
        </div>
    }
}
