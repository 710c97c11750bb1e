//! Questions that ask for several things, that go on from one before, and whose words are typed wrongly.

use super::{BREACHES, Corpus, NOTIFY, ask};
use lexforge_domain::api::{Answer, AnswerNote, Inquiry};

/// The parts of an answer with the words that are said to each.
fn parts(answer: &Answer) -> Vec<(&str, Vec<&str>)> {
    let said = |places: &[usize]| -> Vec<&str> {
        let of = places.iter().map(|at| answer.statements[*at].text.as_str());
        of.collect()
    };
    let parts = answer.parts.iter();
    parts
        .map(|part| (part.question.as_str(), said(&part.statements)))
        .collect()
}

#[test]
fn each_part_of_a_question_is_answered_or_said_to_be_unanswered() {
    let corpus = Corpus::of(&[("breaches.md", BREACHES)]);
    let engine = corpus.engine();
    let who = "Who shall notify the supervisory authority of a personal data breach";
    let both = ask(&engine, &format!("{who}, and within how many hours?"));
    let told = parts(&both);
    assert_eq!(told.len(), 2, "{both:#?}");
    assert_eq!(told[0].0, who);
    assert!(
        told.iter()
            .all(|(_, said)| said.iter().any(|text| text.contains("within 72 hours"))),
        "{told:?}"
    );
    // One clause answers both parts, and is quoted once.
    let times = both
        .statements
        .iter()
        .filter(|s| s.text.contains("within 72 hours"));
    assert_eq!(times.count(), 1, "{both:#?}");
    let half = ask(
        &engine,
        &format!("{who}, and what salary does the glazier draw?"),
    );
    let told = parts(&half);
    assert!(half.found && told.len() == 2, "{half:#?}");
    assert!(!told[0].1.is_empty() && told[1].1.is_empty(), "{told:?}");
    // A single question has no parts.
    assert!(ask(&engine, NOTIFY).parts.is_empty());
}

#[test]
fn what_is_compared_stands_side_by_side() {
    const TERMS: &str = "# Harbour terms

## Article 1 – Definitions

For the purposes of these rules:

(1) ‘berth’ means a place at a quay where one vessel lies;

(2) ‘mooring’ means a buoy to which a vessel is tied;

(3) ‘dues’ means what is paid for the use of the harbour.
";
    let corpus = Corpus::of(&[("terms.md", TERMS)]);
    let engine = corpus.engine();
    let answer = ask(
        &engine,
        "What is the difference between a berth and a mooring?",
    );
    let told = parts(&answer);
    assert_eq!(told.len(), 2, "{answer:#?}");
    for ((name, said), (term, words)) in told
        .iter()
        .zip([("berth", "place at a quay"), ("mooring", "buoy")])
    {
        assert_eq!(*name, term);
        assert!(said.iter().any(|text| text.contains(words)), "{told:?}");
    }
}

#[test]
fn a_slip_is_read_as_the_word_that_was_meant_and_said() {
    let corpus = Corpus::of(&[("breaches.md", BREACHES)]);
    let engine = corpus.engine();
    let typed = NOTIFY.replace("supervisory", "supervisry");
    let answer = ask(&engine, &typed);
    assert!(answer.found, "{answer:#?}");
    assert_eq!(answer.question, typed);
    assert_eq!(
        answer.notes.first(),
        Some(&AnswerNote::ReadAs {
            typed: "supervisry".to_owned(),
            read: "supervisory".to_owned()
        })
    );
    let nowhere = |note: &AnswerNote| matches!(note, AnswerNote::StandNowhere { .. });
    assert!(!answer.notes.iter().any(nowhere), "{:?}", answer.notes);
}

#[test]
fn a_question_goes_on_from_the_answer_before() {
    const REGISTERS: &str = "# Rules on registers

## Article 1

A controller shall keep a register of its processing activities.

## Article 2

A processor shall keep a register of its processing activities.

## Article 3

The board shall approve the training plan once a year.
";
    let corpus = Corpus::of(&[("registers.md", REGISTERS)]);
    let engine = corpus.engine();
    let first = ask(
        &engine,
        "Shall a controller keep a register of its processing activities?",
    );
    let go_on = |question: &str, after| {
        let inquiry = Inquiry {
            question: question.to_owned(),
            after,
            ..Inquiry::default()
        };
        engine.answering().ask(&inquiry).unwrap()
    };
    let next = go_on("And for a processor?", first.id);
    assert_eq!(
        next.notes.first(),
        Some(&AnswerNote::ReadWith {
            question: first.question.clone()
        })
    );
    let nearest = next.passages.first().map(|clause| clause.text.as_str());
    assert!(
        nearest.is_some_and(|text| text.starts_with("A processor")),
        "{next:#?}"
    );
    // A question with an additional word that occurs nowhere is not answered by the clause of the earlier question.
    assert!(!go_on("And for a zeppelin?", first.id).found);
    // A question that is complete by itself does not continue an earlier one.
    let other = go_on("Who shall approve the training plan?", first.id);
    let reads = |note: &AnswerNote| matches!(note, AnswerNote::ReadWith { .. });
    assert!(!other.notes.iter().any(reads), "{other:#?}");
}
