//! Answers that claim what cannot be: times, items, names.

use super::changed_tests::changed;
use super::fixture::{Fixture, open_as, plain};
use super::packet_tests::handed_over;
use crate::Engine;
use lexforge_domain::api::{LookAlike, MergeReport, MergeRequest, QueueFilter};
use lexforge_domain::review::{Choice, Role, Subject, SubjectKind};
use lexforge_domain::{Code, Remedy};
use std::path::{Path, PathBuf};

fn merge(engine: &Engine, answer: &Path) -> MergeReport {
    engine
        .review()
        .merge_answer(answer, &MergeRequest::default())
        .unwrap()
}

/// Gives the last decision of an answer this time, and a hash that fits it.
fn dated(answer: &Path, made: &str) {
    let text = std::fs::read_to_string(answer).unwrap();
    let at = text.rfind("\"made\":\"2").unwrap() + "\"made\":\"".len();
    let now = text[at..at + made.len()].to_owned();
    changed(answer, &now, made, true);
}

#[test]
fn a_time_that_cannot_be_is_left_out_and_named() {
    let fixture = Fixture::of(6);
    let (colleague, answer, _) = handed_over(&fixture, "Reviewer 2", 0);
    colleague
        .review()
        .decide(&plain(fixture.term(0), Choice::Reject))
        .unwrap();
    colleague.review().write_answer(&answer).unwrap();
    assert_eq!(merge(&fixture.engine, &answer).merged, 1);
    colleague
        .review()
        .decide(&plain(fixture.term(1), Choice::Reject))
        .unwrap();
    let item = format!("term {}", fixture.terms[1].0);
    let head = fixture.engine.view().unwrap().audit_head;
    for made in [
        "9999-12-31T23:59:59.999Z",
        "2090-01-01T00:00:00.000Z",
        "2001-01-01T00:00:00.000Z",
    ] {
        colleague.review().write_answer(&answer).unwrap();
        dated(&answer, made);
        let merged = merge(&fixture.engine, &answer);
        assert_eq!(
            (merged.merged, merged.known, merged.untimely.decisions),
            (0, 1, 1),
            "{made}"
        );
        assert_eq!(
            (merged.untimely.items, merged.foreign.decisions),
            (vec![item.clone()], 0),
            "{made}"
        );
        assert_eq!(
            fixture.engine.view().unwrap().audit_head,
            head,
            "nothing was written"
        );
    }
    // The person whose answer it was works on here.
    let here = fixture.other("Reviewer 2");
    here.review()
        .decide(&plain(fixture.term(2), Choice::Accept))
        .unwrap();
    colleague.review().write_answer(&answer).unwrap();
    assert_eq!(merge(&fixture.engine, &answer).merged, 1);
    assert!(fixture.engine.workspace().audit_verify().unwrap().ok);
}

#[test]
fn an_answer_decides_what_its_packet_held_and_nothing_else() {
    let fixture = Fixture::of(20);
    let (colleague, answer, _) = handed_over(&fixture, "Reviewer 2", 5);
    let held: Vec<Subject> = {
        let queue = colleague
            .workspace()
            .store
            .read(|r| r.setting("review.items"))
            .unwrap();
        serde_json::from_str(&queue.unwrap()).unwrap()
    };
    assert_eq!(held.len(), 5);
    colleague
        .review()
        .decide(&plain(held[0], Choice::Reject))
        .unwrap();
    let (Subject::Term { id: inside }, Some(outside)) = (
        held[0],
        fixture
            .terms
            .iter()
            .rev()
            .find(|t| !held.contains(&Subject::term(**t))),
    ) else {
        panic!("terms")
    };
    colleague.review().write_answer(&answer).unwrap();
    changed(
        &answer,
        &format!("\"kind\":\"term\",\"id\":{inside}}}"),
        &format!("\"kind\":\"term\",\"id\":{outside}}}"),
        true,
    );
    let merged = merge(&fixture.engine, &answer);
    assert_eq!(
        (
            merged.merged,
            merged.foreign.decisions,
            merged.foreign.items
        ),
        (0, 1, vec![format!("term {outside}")])
    );
    colleague.review().write_answer(&answer).unwrap();
    let question = fixture.questions[0];
    changed(
        &answer,
        &format!("\"kind\":\"term\",\"id\":{inside}}}"),
        &format!("\"kind\":\"question\",\"id\":{question}}}"),
        true,
    );
    assert_eq!(
        merge(&fixture.engine, &answer).foreign.items,
        [format!("question {question}")]
    );
    for kind in SubjectKind::ALL {
        assert!(
            fixture
                .engine
                .workspace()
                .store
                .read(|r| r.verdicts(kind))
                .unwrap()
                .is_empty()
        );
    }
    colleague.review().write_answer(&answer).unwrap();
    assert_eq!(merge(&fixture.engine, &answer).merged, 1);
}

