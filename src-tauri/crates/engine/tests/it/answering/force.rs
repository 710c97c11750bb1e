//! Documents that a person set out of force: what is answered from them, and what is said of it.

use super::{BREACHES, Corpus, NOTIFY, ask, on};
use lexforge_domain::api::{
    Answer, AnswerNote, DocumentChange, OutOfForce, SearchMode, SearchRequest, Validity,
};
use lexforge_domain::{Code, DocumentId};
use lexforge_engine::Engine;

fn validity(from: &str, until: &str, repealed: &str) -> Validity {
    let day = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Validity {
        from: day(from),
        until: day(until),
        repealed: day(repealed),
        ..Validity::default()
    }
}

fn set(engine: &Engine, id: DocumentId, validity: &Validity) {
    engine.corpus().set_validity(id, validity).unwrap();
}

const OTHER: &str = "# Rules on cranes

## Article 1

The foreman shall inspect each crane once a month.
";

#[test]
fn what_only_a_repealed_document_answers_is_said_to_be_repealed_first() {
    let corpus = Corpus::new();
    let repealed = corpus.add("breaches.md", BREACHES.as_bytes(), None, None);
    corpus.add("cranes.md", OTHER.as_bytes(), None, None);
    let engine = corpus.engine();
    let before = ask(&engine, NOTIFY);
    assert!(before.found && before.citations[0].out_of_force.is_none());
    set(&engine, repealed, &validity("", "", "2024-01-01"));

    let answer = ask(&engine, NOTIFY);
    assert_eq!((answer.found, &answer.answer), (true, &before.answer));
    assert_eq!(answer.notes[0], AnswerNote::OnlyOutOfForce { documents: 1 });
    let since = "2024-01-01".to_owned();
    assert_eq!(
        answer.citations[0].out_of_force,
        Some(OutOfForce::Repealed { since })
    );
    // On a day before the repeal it is an answer like any other.
    let then = on(&engine, NOTIFY, "2023-12-31");
    let only = |note: &AnswerNote| {
        matches!(
            note,
            AnswerNote::OnlyOutOfForce { .. } | AnswerNote::OutOfForceLeftOut { .. }
        )
    };
    assert!(then.found && !then.notes.iter().any(only), "{then:#?}");
    assert!(then.citations[0].out_of_force.is_none());
    // What a document in force answers is answered from it, and the other one is left out, which is said.
    let cranes = ask(&engine, "Who inspects each crane once a month?");
    assert!(cranes.found, "{cranes:#?}");
    assert!(cranes.citations.iter().all(|c| c.document != repealed));
    let left_out = AnswerNote::OutOfForceLeftOut { documents: 1 };
    assert!(cranes.notes.contains(&left_out), "{:?}", cranes.notes);
    // Taken back, it counts as before.
    set(&engine, repealed, &Validity::default());
    let after = ask(&engine, NOTIFY);
    assert!(after.found && !after.notes.iter().any(only), "{after:#?}");
}

