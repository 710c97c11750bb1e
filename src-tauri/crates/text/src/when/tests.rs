//! Tests of `when`.

use super::*;

#[test]
fn when_something_is_done_is_told_by_a_time_or_a_case() {
    for (question, asks) in [
        ("When must the report be filed?", true),
        ("by when is it due", true),
        ("When was the fee introduced?", true),
        ("When is a log needed?", false),
        ("Who files the report when it is late?", false),
    ] {
        assert_eq!(asks_when_it_is_done(question), asks, "{question}");
    }
    for (question, asks) in [
        ("How long is a log kept?", true),
        ("For how long does a permit last?", true),
        ("How long before it ends is a permit renewed?", false),
        ("Who keeps a log how long?", false),
    ] {
        assert_eq!(asks_how_long(question), asks, "{question}");
    }
    for (question, thing) in [
        ("When is a log required?", Some("a log")),
        ("When are pilots needed?", Some("pilots")),
        ("When is it necessary to keep a log?", Some("keep a log")),
        ("When is it late to keep a log?", None),
        ("When is a log read?", None),
        ("Is a log required?", None),
    ] {
        assert_eq!(needed(question).as_deref(), thing, "{question}");
    }
    let done = |question: &str| done_so_long(question).into_iter().next();
    assert_eq!(
        done("How long must a log be kept?"),
        Some("kept".to_owned())
    );
    assert_eq!(done("How long can it be put off?"), Some("put".to_owned()));
    assert_eq!(done("How long does a permit last?"), None);
    assert_eq!(done("When must a log be filed?"), None);
    assert!(done_so_long("How long is a log to be held?").contains(&"retained".to_owned()));
    for (text, tells) in [
        ("It is kept for five years.", true),
        ("It is kept for one month.", true),
        ("It is kept as long as the vessel floats.", true),
        ("It is kept for no longer than is needed.", true),
        ("It is read before a vessel leaves.", false),
        ("It is read once the vessel has left.", false),
        ("It is kept for a year.", true),
        ("It is read once a year.", false),
        ("It is read each month.", false),
        ("It is read a minimum of once per year.", false),
    ] {
        assert_eq!(tells_how_long(text), tells, "{text}");
    }
    for (text, tells) in [
        ("It is filed by 1 March.", true),
        ("It is filed without delay.", true),
        ("It is filed where a vessel was damaged.", true),
        ("It is filed when a vessel was damaged.", true),
        ("It was introduced in 2002.", true),
        ("It is filed with the harbour master.", false),
        // These leave the case open.
        (
            "It is filed with the harbour master, when appropriate.",
            false,
        ),
        ("It is filed, if necessary, with the harbour master.", false),
        ("It is filed with the warden, where designated.", false),
        ("It is filed where required berths are closed.", true),
        ("It is filed where necessary papers were lost.", true),
        (
            "It is filed where possible and if a vessel was damaged.",
            true,
        ),
    ] {
        assert_eq!(tells_when(text), tells, "{text}");
    }
}

#[test]
fn a_deadline_is_left_out_and_what_recurs_is_not() {
    for (text, left) in [
        (
            "A berth is let within 30 days after the day of the first call.",
            "A berth is let within the first call.",
        ),
        (
            "A log is filed within thirty (30) days.",
            "A log is filed within",
        ),
        (
            "A lamp has burnt for at least twelve months.",
            "A lamp has burnt for at least",
        ),
        (
            "A log is filed 14 calendar days before sailing.",
            "A log is filed sailing.",
        ),
    ] {
        assert_eq!(without_deadlines(text), left);
    }
    for text in [
        "A lamp is checked every two years.",
        "A lamp is checked within 12 months of the last check.",
        "A lamp is checked for two hours each year.",
        "A lamp is checked every 12 months after the first call.",
        "A lamp is checked in a 12-month cycle.",
        "A port has 5 pilots for barges.",
        "",
    ] {
        assert_eq!(without_deadlines(text), text);
    }
}

#[test]
fn what_is_needed_is_told_sentence_by_sentence() {
    for (text, told) in [
        ("A log is needed in fog.", &["A log is needed in fog."][..]),
        (
            "In fog the master shall keep a log.",
            &["In fog the master shall keep a log."],
        ),
        ("No log is required on a barge.", &[]),
        ("A log shall not be kept.", &[]),
        (
            "A log shall be filed not later than in May.",
            &["A log shall be filed not later than in May."],
        ),
        ("A log is red.", &[]),
        ("", &[]),
        // What is done with something else stands by itself.
        (
            "A barge needs no log. The office shall list barges.",
            &[" The office shall list barges."],
        ),
        // What goes on about a log has its name.
        (
            "A barge has a log. It must be kept in fog.",
            &["A barge has a log. It must be kept in fog."],
        ),
        (
            "The master shall: (a) keep a log in fog; (b) keep a log where it rains.",
            &[
                "The master shall: (b) keep a log where it rains",
                "The master shall:",
            ],
        ),
    ] {
        assert_eq!(needs_told(text), told, "{text}");
    }
}