#[test]
fn a_packet_of_an_earlier_version_shows_by_its_file_what_it_held() {
    let fixture = Fixture::of(8);
    let (_, _, other) = handed_over(&fixture, "Reviewer 2", 2);
    let folder = fixture.engine.workspace().path().to_owned();
    let earlier = folder.with_file_name("earlier.lexforge");
    fixture.engine.workspace().store.copy_to(&earlier).unwrap();
    let earlier = open_as(&earlier, "Reviewer 1");
    let packet = |name: &str| folder.with_file_name(format!("{name}.packet.json"));
    std::fs::rename(packet("Reviewer 2"), packet("other")).unwrap();
    std::fs::remove_file(folder.with_file_name("Reviewer 2.lexforge")).unwrap();
    let (colleague, answer, written) = handed_over(&fixture, "Reviewer 2", 3);
    assert_ne!(other.packet, written.packet);
    earlier
        .workspace()
        .store
        .write("tester", |w| {
            let person = w.person_named("Reviewer 2")?.unwrap();
            w.insert_packet(&written.packet, person.id, 3, None)
        })
        .unwrap();
    let item = colleague
        .review()
        .review_queue(&QueueFilter::of(SubjectKind::Term), None)
        .unwrap()
        .item
        .unwrap();
    colleague
        .review()
        .decide(&plain(item.subject(), Choice::Accept))
        .unwrap();
    colleague.review().write_answer(&answer).unwrap();
    let ask = |packet: Option<PathBuf>| {
        earlier.review().merge_answer(
            &answer,
            &MergeRequest {
                packet,
                ..MergeRequest::default()
            },
        )
    };
    assert_eq!(ask(None).unwrap_err().code, Code::PacketUnrecorded);
    assert_eq!(
        ask(Some(packet("other"))).unwrap_err().code,
        Code::PacketInvalid
    );
    assert_eq!(ask(Some(packet("Reviewer 2"))).unwrap().merged, 1);
    assert_eq!(ask(None).unwrap().known, 1, "it is kept from then on");
    assert!(earlier.workspace().audit_verify().unwrap().ok);
}

#[test]
fn a_name_in_three_spellings_is_one_person_or_is_asked_about() {
    let fixture = Fixture::of(6);
    let engine = &fixture.engine;
    let add = |name: &str, like| {
        engine
            .review()
            .put_person(name, Role::DomainExpert, 1, like)
    };
    let bea = add("Bea", LookAlike::Ask).unwrap();
    for same in ["Ｂｅａ", "B\u{200d}ea", " BEA "] {
        assert_eq!(add(same, LookAlike::Ask).unwrap().id, bea.id, "{same:?}");
    }
    let failure = add("Веа", LookAlike::Ask).unwrap_err();
    assert_eq!(failure.code, Code::NameAlike);
    assert!(
        failure.message.contains("“Bea”") && failure.remedy.as_deref() == Some(&Remedy::SayWhoItIs),
        "{failure:?}"
    );
    assert_eq!(add("Веа", LookAlike::Same).unwrap().id, bea.id);
    assert_eq!(engine.review().people().unwrap().people.len(), 2);
    assert_eq!(
        engine.review().act_as("Веа").unwrap_err().code,
        Code::NameAlike
    );
    for bad in ["Be\u{202e}a", "Be\u{1b}a", "Be\u{2066}a"] {
        assert_eq!(
            add(bad, LookAlike::Another).unwrap_err().code,
            Code::InvalidRequest,
            "{bad:?}"
        );
    }

    // Versions before made two persons of them: their decisions count as one reviewer's until somebody says otherwise.
    let other = engine
        .workspace()
        .store
        .write("tester", |w| {
            w.put_person(None, "Веа", Role::DomainExpert, 1)
        })
        .unwrap();
    for person in [&bea, &other] {
        engine.review().be_person(person.id).unwrap();
        engine
            .review()
            .decide(&plain(fixture.term(0), Choice::Accept))
            .unwrap();
    }
    let view = engine.review().agreement(SubjectKind::Term).unwrap();
    assert_eq!((view.overall.items, view.overall.single), (0, 1));
    assert_eq!(view.alike, [("Веа".to_owned(), "Bea".to_owned())]);
    assert_eq!(add("Веа", LookAlike::Another).unwrap().id, other.id);
    let view = engine.review().agreement(SubjectKind::Term).unwrap();
    assert_eq!((view.overall.items, view.alike.len()), (1, 0));
    assert!(engine.workspace().audit_verify().unwrap().ok);
}

#[test]
fn an_answer_by_a_name_that_looks_like_another_is_asked_about() {
    for like in [LookAlike::Same, LookAlike::Another] {
        let fixture = Fixture::of(6);
        let (colleague, answer, _) = handed_over(&fixture, "Веа", 0);
        let bea = fixture
            .engine
            .workspace()
            .store
            .write("tester", |w| {
                w.put_person(None, "Bea", Role::DomainExpert, 1)
            })
            .unwrap();
        colleague
            .review()
            .decide(&plain(fixture.term(0), Choice::Reject))
            .unwrap();
        colleague.review().write_answer(&answer).unwrap();
        let ask = |like| {
            fixture
                .engine
                .review()
                .merge_answer(&answer, &MergeRequest { like, packet: None })
        };
        assert_eq!(ask(LookAlike::Ask).unwrap_err().code, Code::NameAlike);
        let merged = ask(like).unwrap();
        let name = if like == LookAlike::Same {
            "Bea"
        } else {
            "Веа"
        };
        assert_eq!((merged.merged, merged.person.as_str()), (1, name));
        let by = fixture
            .engine
            .workspace()
            .store
            .read(|r| r.decisions_of(fixture.term(0)))
            .unwrap()[0]
            .person;
        assert_eq!(by == bea.id, like == LookAlike::Same);
        // A question that was answered is not asked again.
        colleague
            .review()
            .decide(&plain(fixture.term(1), Choice::Reject))
            .unwrap();
        colleague.review().write_answer(&answer).unwrap();
        let again = ask(LookAlike::Ask).unwrap();
        assert_eq!(
            (again.merged, again.known, again.person.as_str()),
            (1, 1, name)
        );
        assert!(fixture.engine.workspace().audit_verify().unwrap().ok);
    }
}
