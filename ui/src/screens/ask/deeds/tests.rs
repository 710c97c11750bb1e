//! Tests of `deeds`.

use super::*;

#[test]
fn answers_wait_for_a_verdict_from_the_oldest_on() {
    let row = |id, verdict| AnswerRow {
        id: AnswerId(id),
        asked: String::new(),
        question: String::new(),
        found: true,
        citations: 1,
        verdict,
        changed: 0,
    };
    let rows = [
        row(4, None),
        row(3, Some(AnswerVerdict::Right)),
        row(2, None),
    ];
    assert_eq!(unjudged(&rows), [AnswerId(2), AnswerId(4)]);
    assert!(unjudged(&[]).is_empty());
}

#[test]
fn answers_are_named_after_their_questions() {
    for (questions, answers) in [
        ("/in/audit 2026.csv", "audit 2026-answers.csv"),
        ("C:\\in\\audit.CSV", "audit-answers.csv"),
        ("questions", "questions-answers.csv"),
    ] {
        assert_eq!(answers_name(questions, "csv"), answers);
    }
}
