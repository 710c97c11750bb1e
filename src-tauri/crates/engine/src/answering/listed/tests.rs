//! Tests of `listed`.

use super::*;
use crate::Engine;
use crate::answering::made::answer;
use crate::review::fixture::document;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{Answer, Clause, OutOfForce, Validity};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Answers in the window's list.
const LISTED: usize = 500;
/// Answers of the workspace, more than are listed.
const ALL: usize = LISTED + 20;

/// A workspace of six documents, and the engine that has it open.
fn workspace() -> (tempfile::TempDir, Engine, Vec<DocumentId>) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let insert = |n: usize| {
        let text = format!("A vessel of class {n} shall be moored by a pilot.");
        let parsed = document(std::slice::from_ref(&text));
        let store = &engine.workspace().store;
        store.write("tester", |w| {
            w.insert_document(&parsed, &format!("{n}.md"), text.as_bytes())
        })
    };
    let ids = (0..6).map(|n| insert(n).unwrap()).collect();
    (folder, engine, ids)
}

fn repealed() -> OutOfForce {
    OutOfForce::Repealed {
        since: "2024-01-01".to_owned(),
    }
}

/// The answers of this workspace: refusals, answers as of another day, and answers that cite a document twice, one that
/// is not there, or one of which they say that it is out of force or has a newer version. Each has the nearest clauses,
/// which are most of its text.
fn answers(documents: &[DocumentId]) -> impl Iterator<Item = Answer> {
    let near = "The master of a vessel shall tell the port what the vessel carries. ".repeat(24);
    (0..ALL).map(move |n| {
        let said: &[&str] = match n % 7 {
            0 => &[],
            1 | 2 => &["It is due."],
            _ => &["It is due.", "It is paid.", "It is kept."],
        };
        let mut answer = answer(said, 0.8);
        answer.question = format!("Question {n}?");
        answer.asked = "2026-03-05T12:00:00Z".to_owned();
        answer.as_of = if n % 5 == 0 {
            "2023-06-30"
        } else {
            "2026-03-05"
        }
        .to_owned();
        for (at, citation) in answer.citations.iter_mut().enumerate() {
            citation.document = match (n + at) % 11 {
                10 => DocumentId(999),
                place => documents[place % documents.len()],
            };
            citation.out_of_force = (n % 3 == 0).then(repealed);
            citation.superseded_by = (n % 4 == 0).then(|| documents[1]);
        }
        let place = answer.citations.first().cloned();
        answer.passages = place
            .iter()
            .cycle()
            .take(5 * place.iter().len())
            .map(|place| Clause {
                place: place.clone(),
                text: near.clone(),
                score: 0.5,
                marks: Vec::new(),
                lacks: Vec::new(),
            })
            .collect();
        answer
    })
}

fn put(engine: &Engine, answers: impl Iterator<Item = Answer>) {
    let store = &engine.workspace().store;
    let put = store.write("tester", |w| {
        for answer in answers {
            w.put_reply(&answer)?;
        }
        Ok(())
    });
    put.unwrap();
}

/// Compares the list's marks with what each answer says when it is opened and read whole. Returns how many are marked.
fn check(engine: &Engine, rows: &[AnswerRow]) -> usize {
    for row in rows {
        let changes = engine.answering().changed_since(row.id).unwrap();
        let documents: HashSet<DocumentId> = changes.iter().map(|c| c.document).collect();
        assert_eq!(row.changed, documents.len(), "{} {changes:?}", row.question);
    }
    rows.iter().filter(|row| row.changed > 0).count()
}

#[test]
fn the_list_marks_what_the_answers_say_when_they_are_opened() {
    let (_folder, engine, documents) = workspace();
    put(&engine, answers(&documents));
    let listed = || engine.answering().newest_answers().unwrap();
    let before = listed();
    assert_eq!(before.len(), LISTED);
    let marked_before = check(&engine, &before);
    // What happens to documents shows, though the answers are known by now.
    let validity = Validity {
        repealed: Some("2024-01-01".to_owned()),
        ..Validity::default()
    };
    engine
        .corpus()
        .set_validity(documents[0], &validity)
        .unwrap();
    let link = engine.workspace().store.write("tester", |w| {
        w.link_predecessor(documents[3], Some(documents[2]))
    });
    link.unwrap();
    let after = listed();
    let marked = check(&engine, &after);
    assert!(marked_before > 0 && marked < LISTED, "{marked}");
    assert_ne!(before, after);
    // An answer of another program is the newest, and pushes the oldest one out.
    let there = Engine::open(engine.workspace().store.path()).unwrap();
    put(&there, answers(&documents).skip(4).take(1));
    let rows = listed();
    assert_eq!(rows[1..], after[..LISTED - 1]);
    check(&engine, &rows);
    // All of them, of which the older ones were not read before.
    let all = engine.answering().answers().unwrap();
    assert_eq!((all.len(), &all[..LISTED]), (ALL + 1, &rows[..]));
    check(&engine, &all);
}

/// The shortest of three times.
fn shortest(mut of: impl FnMut() -> Duration) -> Duration {
    (0..3).map(|_| of()).min().unwrap()
}

#[test]
fn a_list_that_was_read_once_costs_less() {
    let (_folder, engine, documents) = workspace();
    put(&engine, answers(&documents));
    let path = engine.workspace().store.path();
    let timed = |engine: &Engine| {
        // What opening takes is no part of it.
        engine.corpus().documents().unwrap();
        let began = Instant::now();
        assert_eq!(engine.answering().newest_answers().unwrap().len(), LISTED);
        began.elapsed()
    };
    // An engine that has just opened the workspace has to read the answers.
    let first = shortest(|| timed(&Engine::open(path).unwrap()));
    timed(&engine);
    let again = shortest(|| timed(&engine));
    assert!(2 * again < first, "{again:?}, and {first:?} at first");
}