#[test]
fn a_part_of_a_question_that_only_a_repealed_document_answers_says_so() {
    let corpus = Corpus::new();
    let repealed = corpus.add("breaches.md", BREACHES.as_bytes(), None, None);
    let cranes = corpus.add("cranes.md", OTHER.as_bytes(), None, None);
    let engine = corpus.engine();
    let notifies = "within how many hours shall the controller notify the supervisory authority of a personal data breach";
    let question = format!("Who shall inspect each crane once a month, and {notifies}?");
    let said = |answer: &Answer, part: usize| -> Vec<DocumentId> {
        let places = answer.parts[part].statements.iter();
        let cited = places.flat_map(|at| &answer.statements[*at].citations);
        cited.map(|at| answer.citations[*at].document).collect()
    };
    let before = ask(&engine, &question);
    assert_eq!(before.parts.len(), 2, "{before:#?}");
    assert!(said(&before, 0).contains(&cranes), "{before:#?}");
    assert!(said(&before, 1).contains(&repealed), "{before:#?}");
    let of_part = |note: &&AnswerNote| matches!(note, AnswerNote::PartOutOfForce { .. });
    assert_eq!(before.notes.iter().find(of_part), None);
    set(&engine, repealed, &validity("", "", "2024-01-01"));

    let answer = ask(&engine, &question);
    assert!(answer.found && answer.parts.len() == 2, "{answer:#?}");
    assert_eq!(said(&answer, 0), said(&before, 0));
    assert!(said(&answer, 1).contains(&repealed), "{answer:#?}");
    let note = AnswerNote::PartOutOfForce {
        part: answer.parts[1].question.clone(),
        documents: 1,
    };
    assert_eq!(answer.notes[0], note);
    for citation in &answer.citations {
        assert_eq!(
            citation.out_of_force.is_some(),
            citation.document == repealed
        );
    }
    // A part that no document speaks of stays open.
    let question =
        "Who shall inspect each crane once a month, and what salary does the glazier draw?";
    let open = ask(&engine, question);
    assert!(
        open.found && open.parts[1].statements.is_empty(),
        "{open:#?}"
    );
    assert_eq!(open.notes.iter().find(of_part), None);
    assert!(open.citations.iter().all(|c| c.document == cranes));
}

#[test]
fn a_document_in_force_answers_before_one_that_is_not() {
    let corpus = Corpus::new();
    let text = |limit: &str| {
        format!(
            "# Rules on breaches\n\n## Article 1\n\nA controller shall notify the supervisory authority of a personal data \
             breach within {limit} hours.\n"
        )
    };
    let old = corpus.add("old.md", text("96").as_bytes(), None, None);
    let new = corpus.add("new.md", text("72").as_bytes(), None, None);
    let engine = corpus.engine();
    set(&engine, old, &validity("", "2020-12-31", ""));
    let today = ask(&engine, NOTIFY);
    assert!(today.found && today.answer.contains("72"), "{today:#?}");
    assert!(today.citations.iter().all(|c| c.document == new));
    assert!(today.passages.iter().all(|p| p.place.document == new));
    // A day that a person set counts also where the document states none.
    set(&engine, new, &validity("2021-01-01", "", ""));
    let then = on(&engine, NOTIFY, "2020-06-30");
    assert!(then.found && then.answer.contains("96"), "{then:#?}");
    assert!(then.citations.iter().all(|c| c.document == old));
}

#[test]
fn what_is_repealed_in_chinese_is_said_as_well() {
    let rules = "# 港口收费办法\n\n第一条 停泊费由船长在离港之前缴纳。\n\n第二条 引航费由船东缴纳。\n\n第三条 港口办公室每年公布收费标准。\n";
    let corpus = Corpus::new();
    let id = corpus.add("收费.md", rules.as_bytes(), None, None);
    let engine = corpus.engine();
    let question = "停泊费由谁缴纳？";
    assert!(ask(&engine, question).found);
    set(&engine, id, &validity("", "2020-12-31", ""));
    let answer = ask(&engine, question);
    assert_eq!(answer.notes[0], AnswerNote::OnlyOutOfForce { documents: 1 });
    assert!(answer.citations[0].out_of_force.is_some(), "{answer:#?}");
}

#[test]
fn a_search_finds_what_is_not_in_force_and_says_so() {
    let corpus = Corpus::new();
    let id = corpus.add("breaches.md", BREACHES.as_bytes(), None, None);
    let engine = corpus.engine();
    let found = |document| {
        let request = SearchRequest {
            query: "personal data breach".to_owned(),
            mode: SearchMode::Lexical,
            top: 3,
            document,
            encoder: None,
        };
        engine.corpus().search(&request).unwrap()
    };
    assert!(found(None).iter().all(|hit| hit.out_of_force.is_none()));
    set(&engine, id, &validity("", "2020-12-31", ""));
    for document in [None, Some(id)] {
        let hits = found(document);
        assert!(!hits.is_empty() && hits.iter().all(|hit| hit.out_of_force.is_some()));
    }
}

