//! In every table of a filled workspace in turn, one value of one row is altered. Verification must find each
//! alteration, and no later change may cover it in the chain.

use crate::common;
use crate::common::{Filled, asked, deployed, draft, fill_with, new_term, review};
use crate::laundering::triggers;
use lexforge_domain::api::{
    AnswerVerdict, AugmentReport, Preferred, PromptKind, RejectedDraft, TripletMaker, Validity,
};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::endpoint::AskingState;
use lexforge_domain::qca::{QcaLevel, QuestionSource, Split};
use lexforge_domain::review::{Choice, Edit, Role, Subject};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::Language;
use lexforge_domain::{AnswerId, AskingId, DocumentId, PersonId, TripletId};
use lexforge_store::verify::verify;
use lexforge_store::{
    ConfusablePair, EmbeddingKind, Embeddings, GlossaryFact, GlossaryTerm, MarkedEmbeddings,
    NewAct, NewDefinition, Result, RunUpdate, StoreError, Workspace, Writer,
};
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use std::path::Path;

/// How many rows are altered.
const ALTERATIONS: usize = 400;

/// The columns that are not covered, and the reason for each.
const UNCOVERED: &[(&str, &str, &str)] = &[
    (
        "revision",
        "*",
        "tells which log belongs to the file; an altered one gets a log refused, and decides nothing else",
    ),
    ("imprint", "*", "names rows of breaks; proves nothing"),
    (
        "full_text_length",
        "*",
        "worked out from sentences; ranks what search finds, decides nothing",
    ),
    ("chunk", "id", "a number that nothing refers to"),
    ("page", "id", "a number that nothing refers to"),
    ("embedding", "id", "a number that nothing refers to"),
    ("dataset_item", "id", "a number that nothing refers to"),
    ("augmentation", "id", "always 1"),
    (
        "qca",
        "fingerprint",
        "recognises a question that is written again",
    ),
    ("run", "eta_s", "a guess that is shown while a run moves"),
];

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Makes a row in every table, also in those that the other tests do not need.
fn make(path: &Path) -> Filled {
    let workspace = Workspace::create(path).unwrap();
    let filled = fill_with(&workspace, 5_000);
    let mut other = common::document(
        "Other",
        &[
            "A bank must hold 9 percent.",
            "A broker must not hold client money.",
        ],
    );
    other.metadata.issuer = Some("An Authority".to_owned());
    other.sentences[0].complete = Some("A bank must hold 9 percent of its exposures.".to_owned());
    workspace
        .write("tester", |w| {
            let id = w.insert_document(&other, "other.pdf", b"other")?;
            w.link_predecessor(id, Some(filled.document))?;
            w.set_validity(id, &Validity::default())?;
            let mut terms = [new_term("own funds", 3.0), new_term("client money", 5.0)];
            terms[0].candidate.names = vec!["capital".to_owned()];
            terms[0].candidate.class = "capital".to_owned();
            terms[0].definitions = vec![NewDefinition {
                sentence: filled.sentences[0],
                document: filled.document,
                text: "what a bank holds".to_owned(),
            }];
            let mentions = [
                (0, filled.sentences[0], 17, 26),
                (1, filled.sentences[2], 23, 35),
            ];
            w.replace_terms(&terms, &mentions, ReviewPolicy::UnreviewedAutomatic)?;
            import_one_line(w)?;
            w.put_marked_embeddings("lsa", &marked(&filled), true)?;
            w.replace_confusables(&[ConfusablePair {
                a: filled.terms[0],
                b: filled.terms[1],
                cosine: Some(0.5),
                spelling: 0.25,
                score: 0.5,
                place: 1,
            }])?;
            w.save_prompt(PromptKind::Judge, Language::En, "hash", Some("text"))?;
            w.replace_rejected(&[rejected(&filled)])?;
            ask(w, &filled)
        })
        .unwrap();
    review(&workspace, &filled);
    assert_eq!(workspace.read(verify).unwrap().first_break, None);
    filled
}

