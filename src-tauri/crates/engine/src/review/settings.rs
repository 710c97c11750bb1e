//! Settings of a workspace for its review.

use lexforge_domain::api::{PacketOrigin, ReviewPlan};
use lexforge_store::{Reader, Result};
use serde::de::DeserializeOwned;

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
    Ok(json_setting(reader, PLAN)?.unwrap_or_default())
}

/// The packet from which the workspace was made.
pub(super) fn origin(reader: &Reader) -> Result<Option<PacketOrigin>> {
    json_setting(reader, ORIGIN)
}

/// A setting in JSON; if it cannot be read, it counts as missing.
pub(super) fn json_setting<T: DeserializeOwned>(reader: &Reader, key: &str) -> Result<Option<T>> {
    Ok(reader
        .setting(key)?
        .and_then(|text| serde_json::from_str(&text).ok()))
}
