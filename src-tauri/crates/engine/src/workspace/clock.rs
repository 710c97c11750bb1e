//! The time of day, as the workspace writes it.

/// The time, RFC 3339, UTC, to the second.
pub(crate) fn now() -> String {
    let now = time::OffsetDateTime::now_utc();
    let whole = now.replace_nanosecond(0).unwrap_or(now);
    whole
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap_or_default()
}
