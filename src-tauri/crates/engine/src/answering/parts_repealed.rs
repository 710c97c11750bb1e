//! A part of a question that only documents answer which are not in force.

use super::force::cited_out_of_force;
use super::parts::{merged, with_what_is_wanted};
use crate::workspace::Result;
use lexforge_domain::api::{Answer, AnswerNote, AnswerPart};
use lexforge_text::parts::Part;

/// Makes one answer from the answers to the parts of a question, as [`merged`] does. Sometimes no document in force
/// answers a part, but a document that a person set out of force does. Then the part is answered from that document,
/// and a note says so. `of_all` answers a part from all documents, in force or not.
pub(super) fn merged_with_repealed(
    question: &str,
    parts: &[Part],
    (mut answers, whole): (Vec<Answer>, Answer),
    of_all: impl Fn(usize) -> Result<Answer>,
) -> Result<Answer> {
    let in_force = merged(question, parts, answers.clone(), whole.clone());
    let left_out = |note: &AnswerNote| matches!(note, AnswerNote::OutOfForceLeftOut { .. });
    if !in_force.notes.iter().any(left_out) {
        return Ok(in_force);
    }
    let mut repealed = Vec::new();
    for (at, part) in in_force.parts.iter().enumerate() {
        if !part.statements.is_empty() {
            continue;
        }
        let answer = with_what_is_wanted(&parts[at], of_all(at)?);
        let first = answer.citations.first();
        if answer.found && first.is_some_and(|place| place.out_of_force.is_some()) {
            // What is no longer in force contradicts nobody.
            answers[at] = Answer {
                premise: None,
                ..answer
            };
            repealed.push(at);
        }
    }
    if repealed.is_empty() {
        return Ok(in_force);
    }
    let mut all = merged(question, parts, answers, whole);
    // What is cited now was not left out.
    let cited = cited_out_of_force(&all.citations).len();
    for note in &mut all.notes {
        if let AnswerNote::OutOfForceLeftOut { documents } = note {
            *documents = documents.saturating_sub(cited);
        }
    }
    let none = AnswerNote::OutOfForceLeftOut { documents: 0 };
    all.notes.retain(|note| *note != none);
    let told = repealed.iter().filter_map(|at| all.parts.get(*at));
    let notes: Vec<AnswerNote> = told.filter_map(|part| note_of(part, &all)).collect();
    all.notes.splice(0..0, notes);
    Ok(all)
}

/// The note that a part is answered from documents that are not in force. `None` if another part quotes the same text
/// from a document in force.
fn note_of(part: &AnswerPart, answer: &Answer) -> Option<AnswerNote> {
    let statements = part.statements.iter();
    let places = statements
        .filter_map(|at| answer.statements.get(*at))
        .flat_map(|statement| &statement.citations)
        .filter_map(|at| answer.citations.get(*at));
    let documents = cited_out_of_force(places).len();
    (documents > 0).then(|| AnswerNote::PartOutOfForce {
        part: part.question.clone(),
        documents,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::answering::made::answer;
    use lexforge_domain::DocumentId;
    use lexforge_domain::api::{OutOfForce, Premise};

    /// An answer from documents in force, where one was left out.
    fn in_force(said: &[&str], probability: f64) -> Answer {
        let mut answer = answer(said, probability);
        answer.notes = vec![AnswerNote::OutOfForceLeftOut { documents: 1 }];
        answer
    }

    /// An answer from a document that is repealed.
    fn repealed(said: &[&str], probability: f64) -> Answer {
        let mut answer = answer(said, probability);
        for citation in &mut answer.citations {
            citation.document = DocumentId(2);
            citation.out_of_force = Some(OutOfForce::Repealed {
                since: "2024-01-01".to_owned(),
            });
        }
        answer
    }

    #[test]
    fn a_part_that_only_a_repealed_document_answers_is_answered_from_it_and_says_so() {
        let parts = [Part::whole("who pays"), Part::whole("who signs")];
        let (pays, signs) = ("The master pays.", "The pilot signs.");
        let told = |second: Answer, of_all: Answer| {
            let answers = vec![in_force(&[pays], 0.9), second];
            let whole = in_force(&["the whole"], 0.7);
            merged_with_repealed("Both?", &parts, (answers, whole), |at| {
                assert_eq!(at, 1, "a part that is answered is not asked again");
                Ok(of_all.clone())
            })
            .unwrap()
        };
        let none = || in_force(&[], 0.2);
        let mut denies = repealed(&[signs], 0.8);
        denies.premise = Some(Premise {
            assumed: "somebody signs".to_owned(),
            citation: 0,
        });
        let both = told(none(), denies);
        assert_eq!(both.answer, format!("{pays}\n{signs}"));
        assert_eq!(both.parts[1].statements, [1]);
        assert!(both.citations[0].out_of_force.is_none());
        assert!(both.citations[1].out_of_force.is_some() && both.premise.is_none());
        assert!((both.probability - 0.8).abs() < 1e-12);
        let note = AnswerNote::PartOutOfForce {
            part: "who signs".to_owned(),
            documents: 1,
        };
        assert_eq!(both.notes, [note]);
        // Of three documents that are not in force, two stay left out.
        let three = |said: &[&str], probability| {
            let mut answer = in_force(said, probability);
            answer.notes = vec![AnswerNote::OutOfForceLeftOut { documents: 3 }];
            answer
        };
        let answers = (
            vec![three(&[pays], 0.9), three(&[], 0.2)],
            three(&["the whole"], 0.7),
        );
        let of_one = |_| Ok(repealed(&[signs], 0.8));
        let one = merged_with_repealed("Both?", &parts, answers, of_one).unwrap();
        let left_out = AnswerNote::OutOfForceLeftOut { documents: 2 };
        assert_eq!(one.notes[1..], [left_out]);
        // No document answers it, or one in force does among all documents.
        for of_all in [repealed(&[], 0.2), in_force(&[signs], 0.8)] {
            let half = told(none(), of_all);
            assert_eq!((half.answer.as_str(), half.notes.len()), (pays, 1));
            assert!(half.parts[1].statements.is_empty());
        }
        // What is said in the same words by a document in force stands there once, from that one.
        let same = told(none(), repealed(&[pays], 0.8));
        assert_eq!((same.answer.as_str(), same.citations.len()), (pays, 1));
        assert!(same.citations[0].out_of_force.is_none());
        let only = |note: &AnswerNote| matches!(note, AnswerNote::PartOutOfForce { .. });
        assert!(!same.notes.iter().any(only), "{:?}", same.notes);
        // Where nothing was left out, or each part is answered, nothing is asked again.
        let never = |_| -> Result<Answer> { unreachable!("nothing is asked again") };
        for (first, second) in [
            (answer(&[pays], 0.9), answer(&[], 0.2)),
            (in_force(&[pays], 0.9), in_force(&[signs], 0.8)),
        ] {
            let answers = vec![first, second];
            let whole = answer(&["the whole"], 0.7);
            assert!(merged_with_repealed("Both?", &parts, (answers, whole), never).is_ok());
        }
    }
}
