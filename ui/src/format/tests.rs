//! Tests of `format`.

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
