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
mod tests {
    use super::*;

    #[test]
    fn a_pace_has_no_more_digits_than_it_knows() {
        for (value, text) in [
            (571.4, "570"),
            (1234.0, "1,200"),
            (57.1, "57"),
            (9.96, "10"),
            (8.37, "8.4"),
            (0.0, "0.0"),
        ] {
            assert_eq!(about(value), text);
        }
    }

    #[test]
    fn no_blank_stands_between_two_chinese_sentences() {
        for (lang, both) in [
            (Lang::En, ["Not yet.", "Ask."]),
            (Lang::Zh, ["尚无。", "请提问。"]),
        ] {
            let blank = if lang == Lang::En { " " } else { "" };
            assert_eq!(
                sentences_in(lang, &both.map(str::to_owned)),
                format!("{}{blank}{}", both[0], both[1])
            );
        }
        assert_eq!(sentences_in(Lang::En, &["Not yet.".to_owned()]), "Not yet.");
    }

    #[test]
    fn only_the_whole_is_a_hundred_per_cent() {
        for (value, text) in [
            (1.0, "100 %"),
            (0.99999, "99.99 %"),
            (0.4932, "49.32 %"),
            (0.0, "0.00 %"),
        ] {
            assert_eq!(percent(value), text);
        }
    }

    #[test]
    fn what_was_drawn_is_told_in_whole_per_cent() {
        for (value, text) in [
            (1.0, "100\u{a0}%"),
            (0.9995, "99\u{a0}%"),
            (0.604, "60\u{a0}%"),
            (0.0005, "1\u{a0}%"),
            (0.0, "0\u{a0}%"),
        ] {
            assert_eq!(whole_percent(value), text);
        }
    }

    #[test]
    fn what_is_left_is_told_in_whole_seconds() {
        crate::i18n::speak(Lang::En);
        for (seconds, text) in [(0.2, "1 s"), (8.6, "9 s"), (12.3, "12 s"), (90.0, "1 min")] {
            assert_eq!(left(seconds), text);
        }
    }

    #[test]
    fn counts_are_grouped() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (98_204, "98,204"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(count(n), text);
        }
    }

    #[test]
    fn intervals_are_in_brackets() {
        assert_eq!(interval(0.858, 0.878), "[.858, .878]");
        assert_eq!(change_interval(-0.026, 0.008), "[−.026, +.008]");
    }

    #[test]
    fn levels_have_two_decimals() {
        let at = |value| Interval {
            value,
            low: Some(0.76),
            high: Some(0.86),
            undefined: None,
        };
        assert_eq!(level(at(Some(0.81))), ".81 [.76, .86]");
        assert_eq!(level(at(None)), "–");
        for (value, text) in [
            (0.8, ".8"),
            (1.0, "1"),
            (0.85, ".85"),
            (0.0, "0"),
            (-0.2, "−.2"),
        ] {
            assert_eq!(tick(value), text);
        }
    }

    #[test]
    fn large_numbers_and_memory_are_short() {
        for (n, text) in [
            (960, "960"),
            (65_536, "66 k"),
            (4_718_592, "4.7 M"),
            (8_190_000_000, "8.19 B"),
        ] {
            assert_eq!(amount(n), text);
        }
        assert_eq!(
            (memory(612.4), memory(4198.4)),
            ("612 MB".to_owned(), "4.1 GB".to_owned())
        );
        assert_eq!(
            memory_of(300.0, 15_564.8),
            ("0.3".to_owned(), "15.2 GB".to_owned())
        );
        assert_eq!(
            (rate_short(7.249e-6), rate_short(1e-5)),
            ("7.2e-6".to_owned(), "1e-5".to_owned())
        );
    }

    #[test]
    fn a_runs_label_is_told_in_words() {
        crate::i18n::speak(Lang::En);
        let label = "TermGPT paper · sft, sentence, token (paper)";
        assert_eq!(recipe_stages(label), ["sft", "sentence", "token"]);
        assert_eq!(recipe(label), tag("preset", "termgpt_paper"));
        assert_eq!(recipe_stages("encoder · sentence stage"), ["sentence"]);
        assert_eq!(
            (
                recipe("an older recipe"),
                recipe_stages("an older recipe").len()
            ),
            ("an older recipe".to_owned(), 0)
        );
    }

    #[test]
    fn hashes_and_stamps_are_shortened() {
        assert_eq!(short_hash("0123456789abcdef"), "012345…cdef");
        assert_eq!(short_hash("0123"), "0123");
        assert_eq!(minute("2026-11-21T07:44:10Z"), "2026-11-21 07:44");
    }
}
