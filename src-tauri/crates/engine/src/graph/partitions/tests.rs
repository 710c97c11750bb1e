//! Tests of `partitions`.

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

#[test]
fn a_term_counts_once_a_sentence() {
    let m = |term, sentence| Mention {
        term: TermId(term),
        sentence: SentenceId(sentence),
        start: 0,
        end: 1,
    };
    let standing = |t: TermId| match t.0 {
        3 => None,
        4 => Some(TermId(1)),
        _ => Some(t),
    };
    let of = terms_by_sentence(&[m(1, 7), m(2, 7), m(4, 7), m(3, 8)], standing);
    assert_eq!(of.get(&SentenceId(7)), Some(&vec![TermId(1), TermId(2)]));
    assert_eq!(of.get(&SentenceId(8)), None);
}
