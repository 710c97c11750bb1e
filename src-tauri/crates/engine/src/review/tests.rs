//! The review as a person goes through it.

use super::fixture::{Fixture, open_as, plain};
use lexforge_domain::Code;
use lexforge_domain::api::{LookAlike, NewDecision, QueueFilter, QueueItem, ReviewPlan};
use lexforge_domain::review::{Choice, Edit, Role, Subject, SubjectKind};
use lexforge_domain::term::ReviewStatus;

const TERMS: SubjectKind = SubjectKind::Term;

#[test]
fn one_goes_through_the_queue_skips_and_takes_back() {
    let fixture = Fixture::of(6);
    let engine = &fixture.engine;
    let filter = QueueFilter::of(TERMS);
    let first = engine.review().review_queue(&filter, None).unwrap();
    assert_eq!(
        (
            first.place,
            first.standing.total,
            first.standing.to_do,
            first.coming.len()
        ),
        (1, 6, 6, 5)
    );
    let shown = first.item.unwrap().subject();
    let skipped = engine.review().decide(&plain(shown, Choice::Skip)).unwrap();
    assert_eq!(
        (skipped.choice, skipped.items, skipped.subject),
        (Choice::Skip, 1, shown)
    );
    let second = engine.review().review_queue(&filter, None).unwrap();
    assert_eq!(
        (second.place, second.standing.to_do, second.standing.skipped),
        (2, 6, 1)
    );
    assert_eq!(
        second.coming.last().unwrap().subject,
        shown,
        "what is skipped comes at the end"
    );
    assert_eq!(second.last.unwrap().act, skipped.act);
    let order: Vec<Subject> = second.coming.iter().map(|c| c.subject).collect();
    let next = second.item.unwrap().subject();
    engine
        .review()
        .decide(&plain(next, Choice::Accept))
        .unwrap();
    engine
        .review()
        .decide(&plain(order[0], Choice::Reject))
        .unwrap();
    let third = engine.review().review_queue(&filter, None).unwrap();
    assert_eq!(
        third.item.unwrap().subject(),
        order[1],
        "the order stands while one reviews"
    );
    assert_eq!(
        (
            third.standing.accepted,
            third.standing.rejected,
            third.standing.to_do
        ),
        (1, 1, 4)
    );

    // Another program sees the same queue, and its decisions are read as they come.
    let window = fixture.other("Reviewer 1");
    assert_eq!(
        window
            .review()
            .review_queue(&filter, None)
            .unwrap()
            .item
            .unwrap()
            .subject(),
        order[1]
    );
    window
        .review()
        .decide(&plain(order[1], Choice::Accept))
        .unwrap();
    assert_eq!(
        engine
            .review()
            .review_queue(&filter, None)
            .unwrap()
            .standing
            .accepted,
        2
    );

    // Taking back has no end, over both programs.
    for expected in [order[1], order[0], next, shown] {
        assert_eq!(
            engine.review().undo_decision().unwrap().unwrap().subject,
            expected
        );
    }
    assert_eq!(engine.review().undo_decision().unwrap(), None);
    let again = engine.review().review_queue(&filter, None).unwrap();
    assert_eq!(
        (
            again.item.unwrap().subject(),
            again.standing.to_do,
            again.last
        ),
        (shown, 6, None)
    );
    assert!(engine.workspace().audit_verify().unwrap().ok);
}

#[test]
fn pairs_and_questions_have_the_same_queue() {
    let fixture = Fixture::of(4);
    let engine = &fixture.engine;
    let pairs = engine
        .review()
        .review_queue(&QueueFilter::of(SubjectKind::Pair), None)
        .unwrap();
    assert_eq!(pairs.standing.total, 3);
    let pair = pairs.item.unwrap();
    engine
        .review()
        .decide(&plain(pair.subject(), Choice::Confusable))
        .unwrap();
    let Subject::Pair { a, b } = pair.subject() else {
        panic!("{pair:?}")
    };
    let QueueItem::Term(card) = engine.review().review_item(Subject::term(a)).unwrap() else {
        panic!("a term")
    };
    let near = card.confusables.iter().find(|c| c.term.id == b).unwrap();
    assert_eq!(
        (near.mine, near.settled),
        (Some(Choice::Confusable), Some(Choice::Confusable))
    );
    assert_eq!(
        (card.variants[0].1, card.documents, card.contexts.len()),
        (1, 1, 1)
    );

    let questions = engine
        .review()
        .review_queue(&QueueFilter::of(SubjectKind::Question), None)
        .unwrap();
    let QueueItem::Question(card) = questions.item.unwrap() else {
        panic!("a question")
    };
    assert_eq!(
        card.row.question.split,
        lexforge_domain::qca::Split::Test,
        "figures rest on these"
    );
    let edit = Edit {
        text: Some("Who keeps it?".to_owned()),
        ..Edit::default()
    };
    let subject = Subject::question(card.row.question.id);
    engine
        .review()
        .decide(&NewDecision {
            edit,
            ..plain(subject, Choice::Accept)
        })
        .unwrap();
    let QueueItem::Question(card) = engine.review().review_item(subject).unwrap() else {
        panic!("a question")
    };
    assert_eq!(
        (
            card.row.question.draft.question.as_str(),
            card.history.len()
        ),
        ("Who keeps it?", 1)
    );
}

