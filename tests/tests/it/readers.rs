//! Readers of foreign bytes, fed with their kept inputs and with spoilt ones; `tools/fuzz/run` feeds one of them for long.

use lexforge_tests::readers::TARGETS;

#[test]
fn readers_answer_whatever_they_are_given() {
    let corpora = lexforge_needs::root().join("tests/corpora");
    lexforge_hostile::feed(&TARGETS, &corpora);
}
