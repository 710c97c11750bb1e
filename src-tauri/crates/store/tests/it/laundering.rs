//! Rows that were altered outside the program stop the next change that would cover them. So the alteration is never
//! covered.

use crate::common;
use crate::common::{Filled, fill_with, review};
use lexforge_domain::api::BreakKind;
use lexforge_domain::review::{Choice, Edit, Subject};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, PersonId, Remedy};
use lexforge_store::verify::verify;
use lexforge_store::{GlossaryTerm, NewAct, Result, StoreError, Workspace, Writer};
use rusqlite::Connection;
use std::path::PathBuf;

pub(crate) struct Fixture {
    _folder: tempfile::TempDir,
    pub(crate) path: PathBuf,
    filled: Filled,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.lexforge");
        let workspace = Workspace::create(&path).unwrap();
        let filled = fill_with(&workspace, 5_000);
        review(&workspace, &filled);
        let other = common::document("Other", &["A bank must hold 9 percent.", "Nothing else."]);
        workspace
            .write("tester", |w| {
                w.insert_document(&other, "other.pdf", b"other")
            })
            .unwrap();
        Self {
            _folder: folder,
            path,
            filled,
        }
    }

    pub(crate) fn open(&self) -> Workspace {
        Workspace::open(&self.path).unwrap()
    }

    /// Alters by hand, as somebody does who knows SQLite: the guards go and come back.
    fn alter(&self, sql: &str) {
        let connection = Connection::open(&self.path).unwrap();
        alter(&connection, sql);
    }
}

/// The triggers that guard the tables: the name of each, and what makes it.
pub(crate) fn triggers(connection: &Connection) -> Vec<(String, String)> {
    connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap()
}

pub(crate) fn alter(connection: &Connection, sql: &str) {
    let triggers = triggers(connection);
    connection
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    connection.execute_batch("BEGIN").unwrap();
    for (name, _) in &triggers {
        connection
            .execute_batch(&format!("DROP TRIGGER {name}"))
            .unwrap();
    }
    assert!(
        connection.execute(sql, []).unwrap() > 0,
        "`{sql}` changed nothing"
    );
    for (_, sql) in &triggers {
        connection.execute_batch(sql).unwrap();
    }
    connection.execute_batch("COMMIT").unwrap();
}

fn import_one_line(w: &mut Writer) -> Result<()> {
    let term = GlossaryTerm {
        id: None,
        language: Language::En,
        normal: "leverage ratio".to_owned(),
        text: "leverage ratio".to_owned(),
        class: String::new(),
        definition: None,
        names: Vec::new(),
        facts: Vec::new(),
    };
    w.import_glossary(&"00".repeat(32), &[term], &[])
        .map(|_| ())
}

fn decide(w: &mut Writer, person: i64, subject: Subject) -> Result<()> {
    let edit = Edit::default();
    let (choice, reason) = (Choice::Accept, "again");
    w.decide(&NewAct {
        person: PersonId(person),
        subjects: &[subject],
        choice,
        edit: &edit,
        reason,
        adjudicates: false,
    })
    .map(|_| ())
}

/// After `sql` was done by hand `write` is refused with these words, nothing changes, and verification still says it.
fn refused(sql: &str, words: &[&str], write: impl FnOnce(&mut Writer, &Filled) -> Result<()>) {
    let fixture = Fixture::new();
    fixture.alter(sql);
    let workspace = fixture.open();
    let before = workspace.read(verify).unwrap();
    assert!(!before.ok, "`{sql}` was not noticed");
    let error = workspace
        .write("tester", |w| write(w, &fixture.filled))
        .unwrap_err();
    assert!(
        matches!(error.cause(), StoreError::Altered(_)),
        "`{sql}`: {error}"
    );
    let failure = Failure::from(error);
    assert_eq!(failure.code, Code::AuditBroken);
    assert_eq!(
        failure.remedy.as_deref(),
        Some(&Remedy::WorkFromEarlierCopy)
    );
    for word in words {
        assert!(
            failure.message.contains(word),
            "`{sql}`: {}",
            failure.message
        );
    }
    assert_eq!(
        workspace.read(verify).unwrap(),
        before,
        "`{sql}`: something was written"
    );
}

#[test]
fn a_link_between_documents_launders_no_sentence() {
    refused(
        "UPDATE sentence SET text = replace(text, '8 percent', '2 percent') WHERE id = 1",
        &[
            "document 1",
            "row of sentence with id 1 was altered",
            "entry 2",
        ],
        |w, filled| w.link_predecessor(filled.document, Some(lexforge_domain::DocumentId(2))),
    );
}

