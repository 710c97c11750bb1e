//! Figures as the interface writes them: 4,218 · .868 [.858, .878] · p .021 · 3 h 12 min.

pub use lexforge_domain::decimals::{change, p_value, share};
pub use lexforge_domain::grouped::grouped as count;

use crate::i18n::{Lang, lang, t, tag, text_in, tf};
use lexforge_domain::agreement::Interval;
use lexforge_domain::api::Preset;

/// An interval: `[.858, .878]`.
pub fn interval(low: f64, high: f64) -> String {
    format!("[{}, {}]", share(low), share(high))
}

/// An interval of a change: `[+.016, +.038]`.
pub fn change_interval(low: f64, high: f64) -> String {
    format!("[{}, {}]", change(low), change(high))
}

/// A share with two decimals: `.81`, `1.00`, `−.05`.
pub fn short_share(value: f64) -> String {
    let text = format!("{:.2}", value.abs());
    let short = text.strip_prefix('0').unwrap_or(&text);
    if value < 0.0 && short != ".00" {
        format!("−{short}")
    } else {
        short.to_owned()
    }
}

/// A level of agreement: `.81 [.76, .86]`; `–` where it is not defined.
pub fn level(at: Interval) -> String {
    let Some(value) = at.value else {
        return "–".to_owned();
    };
    match (at.low, at.high) {
        (Some(low), Some(high)) => format!(
            "{} [{}, {}]",
            short_share(value),
            short_share(low),
            short_share(high)
        ),
        _ => short_share(value),
    }
}

/// A mark of a scale from −1 to 1: `.4`, `1`.
pub fn tick(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text
        .trim_end_matches('0')
        .trim_end_matches('.')
        .replace('-', "−");
    match text.as_str() {
        "−0" | "" => "0".to_owned(),
        text => text.replacen("0.", ".", 1),
    }
}

/// A share as per cent with two decimals: `99.97 %`; the whole is `100 %`, which nothing short of it is rounded to.
pub fn percent(value: f64) -> String {
    if value == 1.0 {
        return "100 %".to_owned();
    }
    let hundredths = (value * 10_000.0).round();
    let hundredths = if value < 1.0 {
        hundredths.min(9_999.0)
    } else {
        hundredths
    };
    format!("{:.2} %", hundredths / 100.0)
}

/// A share counted in a few thousand simulated cases, as a whole per cent: `60 %`. A share below 1 is never shown as
/// `100 %`, and a share above 0 never as `0 %`.
pub fn whole_percent(value: f64) -> String {
    let whole = (value * 100.0).round();
    let whole = match value {
        value if value <= 0.0 => 0.0,
        value if value >= 1.0 => 100.0,
        _ => whole.clamp(1.0, 99.0),
    };
    format!("{whole:.0}\u{a0}%")
}

/// A small rate in scientific form: `2e-5`.
pub fn rate(value: f64) -> String {
    format!("{value:e}")
}

/// A rate with two significant digits: `7.2e-6`.
pub fn rate_short(value: f64) -> String {
    format!("{value:.1e}").replace(".0e", "e")
}

/// A figure that is known to two digits: `0.4`, `8.4`, `57`, `570`.
pub fn about(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value < 9.95 {
        return format!("{value:.1}");
    }
    let step = 10_f64.powf(value.log10().floor() - 1.0);
    count(((value / step).round() * step).round() as u64)
}

/// A large number in short: `4.7 M`, `8.19 B`.
pub fn amount(n: u64) -> String {
    match n {
        0..10_000 => count(n),
        10_000..1_000_000 => format!("{:.0} k", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} M", n as f64 / 1e6),
        _ => format!("{:.2} B", n as f64 / 1e9),
    }
}

/// Memory from MiB: `612 MB`, `4.1 GB`.
pub fn memory(mb: f64) -> String {
    if mb < 1000.0 {
        format!("{mb:.0} MB")
    } else {
        format!("{:.1} GB", mb / 1024.0)
    }
}

/// How much of how much, the latter with its unit: `4.1` of `15.2 GB`.
pub fn memory_of(mb: f64, of: f64) -> (String, String) {
    if of < 1000.0 {
        (format!("{mb:.0}"), memory(of))
    } else {
        (format!("{:.1}", mb / 1024.0), memory(of))
    }
}

