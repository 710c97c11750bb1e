//! Where an item is in the review: sign and word.

use super::icon::{Icon, Sign};
use crate::i18n::tag;
use leptos::prelude::*;
use lexforge_domain::term::ReviewStatus;

#[component]
pub fn StatusBadge(
    /// The item's status.
    status: ReviewStatus,
) -> impl IntoView {
    let (class, icon) = match status {
        ReviewStatus::Unreviewed => ("badge", None),
        ReviewStatus::Accepted => ("badge ok", Some(Icon::Check)),
        ReviewStatus::Rejected => ("badge bad", Some(Icon::Close)),
        ReviewStatus::Merged => ("badge info", Some(Icon::Merge)),
        ReviewStatus::Conflict => ("badge warn", Some(Icon::Warning)),
    };
    view! { <span class=class>{icon.map(|icon| view! { <Sign icon small=true/> })}{tag("status", status.tag())}</span> }
}
