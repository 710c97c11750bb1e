//! What is understood of a file before it is imported.

use super::*;
use crate::workspace::Silent;
use lexforge_domain::api::Progress;
use lexforge_domain::text::Language;
use std::fs;

/// Two subjects, one question with two right answers, a Chinese one, and four lines that cannot be used.
const TABLE: &str = "question,A,B,C,answer,subject
Who keeps the register of all ferries of the harbour?,the harbour office,the bakery,the school,A,ferries
Who may inspect a ferry before it leaves the harbour?,the harbour office,the insurer,the school,AB,ferries
渡船发生碰撞后，船主应当在规定的时间内通知谁？,港务办公室的工作人员,面包店的主人,学校的教师,A,bread
Which line has no right answer?,one,two,three,,bread
Which choices are the same?,one,one,three,A,bread
NaN,one,two,three,A,bread
Which choice was lost?,one,NaN,three,A,bread
";

fn found_in(name: &str, bytes: &[u8]) -> Result<Found> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, bytes).unwrap();
    let request = ExamRequest {
        files: vec![file],
        ..ExamRequest::default()
    };
    exam_in(&request, &Silent)
}

#[test]
fn a_look_tells_what_is_kept_and_what_is_left_out() {
    let report = found_in("harbour.csv", TABLE.as_bytes()).unwrap().report;
    assert_eq!(
        (report.exam.name.as_str(), report.exam.questions),
        ("harbour", 3)
    );
    assert_eq!(
        (report.exam.several, report.read, report.left_out),
        (1, 7, 4)
    );
    let subjects: Vec<(&str, u64)> = report
        .exam
        .subjects
        .iter()
        .map(|(name, n)| (name.as_str(), *n))
        .collect();
    assert_eq!(subjects, [("bread", 1), ("ferries", 2)]);
    let languages = BTreeMap::from([(Language::En, 2), (Language::Zh, 1)]);
    assert_eq!(report.languages, languages);
    let refused: Vec<(u64, &str)> = report
        .rejected
        .iter()
        .map(|row| (row.line, row.reason.as_str()))
        .collect();
    assert_eq!(
        refused,
        [
            (5, "It has no right answer."),
            (6, "Choices A and B are the same."),
            (7, "The question is “NaN”, which stands for a lost cell."),
            (8, "Choice B is “NaN”, which stands for a lost cell."),
        ]
    );
}

#[test]
fn a_file_that_is_no_exam_gives_one_message() {
    for (name, bytes, said) in [
        ("empty.csv", b"".as_slice(), "empty"),
        ("book.xlsx", b"PK\x03\x04rest".as_slice(), "spreadsheet"),
        (
            "old.xls",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(),
            "older spreadsheet",
        ),
        (
            "none.csv",
            b"question,A,B\nWho?,a,b\n".as_slice(),
            "right answer",
        ),
        (
            "all.csv",
            b"question,A,B,answer\nWho?,a,a,A\n".as_slice(),
            "None of the 1 lines can be used. all.csv, line 2: Choices A and B are the same.",
        ),
    ] {
        let failure = found_in(name, bytes).err().unwrap();
        assert!(
            failure.message.contains(said),
            "{name}: {}",
            failure.message
        );
    }
}

/// Somebody who has cancelled.
struct Gone;

impl Watcher for Gone {
    fn progress(&self, _progress: Progress) {}

    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_look_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("harbour.csv");
    fs::write(&file, TABLE).unwrap();
    let request = ExamRequest {
        files: vec![file],
        ..ExamRequest::default()
    };
    let failure = exam_in(&request, &Gone).err().unwrap();
    assert_eq!(failure.code, Code::Cancelled);
}
