//! The audit chain names the row after anything that it covers was altered by hand.

use crate::common;
use crate::common::{fill, review};
use lexforge_domain::api::AuditReport;
use lexforge_store::Workspace;
use lexforge_store::verify::verify;
use rusqlite::Connection;

/// A workspace with a row in every table, and what `alter` finds when it is done by hand.
fn altered(alter: &str) -> (AuditReport, Vec<(i64, String)>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    let filled = fill(&workspace);
    review(&workspace, &filled);
    // A second document, so that the row named is not merely the last.
    let other = common::document("Other", &["Nothing to see.", "Nothing either."]);
    workspace
        .write("tester", |w| {
            w.insert_document(&other, "other.pdf", b"other")
        })
        .unwrap();
    assert!(workspace.read(verify).unwrap().ok);
    let actions = workspace
        .read(|r| r.audit_rows(0, None))
        .unwrap()
        .into_iter()
        .map(|r| (r.sequence, r.action))
        .collect();
    drop(workspace);

    let connection = Connection::open(&path).unwrap();
    let triggers: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for trigger in triggers {
        connection
            .execute_batch(&format!("DROP TRIGGER {trigger}"))
            .unwrap();
    }
    connection
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    let changed = connection.execute(alter, []).unwrap();
    assert!(changed >= 1, "`{alter}` changed nothing");
    drop(connection);
    (
        Workspace::open(&path).unwrap().read(verify).unwrap(),
        actions,
    )
}

/// After this alteration the first break is the row of this action.
fn check(alter: &str, action: &str) {
    let (report, actions) = altered(alter);
    let found = report
        .first_break
        .unwrap_or_else(|| panic!("`{alter}` was not noticed"));
    let expected = actions
        .iter()
        .filter(|(_, a)| a == action)
        .map(|(sequence, _)| *sequence)
        .min()
        .unwrap();
    assert!(!report.ok);
    assert_eq!(
        (found.sequence, found.action.as_str()),
        (expected, action),
        "`{alter}`: {}",
        found.message
    );
}

#[test]
fn an_untouched_workspace_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    let filled = fill(&workspace);
    let report = workspace.read(verify).unwrap();
    assert_eq!((report.ok, report.first_break), (true, None));
    assert_eq!(report.head, workspace.read(|r| r.audit_head()).unwrap());
    let rows = workspace.read(|r| r.audit_rows(0, None)).unwrap();
    assert_eq!(rows.len() as u64, report.rows);
    assert_eq!(rows.last().unwrap().action, "workspace.create");
    let import = rows.iter().find(|r| r.action == "document.import").unwrap();
    assert_eq!(
        (import.actor.as_str(), import.subject.clone()),
        ("tester", format!("document {}", filled.document))
    );
    let page = workspace
        .read(|r| r.audit_rows(2, Some(rows[0].sequence)))
        .unwrap();
    assert_eq!(page, rows[1..3]);
}