/// The time of day so many seconds from now, here: `15:40`.
pub fn clock_after(seconds: f64) -> String {
    let date = js_sys::Date::new(&(js_sys::Date::now() + seconds * 1e3).into());
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}

/// The recipe of a run's label (`quick look · sft, sentence, token (candidates)`) in the interface's language.
pub fn recipe(label: &str) -> String {
    let name = label.split(" · ").next().unwrap_or(label);
    recipe_preset(label).map_or_else(|| name.to_owned(), |preset| tag("preset", preset.tag()))
}

/// The recipe that a run's label names.
pub fn recipe_preset(label: &str) -> Option<Preset> {
    Preset::of_label(label)
}

/// Words one after another: `answers, terms`.
pub fn list(words: &[String]) -> String {
    words.join(&t("list.comma"))
}

/// Whole sentences one after another: a blank between them, and none in Chinese.
pub fn sentences(sentences: &[String]) -> String {
    sentences_in(lang(), sentences)
}

fn sentences_in(lang: Lang, sentences: &[String]) -> String {
    sentences.join(&text_in(lang, "list.sentence").unwrap_or_default())
}

/// The tags of the stages that a run's label names.
pub fn recipe_stages(label: &str) -> Vec<&str> {
    let stages = label.split_once(" · ").map_or("", |(_, stages)| stages);
    stages
        .split(", ")
        .filter_map(|stage| stage.split(' ').next())
        .filter(|stage| !stage.is_empty())
        .collect()
}

/// A loss with three decimals.
pub fn loss(value: f64) -> String {
    format!("{value:.3}")
}

/// Seconds in words: `3 h 12 min`, `4 min`, `12 s`, `0.3 s`.
pub fn duration(seconds: f64) -> String {
    if (0.0..9.95).contains(&seconds) {
        return tf("time.s", &[("s", &format!("{seconds:.1}"))]);
    }
    let whole = seconds.max(0.0).round() as u64;
    let (hours, minutes) = (whole / 3600, whole / 60 % 60);
    if hours > 0 {
        tf(
            "time.h_min",
            &[("h", &hours.to_string()), ("min", &minutes.to_string())],
        )
    } else if whole >= 60 {
        tf("time.min", &[("min", &minutes.to_string())])
    } else {
        tf("time.s", &[("s", &whole.to_string())])
    }
}

/// The seconds that are left, which are estimated: as [`duration`], but whole and at least one.
pub fn left(seconds: f64) -> String {
    if seconds < 9.95 {
        tf("time.s", &[("s", &format!("{:.0}", seconds.max(1.0)))])
    } else {
        duration(seconds)
    }
}

/// Today, here, `YYYY-MM-DD`.
pub fn today() -> String {
    let now = js_sys::Date::new_0();
    format!(
        "{}-{:02}-{:02}",
        now.get_full_year(),
        now.get_month() + 1,
        now.get_date()
    )
}

/// A time stamp (RFC 3339, UTC) to the minute, by the clock and the calendar of this machine: `2026-11-21 08:44`.
pub fn minute(stamp: &str) -> String {
    // Tests run outside of a browser and have no clock of this kind: there it is told as it is written.
    if !cfg!(target_arch = "wasm32") {
        return as_written(stamp);
    }
    let date = js_sys::Date::new(&stamp.into());
    if date.get_time().is_nan() {
        return as_written(stamp);
    }
    format!(
        "{}-{:02}-{:02} {:02}:{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date(),
        date.get_hours(),
        date.get_minutes()
    )
}

fn as_written(stamp: &str) -> String {
    stamp.get(..16).unwrap_or(stamp).replace('T', " ")
}

/// The tooltip of a time: the same time in UTC, as it is in exports.
pub fn in_utc(stamp: &str) -> String {
    tf("time.utc", &[("time", &as_written(stamp))])
}

/// The first and last digits of a hash: `91c4…e2a0`.
pub fn short_hash(hash: &str) -> String {
    match (
        hash.get(..6),
        hash.len().checked_sub(4).and_then(|from| hash.get(from..)),
    ) {
        (Some(head), Some(tail)) if hash.len() > 12 => format!("{head}…{tail}"),
        _ => hash.to_owned(),
    }
}

/// Bytes: `1.4 MB`.
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.0} kB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests;
