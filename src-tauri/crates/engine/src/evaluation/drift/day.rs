//! Times as days.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// A time in days; a text that is no time counts as long ago.
pub(super) fn day(time: &str) -> f64 {
    OffsetDateTime::parse(time, &Rfc3339).map_or(0.0, |t| t.unix_timestamp() as f64 / DAY)
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn a_day_later_is_one_more() {
        assert_eq!(
            day("2026-03-02T12:00:00Z") - day("2026-03-01T12:00:00Z"),
            1.0
        );
        assert_eq!(day("never"), 0.0);
    }
}