#[test]
fn one_altered_byte_of_a_covered_row_is_named() {
    let byte = |column: &str| {
        format!("cast(substr({column}, 1, 2) || 'X' || substr({column}, 4) AS BLOB)")
    };
    check(
        &format!(
            "UPDATE chunk SET bytes = {} WHERE position = 2",
            byte("bytes")
        ),
        "document.import",
    );
    check(
        "UPDATE chunk SET sha256 = zeroblob(32) WHERE id = 1",
        "document.import",
    );
    check(
        "UPDATE document SET title = 'rulebook' WHERE id = 1",
        "document.import",
    );
    check(
        "UPDATE page SET text = replace(text, 'funds', 'fundz') WHERE id = 1",
        "document.import",
    );
    check(
        "UPDATE section SET label = 'Article 9' WHERE id = 2",
        "document.import",
    );
    check(
        "UPDATE sentence SET text = replace(text, 'must not', 'may') WHERE id = 3",
        "document.import",
    );
    check(
        "UPDATE sentence SET past = past + 1 WHERE id = 1",
        "document.import",
    );
    check(
        "UPDATE sentence SET regions = zeroblob(20) WHERE id = 1",
        "document.import",
    );
    check(
        "UPDATE term SET text = 'own fund' WHERE id = 1",
        "terms.extract",
    );
    check(
        "UPDATE term SET status = 'accepted' WHERE id = 2",
        "terms.extract",
    );
    check(
        "UPDATE mention SET past = past + 1 WHERE sentence = 1",
        "terms.extract",
    );
    check("UPDATE setting SET value = 'light'", "setting.set");
    check(
        "UPDATE embedding SET vectors = zeroblob(length(vectors))",
        "embeddings.put",
    );
    check(
        "UPDATE graph_build SET corpus_hash = 'other'",
        "graph.build",
    );
    check(
        "UPDATE edge SET weight = 0.81 WHERE kind = 'similar_entity'",
        "graph.build",
    );
    check("UPDATE candidate SET cosine = 0.5", "graph.build");
    check(
        "UPDATE graph_kept SET bytes = zeroblob(9) WHERE block = 1",
        "graph.build",
    );
    check(
        "UPDATE graph_build SET record = replace(record, '2', '3')",
        "graph.build",
    );
    check(
        "UPDATE qca SET answer = 1 WHERE id = 2",
        "questions.augment",
    );
    check(
        "UPDATE qca SET note = 'take it' WHERE id = 2",
        "questions.augment",
    );
    check("UPDATE augmentation SET report = '{}'", "questions.augment");
    check("UPDATE dataset SET hash = 'x'", "dataset.freeze");
    check(
        "UPDATE dataset_item SET split = 'train' WHERE position = 1",
        "dataset.freeze",
    );
    check("UPDATE run SET adapter = 'forged'", "run.create");
    check("UPDATE run SET loss = 0.01", "run.create");
    check(
        "UPDATE evaluation SET view = replace(view, '\"accuracy\":0.0', '\"accuracy\":0.9')",
        "evaluation.put",
    );
    check(
        "UPDATE endpoint SET settings = replace(settings, 'internal', 'invalid')",
        "endpoint.put",
    );
    check("UPDATE asking SET host = 'elsewhere'", "asking.finished");
    check("UPDATE request SET state = 'failed'", "asking.finished");
    check(
        "UPDATE answer SET text = 'A bank holds nothing.'",
        "asking.finished",
    );
    check(
        "UPDATE person SET name = 'Somebody' WHERE id = 1",
        "person.put",
    );
    check(
        "UPDATE act SET made = '1999-01-01T00:00:00.000Z' WHERE id = 1",
        "review.accept",
    );
    check(
        "UPDATE decision SET choice = 'reject' WHERE id = 1",
        "review.accept",
    );
    check(
        "UPDATE decision SET reason = 'none' WHERE id = 3",
        "review.confusable",
    );
    check(
        "UPDATE undo SET made = '1999-01-01T00:00:00.000Z'",
        "review.undo",
    );
    check(
        "UPDATE decision SET person = 1 WHERE id = 5",
        "review.merge",
    );
    check("UPDATE packet SET items = 2", "packet.write");
    check(
        "UPDATE packet_held SET held = replace(held, 'question', 'term')",
        "packet.write",
    );
}

#[test]
fn a_verdict_that_does_not_follow_from_the_decisions_is_named() {
    for (alter, item, action) in [
        (
            "UPDATE verdict SET status = 'rejected' WHERE kind = 'term'",
            "verdict term 1",
            "review.reject",
        ),
        (
            "UPDATE verdict SET agreeing = 2 WHERE kind = 'pair'",
            "verdict pair 1 2",
            "review.confusable",
        ),
        (
            "DELETE FROM verdict WHERE kind = 'question'",
            "verdict question 1",
            "review.merge",
        ),
        (
            "INSERT INTO verdict VALUES ('term', 2, 0, 'accepted', 'accept', 1, 1, 0, NULL, NULL, NULL, NULL)",
            "verdict term 2",
            "",
        ),
    ] {
        let (report, _) = altered(alter);
        let found = report
            .first_break
            .unwrap_or_else(|| panic!("`{alter}` was not noticed"));
        assert_eq!(found.subject, item, "{alter}");
        assert_eq!(found.action, action, "{alter}");
    }
}

