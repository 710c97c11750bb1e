//! Packets go out, answers come back.

use super::fixture::{Fixture, open_as, plain};
use crate::Engine;
use lexforge_domain::Code;
use lexforge_domain::api::{
    LookAlike, MergeRequest, NewDecision, PacketReport, PacketRequest, QueueFilter, QueueItem,
    TermFilter,
};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::review::{Choice, Edit, Role, Subject, SubjectKind, Verdict};
use lexforge_domain::term::ReviewStatus;
use std::path::{Path, PathBuf};

const TERMS: SubjectKind = SubjectKind::Term;

fn request(person: &str, most: u64) -> PacketRequest {
    PacketRequest {
        person: person.to_owned(),
        role: Role::DomainExpert,
        filter: QueueFilter::of(TERMS),
        most,
        like: LookAlike::Ask,
    }
}

/// A packet for a person, opened by them: their engine, and where their answer will lie.
pub(super) fn handed_over(
    fixture: &Fixture,
    person: &str,
    most: u64,
) -> (Engine, PathBuf, PacketReport) {
    let place = |end: &str| {
        fixture
            .engine
            .workspace()
            .path()
            .with_file_name(format!("{person}.{end}"))
    };
    let written = fixture
        .engine
        .review()
        .write_packet(&request(person, most), &place("packet.json"))
        .unwrap();
    let colleague = Engine::open_packet(&place("packet.json"), &place("lexforge")).unwrap();
    (colleague, place("answer.json"), written)
}

pub(super) fn verdicts(engine: &Engine) -> Vec<(Subject, Verdict)> {
    engine
        .workspace()
        .store
        .read(|r| r.verdicts(TERMS))
        .unwrap()
}

#[test]
fn nothing_is_written_over_but_an_earlier_answer() {
    let fixture = Fixture::of(4);
    let (colleague, answer, _) = handed_over(&fixture, "Reviewer 2", 0);
    colleague.review().write_answer(&answer).unwrap();
    colleague.review().write_answer(&answer).unwrap();
    let own = fixture.engine.workspace().path();
    let note = own.with_file_name("note.txt");
    std::fs::write(&note, "kept").unwrap();
    let packet = own.with_file_name("Reviewer 2.packet.json");
    let head = || fixture.engine.view().unwrap().audit_head;
    let before = head();
    let other = colleague.workspace().path();
    for taken in [
        own,
        note.as_path(),
        packet.as_path(),
        answer.as_path(),
        other,
    ] {
        let there = std::fs::metadata(taken).unwrap().len();
        let refused = fixture
            .engine
            .review()
            .write_packet(&request("Reviewer 3", 0), taken);
        assert!(refused.is_err(), "{}", taken.display());
        assert_eq!(std::fs::metadata(taken).unwrap().len(), there);
    }
    // Nobody was added for a packet that was not written.
    assert_eq!(head(), before);
    for taken in [note.as_path(), packet.as_path(), other] {
        let refused = colleague.review().write_answer(taken);
        assert!(refused.is_err(), "{}", taken.display());
    }
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "kept");
}

