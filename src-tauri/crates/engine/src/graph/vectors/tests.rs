//! Tests of `vectors`.

use super::*;

#[test]
fn punctuation_between_ideographs_is_chinese() {
    for (input, expected) in [
        ("本办法所称贷款,是指:", "本办法所称贷款，是指："),
        ("(一)金额为1,000元;", "（一）金额为1,000元；"),
        ("依据 Basel III (2017) 制定", "依据 Basel III (2017) 制定"),
    ] {
        assert_eq!(full_width_punctuation(input), expected);
        assert_eq!(input.chars().count(), expected.chars().count());
    }
}
