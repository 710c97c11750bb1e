//! Tests of `freeze`.

use super::*;
use crate::Engine;
use crate::review::fixture::{Fixture, plain};
use lexforge_domain::api::NewDecision;
use lexforge_domain::review::{Choice, Edit};

#[test]
fn a_snapshot_s_controls_and_counts_go_by_level() {
    let fixture = Fixture::of(6);
    let rows = fixture
        .engine
        .writing()
        .questions(&QuestionFilter::default())
        .unwrap()
        .rows;
    let questions: Vec<Qca> = rows.into_iter().map(|r| r.question).collect();
    assert_eq!(by_type(&questions)["token"]["term"], 6);
    let found = shortcuts(&questions, &CorpusIndex::default());
    assert!(
        found
            .iter()
            .all(|s| s.level == QcaLevel::Token && s.row.n == 6),
        "{found:?}"
    );
    // The fixture's right answer always stands first, and is always the shorter of the two.
    let row = |name: &str| {
        found
            .iter()
            .find(|s| s.row.name == name)
            .map(|s| (s.row.accuracy, s.row.flagged))
    };
    assert_eq!(row("first_choice"), Some((1.0, true)));
    assert_eq!(row("longest_choice"), Some((0.0, false)));
}

#[test]
fn a_rule_takes_what_it_admits_and_counts_the_rest() {
    let fixture = Fixture::of(10);
    let (one, two) = (&fixture.engine, fixture.other("Reviewer 2"));
    let question = |i: usize| Subject::question(fixture.questions[i]);
    let say =
        |engine: &Engine, subject, choice| engine.review().decide(&plain(subject, choice)).unwrap();
    say(one, question(0), Choice::Accept);
    say(one, question(1), Choice::Accept);
    say(&two, question(1), Choice::Accept);
    say(one, question(2), Choice::Accept);
    say(&two, question(2), Choice::Reject);
    say(one, question(3), Choice::Reject);
    say(one, question(4), Choice::Reject);
    let reason = "two choices are right, and both say so".to_owned();
    two.review()
        .decide(&NewDecision {
            adjudicates: true,
            reason,
            ..plain(question(4), Choice::Accept)
        })
        .unwrap();
    // Of the questions that nobody decided about, two have no term any more.
    say(one, fixture.term(5), Choice::Reject);
    let edit = Edit {
        into: Some(fixture.terms[7]),
        ..Edit::default()
    };
    one.review()
        .decide(&NewDecision {
            edit,
            ..plain(fixture.term(6), Choice::Merge)
        })
        .unwrap();
    for (policy, kept, not_admitted, terms_gone) in [
        (ReviewPolicy::UnreviewedAutomatic, 6, 2, 2),
        (ReviewPolicy::SingleReviewer, 3, 7, 0),
        (ReviewPolicy::TwoAgree, 2, 8, 0),
        (ReviewPolicy::Adjudicated, 1, 9, 0),
    ] {
        let rows = one
            .writing()
            .questions(&QuestionFilter::default())
            .unwrap()
            .rows;
        let (questions, record) = one
            .training()
            .admitted(rows.into_iter().map(|r| r.question).collect(), policy)
            .unwrap();
        let found = (questions.len(), record.not_admitted, record.terms_gone);
        assert_eq!(found, (kept, not_admitted, terms_gone), "{policy:?}");
    }
    let failure = too_few("test", 3, 10, ReviewPolicy::SingleReviewer);
    assert_eq!(failure.code, Code::TooLittleData);
    assert!(
        failure.message.contains("of 10 questions 3 meet the rule"),
        "{}",
        failure.message
    );
}