#[test]
fn a_colleague_reviews_just_what_the_packet_holds() {
    let fixture = Fixture::of(20);
    let (colleague, answer, written) = handed_over(&fixture, "Reviewer 2", 5);
    assert_eq!((written.items, written.person.as_str()), (5, "Reviewer 2"));
    let people = colleague.review().people().unwrap();
    assert_eq!(
        (
            people.me.name.as_str(),
            people.packet.as_ref().unwrap().workspace.as_str()
        ),
        ("Reviewer 2", "rules")
    );
    let view = colleague
        .review()
        .review_queue(&QueueFilter::of(TERMS), None)
        .unwrap();
    assert_eq!(view.standing.total, 5);
    let Some(QueueItem::Term(card)) = view.item else {
        panic!("a term")
    };
    assert_eq!(
        (
            card.contexts.len(),
            card.contexts[0].sentence.page,
            card.contexts[0].sentence.section.as_str()
        ),
        (1, 3, "Article 1")
    );
    assert!(!card.confusables.is_empty());
    let document = card.contexts[0].sentence.document;
    assert_eq!(
        colleague
            .corpus()
            .page(document, 3)
            .unwrap()
            .sentences
            .len() as u64,
        colleague.view().unwrap().sentences
    );
    assert_eq!(
        colleague
            .corpus()
            .page_image(document, 3, 72.0)
            .unwrap_err()
            .code,
        Code::InvalidRequest
    );

    let decided = Subject::term(card.term.id);
    let edit = Edit {
        text: Some("Duty holder".to_owned()),
        class: Some("actor".to_owned()),
        ..Edit::default()
    };
    colleague
        .review()
        .decide(&NewDecision {
            edit,
            reason: "as defined".to_owned(),
            ..plain(decided, Choice::Accept)
        })
        .unwrap();
    let other = Subject::pair(card.term.id, card.confusables[0].term.id);
    colleague
        .review()
        .decide(&plain(other, Choice::Confusable))
        .unwrap();
    assert_eq!(colleague.review().write_answer(&answer).unwrap().items, 2);
    let merged = fixture
        .engine
        .review()
        .merge_answer(&answer, &MergeRequest::default())
        .unwrap();
    assert_eq!(
        (
            merged.merged,
            merged.known,
            merged.conflicts,
            merged.person.as_str()
        ),
        (2, 0, 0, "Reviewer 2")
    );
    let term = fixture
        .engine
        .workspace()
        .store
        .read(|r| r.term(card.term.id))
        .unwrap();
    assert_eq!(
        (term.text.as_str(), term.class.as_str(), term.status),
        ("Duty holder", "actor", ReviewStatus::Accepted)
    );
    let row = &fixture.engine.workspace().audit_rows(1, None).unwrap()[0];
    assert_eq!(
        (row.actor.as_str(), row.action.as_str()),
        ("Reviewer 1", "review.merge")
    );
    assert!(
        row.reason.contains("claims to be by Reviewer 2") && row.reason.contains(&written.packet),
        "{}",
        row.reason
    );
    let QueueItem::Term(card) = fixture.engine.review().review_item(decided).unwrap() else {
        panic!("a term")
    };
    assert_eq!(
        card.history[0].decision.packet.as_ref(),
        Some(&written.packet)
    );

    // The same file again changes nothing. A decision that is taken back later is also sent.
    let head = fixture.engine.view().unwrap().audit_head;
    assert_eq!(
        fixture
            .engine
            .review()
            .merge_answer(&answer, &MergeRequest::default())
            .unwrap()
            .known,
        2
    );
    assert_eq!(fixture.engine.view().unwrap().audit_head, head);
    colleague.review().undo_decision().unwrap().unwrap();
    colleague.review().undo_decision().unwrap().unwrap();
    colleague.review().write_answer(&answer).unwrap();
    fixture
        .engine
        .review()
        .merge_answer(&answer, &MergeRequest::default())
        .unwrap();
    assert!(verdicts(&fixture.engine).is_empty());
    assert!(
        fixture.engine.workspace().audit_verify().unwrap().ok
            && colleague.workspace().audit_verify().unwrap().ok
    );
}

/// A simulated reviewer decides about the items, mostly in batches; for some, the reviewer also changes the words.
fn review(engine: &Engine, reviewer: usize, terms: &[Subject]) {
    let of = |i: usize| match (i * 7 + reviewer * 3) % 11 {
        0 => Choice::Skip,
        1 | 2 => Choice::Reject,
        _ if reviewer == 2 && i.is_multiple_of(5) => Choice::Reject,
        _ => Choice::Accept,
    };
    for choice in [Choice::Accept, Choice::Reject, Choice::Skip] {
        let subjects: Vec<Subject> = (0..terms.len())
            .filter(|i| of(*i) == choice)
            .map(|i| terms[i])
            .collect();
        engine
            .review()
            .decide(&NewDecision {
                subjects,
                ..plain(terms[0], choice)
            })
            .unwrap();
    }
    for i in (reviewer..terms.len()).step_by(97) {
        let edit = Edit {
            text: Some(format!("Duty {i} by {reviewer}")),
            ..Edit::default()
        };
        engine
            .review()
            .decide(&NewDecision {
                edit,
                ..plain(terms[i], Choice::Accept)
            })
            .unwrap();
    }
    for i in (reviewer..terms.len() - 1).step_by(201) {
        let Subject::Term { id } = terms[i + 1] else {
            panic!("a term")
        };
        let edit = Edit {
            into: Some(id),
            ..Edit::default()
        };
        engine
            .review()
            .decide(&NewDecision {
                edit,
                ..plain(terms[i], Choice::Merge)
            })
            .unwrap();
    }
    for _ in 0..3 {
        engine.review().undo_decision().unwrap().unwrap();
    }
}

