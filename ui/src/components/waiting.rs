//! What is being done, in words, for as long as it lasts.

use crate::state::use_app;
use leptos::prelude::*;

/// Says what was begun here while it is under way.
#[component]
pub fn Waiting(
    /// The words by which it was begun.
    words: String,
) -> impl IntoView {
    let waits = use_app().waits;
    move || {
        waits.has(&words).then(|| {
            view! { <span class="t-small waiting" role="status">{words.clone()}</span> }
        })
    }
}

/// Stands where something is being found, and says what.
#[component]
pub fn Coming(
    /// What is being done.
    words: String,
) -> impl IntoView {
    view! {
        <p class="t-small waiting" role="status">{words}</p>
        <div class="skel"></div>
        <div class="skel half"></div>
    }
}