/// Adds an answer with a verdict, a labelled question, a certificate, a ranker, an answer of a bench system, an exam, a
/// matching and a decision about it, a triplet and a decision about it, and two scored sentences.
fn ask(w: &mut Writer, filled: &Filled) -> Result<()> {
    let id = w.put_reply(&asked::answer(filled))?;
    w.judge_reply(id, AnswerVerdict::Right)?;
    let other = w.put_reply(&asked::answer(filled))?;
    w.prefer_reply(id, other, Preferred::First, true)?;
    w.add_pairs(&[asked::pair("answer 1", filled)])?;
    w.put_certificate("2026-07-01T00:00:00Z", "{}")?;
    w.put_ranker("2026-07-01T00:00:00Z", "{}")?;
    w.put_outcomes(filled.dataset, &deployed::outcomes())?;
    let first = w.put_deployment(&deployed::activated(filled.run, None))?;
    w.put_deployment(&deployed::activated(filled.run, Some(first)))?;
    w.put_drift_sample(&deployed::sample())?;
    w.put_bench_scores("base", &[("item".to_owned(), "{}".to_owned())])?;
    w.put_exam(&deployed::exam("an exam"), "[]")?;
    w.put_matching("{}")?;
    w.put_match_decisions(&[(1, "{}".to_owned())])?;
    w.replace_triplets(TripletMaker::Offline, &[asked::triplet("must", filled)])?;
    w.decide_triplets(&[TripletId(1)], ReviewStatus::Accepted, "seen")?;
    let (draw, pair) = asked::similarity(filled);
    w.add_similarity_pairs(&draw, &[pair])
}

/// Vectors of sentences with the marks of their texts.
fn marked(filled: &Filled) -> MarkedEmbeddings {
    MarkedEmbeddings {
        embeddings: Embeddings {
            ids: filled.sentences.iter().map(|s| s.0).collect(),
            dim: 2,
            vectors: vec![0.5; 2 * filled.sentences.len()],
        },
        marks: (7..).take(filled.sentences.len()).collect(),
        reading: "{}".to_owned(),
    }
}

fn rejected(filled: &Filled) -> RejectedDraft {
    RejectedDraft {
        reason: "judge".to_owned(),
        note: "unclear".to_owned(),
        score: Some(3.0),
        level: QcaLevel::Sentence,
        source: QuestionSource::Offline,
        attempt: 0,
        question: "What?".to_owned(),
        choices: vec!["a".to_owned(), "b".to_owned()],
        answer: 0,
        rephrased: Some("said so".to_owned()),
        anchor_sentence: filled.sentences[0],
    }
}

fn import_one_line(w: &mut Writer) -> Result<()> {
    let fact = GlossaryFact {
        kind: "note".to_owned(),
        value: "see elsewhere".to_owned(),
        source: "a list".to_owned(),
    };
    let term = GlossaryTerm {
        id: None,
        language: Language::En,
        normal: format!("term {}", w.terms(&Default::default())?.total),
        text: "leverage ratio".to_owned(),
        class: String::new(),
        definition: None,
        names: vec![format!("name {}", w.terms(&Default::default())?.total)],
        facts: vec![fact],
    };
    w.import_glossary(&"00".repeat(32), &[term], &[])
        .map(|_| ())
}

