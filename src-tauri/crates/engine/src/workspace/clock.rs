//! The time of day, as the workspace writes it.

use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

/// The time, RFC 3339, UTC, to the second.
pub(crate) fn now() -> String {
    let now = OffsetDateTime::now_utc();
    let whole = now.replace_nanosecond(0).unwrap_or(now);
    whole.format(&Rfc3339).unwrap_or_default()
}

/// The day, as the clock on the wall has it here: `2026-03-31`. Where the offset is not known, the day in UTC.
pub(crate) fn today() -> String {
    on_the_wall(OffsetDateTime::now_utc())
}

/// The day of a time that [`now`] wrote, as the clock on the wall had it here. `None` if it is no time.
pub(crate) fn day_here(stamp: &str) -> Option<String> {
    OffsetDateTime::parse(stamp, &Rfc3339).ok().map(on_the_wall)
}

fn on_the_wall(time: OffsetDateTime) -> String {
    let here = UtcOffset::local_offset_at(time).unwrap_or(UtcOffset::UTC);
    time.to_offset(here).date().to_string()
}
