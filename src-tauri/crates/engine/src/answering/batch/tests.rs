//! Tests of `batch`.

use super::*;
use crate::answering::made::answer;
use lexforge_domain::api::{Clause, Premise};

#[test]
fn a_table_with_verdicts_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers.csv");
    assert_eq!(verdicts_in(&file, &Silent), Verdicts::None);
    for (table, has) in [
        (
            "question,verdict,answer_id\nWho?,,1\nWhen?,right,2\n",
            Verdicts::Some,
        ),
        ("question;answer_id;verdict\nWho?;1;wrong\n", Verdicts::Some),
        (
            "question,verdict,answer_id\nWho?,,1\nWhen?, ,2\n",
            Verdicts::None,
        ),
        ("question,verdict\nWho?,right\n", Verdicts::None),
        ("question\nWho?\n", Verdicts::None),
        ("", Verdicts::None),
        // A remark beside the last column.
        (
            "question,answer_id,verdict\nWho?,1,right,see there\n",
            Verdicts::Unknown,
        ),
    ] {
        std::fs::write(&file, table).unwrap();
        assert_eq!(verdicts_in(&file, &Silent), has, "{table}");
    }
    // A workbook that a password locks.
    let locked = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
    std::fs::write(&file, locked).unwrap();
    assert_eq!(verdicts_in(&file, &Silent), Verdicts::Unknown);
    // A document is no table.
    let document = folder.path().join("answers.DOCX");
    std::fs::write(&document, locked).unwrap();
    assert_eq!(verdicts_in(&document, &Silent), Verdicts::None);
    assert_eq!(verdicts_in(folder.path(), &Silent), Verdicts::None);
}

#[test]
fn a_name_promises_what_is_written() {
    for (name, other) in [
        ("answers.csv", false),
        ("answers.XLSX", false),
        ("answers.docx", false),
        ("answers.tsv", false),
        ("answers", false),
        ("answers.pdf", true),
        ("answers.2026.ODS", true),
        ("answers.json", true),
    ] {
        assert_eq!(is_of_another_kind(Path::new(name)), other, "{name}");
    }
}

#[test]
fn a_refusal_says_whether_a_clause_comes_near() {
    let place = answer(&["The master notifies a breach."], 0.8).citations;
    let nearest: Vec<Clause> = place
        .into_iter()
        .map(|place| Clause {
            text: place.quote.clone(),
            place,
            score: 1.0,
            marks: Vec::new(),
            lacks: Vec::new(),
        })
        .collect();
    let (far, near) = (
        "not in these documents; the nearest clause",
        "not sure; the nearest clause may answer",
    );
    for (probability, passages, note) in [
        (0.2, nearest.clone(), far),
        (0.55, nearest.clone(), near),
        // It is sure enough, and holds nothing of what is asked for.
        (0.8, nearest, near),
        (0.55, Vec::new(), far),
    ] {
        let mut none = answer(&[], probability);
        none.passages = passages;
        let last = lines(&none).into_iter().flatten().map(plain).next_back();
        assert_eq!(last.as_deref(), Some(note), "{probability}");
    }
}

#[test]
fn each_row_tells_what_the_question_was_taken_for() {
    let mut found = answer(&["The master notifies a breach."], 0.8);
    let mut none = answer(&[], 0.2);
    let note = |answer: &Answer| -> Vec<String> {
        let rows = lines(answer).into_iter();
        rows.filter_map(|row| row.into_iter().map(plain).next_back())
            .collect()
    };
    assert_eq!(note(&found), [""]);
    for answer in [&mut found, &mut none] {
        answer.notes = vec![AnswerNote::ReadAs {
            typed: "breech".to_owned(),
            read: "breach".to_owned(),
        }];
    }
    let told = "the question was read otherwise: breech → breach";
    assert_eq!(note(&found), [told]);
    assert!(note(&none)[0].starts_with(told), "{:?}", note(&none));
    let mut unknown = answer(&["The master notifies a breach."], 0.8);
    unknown.notes = vec![AnswerNote::StandNowhere {
        words: vec!["quay".to_owned(), "crane".to_owned()],
    }];
    let nowhere = "these words of the question stand in no document: quay, crane";
    assert_eq!(note(&unknown), [nowhere]);
    found.premise = Some(Premise {
        assumed: "the master need not notify it".to_owned(),
        citation: 0,
    });
    let denied =
        "the question takes for granted what the documents deny: the master need not notify it";
    assert_eq!(note(&found), [format!("{denied}; {told}")]);
}