/// Makes an ordinary change after which the audit chain records the hash of this table's rows again. Returns `false` if
/// there is no such change for the table.
fn write(w: &mut Writer, filled: &Filled, table: &str, row: i64) -> Result<bool> {
    let decide = |w: &mut Writer, subject| {
        let new = NewAct {
            person: PersonId(1),
            subjects: &[subject],
            choice: Choice::Reject,
            edit: &Edit::default(),
            reason: "again",
            adjudicates: false,
        };
        w.decide(&new).map(|_| ())
    };
    match table {
        "document" | "chunk" | "page" | "section" | "sentence" | "succession" | "validity" => {
            w.link_predecessor(DocumentId(row), None)?;
        }
        "term" | "mention" | "definition" | "term_name" | "confusable" | "glossary" => {
            import_one_line(w)?
        }
        "setting" => w.set_setting("theme", "dim")?,
        "embedding" | "embedding_source" => {
            w.add_embeddings(EmbeddingKind::Sentence, "lsa", &[1], 2, &[0.5; 2])?
        }
        "qca" | "augmentation" => {
            let question = draft("What is new?", filled.sentences[0]);
            w.replace_questions(&[(question, Split::Train)], &AugmentReport::default())?;
        }
        "run" => w.update_run(
            filled.run,
            &RunUpdate {
                step: Some(7),
                ..RunUpdate::default()
            },
        )?,
        "endpoint" => w.put_endpoint(&common::endpoint("firm"))?,
        "asking" | "request" | "answer" => w.end_asking(AskingId(1), AskingState::Interrupted)?,
        "person" => {
            w.put_person(None, "Reviewer 1", Role::ComplianceOfficer, 3)?;
            w.put_person(None, "Reviewer 2", Role::DomainExpert, 3)?;
        }
        "prompt_version" => {
            w.save_prompt(PromptKind::Judge, Language::En, "hash", Some("other"))?;
        }
        "reply" => w.judge_reply(AnswerId(row), AnswerVerdict::Wrong)?,
        "reply_verdict" | "reply_preference" => w.judge_reply(AnswerId(1), AnswerVerdict::Wrong)?,
        "pair" => w.add_pairs(&[asked::pair("another", filled)])?,
        "certificate" => w.put_certificate("2026-08-01T00:00:00Z", "{}")?,
        "ranker" => w.put_ranker("2026-08-01T00:00:00Z", "{}")?,
        "outcome" => w.put_outcomes(filled.dataset, &deployed::outcomes())?,
        "deployment" => w
            .put_deployment(&deployed::activated(filled.run, None))
            .map(|_| ())?,
        "drift_sample" => w.put_drift_sample(&deployed::sample())?,
        "bench_score" => {
            w.put_bench_scores("base", &[("another".to_owned(), "{}".to_owned())])?;
        }
        "exam" => _ = w.remove_exam("an exam")?,
        "matching" => _ = w.put_matching("[]")?,
        "match_decision" => w.put_match_decisions(&[(2, "[]".to_owned())])?,
        "triplet" | "triplet_known" => _ = w.add_triplets(&[asked::triplet("may", filled)])?,
        "triplet_decision" => w.decide_triplets(&[TripletId(1)], ReviewStatus::Rejected, "")?,
        "similarity_pair" | "similarity_draw" => {
            let (draw, pair) = asked::similarity(filled);
            w.add_similarity_pairs(&draw, &[pair])?;
        }
        "rejected_draft" => w.replace_rejected(&[rejected(filled), rejected(filled)])?,
        "verdict" => {
            decide(w, Subject::term(filled.terms[0]))?;
            decide(w, Subject::pair(filled.terms[0], filled.terms[1]))?;
            decide(w, Subject::question(filled.questions[0]))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Every covered column of every table that this version makes.
fn columns(connection: &Connection) -> Vec<(String, String)> {
    let all: Vec<(String, String)> = connection
        .prepare(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND t.name NOT LIKE 'sqlite_%'
               AND (t.name NOT LIKE 'full_text_%' OR t.name = 'full_text_length') ORDER BY 1, 2",
        )
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    for (table, column, _) in UNCOVERED {
        assert!(
            all.iter()
                .any(|(t, c)| t == table && (c == column || *column == "*")),
            "{table}.{column} is gone"
        );
    }
    let uncovered = |t: &str, c: &str| {
        UNCOVERED
            .iter()
            .any(|(table, column, _)| t == *table && ["*", c].contains(column))
    };
    all.into_iter().filter(|(t, c)| !uncovered(t, c)).collect()
}

/// Another value of the same type.
fn other(value: Value, declared: &str, numbers: &mut Numbers) -> Value {
    match value {
        Value::Integer(v) => Value::Integer(if v == 0 {
            1
        } else {
            v + 1 + numbers.below(9) as i64
        }),
        Value::Real(v) => Value::Real(v + 0.125),
        Value::Text(text) if !text.is_empty() => {
            let mut chars: Vec<char> = text.chars().collect();
            let place = numbers.below(chars.len());
            chars[place] = if chars[place] == 'x' { 'y' } else { 'x' };
            Value::Text(chars.into_iter().collect())
        }
        Value::Text(_) => Value::Text("x".to_owned()),
        Value::Blob(mut bytes) if !bytes.is_empty() => {
            let place = numbers.below(bytes.len());
            bytes[place] ^= 1 << numbers.below(8);
            Value::Blob(bytes)
        }
        Value::Blob(_) => Value::Blob(vec![0]),
        Value::Null => match declared {
            "INTEGER" => Value::Integer(1),
            "REAL" => Value::Real(0.5),
            "BLOB" => Value::Blob(vec![1]),
            _ => Value::Text("null".to_owned()),
        },
    }
}

/// Alters one value or deletes one row, while the triggers that guard the table are removed. Returns the row's document
/// and a description of the change; `None` if the value cannot be changed.
fn alter(path: &Path, table: &str, column: &str, numbers: &mut Numbers) -> Option<(i64, String)> {
    let connection = Connection::open(path).unwrap();
    let triggers = triggers(&connection);
    connection
        .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; BEGIN")
        .unwrap();
    for (name, _) in &triggers {
        connection
            .execute_batch(&format!("DROP TRIGGER {name}"))
            .unwrap();
    }
    let rows: i64 = connection
        .query_row(&format!("SELECT count(*) FROM {table}"), [], |r| r.get(0))
        .unwrap();
    assert!(rows > 0, "{table} has no row to alter");
    let keys: Vec<String> = connection
        .prepare("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")
        .unwrap()
        .query_map([table], |row| row.get(0))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    let place = numbers.below(usize::try_from(rows).unwrap());
    let key_list = keys.join(", ");
    let sql = format!(
        "SELECT {key_list}, {column} FROM {table} ORDER BY {key_list} LIMIT 1 OFFSET {place}"
    );
    let (key, value): (Vec<Value>, Value) = connection
        .query_row(&sql, [], |row| {
            let key = (0..keys.len())
                .map(|i| row.get(i))
                .collect::<rusqlite::Result<_>>()?;
            Ok((key, row.get(keys.len())?))
        })
        .unwrap();
    let condition: Vec<String> = keys
        .iter()
        .enumerate()
        .map(|(i, k)| format!("{k} = ?{}", i + 2))
        .collect();
    let condition = condition.join(" AND ");
    let of_document = match table {
        "document" => "id",
        "chunk" | "page" | "section" | "sentence" | "succession" | "validity" => "document",
        _ => "1",
    };
    let mut bound: Vec<Value> = vec![Value::Null];
    bound.extend(key.clone());
    let document: i64 = connection
        .query_row(
            &format!("SELECT {of_document} FROM {table} WHERE ?1 IS NULL AND {condition}"),
            rusqlite::params_from_iter(&bound),
            |row| row.get(0),
        )
        .unwrap();
    let done = if numbers.below(8) == 0 {
        let sql = format!("DELETE FROM {table} WHERE ?1 IS NULL AND {condition}");
        connection
            .execute(&sql, rusqlite::params_from_iter(&bound))
            .map(|n| (n, "deleted".to_owned()))
    } else {
        let declared: String = connection
            .query_row(
                "SELECT type FROM pragma_table_info(?1) WHERE name = ?2",
                params![table, column],
                |row| row.get(0),
            )
            .unwrap();
        bound[0] = other(value.clone(), &declared, numbers);
        let words = format!("{value:?} to {:?}", bound[0])
            .chars()
            .take(200)
            .collect();
        let sql = format!("UPDATE {table} SET {column} = ?1 WHERE {condition}");
        connection
            .execute(&sql, rusqlite::params_from_iter(&bound))
            .map(|n| (n, words))
    };
    for (_, sql) in &triggers {
        connection.execute_batch(sql).unwrap();
    }
    connection.execute_batch("COMMIT").unwrap();
    // A key that another row has already cannot be taken.
    let (changed, words) = done.ok()?;
    assert_eq!(changed, 1);
    Some((document, format!("{table}.{column} of {key:?}: {words}")))
}

#[test]
fn every_altered_row_is_found_and_none_is_laundered() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made.lexforge");
    let filled = make(&made);
    let columns = columns(&Connection::open(&made).unwrap());
    let path = folder.path().join("altered.lexforge");
    let mut numbers = Numbers(0x5EED_1E55);
    let (mut altered, mut refused, mut tables) = (0, 0, std::collections::BTreeSet::new());
    let mut failures = Vec::new();
    for round in 0.. {
        if altered == ALTERATIONS {
            break;
        }
        assert!(round < 4 * ALTERATIONS, "too few rows can be altered");
        // Every column in turn, and then again with other rows and values.
        let (table, column) = &columns[round % columns.len()];
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
        std::fs::copy(&made, &path).unwrap();
        let Some((document, what)) = alter(&path, table, column, &mut numbers) else {
            continue;
        };
        altered += 1;
        tables.insert(table.clone());
        let workspace = Workspace::open(&path).unwrap();
        let before = workspace.read(verify).unwrap();
        if before.ok {
            failures.push(format!("not found: {what}"));
            continue;
        }
        match workspace.write("tester", |w| write(w, &filled, table, document)) {
            Ok(false) => {}
            Err(error) => {
                refused += usize::from(matches!(error.cause(), StoreError::Altered(_)));
                if workspace.read(verify).unwrap() != before {
                    failures.push(format!("changed by a write that was refused: {what}"));
                }
            }
            // If a row got another name, the program takes it for another thing. A removed row stays missing.
            Ok(true) => {
                if workspace.read(verify).unwrap().ok {
                    failures.push(format!("laundered: {what}"));
                }
            }
        }
    }
    println!(
        "{altered} alterations of {} columns of {} tables: {refused} writes stopped",
        columns.len(),
        tables.len()
    );
    assert!(
        failures.is_empty(),
        "{} of {altered}:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(
        altered >= 300 && refused >= 100,
        "{altered} altered, {refused} writes stopped"
    );
    assert!(
        columns.len() <= ALTERATIONS,
        "{} columns: not each was altered",
        columns.len()
    );
}