#[test]
fn days_that_contradict_each_other_are_refused() {
    let corpus = Corpus::new();
    let id = corpus.add("breaches.md", BREACHES.as_bytes(), None, None);
    let engine = corpus.engine();
    for (from, until, repealed) in [
        ("", "2024-01-01", "2024-01-01"),
        ("2024-01-02", "2024-01-01", ""),
        ("2024-01-01", "", "2024-01-01"),
        ("2024", "", ""),
        ("", "2024-02-30", ""),
    ] {
        let failure = engine
            .corpus()
            .set_validity(id, &validity(from, until, repealed))
            .unwrap_err();
        assert_eq!(
            failure.code,
            Code::InvalidRequest,
            "{from} {until} {repealed}"
        );
    }
    // Nor may it end before the day from which the document itself says that it applies.
    let later = corpus.add("later.md", OTHER.as_bytes(), Some("2020-07-01"), None);
    let engine = corpus.engine();
    for (until, repealed, refused) in [
        ("2020-06-30", "", true),
        ("", "2020-07-01", true),
        ("2020-07-01", "", false),
    ] {
        let set = engine
            .corpus()
            .set_validity(later, &validity("", until, repealed));
        assert_eq!(set.is_err(), refused, "{until} {repealed}");
    }
    // A last day may be the first one, too.
    set(&engine, id, &validity("2024-01-01", "2024-01-01", ""));
    let unknown = DocumentId(99);
    assert!(
        engine
            .corpus()
            .set_validity(unknown, &Validity::default())
            .is_err()
    );
}

#[test]
fn what_documents_say_is_proposed_and_counts_only_once_it_is_set() {
    let corpus = Corpus::new();
    let old = corpus.add(
        "old.md",
        b"# Harbour Dues Act 1987\n\nThe master shall pay the harbour dues before the ship leaves the port.\n",
        None,
        None,
    );
    let new = corpus.add(
        "new.md",
        b"# Port Act 2020\n\nThis Act shall apply until 31 December 2999.\n\nThe Harbour Dues Act 1987 is repealed with \
          effect from 1 July 2020.\n\nThe pilot shall keep a log of each voyage.\n",
        None,
        None,
    );
    let engine = corpus.engine();
    let proposed = || engine.corpus().validity_proposals().unwrap();
    let [first, second] = proposed().try_into().unwrap();
    assert_eq!((first.document, first.said_by), (old, new));
    assert_eq!(first.validity, validity("", "", "2020-07-01"));
    assert!(first.repealed && first.text.contains("is repealed"));
    assert_eq!((second.document, second.said_by), (new, new));
    assert_eq!(second.validity, validity("", "2999-12-31", ""));
    // Nothing counts before a person has set it.
    let question = "Who pays the harbour dues before the ship leaves the port?";
    assert!(ask(&engine, question).citations[0].out_of_force.is_none());
    set(&engine, old, &first.validity);
    assert!(ask(&engine, question).citations[0].out_of_force.is_some());
    // A first day says nothing of the last one.
    set(&engine, new, &validity("2020-01-01", "", ""));
    assert_eq!(proposed().len(), 1);
    // Turned down, it is proposed no more, whatever is set later.
    set(&engine, new, &Validity::default());
    assert!(proposed().is_empty());
    set(&engine, new, &validity("2020-01-01", "", ""));
    assert!(proposed().is_empty());
}

