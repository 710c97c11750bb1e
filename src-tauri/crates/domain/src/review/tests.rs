//! Tests of `review`.

use super::*;
use crate::id::SimilarityId;

fn by(person: i64, choice: Choice, made: &str) -> Decision {
    Decision {
        uid: format!("{person}{made}"),
        act: ActId(1),
        subject: Subject::term(TermId(1)),
        person: PersonId(person),
        choice,
        edit: Edit::default(),
        reason: String::new(),
        made: made.to_owned(),
        adjudicates: false,
        packet: None,
        undone: false,
    }
}

#[test]
fn what_decisions_come_to() {
    use Choice::{Accept, Merge, Reject, Skip};
    use ReviewStatus::{Accepted, Conflict, Merged, Rejected, Unreviewed};
    let into = |d: Decision, id| Decision {
        edit: Edit {
            into: Some(TermId(id)),
            ..Edit::default()
        },
        ..d
    };
    let by_act = |act, choice, made: &str| Decision {
        act: ActId(act),
        ..by(1, choice, made)
    };
    let claimed = |d: Decision| Decision {
        packet: Some("ab".to_owned()),
        act: ActId(3),
        ..d
    };
    let later = |d: Decision| Decision {
        packet: Some("ab".to_owned()),
        ..d
    };
    let cases: [(&str, Vec<Decision>, ReviewStatus, u32); 13] = [
        ("nobody", vec![], Unreviewed, 0),
        ("a skip says nothing", vec![by(1, Skip, "1")], Unreviewed, 0),
        ("one", vec![by(1, Accept, "1")], Accepted, 1),
        (
            "two who agree",
            vec![by(1, Reject, "1"), by(2, Reject, "2")],
            Rejected,
            2,
        ),
        (
            "two who differ",
            vec![by(1, Accept, "1"), by(2, Reject, "2")],
            Conflict,
            0,
        ),
        (
            "a mind changed",
            vec![by(1, Accept, "1"), by(1, Reject, "2")],
            Rejected,
            1,
        ),
        (
            "a mind changed, skipped later",
            vec![by(1, Reject, "2"), by(1, Skip, "3")],
            Rejected,
            1,
        ),
        (
            "said again here after a clock was ahead",
            vec![later(by(1, Accept, "9")), by_act(2, Reject, "5")],
            Rejected,
            1,
        ),
        (
            "said elsewhere later",
            vec![by_act(2, Accept, "5"), claimed(by(1, Reject, "9"))],
            Rejected,
            1,
        ),
        (
            "the newer one undone",
            vec![
                by(1, Accept, "1"),
                Decision {
                    undone: true,
                    ..by(1, Reject, "2")
                },
            ],
            Accepted,
            1,
        ),
        (
            "adjudicated",
            vec![
                by(1, Accept, "1"),
                Decision {
                    adjudicates: true,
                    ..by(3, Accept, "3")
                },
                by(2, Reject, "4"),
            ],
            Accepted,
            1,
        ),
        (
            "merged into the same",
            vec![into(by(1, Merge, "1"), 7), into(by(2, Merge, "2"), 7)],
            Merged,
            2,
        ),
        (
            "merged into different terms",
            vec![into(by(1, Merge, "1"), 7), into(by(2, Merge, "2"), 8)],
            Conflict,
            0,
        ),
    ];
    for (what, mut decisions, status, agreeing) in cases {
        for _ in 0..decisions.len().max(1) {
            let found = verdict(&decisions);
            assert_eq!(
                (found.status, found.agreeing),
                (status, agreeing),
                "{what}: {decisions:?}"
            );
            if !decisions.is_empty() {
                decisions.rotate_left(1);
            }
        }
    }
}

#[test]
fn the_newest_word_on_text_and_class_counts() {
    let edited = |d: Decision, text: Option<&str>, class: Option<&str>| Decision {
        edit: Edit {
            text: text.map(str::to_owned),
            class: class.map(str::to_owned),
            ..Edit::default()
        },
        ..d
    };
    let found = verdict(&[
        edited(
            by(1, Choice::Accept, "1"),
            Some("credit institution"),
            Some("actor"),
        ),
        edited(by(2, Choice::Accept, "2"), None, Some("authority")),
    ]);
    assert_eq!(found.edit.text.as_deref(), Some("credit institution"));
    assert_eq!(found.edit.class.as_deref(), Some("authority"));
    assert_eq!(found.agreeing, 2);
}

#[test]
fn a_pair_is_the_same_from_both_sides() {
    let pair = Subject::pair(TermId(9), TermId(2));
    assert_eq!(pair, Subject::pair(TermId(2), TermId(9)));
    assert_eq!(pair.keys(), (2, 9));
    assert_eq!(Subject::from_keys(SubjectKind::Pair, 9, 2), pair);
}

#[test]
fn scores_come_to_the_half_step_nearest_to_their_mean() {
    use ReviewStatus::{Accepted, Conflict};
    let scored = |person: i64, points: f64, made: &str| {
        let score = Score::of(points).map_or(Choice::Skip, Choice::Score);
        Decision {
            subject: Subject::similarity(SimilarityId(1)),
            ..by(person, score, made)
        }
    };
    let of = |points: f64| Score::of(points).map(Choice::Score);
    let two = |a, b| vec![scored(1, a, "1"), scored(2, b, "2")];
    let ended = Decision {
        adjudicates: true,
        ..scored(3, 1.5, "3")
    };
    for (what, decisions, status, choice, agreeing) in [
        ("one", vec![scored(1, 3.5, "1")], Accepted, of(3.5), 1),
        ("two who agree", two(4.0, 4.0), Accepted, of(4.0), 2),
        (
            "two who differ a little",
            two(3.0, 4.0),
            Accepted,
            of(3.5),
            0,
        ),
        (
            "two as far apart as may be",
            two(1.0, 3.0),
            Accepted,
            of(2.0),
            0,
        ),
        ("further apart", two(1.0, 3.5), Conflict, None, 0),
        (
            "a mind changed",
            [two(0.0, 5.0), vec![scored(1, 4.5, "4")]].concat(),
            Accepted,
            of(5.0),
            1,
        ),
        (
            "adjudicated",
            [two(0.0, 5.0), vec![ended]].concat(),
            Accepted,
            of(1.5),
            0,
        ),
    ] {
        let found = verdict(&decisions);
        assert_eq!(
            (found.status, found.choice, found.agreeing),
            (status, choice, agreeing),
            "{what}"
        );
    }
}

#[test]
fn a_choice_is_written_as_its_tag() {
    for choice in Choice::all() {
        let json = serde_json::json!(choice);
        assert_eq!(json, choice.tag());
        assert_eq!(serde_json::from_value::<Choice>(json).ok(), Some(choice));
    }
    assert!(serde_json::from_str::<Choice>("\"score_6\"").is_err());
}
