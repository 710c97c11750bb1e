//! Answers, what people think of them, labelled questions, certificates and rankers: kept, never changed, and covered.

use crate::common::{asked, fill_with};
use lexforge_domain::AnswerId;
use lexforge_domain::api::{Answer, AnswerVerdict, Preferred};
use lexforge_store::verify::verify;
use lexforge_store::{StoreError, Workspace};
use rusqlite::Connection;
use std::path::PathBuf;

struct Kept {
    _folder: tempfile::TempDir,
    path: PathBuf,
    given: Answer,
}

/// Two answers, the first judged twice; two labels of one name; two certificates; two rankers.
fn kept() -> Kept {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    let filled = fill_with(&workspace, 10);
    let given = asked::answer(&filled);
    workspace
        .write("tester", |w| {
            let first = w.put_reply(&given)?;
            let refusal = Answer {
                found: false,
                statements: Vec::new(),
                citations: Vec::new(),
                ..given.clone()
            };
            w.put_reply(&refusal)?;
            w.judge_reply(first, AnswerVerdict::Wrong)?;
            w.judge_reply(first, AnswerVerdict::Right)?;
            w.prefer_reply(first, AnswerId(2), Preferred::First, true)?;
            let mut pair = asked::pair("answer 1", &filled);
            w.add_pairs(&[pair.clone(), asked::pair("imported", &filled)])?;
            pair.passage_ids.clear();
            w.add_pairs(&[pair])?;
            w.put_certificate("2026-07-01T00:00:00Z", "first")?;
            w.put_certificate("2026-07-02T00:00:00Z", "second")?;
            w.put_ranker("2026-07-01T00:00:00Z", "first")?;
            w.put_ranker("2026-07-02T00:00:00Z", "second")?;
            w.put_matching("first")?;
            w.put_matching("second")?;
            w.put_match_decisions(&[(1, "one".to_owned()), (2, "other".to_owned())])
        })
        .unwrap();
    Kept {
        _folder: folder,
        path,
        given,
    }
}

#[test]
fn the_newest_counts_and_an_answer_stays_as_it_was_given() {
    let kept = kept();
    let workspace = Workspace::open(&kept.path).unwrap();
    let (rows, answer) = workspace
        .read(|r| Ok((r.replies()?, r.reply(AnswerId(1))?)))
        .unwrap();
    let listed: Vec<_> = rows
        .iter()
        .map(|r| (r.id.0, r.found, r.citations, r.verdict))
        .collect();
    assert_eq!(
        listed,
        [
            (2, false, 0, None),
            (1, true, 1, Some(AnswerVerdict::Right))
        ]
    );
    let as_given = Answer {
        id: None,
        audit_entry: None,
        ..answer.clone()
    };
    assert_eq!(as_given, kept.given);
    assert!(answer.audit_entry.is_some());
    let preferred = workspace.read(|r| r.preferences()).unwrap();
    let preferred: Vec<_> = preferred
        .iter()
        .map(|p| (p.first.0, p.second.0, p.preferred, p.blind))
        .collect();
    assert_eq!(preferred, [(1, 2, Preferred::First, true)]);
    let pairs = workspace.read(|r| r.pairs()).unwrap();
    let named: Vec<_> = pairs
        .iter()
        .map(|p| (p.id.as_str(), p.passage_ids.len()))
        .collect();
    assert_eq!(named, [("imported", 1), ("answer 1", 0)]);
    assert_eq!(
        workspace.read(|r| r.certificates()).unwrap(),
        ["second", "first"]
    );
    assert_eq!(
        workspace.read(|r| r.rankers()).unwrap(),
        [(2, "second".to_owned()), (1, "first".to_owned())]
    );
    assert!(matches!(
        workspace.read(|r| r.reply(AnswerId(9))),
        Err(StoreError::NotFound { .. })
    ));
    let judged = workspace.write("tester", |w| {
        w.judge_reply(AnswerId(9), AnswerVerdict::Right)
    });
    assert!(judged.is_err());
}