#[test]
fn rows_that_are_gone_or_slipped_in_are_named() {
    check("DELETE FROM sentence WHERE id = 2", "document.import");
    check("DELETE FROM mention WHERE sentence = 1", "terms.extract");
    check("DELETE FROM document WHERE id = 1", "document.import");
    check(
        "INSERT INTO mention (sentence, first, past, term) VALUES (4, 0, 2, 1)",
        "terms.extract",
    );
    check("DELETE FROM setting", "setting.set");
    check("DELETE FROM undo", "review.undo");
    check("DELETE FROM decision WHERE id = 3", "review.confusable");
    let (report, _) = altered("INSERT INTO setting (key, value) VALUES ('policy', 'accept all')");
    assert_eq!(report.first_break.unwrap().subject, "setting policy");
}

#[test]
fn an_altered_chain_is_named_at_the_row() {
    check(
        "UPDATE audit SET actor = 'nobody' WHERE action = 'setting.set'",
        "setting.set",
    );
    check(
        "UPDATE audit SET time = '1999-01-01T00:00:00Z' WHERE action = 'graph.build'",
        "graph.build",
    );
    check(
        "UPDATE audit SET reason = '' WHERE action = 'terms.extract'",
        "terms.extract",
    );
    check(
        "UPDATE audit SET payload = zeroblob(32) WHERE action = 'dataset.freeze'",
        "dataset.freeze",
    );
    check(
        "UPDATE audit SET covers = NULL WHERE action = 'run.create'",
        "run.create",
    );
    check(
        "UPDATE audit SET covers = 'planet 9' WHERE action = 'run.create'",
        "run.create",
    );
    // Without this row the next one does not continue the chain.
    check(
        "DELETE FROM audit WHERE action = 'terms.extract'",
        "setting.set",
    );
}

#[test]
fn a_chain_cut_at_its_end_leaves_rows_that_nothing_covers() {
    let (report, _) =
        altered("DELETE FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)");
    assert_eq!(report.first_break.unwrap().subject, "document 2");
}

#[test]
fn append_only_rows_cannot_be_changed_by_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    review(&workspace, &fill(&workspace));
    let connection = Connection::open(&path).unwrap();
    for table in [
        "audit",
        "document",
        "chunk",
        "page",
        "section",
        "sentence",
        "full_text_length",
        "graph_build",
        "dataset",
        "dataset_item",
        "evaluation",
        "answer",
        "act",
        "decision",
        "undo",
        "packet",
        "packet_held",
    ] {
        let column: String = connection
            .query_row(
                "SELECT name FROM pragma_table_info(?1) LIMIT 1",
                [table],
                |row| row.get(0),
            )
            .unwrap();
        let refused = |sql: String| {
            let message = connection.execute(&sql, []).unwrap_err().to_string();
            assert!(message.contains("are never"), "{sql}: {message}");
        };
        refused(format!("UPDATE {table} SET {column} = {column}"));
        refused(format!("DELETE FROM {table}"));
    }
}

#[test]
fn a_change_that_fails_leaves_neither_row_nor_trace() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    let head = workspace.read(|r| r.audit_head()).unwrap();
    let failure =
        lexforge_domain::Failure::new(lexforge_domain::Code::Cancelled, "stopped", "start again");
    let result: lexforge_store::Result<()> = workspace.write("tester", |w| {
        w.insert_document(&common::rulebook(), "x.pdf", b"x")?;
        // A search inside a change that is given up must not be remembered.
        assert_eq!(w.search_lexical_in("own funds", None, 5)?.len(), 2);
        Err(failure.clone().into())
    });
    assert_eq!(lexforge_domain::Failure::from(result.unwrap_err()), failure);
    workspace
        .read(|r| {
            assert_eq!((r.audit_head()?, r.documents()?.len()), (head, 0));
            assert!(r.search_lexical_in("own funds", None, 5)?.is_empty());
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_reason_stands_in_the_row() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    workspace
        .write("tester", |w| {
            w.because("asked for by the auditor")
                .set_setting("theme", "dark")?;
            w.note("report.print", "run 1", Some("for the file"))
        })
        .unwrap();
    let rows = workspace.read(|r| r.audit_rows(2, None)).unwrap();
    assert_eq!(
        (rows[0].reason.as_str(), rows[0].action.as_str()),
        ("for the file", "report.print")
    );
    assert_eq!(
        (rows[1].reason.as_str(), rows[1].subject.as_str()),
        ("asked for by the auditor", "setting theme")
    );
    assert!(workspace.read(verify).unwrap().ok);
}
