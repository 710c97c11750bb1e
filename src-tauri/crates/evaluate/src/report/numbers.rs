//! How figures are written: `4,218`, `.868`, `[.858, .878]`, `+.027`, `p .021`, `3 h 12 min`. Parts that must stay on
//! one line are joined by non-breaking spaces.

pub(super) use lexforge_domain::decimals::{change, share as figure};
pub(super) use lexforge_domain::grouped::grouped as count;

use lexforge_domain::decimals;

/// `1 page`, `2,300 pages`.
pub(super) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// `[.858, .878]`.
pub(super) fn interval([low, high]: [f64; 2]) -> String {
    format!("[{},\u{a0}{}]", figure(low), figure(high))
}

/// `[−.003, +.041]`.
pub(super) fn change_interval(low: f64, high: f64) -> String {
    format!("[{},\u{a0}{}]", change(low), change(high))
}

/// `.021`, or `< .001`.
pub(super) fn p_value(p: f64) -> String {
    decimals::p_value(p).replace(' ', "\u{a0}")
}

/// `p .021`, or `p < .001`.
pub(super) fn p_words(p: f64) -> String {
    format!("p\u{a0}{}", p_value(p))
}

/// `99.97 %`. Never rounded up to 100.
pub(super) fn percent(share: f64) -> String {
    let percent = if share < 1.0 {
        (share * 1e4).floor() / 1e2
    } else {
        100.0
    };
    format!("{percent:.2} %")
}

/// `3 h 12 min`, `4 min 5 s`, `12 s`, `.8 s`.
pub(super) fn duration(seconds: f64) -> String {
    if seconds < 10.0 {
        let text = format!("{seconds:.1} s");
        return text.strip_prefix('0').map_or(text.clone(), str::to_owned);
    }
    let s = seconds.round() as u64;
    match (s / 3600, s / 60 % 60, s % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

/// `2.4 MB` (powers of 1,000).
pub(super) fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.0} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

/// `2026-03-05 14:20 UTC` from RFC 3339 in UTC; anything else as it is.
pub(super) fn moment(rfc3339: &str) -> String {
    match (rfc3339.get(..10), rfc3339.get(10..11), rfc3339.get(11..16)) {
        (Some(day), Some("T"), Some(minute))
            if rfc3339.ends_with('Z') || rfc3339.ends_with("+00:00") =>
        {
            format!("{day} {minute} UTC")
        }
        _ => rfc3339.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_as_the_window_writes_them() {
        let check =
            |found: String, expected: &str| assert_eq!(found.replace('\u{a0}', " "), expected);
        check(count(4218), "4,218");
        check(count(999), "999");
        check(count(1_234_567), "1,234,567");
        check(interval([0.858, 0.878]), "[.858, .878]");
        check(change_interval(-0.003, 0.041), "[−.003, +.041]");
        check(p_words(0.021), "p .021");
        check(p_words(0.0004), "p < .001");
        check(p_words(f64::NAN), "p –");
        check(percent(0.99978), "99.97 %");
        check(percent(0.99999), "99.99 %");
        check(percent(1.0), "100.00 %");
        check(duration(0.84), ".8 s");
        check(duration(245.0), "4 min 5 s");
        check(duration(11_520.0), "3 h 12 min");
        check(bytes(2_400_000), "2.4 MB");
        check(moment("2026-03-05T14:20:31Z"), "2026-03-05 14:20 UTC");
        check(
            moment("2026-03-05T14:20:31+09:00"),
            "2026-03-05T14:20:31+09:00",
        );
        check(moment(""), "");
    }
}