#[test]
fn the_sample_of_what_was_written_comes_first() {
    let fixture = Fixture::of(6);
    let engine = &fixture.engine;
    let (last, middle) = (fixture.questions[5], fixture.questions[3]);
    let first = serde_json::json!([middle, last]).to_string();
    engine
        .workspace()
        .store
        .write("tester", |w| w.set_setting(super::FIRST_IN_REVIEW, &first))
        .unwrap();
    let view = engine
        .review()
        .review_queue(&QueueFilter::of(SubjectKind::Question), None)
        .unwrap();
    assert_eq!(view.item.unwrap().subject(), Subject::question(middle));
    assert_eq!(view.coming[0].subject, Subject::question(last));
    assert_eq!(view.standing.total, 6);
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_is_done() {
    let fixture = Fixture::of(4);
    let engine = &fixture.engine;
    let merge = |i: usize, into: usize| {
        let edit = Edit {
            into: Some(fixture.terms[into]),
            ..Edit::default()
        };
        engine.review().decide(&NewDecision {
            edit,
            ..plain(fixture.term(i), Choice::Merge)
        })
    };
    merge(0, 1).unwrap();
    merge(1, 2).unwrap();
    for (what, refused) in [
        ("a circle", merge(2, 0)),
        ("itself", merge(3, 3)),
        (
            "no target",
            engine
                .review()
                .decide(&plain(fixture.term(3), Choice::Merge)),
        ),
        (
            "a pair's word",
            engine
                .review()
                .decide(&plain(fixture.term(3), Choice::Same)),
        ),
        (
            "nothing",
            engine.review().decide(&NewDecision {
                subjects: vec![],
                ..plain(fixture.term(3), Choice::Accept)
            }),
        ),
        (
            "two kinds",
            engine.review().decide(&NewDecision {
                subjects: vec![fixture.term(3), Subject::question(fixture.questions[0])],
                ..plain(fixture.term(3), Choice::Accept)
            }),
        ),
        (
            "an adjudication without a reason",
            engine.review().decide(&NewDecision {
                adjudicates: true,
                ..plain(fixture.term(3), Choice::Accept)
            }),
        ),
    ] {
        assert_eq!(refused.unwrap_err().code, Code::InvalidRequest, "{what}");
    }
    let gone = Subject::term(lexforge_domain::TermId(999));
    let both = NewDecision {
        subjects: vec![fixture.term(3), gone],
        ..plain(gone, Choice::Accept)
    };
    assert_eq!(
        engine.review().decide(&both).unwrap_err().code,
        Code::NotFound
    );
    let verdict = engine
        .workspace()
        .store
        .read(|r| r.verdict(fixture.term(3)))
        .unwrap();
    assert_eq!(
        verdict.status,
        ReviewStatus::Unreviewed,
        "a batch is done as a whole or not at all"
    );
}

#[test]
fn in_a_blind_review_others_are_held_back_until_one_has_decided() {
    let fixture = Fixture::of(3);
    let (one, two) = (&fixture.engine, fixture.other("Reviewer 2"));
    one.review()
        .set_review_plan(ReviewPlan {
            blind: true,
            ..ReviewPlan::default()
        })
        .unwrap();
    let edit = Edit {
        text: Some("Duty".to_owned()),
        class: Some("duty".to_owned()),
        ..Edit::default()
    };
    one.review()
        .decide(&NewDecision {
            edit,
            ..plain(fixture.term(0), Choice::Accept)
        })
        .unwrap();
    let card = |engine: &crate::Engine| match engine.review().review_item(fixture.term(0)).unwrap()
    {
        QueueItem::Term(card) => card,
        other => panic!("{other:?}"),
    };
    let seen = card(&two);
    assert!(seen.blind && seen.history.is_empty());
    assert_eq!(
        (seen.term.text.as_str(), seen.term.status),
        ("duty 0", ReviewStatus::Unreviewed)
    );
    two.review()
        .decide(&plain(fixture.term(0), Choice::Reject))
        .unwrap();
    let seen = card(&two);
    assert_eq!(
        (seen.blind, seen.history.len(), seen.verdict.status),
        (false, 2, ReviewStatus::Conflict)
    );

    // The person who settles the conflict sees both decisions. The adjudication ends the conflict for everybody.
    let three = fixture.other("Reviewer 3");
    assert_eq!(card(&three).history.len(), 2);
    let conflicts = three.review().conflicts(TERMS).unwrap();
    assert_eq!(conflicts.len(), 1);
    assert_eq!(
        conflicts[0].said,
        [(Choice::Accept, 1), (Choice::Reject, 1)]
    );
    let reason = "Article 1 uses it throughout".to_owned();
    three
        .review()
        .decide(&NewDecision {
            adjudicates: true,
            reason,
            ..plain(fixture.term(0), Choice::Accept)
        })
        .unwrap();
    assert!(three.review().conflicts(TERMS).unwrap().is_empty());
    let row = &three.workspace().audit_rows(1, None).unwrap()[0];
    assert_eq!(
        (row.actor.as_str(), row.action.as_str()),
        ("Reviewer 3", "review.accept")
    );
    assert_eq!(row.reason, "Article 1 uses it throughout");
}

#[test]
fn items_are_shared_out_and_a_second_review_is_another_persons() {
    let fixture = Fixture::of(200);
    let (one, two) = (&fixture.engine, fixture.other("Reviewer 2"));
    let mine = QueueFilter {
        mine: true,
        ..QueueFilter::of(TERMS)
    };
    let total = |engine: &crate::Engine| {
        engine
            .review()
            .review_queue(&mine, None)
            .unwrap()
            .standing
            .total
    };
    assert_eq!(total(one) + total(&two), 200);
    one.review()
        .set_review_plan(ReviewPlan {
            second_review: 1.0,
            ..ReviewPlan::default()
        })
        .unwrap();
    assert_eq!((total(one), total(&two)), (200, 200));
    one.review()
        .put_person("Reviewer 2", Role::Operator, 0, LookAlike::Ask)
        .unwrap();
    assert_eq!((total(one), total(&two)), (200, 0));
    assert_eq!(one.review().people().unwrap().me.name, "Reviewer 1");
    assert_eq!(
        one.review()
            .put_person("  ", Role::Operator, 0, LookAlike::Ask)
            .unwrap_err()
            .code,
        Code::InvalidRequest
    );
}

#[test]
fn two_programs_decide_at_once_and_nothing_is_lost() {
    const EACH: usize = 150;
    let fixture = Fixture::of(2 * EACH);
    let path = fixture.engine.workspace().path().to_owned();
    std::thread::scope(|scope| {
        for (name, start) in [("Reviewer 1", 0), ("Reviewer 2", EACH)] {
            let (path, fixture) = (&path, &fixture);
            scope.spawn(move || {
                let engine = open_as(path, name);
                for i in start..start + EACH {
                    engine
                        .review()
                        .decide(&plain(fixture.term(i), Choice::Accept))
                        .unwrap();
                    if i % 10 == 9 {
                        engine.review().undo_decision().unwrap().unwrap();
                    }
                }
            });
        }
    });
    let accepted = fixture
        .engine
        .workspace()
        .store
        .read(|r| r.count_with_status(TERMS, ReviewStatus::Accepted))
        .unwrap();
    assert_eq!(accepted as usize, 2 * (EACH - EACH / 10));
    assert!(fixture.engine.workspace().audit_verify().unwrap().ok);
}

#[test]
fn what_is_probably_no_term_is_rejected_as_one_list() {
    let fixture = Fixture::of(21);
    let engine = &fixture.engine;
    let filter = QueueFilter::of(TERMS);
    let listed = engine.review().doubtful_terms(&filter, 0).unwrap();
    let texts: Vec<&str> = listed.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["duty 20", "duty 19", "duty 18"], "the worst scores");
    assert_eq!(engine.review().doubtful_terms(&filter, 1).unwrap().len(), 1);
    let rows = engine.workspace().audit_verify().unwrap();
    let act = engine
        .review()
        .decide(&NewDecision {
            subjects: listed.iter().map(|item| item.subject).collect(),
            choice: Choice::Reject,
            edit: Edit::default(),
            reason: String::new(),
            adjudicates: false,
        })
        .unwrap();
    assert_eq!(act.items, 3);
    let after = engine.workspace().audit_verify().unwrap();
    assert!(after.ok);
    assert_eq!(after.rows, rows.rows + 1, "one act, one row of the chain");
    let left = engine.review().doubtful_terms(&filter, 0).unwrap();
    assert_eq!(left, [], "what is decided is not offered again");
    engine.review().undo_decision().unwrap();
    assert_eq!(
        engine.review().doubtful_terms(&filter, 0).unwrap(),
        listed,
        "taken back"
    );
}
