//! The time of day, as the workspace writes it.

/// The time, RFC 3339, UTC, to the second.
pub(crate) fn now() -> String {
    let now = time::OffsetDateTime::now_utc();
    let whole = now.replace_nanosecond(0).unwrap_or(now);
    whole
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap_or_default()
}

/// The day, as the clock on the wall has it here: `2026-03-31`. Where the offset is not known, the day in UTC.
pub(crate) fn today() -> String {
    let now = time::OffsetDateTime::now_utc();
    let here = time::UtcOffset::local_offset_at(now).unwrap_or(time::UtcOffset::UTC);
    now.to_offset(here).date().to_string()
}