#[test]
fn three_reviewers_merged_in_either_order_end_in_the_same_state() {
    const ITEMS: usize = 1_200;
    let fixture = Fixture::of(ITEMS);
    let subjects: Vec<Subject> = (0..ITEMS).map(|i| fixture.term(i)).collect();
    let mut answers = Vec::new();
    for reviewer in 0..3 {
        let (colleague, answer, written) =
            handed_over(&fixture, &format!("Colleague {reviewer}"), 0);
        assert_eq!(written.items, ITEMS as u64);
        review(&colleague, reviewer, &subjects);
        colleague.review().write_answer(&answer).unwrap();
        answers.push(answer);
    }
    let copies = ["forwards", "backwards"].map(|name| {
        let path = fixture
            .engine
            .workspace()
            .path()
            .with_file_name(format!("{name}.lexforge"));
        fixture.engine.workspace().store.copy_to(&path).unwrap();
        open_as(&path, "Reviewer 1")
    });
    let merge = |engine: &Engine, answer: &Path| {
        engine
            .review()
            .merge_answer(answer, &MergeRequest::default())
            .unwrap()
    };
    let forwards: Vec<_> = answers.iter().map(|a| merge(&copies[0], a)).collect();
    let backwards: Vec<_> = answers.iter().rev().map(|a| merge(&copies[1], a)).collect();
    assert_eq!(
        forwards.iter().map(|m| m.merged).sum::<u64>(),
        backwards.iter().map(|m| m.merged).sum::<u64>()
    );
    let terms = |engine: &Engine| engine.terms().terms(&TermFilter::default()).unwrap().rows;
    assert_eq!(verdicts(&copies[0]), verdicts(&copies[1]));
    assert_eq!(terms(&copies[0]), terms(&copies[1]));
    let conflicts = copies[0].review().conflicts(TERMS).unwrap();
    assert_eq!(conflicts, copies[1].review().conflicts(TERMS).unwrap());
    assert!(
        conflicts.len() > 100 && conflicts.len() < ITEMS,
        "{}",
        conflicts.len()
    );
    let joined = |engine: &Engine| {
        let joined = engine
            .review()
            .joined_terms(ReviewPolicy::UnreviewedAutomatic)
            .unwrap();
        joined
            .standing
            .into_iter()
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    assert_eq!(joined(&copies[0]), joined(&copies[1]));
    for (engine, answer) in copies.iter().zip(&answers) {
        let again = merge(engine, answer);
        assert_eq!((again.merged, again.conflicts), (0, 0));
        assert!(engine.workspace().audit_verify().unwrap().ok);
    }
}

#[test]
fn terms_that_two_colleagues_merge_into_each_other_are_one() {
    let fixture = Fixture::of(6);
    let answers: Vec<PathBuf> = [(0, 1), (1, 0)]
        .into_iter()
        .map(|(from, into)| {
            let (colleague, answer, _) = handed_over(&fixture, &format!("Colleague {from}"), 0);
            let edit = Edit {
                into: Some(fixture.terms[into]),
                ..Edit::default()
            };
            colleague
                .review()
                .decide(&NewDecision {
                    edit,
                    ..plain(fixture.term(from), Choice::Merge)
                })
                .unwrap();
            colleague.review().write_answer(&answer).unwrap();
            answer
        })
        .collect();
    let merged_in = |order: &[usize], name: &str| {
        let path = fixture
            .engine
            .workspace()
            .path()
            .with_file_name(format!("{name}.lexforge"));
        fixture.engine.workspace().store.copy_to(&path).unwrap();
        let engine = open_as(&path, "Reviewer 1");
        for &i in order {
            engine
                .review()
                .merge_answer(&answers[i], &MergeRequest::default())
                .unwrap();
        }
        assert!(engine.workspace().audit_verify().unwrap().ok);
        let standing = engine.review().terms_in_use().unwrap().standing;
        (
            standing.get(&fixture.terms[0]).copied(),
            standing.get(&fixture.terms[1]).copied(),
            verdicts(&engine),
        )
    };
    let (one, other) = (
        merged_in(&[0, 1], "forwards"),
        merged_in(&[1, 0], "backwards"),
    );
    assert_eq!(one, other);
    assert!(one.0.is_some() && one.0 == one.1, "{one:?}");
}
