//! Tests of `exam_task`.

use super::*;
use crate::Engine;
use crate::evaluation::exams::ExamRequest;
use crate::workspace::Silent;
use lexforge_domain::api::{BenchTime, Progress};
use std::sync::Mutex;

/// Keeps what it is told.
#[derive(Default)]
struct Told {
    progress: Mutex<Vec<(String, u64, u64)>>,
    ahead: Mutex<Vec<Option<BenchTime>>>,
}

impl Watcher for Told {
    fn progress(&self, p: Progress) {
        self.progress.lock().unwrap().push((p.item, p.done, p.of));
    }

    fn ahead(&self, time: Option<&BenchTime>) {
        self.ahead.lock().unwrap().push(time.cloned());
    }
}

#[test]
fn the_bar_and_the_time_are_those_of_all_systems_together() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let file = folder.path().join("pairs.jsonl");
    let line = |i: u64| {
        let passage = match i % 2 {
            0 => format!("The harbour office looks after berth {i}."),
            _ => format!("Loaf number {i} was baked at night."),
        };
        let question = format!("Who looks after berth {i}?");
        serde_json::json!({"a": question, "b": passage, "label": 1 - i % 2}).to_string()
    };
    let lines: Vec<String> = (0..24).map(line).collect();
    std::fs::write(&file, lines.join("\n")).unwrap();
    let evaluation = engine.evaluation();
    let exam = ExamRequest {
        files: vec![file],
        ..ExamRequest::default()
    };
    evaluation.import_exam(&exam, &Silent).unwrap();
    let request = ExamBenchRequest {
        exam: "pairs".to_owned(),
        systems: vec!["tfidf".to_owned(), "bm25".to_owned()],
        ..ExamBenchRequest::default()
    };
    let told = Told::default();
    let table = evaluation.bench_task(&request, &told).unwrap();
    assert_eq!((table.n, table.systems.len()), (24, 2));
    let told_of = |name: &str, done| (name.to_owned(), done, 48);
    assert_eq!(
        *told.progress.lock().unwrap(),
        [
            told_of("tfidf", 0),
            told_of("bm25", 24),
            told_of("statistics", 48)
        ]
    );
    // Neither was ever measured here; each is counted until it is.
    let ahead = told.ahead.lock().unwrap();
    let unknown = |time: &Option<BenchTime>| time.as_ref().map(|time| time.unknown);
    assert_eq!(ahead.first().map(unknown), Some(Some(2)));
    assert!(ahead.iter().any(|time| unknown(time) == Some(1)));
    assert_eq!(ahead.last(), Some(&None));
}
