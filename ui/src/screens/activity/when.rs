//! Days as they are here.

use js_sys::Date;

/// Milliseconds of a day.
const DAY: f64 = 86_400_000.0;

/// The midnight before today's first, second … day, as a time stamp (UTC): 0 is that of today.
pub fn midnight(days_ago: u32) -> String {
    let then = Date::new(&(Date::now() - f64::from(days_ago) * DAY).into());
    then.set_hours(0);
    then.set_minutes(0);
    then.set_seconds(0);
    then.set_milliseconds(0);
    then.to_iso_string().into()
}
