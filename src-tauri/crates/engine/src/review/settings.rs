//! Settings of a workspace for its review.

use lexforge_domain::api::{PacketOrigin, ReviewPlan};
use lexforge_store::{Reader, Result};

/// Setting that holds the plan.
pub(super) const PLAN: &str = "review.plan";
/// Setting that says from which packet a workspace was made.
pub(super) const ORIGIN: &str = "review.packet";
/// Setting that holds the items of the packet from which a workspace was made.
pub(super) const ITEMS: &str = "review.items";
/// Setting that holds the questions that a person should look at first.
pub(crate) const FIRST_IN_REVIEW: &str = "review.first";

/// The setting in which an account of the operating system keeps whom it chose.
pub(super) fn chosen() -> String {
    let account = ["USER", "USERNAME", "LOGNAME"]
        .into_iter()
        .find_map(|key| std::env::var(key).ok().filter(|name| !name.is_empty()))
        .unwrap_or_else(|| "local user".to_owned());
    format!("review.me {account}")
}

/// The plan of the review.
pub(crate) fn plan(reader: &Reader) -> Result<ReviewPlan> {
    Ok(reader.json_setting(PLAN)?.unwrap_or_default())
}

/// The packet from which the workspace was made.
pub(super) fn origin(reader: &Reader) -> Result<Option<PacketOrigin>> {
    reader.json_setting(ORIGIN)
}