#[test]
fn what_happened_since_an_answer_was_given_is_told_and_the_answer_stays() {
    let corpus = Corpus::new();
    let id = corpus.add("breaches.md", BREACHES.as_bytes(), None, None);
    let engine = corpus.engine();
    let answer = ask(&engine, NOTIFY);
    let then = on(&engine, NOTIFY, "2020-06-30");
    let answering = engine.answering();
    let since = |answer: &Answer| answering.changed_since(answer.id.unwrap()).unwrap();
    assert!(since(&answer).is_empty() && since(&then).is_empty());
    let kept = || answering.kept_answer(answer.id.unwrap()).unwrap();
    let as_given = kept();
    let listed = || -> Vec<usize> {
        let rows = answering.newest_answers().unwrap();
        rows.iter().rev().map(|row| row.changed).collect()
    };
    assert_eq!(listed(), [0, 0]);
    set(&engine, id, &validity("", "", "2024-01-01"));
    // The list says the same of each answer as the answer does when it is opened.
    assert_eq!(listed(), [1, 0]);
    let told = since(&answer);
    let repealed = OutOfForce::Repealed {
        since: "2024-01-01".to_owned(),
    };
    let out = DocumentChange::OutOfForce {
        out_of_force: repealed,
    };
    assert_eq!((told.len(), &told[0].change), (1, &out));
    assert_eq!((told[0].document, told[0].citations[0]), (id, 0));
    // It was in force on the day that the other answer is about.
    assert!(since(&then).is_empty());
    assert_eq!(kept(), as_given);
    // An answer that says so itself is told of only once that is taken back.
    let of_repealed = ask(&engine, NOTIFY);
    assert!(since(&of_repealed).is_empty());
    set(&engine, id, &Validity::default());
    let told = since(&of_repealed);
    assert_eq!(told[0].change, DocumentChange::InForce);
    assert!(since(&answer).is_empty());
    assert_eq!(listed(), [0, 0, 1]);
}

#[test]
fn one_proposal_is_turned_down_alone() {
    let corpus = Corpus::new();
    let old = corpus.add(
        "old.md",
        b"# Harbour Dues Act 1987\n\nThis Act shall apply until 31 December 2999.\n\nThe master shall pay the dues.\n",
        None,
        None,
    );
    let new = corpus.add(
        "new.md",
        b"# Port Act 2020\n\nThe Harbour Dues Act 1987 is repealed with effect from 1 July 2020.\n",
        None,
        None,
    );
    let engine = corpus.engine();
    let proposed = || engine.corpus().validity_proposals().unwrap();
    let [own, repeal] = proposed().try_into().unwrap();
    assert_eq!((own.said_by, repeal.said_by), (old, new));
    set(&engine, old, &validity("1988-01-01", "", ""));
    // Neither for another document, nor twice, nor where one of several is none.
    let turn_down = |id, sentences: &[_]| engine.corpus().turn_down(id, sentences);
    for (id, sentences) in [
        (new, vec![repeal.sentence]),
        (old, vec![own.sentence, lexforge_domain::SentenceId(9_999)]),
        (DocumentId(99), vec![repeal.sentence]),
    ] {
        assert!(turn_down(id, &sentences).is_err(), "{id} {sentences:?}");
        assert_eq!(proposed(), [own.clone(), repeal.clone()]);
    }
    let row = turn_down(old, &[repeal.sentence]).unwrap();
    let left = row.validity.unwrap();
    assert_eq!(left.refused, [repeal.sentence]);
    assert_eq!(left.from.as_deref(), Some("1988-01-01"));
    assert_eq!(proposed(), [own]);
    let again = turn_down(old, &[repeal.sentence]).unwrap_err();
    assert_eq!(again.code, Code::NotFound);
}

#[test]
fn where_nothing_is_answered_the_nearest_clauses_say_what_they_lack() {
    let corpus = Corpus::of(&[("breaches.md", BREACHES)]);
    let engine = corpus.engine();
    let none = ask(
        &engine,
        "Which lighthouse paint is allowed in the register?",
    );
    assert!(!none.found, "{none:#?}");
    let register = none.passages.iter().find(|p| p.text.contains("register"));
    assert_eq!(register.unwrap().lacks[0], "lighthouse paint", "{none:#?}");
    // An answer lists nothing.
    let answer = ask(&engine, NOTIFY);
    assert!(answer.found && answer.passages.iter().all(|p| p.lacks.is_empty()));
}