#[test]
fn one_imported_term_launders_no_other() {
    refused(
        "UPDATE term SET text = 'own fund' WHERE id = 1",
        &["the rows of terms", "row of term with id 1 was altered"],
        |w, _| import_one_line(w),
    );
    refused(
        "DELETE FROM mention WHERE sentence = 1",
        &["a row of mention before that with sentence 2"],
        |w, _| import_one_line(w),
    );
    refused(
        "INSERT INTO mention (sentence, first, past, term) VALUES (4, 0, 2, 1)",
        &["sentence 4"],
        |w, _| import_one_line(w),
    );
}

#[test]
fn no_other_change_launders_what_it_covers() {
    refused(
        "UPDATE setting SET value = 'light'",
        &["setting theme"],
        |w, _| w.set_setting("theme", "dim"),
    );
    refused(
        "INSERT INTO setting VALUES ('policy', 'accept all')",
        &["no entry of the audit chain"],
        |w, _| w.set_setting("policy", "accept"),
    );
    refused(
        "UPDATE qca SET answer = 1 WHERE id = 2",
        &["questions", "row of qca with id 2"],
        |w, _| w.replace_questions(&[], &Default::default()).map(|_| ()),
    );
    refused(
        "UPDATE person SET role = 'compliance_officer' WHERE id = 1",
        &["person 1"],
        |w, _| {
            w.put_person(
                None,
                "Reviewer 1",
                lexforge_domain::review::Role::DomainExpert,
                2,
            )
            .map(|_| ())
        },
    );
    refused(
        "UPDATE endpoint SET settings = replace(settings, 'internal', 'invalid')",
        &["endpoint firm"],
        |w, _| w.put_endpoint(&common::endpoint("firm")),
    );
    refused(
        "UPDATE run SET adapter = 'forged'",
        &["run 1"],
        |w, filled| {
            w.update_run(
                filled.run,
                &lexforge_store::RunUpdate {
                    step: Some(3),
                    ..Default::default()
                },
            )
        },
    );
    refused(
        "UPDATE answer SET text = 'A bank holds nothing.'",
        &["asking 1", "row of answer"],
        |w, _| {
            w.end_asking(
                lexforge_domain::AskingId(1),
                lexforge_domain::endpoint::AskingState::Finished,
            )
        },
    );
}

/// The chain's own rows that a change would build on.
#[test]
fn a_change_builds_on_no_forged_entry() {
    refused(
        "UPDATE audit SET actor = 'nobody' WHERE action = 'setting.set'",
        &["entry"],
        |w, _| w.set_setting("theme", "dim"),
    );
    refused(
        "UPDATE audit SET reason = 'x' WHERE sequence = (SELECT max(sequence) FROM audit)",
        &["entry"],
        |w, _| w.set_setting("another", "thing"),
    );
}

#[test]
fn a_decision_launders_no_verdict() {
    let term = |filled: &Filled| Subject::term(filled.terms[0]);
    refused(
        "UPDATE verdict SET status = 'rejected' WHERE kind = 'term'",
        &["verdict for term 1"],
        |w, filled| decide(w, 2, term(filled)),
    );
    // Under another key the verdict is not found by those who look for it.
    refused(
        "UPDATE verdict SET second = 5 WHERE kind = 'term'",
        &["verdict for term 1"],
        |w, filled| decide(w, 2, term(filled)),
    );
}

/// A key of no item takes a verdict away from its item and shows it for another item in other lists.
#[test]
fn a_verdict_under_another_key_is_named() {
    for (sql, item) in [
        (
            "UPDATE verdict SET second = 5 WHERE kind = 'term'",
            "verdict term 1 5",
        ),
        (
            "UPDATE verdict SET second = 2 WHERE kind = 'question'",
            "verdict question 1 2",
        ),
        (
            "UPDATE verdict SET first = 2, second = 1 WHERE kind = 'pair'",
            "verdict pair 2 1",
        ),
        (
            "UPDATE verdict SET kind = 'rule' WHERE kind = 'term'",
            "verdict rule 1",
        ),
    ] {
        let fixture = Fixture::new();
        fixture.alter(sql);
        let found = fixture
            .open()
            .read(verify)
            .unwrap()
            .first_break
            .unwrap_or_else(|| panic!("{sql}"));
        assert_eq!(
            (found.kind, found.subject.as_str()),
            (BreakKind::Derived, item)
        );
    }
}