#[test]
fn a_list_is_cut_and_what_is_counted_is_not() {
    let kept = kept();
    let connection = Connection::open(&kept.path).unwrap();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO reply (id, asked, question, found, citations, answer)
        SELECT n.i, r.asked, r.question, r.found, r.citations, r.answer FROM n, reply r WHERE r.id = 1";
    connection.execute(sql, []).unwrap();
    drop(connection);
    let workspace = Workspace::open(&kept.path).unwrap();
    let (listed, all) = workspace
        .read(|r| Ok((r.newest_replies()?, r.replies()?)))
        .unwrap();
    assert_eq!((listed.len(), listed[0].id), (500, AnswerId(600)));
    assert_eq!((all.len(), all[0].id), (600, AnswerId(600)));
    // The verdict on the first answer is of those that count.
    let first = all.last().unwrap();
    assert_eq!(
        (first.id, first.verdict),
        (AnswerId(1), Some(AnswerVerdict::Right))
    );
}

#[test]
fn how_the_documents_counted_is_read_by_the_ids_of_answers() {
    let kept = kept();
    let connection = Connection::open(&kept.path).unwrap();
    let sql = "INSERT INTO reply (id, asked, question, found, citations, answer) VALUES (7, '', '', 1, 1, '{\"asked\": 1}')";
    connection.execute(sql, []).unwrap();
    drop(connection);
    let workspace = Workspace::open(&kept.path).unwrap();
    // In the order in which they are asked for; 9 is no answer, and 7 is none that can be read.
    let ids = [7, 2, 9, 1].map(AnswerId);
    let then = workspace.read(|r| r.replies_then(&ids)).unwrap();
    let cited: Vec<_> = then
        .iter()
        .map(|(id, then)| (id.0, then.as_ref().map(|then| then.citations.len())))
        .collect();
    assert_eq!(cited, [(7, None), (2, Some(0)), (1, Some(1))]);
    let of_first = then[2].1.as_ref().unwrap();
    let cited = &kept.given.citations[0];
    assert_eq!(of_first.citations[0].document, cited.document);
    assert_eq!(
        (&of_first.asked, &of_first.as_of),
        (&kept.given.asked, &kept.given.as_of)
    );
}

#[test]
fn what_json_cannot_hold_is_refused_before_it_is_kept() {
    let kept = kept();
    let workspace = Workspace::open(&kept.path).unwrap();
    let broken = Answer {
        probability: f64::NAN,
        ..kept.given
    };
    assert!(workspace.write("tester", |w| w.put_reply(&broken)).is_err());
    assert_eq!(workspace.read(|r| r.replies()).unwrap().len(), 2);
    assert_eq!(workspace.read(verify).unwrap().first_break, None);
}

#[test]
fn no_row_can_be_changed_or_taken_away() {
    let kept = kept();
    let connection = Connection::open(&kept.path).unwrap();
    for table in [
        "reply",
        "reply_verdict",
        "reply_preference",
        "pair",
        "certificate",
        "ranker",
        "matching",
        "match_decision",
    ] {
        for sql in [
            format!("DELETE FROM {table}"),
            format!("UPDATE {table} SET id = id + 10"),
        ] {
            assert!(connection.execute(&sql, []).is_err(), "{sql}");
        }
    }
}

/// An answer that was altered with the guards away is found, and nobody can judge it then.
#[test]
fn an_altered_answer_is_found_and_cannot_be_judged() {
    for sql in [
        "UPDATE reply SET answer = replace(answer, '8 percent', '9 percent') WHERE id = 1",
        "UPDATE reply SET found = 0 WHERE id = 1",
        "UPDATE reply_verdict SET verdict = 'wrong' WHERE reply = 1",
        "DELETE FROM reply_verdict WHERE verdict = 'wrong'",
        "INSERT INTO reply_verdict (reply, judged, actor, verdict) VALUES (1, '', '', 'wrong')",
        "UPDATE reply_preference SET preferred = 'second'",
        "DELETE FROM reply_preference",
    ] {
        let kept = kept();
        let connection = Connection::open(&kept.path).unwrap();
        let triggers: Vec<(String, String)> = connection
            .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<rusqlite::Result<_>>()
            .unwrap();
        for (name, _) in &triggers {
            connection
                .execute_batch(&format!("DROP TRIGGER {name}"))
                .unwrap();
        }
        assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
        for (_, trigger) in &triggers {
            connection.execute_batch(trigger).unwrap();
        }
        drop(connection);
        let workspace = Workspace::open(&kept.path).unwrap();
        let found = workspace.read(verify).unwrap();
        assert!(!found.ok, "{sql}");
        let judged = workspace.write("tester", |w| {
            w.judge_reply(AnswerId(1), AnswerVerdict::Right)
        });
        assert!(
            matches!(&judged, Err(error) if matches!(error.cause(), StoreError::Altered(_))),
            "{sql}: {judged:?}"
        );
    }
}
