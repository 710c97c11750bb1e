//! How a term was found.

use crate::components::icon::{Icon, Sign};
use leptos::prelude::*;

/// How a term was found.
#[component]
pub fn FoundBadge(
    /// The way in which it was found.
    found: lexforge_domain::term::FoundBy,
) -> impl IntoView {
    let defined = found == lexforge_domain::term::FoundBy::Defined;
    view! {
        <span class=if defined { "badge ok" } else { "badge" }>
            {defined.then(|| view! { <Sign icon=Icon::Check small=true/> })}
            {crate::i18n::tag("found", found.tag())}
        </span>
    }
}
