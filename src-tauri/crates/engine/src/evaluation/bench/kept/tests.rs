//! Tests of `kept`.

use super::*;
use crate::Engine;
use lexforge_domain::api::{ExamRow, TermsTable};
use lexforge_domain::exam::ExamKind;
use std::collections::BTreeMap;

fn no_table() -> BenchTable {
    BenchTable {
        dataset: "abc".to_owned(),
        unit: "article".to_owned(),
        n: 3,
        clusters: 2,
        baseline: Some("tfidf".to_owned()),
        systems: Vec::new(),
        missing: Vec::new(),
        power: None,
        notes: Vec::new(),
        judge: None,
    }
}

#[test]
fn nothing_is_offered_or_kept_before_there_is_a_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let choices = engine.evaluation().bench_choices().unwrap();
    assert_eq!(choices, BenchChoices::default());
    assert_eq!(engine.evaluation().last_bench().unwrap(), None);
}

#[test]
fn the_last_table_is_shown_as_it_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let table = no_table();
    let evaluation = engine.evaluation();
    let request = BenchRequest {
        systems: vec!["tfidf".to_owned(), "run 9".to_owned()],
        ..BenchRequest::default()
    };
    let kept = evaluation
        .keep_table(table.clone(), &request, None)
        .unwrap();
    assert_eq!((&kept.table, &kept.asked), (&table, &request.systems));
    assert_eq!(evaluation.last_bench().unwrap(), Some(kept));
    engine.workspace().set_setting(LAST, "{}").unwrap();
    assert_eq!(evaluation.last_bench().unwrap(), None);
}
#[test]
fn pairs_of_general_language_stay_with_the_last_table() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let evaluation = engine.evaluation();
    let gone = evaluation.named_pairs(&GeneralPairs::Kept).err().unwrap();
    assert_eq!(gone.code, Code::NotFound);
    let file = folder.path().join("sts.jsonl");
    let lines: Vec<String> = (0..30)
        .map(|i| format!(r#"{{"a": "a {i}", "b": "b {i}", "score": {i}}}"#))
        .collect();
    std::fs::write(&file, lines.join("\n")).unwrap();
    let path = file.display().to_string();
    let read = evaluation
        .named_pairs(&GeneralPairs::File { path: path.clone() })
        .unwrap();
    assert_eq!((read.file.as_str(), read.pairs.len()), ("sts.jsonl", 30));
    let request = BenchRequest {
        general: read.pairs.clone(),
        ..BenchRequest::default()
    };
    let kept = evaluation
        .keep_table(no_table(), &request, Some(read.file))
        .unwrap();
    assert_eq!(kept.general.as_deref(), Some("sts.jsonl"));
    let again = evaluation.named_pairs(&GeneralPairs::Kept).unwrap();
    assert_eq!(
        (again.file.as_str(), again.pairs),
        ("sts.jsonl", read.pairs)
    );
    // A file by which nothing can be told is refused before anything is measured.
    std::fs::write(&file, lines[..5].join("\n")).unwrap();
    assert!(
        evaluation
            .named_pairs(&GeneralPairs::File { path })
            .is_err()
    );
}

#[test]
fn each_table_is_kept_by_what_it_was_measured_on() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let evaluation = engine.evaluation();
    let exam = |name: &str| BenchOn::Exam {
        name: name.to_owned(),
    };
    let set = |set: Option<&str>| BenchOn::Terms {
        set: set.map(str::to_owned),
    };
    let all = [
        BenchOn::Questions,
        BenchOn::Attack,
        set(None),
        set(Some("house")),
        exam("house"),
        exam("harbour"),
    ];
    let places: std::collections::BTreeSet<String> = all.iter().map(place_of).collect();
    assert_eq!(places.len(), all.len());
    let outcome = BenchOutcome::Terms(Box::new(TermsTable {
        set: "house".to_owned(),
        hash: "abc".to_owned(),
        unit: "term".to_owned(),
        n: 3,
        clusters: 2,
        systems: Vec::new(),
        missing: Vec::new(),
        notes: Vec::new(),
    }));
    evaluation
        .keep_outcome(&set(Some("house")), outcome.clone())
        .unwrap();
    let kept = evaluation.last_bench_on(&set(Some("house"))).unwrap();
    assert_eq!(kept.map(|kept| kept.outcome), Some(outcome));
    assert_eq!(evaluation.last_bench_on(&set(None)).unwrap(), None);
}

#[test]
fn the_table_of_an_exam_goes_with_the_exam() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let (evaluation, workspace) = (engine.evaluation(), engine.workspace());
    let exam = |name: &str| ExamRow {
        name: name.to_owned(),
        kind: ExamKind::Questions,
        questions: 1,
        several: 0,
        subjects: BTreeMap::new(),
        hash: "abc".to_owned(),
        files: Vec::new(),
        made: String::new(),
    };
    for name in ["harbour", "house"] {
        let put = workspace
            .store
            .write("tester", |w| w.put_exam(&exam(name), "[]"));
        put.unwrap();
        for place in places_of_exam(name) {
            workspace.set_setting(&place, "a table").unwrap();
        }
    }
    evaluation.remove_exam("harbour").unwrap();
    for (name, left) in [("harbour", ""), ("house", "a table")] {
        for place in places_of_exam(name) {
            let kept = workspace.setting(&place).unwrap();
            assert_eq!(kept.as_deref(), Some(left), "{place}");
        }
    }
    let on = BenchOn::Exam {
        name: "harbour".to_owned(),
    };
    assert_eq!(evaluation.last_bench_on(&on).unwrap(), None);
}
