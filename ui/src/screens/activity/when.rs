//! Times as they are here.

use js_sys::Date;

/// Milliseconds of a day.
const DAY: f64 = 86_400_000.0;

/// A time stamp (RFC 3339, UTC) by the clock and the calendar of this machine, to the minute.
pub fn here(stamp: &str) -> String {
    let date = Date::new(&stamp.into());
    format!(
        "{}-{:02}-{:02} {:02}:{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date(),
        date.get_hours(),
        date.get_minutes()
    )
}

/// The midnight before today's first, second … day, as a time stamp (UTC): 0 is that of today.
pub fn midnight(days_ago: u32) -> String {
    let then = Date::new(&(Date::now() - f64::from(days_ago) * DAY).into());
    then.set_hours(0);
    then.set_minutes(0);
    then.set_seconds(0);
    then.set_milliseconds(0);
    then.to_iso_string().into()
}