#[test]
fn counts_and_indexes_that_lie_are_named() {
    let fixture = Fixture::new();
    fixture.alter("UPDATE qca_tally SET n = n + 1");
    assert_eq!(
        fixture
            .open()
            .read(verify)
            .unwrap()
            .first_break
            .unwrap()
            .subject,
        "qca_tally"
    );

    // An index that was out of sight while its table was set back: lists that read it show what no table says.
    let fixture = Fixture::new();
    let reopened = || {
        let connection = Connection::open(&fixture.path).unwrap();
        connection
            .pragma_update(None, "writable_schema", true)
            .unwrap();
        connection
    };
    let connection = reopened();
    connection
        .execute("UPDATE edge SET weight = weight / 2", [])
        .unwrap();
    let (root, sql): (i64, String) = connection
        .query_row(
            "SELECT rootpage, sql FROM sqlite_schema WHERE name = 'edge_back'",
            [],
            |r| Ok((r.get(0)?, r.get(1)?)),
        )
        .unwrap();
    connection
        .execute("DELETE FROM sqlite_schema WHERE name = 'edge_back'", [])
        .unwrap();
    drop(connection);
    let connection = reopened();
    connection
        .execute("UPDATE edge SET weight = weight * 2", [])
        .unwrap();
    let back = "INSERT INTO sqlite_schema VALUES ('index', 'edge_back', 'edge', ?1, ?2)";
    connection
        .execute(back, rusqlite::params![root, sql])
        .unwrap();
    drop(connection);
    let report = fixture.open().read(verify).unwrap();
    let kinds: Vec<BreakKind> = report.breaks.iter().map(|b| b.kind).collect();
    assert_eq!(kinds, [BreakKind::File], "{:?}", report.breaks);
}

#[test]
fn a_guard_that_is_gone_and_a_trigger_that_was_added_are_named_and_stop_every_change() {
    for (sql, words) in [
        ("DROP TRIGGER sentence_is_never_changed", "trigger sentence_is_never_changed is gone"),
        (
            "CREATE TRIGGER helpful AFTER INSERT ON decision WHEN new.choice = 'reject' BEGIN
             UPDATE verdict SET status = 'accepted' WHERE kind = new.kind AND first = new.first; END",
            "trigger helpful is none of Lexforge's",
        ),
        ("CREATE VIEW rules AS SELECT * FROM sentence", "view rules is none of Lexforge's"),
    ] {
        let fixture = Fixture::new();
        let open_before = fixture.open();
        open_before.write("tester", |w| w.set_setting("theme", "dim")).unwrap();
        Connection::open(&fixture.path).unwrap().execute_batch(sql).unwrap();
        // A program that had the workspace open sees it as well as one that opens it now.
        for workspace in [open_before, fixture.open()] {
            let found = workspace.read(verify).unwrap().first_break.unwrap_or_else(|| panic!("{sql}"));
            assert_eq!(found.kind, BreakKind::Schema);
            assert!(found.message.contains(words), "{}", found.message);
            let error =
                workspace.write("tester", |w| decide(w, 2, Subject::term(fixture.filled.terms[0]))).unwrap_err();
            assert!(matches!(error.cause(), StoreError::Altered(_)) && error.to_string().contains(words), "{error}");
        }
    }
}

#[test]
fn a_workspace_that_nobody_altered_takes_every_change() {
    let fixture = Fixture::new();
    let workspace = fixture.open();
    workspace
        .write("tester", |w| {
            import_one_line(w)?;
            w.set_setting("theme", "dim")?;
            w.set_setting("theme", "dark")?;
            decide(w, 2, Subject::term(fixture.filled.terms[0]))?;
            w.link_predecessor(
                fixture.filled.document,
                Some(lexforge_domain::DocumentId(2)),
            )?;
            w.link_predecessor(fixture.filled.document, None)
        })
        .unwrap();
    // Two programs in turn: what the other committed is what stood before.
    let other = fixture.open();
    for turn in 0..3 {
        workspace
            .write("one", |w| w.set_setting("turn", &format!("one {turn}")))
            .unwrap();
        other
            .write("two", |w| w.set_setting("turn", &format!("two {turn}")))
            .unwrap();
    }
    assert_eq!(workspace.read(verify).unwrap().first_break, None);
}
