//! Workspaces made by older versions. Each is stored as the SQL that creates its file, so that it stays the same even
//! if the tables of this version change.

use crate::common::draft;
use lexforge_domain::api::{AugmentReport, Validity};
use lexforge_domain::qca::Split;
use lexforge_domain::review::Subject;
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{AnswerId, DocumentId, QcaId, SentenceId, TermId};
use lexforge_store::Workspace;
use lexforge_store::verify::verify;
use rusqlite::Connection;

const FORMAT_60: &str = include_str!("data/format_60.sql");

const FORMAT_86: &str = include_str!("data/format_86.sql");
const FORMAT_87: &str = include_str!("data/format_87.sql");
const FORMAT_88: &str = include_str!("data/format_88.sql");
const CHANGELOG: &str = include_str!("../../../../../CHANGELOG.md");

/// A workspace of format 60, opened by this version.
fn opened() -> (tempfile::TempDir, Workspace) {
    opened_from(FORMAT_60)
}

/// A workspace that some SQL makes, opened by this version.
fn opened_from(sql: &str) -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let file = Connection::open(&path).unwrap();
    file.execute_batch(sql).unwrap();
    drop(file);
    let workspace = Workspace::open(&path).unwrap();
    (folder, workspace)
}

#[test]
fn one_of_format_60_opens_and_verifies() {
    let (_folder, workspace) = opened();
    let report = workspace.read(verify).unwrap();
    assert!(report.ok, "{:?}", report.breaks);
    // Its chain names a checkpoint, but the table of checkpoints no longer exists.
    let subjects: Vec<String> = workspace
        .read(|r| r.audit_rows(0, None))
        .unwrap()
        .into_iter()
        .map(|row| row.subject)
        .collect();
    assert_eq!(subjects.len(), 23);
    assert!(subjects.iter().any(|s| s == "checkpoint 1"), "{subjects:?}");
}

#[test]
fn one_of_format_86_opens_and_verifies_with_what_was_done_in_it() {
    let (folder, workspace) = opened_from(FORMAT_86);
    let report = workspace.read(verify).unwrap();
    assert!(report.ok, "{:?}", report.breaks);
    let (rows, titles) = workspace
        .read(|r| {
            let titles: Vec<String> = r.documents()?.into_iter().map(|d| d.title).collect();
            Ok((r.audit_rows(0, None)?, titles))
        })
        .unwrap();
    assert_eq!(rows.len(), 45);
    assert_eq!(titles, ["Rule 7 on Lending of Shares", "Policy on Lending"]);
    let own = workspace
        .read(|r| r.decisions_of(Subject::term(TermId(4))))
        .unwrap();
    assert_eq!(
        own.len(),
        2,
        "one reviewer rejected it, the other accepted it"
    );
    // The format of the migrated file must be newer than 86.
    drop(workspace);
    let file = Connection::open(folder.path().join("w.lexforge")).unwrap();
    let format: i64 = file
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    // The version of format 86 takes what others propose for decisions, and cannot read them: it must refuse the file.
    assert!(format > 86, "{format}");
    assert!(
        CHANGELOG.contains(&format!("- Format {format}. ")),
        "CHANGELOG.md does not name format {format}"
    );
}

#[test]
fn one_of_format_87_opens_and_takes_how_long_a_document_is_in_force() {
    let (_folder, workspace) = opened_from(FORMAT_87);
    let report = workspace.read(verify).unwrap();
    assert!(report.ok, "{:?}", report.breaks);
    let documents = || workspace.read(|r| r.documents()).unwrap();
    let [first, second] = documents().try_into().unwrap();
    assert_eq!(second.predecessor, Some(first.id));
    assert_eq!((first.validity, second.validity), (None, None));
    let repealed = Validity {
        repealed: Some("2025-01-01".to_owned()),
        ..Validity::default()
    };
    workspace
        .write("ann", |w| w.set_validity(first.id, &repealed))
        .unwrap();
    assert_eq!(documents()[0].validity.as_ref(), Some(&repealed));
    let report = workspace.read(verify).unwrap();
    assert!(report.ok, "{:?}", report.breaks);
}

#[test]
fn one_of_format_88_opens_and_verifies_with_what_was_decided_and_answered_in_it() {
    let (_folder, workspace) = opened_from(FORMAT_88);
    let report = workspace.read(verify).unwrap();
    assert!(report.ok, "{:?}", report.breaks);
    let day = |day: &str| Some(day.to_owned());
    let set = [
        Validity {
            repealed: day("2021-03-01"),
            ..Validity::default()
        },
        Validity {
            from: day("2021-03-01"),
            ..Validity::default()
        },
        // It was set and taken back.
        Validity::default(),
    ];
    let numbered = (1..).map(DocumentId).zip(set).collect::<Vec<_>>();
    assert_eq!(workspace.read(|r| r.validities()).unwrap(), numbered);
    let term = |id| workspace.read(|r| r.term(TermId(id))).unwrap();
    let states = [1, 2, 3].map(|id| (term(id).text, term(id).status));
    let expected = [
        ("passengers", ReviewStatus::Accepted),
        // The second acceptance was taken back: what the other person decided counts.
        ("forty passengers", ReviewStatus::Rejected),
        ("乘客", ReviewStatus::Unreviewed),
    ];
    assert_eq!(
        states,
        expected.map(|(text, status)| (text.to_owned(), status))
    );
    let answers = [1, 2].map(|id| workspace.read(|r| r.reply(AnswerId(id))).unwrap());
    let cited = answers.map(|answer| {
        answer
            .citations
            .iter()
            .map(|c| c.sentence)
            .collect::<Vec<_>>()
    });
    assert_eq!(cited, [vec![SentenceId(16)], vec![SentenceId(9)]]);
    let decided = workspace.read(|r| r.match_decisions()).unwrap();
    let rules: Vec<i64> = decided.iter().map(|d| d.rule).collect();
    assert_eq!(rules, [9]);
    assert!(workspace.read(|r| r.newest_matching()).unwrap().is_some());
}

#[test]
fn decisions_of_format_60_stay_on_their_questions() {
    let (_folder, workspace) = opened();
    let (decided, other) = (QcaId(1), QcaId(2));
    let state = || {
        workspace
            .read(|r| {
                let row = r.question(decided)?.question;
                let decisions = r.decisions_of(Subject::question(decided))?;
                Ok((row, decisions))
            })
            .unwrap()
    };
    let before = state();
    assert_eq!(before.0.status, ReviewStatus::Conflict);
    assert_eq!(before.1.len(), 2);

    // The same drafts are the same questions.
    let again = [
        (
            draft("How much must a bank hold?", SentenceId(1)),
            Split::Train,
        ),
        (
            draft("What must a broker not do?", SentenceId(3)),
            Split::Test,
        ),
    ];
    let written = |questions: &[_]| {
        workspace
            .write("tester", |w| {
                w.replace_questions(questions, &AugmentReport::default())
            })
            .unwrap()
    };
    assert_eq!(written(&again), [decided, other]);
    assert!(state() == before);

    // A question with a decision stays even if it is not written again.
    written(&[]);
    assert!(state() == before);
    assert!(workspace.read(|r| r.question(other)).is_err());
    assert!(workspace.read(verify).unwrap().ok);
}
