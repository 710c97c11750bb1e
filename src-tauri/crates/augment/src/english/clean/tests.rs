//! Tests of `clean`.

use super::*;
use crate::seed;

fn clean(text: &str, lead_in: Option<&str>) -> Result<String, SkipReason> {
    sentence(text, lead_in, &mut seed::stream(1, 1, 0))
}

#[test]
fn markers_and_links_go() {
    let check = |text, expected: &str| assert_eq!(clean(text, None).unwrap(), expected);
    check(
        "2.   The processor shall notify the controller.",
        "The processor shall notify the controller.",
    );
    check(
        "(a) The bank must keep records of it.",
        "The bank must keep records of it.",
    );
    check(
        "4.1.1.(2) A firm must review its policies.",
        "A firm must review its policies.",
    );
    check(
        "10.Firms must review their policies each year.",
        "Firms must review their policies each year.",
    );
    check(
        "However, a firm may keep the records.",
        "A firm may keep the records.",
    );
    check(
        "1.1.1 (a) The bank must keep its records; and",
        "The bank must keep its records.",
    );
}

#[test]
fn items_of_a_list_get_its_opening() {
    assert_eq!(
        clean(
            "(b) communicate the name of the officer;",
            Some("3. The notification shall at least:")
        )
        .unwrap(),
        "The notification shall at least communicate the name of the officer."
    );
    let inline = clean(
        "The policy must: (a) name an owner; and (b) be reviewed each year.",
        None,
    )
    .unwrap();
    assert!(
        [
            "The policy must name an owner.",
            "The policy must be reviewed each year."
        ]
        .contains(&inline.as_str()),
        "{inline}"
    );
}

#[test]
fn references_to_a_place_that_is_not_shown_go() {
    let check = |text, expected: &str| assert_eq!(clean(text, None).unwrap(), expected);
    check(
        "The report referred to in paragraph 2(b) and (c) of this Article shall be sent to the council.",
        "The report shall be sent to the council.",
    );
    check(
        "The council shall, pursuant to paragraph 3, publish the report on its website.",
        "The council shall publish the report on its website.",
    );
    assert_eq!(
        clean(
            "The council shall apply paragraph 3 to the reports of the agency.",
            None
        ),
        Err(SkipReason::UnclearSubject)
    );
}

#[test]
fn what_is_no_sentence_is_left_out() {
    let check = |text, expected| assert_eq!(clean(text, None), Err(expected), "{text}");
    check("The controller shall at least:", SkipReason::Fragment);
    check(
        "ensure compliance with the law of the land;",
        SkipReason::Fragment,
    );
    check(
        "It shall be accompanied by reasons.",
        SkipReason::UnclearSubject,
    );
    check(
        "Such records must be kept for five years.",
        SkipReason::UnclearSubject,
    );
    check("Banks must comply.", SkipReason::TooShort);
}
