//! A figure with its name below it.

use leptos::prelude::*;

/// The figure and its name.
pub fn stat(figure: String, name: String) -> impl IntoView {
    view! { <div class="stat"><b>{figure}</b><span>{name}</span></div> }
}
