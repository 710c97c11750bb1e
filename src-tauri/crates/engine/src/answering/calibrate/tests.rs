//! Tests of `calibrate`.

use super::*;
use lexforge_domain::api::PairSource;

#[test]
fn a_label_that_is_not_found_does_not_say_that_nothing_answers() {
    for (named, right, expected) in [
        (&["#4"][..], &[4][..], true),
        (&[], &[], true),
        (&["#4", "#5"], &[4, 5], true),
        // It is in an older version.
        (&["#5"], &[5], false),
        (&["#9"], &[], false),
    ] {
        let pair = Pair {
            id: "answer 1".to_owned(),
            question: "Who reports?".to_owned(),
            passage_ids: named.iter().map(|id| (*id).to_owned()).collect(),
            answer: None,
            source: PairSource::Verdict,
        };
        let found = is_of_today(&pair, right, |clause| *clause == 4);
        assert_eq!(found, expected, "{named:?} {right:?}");
    }
}
