//! Tests of `answer_text`.

use super::{promised, short};

#[test]
fn what_is_promised_is_not_rounded() {
    for (share, text) in [
        (0.05, "5"),
        (0.0504, "5.04"),
        (0.07, "7"),
        (0.1, "10"),
        (0.995, "99.5"),
        (0.00001, "0.001"),
    ] {
        assert_eq!(promised(share), text);
    }
}

#[test]
fn a_long_title_is_cut_after_a_word() {
    let long = "Regulation (EU) 2016/679 of the European Parliament and of the Council of 27 April 2016 on the protection";
    assert_eq!(
        short(long),
        "Regulation (EU) 2016/679 of the European Parliament and of the Council…"
    );
    assert_eq!(short("Rulebook"), "Rulebook");
    assert_eq!(short(&"银".repeat(80)).chars().count(), 73);
}
