//! Tests of `task_table`.

use super::*;
use lexforge_domain::api::ExamRow;
use lexforge_domain::exam::{ClassedText, ExamPair};
use std::collections::BTreeMap;

fn row(kind: ExamKind) -> ExamRow {
    ExamRow {
        name: "ferries".to_owned(),
        kind,
        questions: 40,
        several: 0,
        subjects: BTreeMap::new(),
        hash: "ab".to_owned(),
        files: Vec::new(),
        made: "2026-03-05T14:20:31Z".to_owned(),
    }
}

fn pairs(n: usize) -> Task {
    let pair = |i: usize| ExamPair {
        a: format!("question {}", i / 2),
        b: format!("passage {i}"),
        score: (i % 2) as f64,
        asks: true,
    };
    Task::of_pairs(row(ExamKind::Pairs), (0..n).map(pair).collect())
}

/// Values of a system that is right except for every n-th pair.
fn given(n: usize, wrong: usize) -> Given {
    let value = |i: usize| {
        let right = (i % 2) as f64;
        let noise = i as f64 / 1e4;
        noise
            + if i.is_multiple_of(wrong) {
                1.0 - right
            } else {
                right
            }
    };
    Given {
        read: (0..n).collect(),
        runs: vec![(0..n).map(value).collect()],
        cut: 0,
    }
}

#[test]
fn systems_are_compared_by_cluster_with_a_correction_over_the_table() {
    let task = pairs(80);
    let measured = [
        ("tfidf".to_owned(), given(80, 3)),
        ("base minilm".to_owned(), given(80, 4)),
        ("run 2".to_owned(), given(80, 1_000)),
    ];
    let table = table(&task, &measured, Vec::new(), None, true);
    assert_eq!(table.baseline.as_deref(), Some("base minilm"));
    assert_eq!((table.n, table.clusters), (80, 40));
    let [tfidf, base, run] = &table.systems[..] else {
        panic!("{table:?}")
    };
    assert_eq!(base.against, None);
    let auc = |line: &TaskLine| line.figures[0].of;
    assert!(auc(run).value > auc(base).value && auc(base).interval.is_some());
    let gain = run.against.as_ref().unwrap();
    assert!(gain.difference.value > 0.0 && gain.p_value.unwrap() < 0.05);
    let other = tfidf.against.as_ref().unwrap();
    assert!(gain.p_holm >= gain.p_value && other.p_holm >= other.p_value);
    assert_eq!(gain.n, 80);
    for part in ["80 items only", "count the words of the exam"] {
        assert!(table.notes.iter().any(|note| note.contains(part)), "{part}");
    }
}

#[test]
fn pairs_that_nearly_all_share_texts_are_told_to_say_little() {
    let noted = |questions: usize| {
        let pair = |i: usize| ExamPair {
            a: format!("question {}", i % questions),
            b: format!("passage {i}"),
            score: (i / questions % 2) as f64,
            asks: true,
        };
        let task = Task::of_pairs(row(ExamKind::Pairs), (0..120).map(pair).collect());
        let measured = [("tfidf".to_owned(), given(120, 3))];
        let notes = table(&task, &measured, Vec::new(), None, false).notes;
        let has = |part: &str| notes.iter().any(|note| note.contains(part));
        (has("there is no interval"), has("stand in 9 clusters only"))
    };
    assert_eq!(noted(1), (true, false));
    assert_eq!(noted(9), (false, true));
    assert_eq!(noted(FEW_CLUSTERS), (false, false));
}

#[test]
fn a_text_is_one_however_it_stands_in_a_pair() {
    let pair = |a: &str, b: &str, asks| ExamPair {
        a: a.to_owned(),
        b: b.to_owned(),
        score: 1.0,
        asks,
    };
    let pairs = vec![
        pair("Who keeps it?", "The clerk.", true),
        pair("who keeps it", "The board.", true),
        pair("The clerk.", "A clerk.", false),
        pair("A fee.", "A fine.", false),
    ];
    let task = Task::of_pairs(row(ExamKind::Pairs), pairs);
    assert_eq!(task.clusters, [0, 0, 0, 3]);
    // At this point every text is separate.
    assert_eq!(task.texts.len(), 8);
}

#[test]
fn a_text_that_is_like_none_is_wrong_whatever_class_comes_first() {
    let text = |i: usize| ClassedText {
        text: format!("text {i}"),
        class: ["fees", "ferries"][i % 2].to_owned(),
    };
    let task = Task::of_classes(row(ExamKind::Classes), (0..40).map(text).collect());
    let read: Vec<usize> = (0..40).collect();
    let values = task.values(&read, |_, _| 0.0).unwrap();
    let given = Given {
        read,
        runs: vec![values],
        cut: 0,
    };
    let table = table(&task, &[("lsa".to_owned(), given)], Vec::new(), None, false);
    let values = [0, 1].map(|at: usize| table.systems[0].figures[at].of.value);
    assert_eq!(values, [0.0, 0.0]);
    assert!(table.notes[0].contains("is given none"));
}

#[test]
fn runs_of_one_recipe_are_one_system_with_the_spread_over_seeds() {
    let task = pairs(80);
    let mut several = given(80, 4);
    several.runs.extend(given(80, 1_000).runs);
    let table = table(
        &task,
        &[("runs 3+4".to_owned(), several)],
        Vec::new(),
        None,
        false,
    );
    let line = &table.systems[0];
    assert_eq!(line.runs, Some(2));
    let figure = &line.figures[0];
    let mean = figure.by_run.iter().sum::<f64>() / 2.0;
    assert!(figure.by_run[0] < figure.by_run[1]);
    assert!((figure.of.value - mean).abs() < 1e-12);
}

#[test]
fn what_both_read_is_compared_and_what_has_no_figure_is_refused() {
    let task = pairs(80);
    let mut part = given(80, 1_000);
    part.read = (40..80).collect();
    part.cut = 3;
    part.runs[0] = part.runs[0].split_off(40);
    let measured = [
        ("base minilm".to_owned(), given(80, 4)),
        ("run 2".to_owned(), part.clone()),
    ];
    let table = table(&task, &measured, Vec::new(), None, false);
    assert_eq!((table.systems[1].n, table.systems[1].unread), (40, 40));
    assert_eq!(table.systems[1].against.as_ref().unwrap().n, 40);
    let cut = |line: &TaskLine| line.cut;
    assert_eq!([0, 1].map(|at: usize| cut(&table.systems[at])), [0, 3]);
    let told = |note: &&String| note.contains("were cut");
    let notes: Vec<&String> = table.notes.iter().filter(told).collect();
    assert_eq!(
        notes,
        ["run 2: 3 of 120 texts are longer than it reads, and were cut."]
    );

    let told = |given: Given| task.usable("run 2", given).unwrap_err().message;
    part.read.truncate(10);
    assert!(told(part).contains("reads 10 of 80"));
    let mut alike = given(80, 4);
    alike.runs[0] = vec![0.5; 80];
    assert!(told(alike).contains("equally alike"));
    let right: Vec<usize> = (0..80).filter(|i| i % 2 == 1).collect();
    let of_one = only(&given(80, 4), &right);
    assert!(told(of_one).contains("one label"));
    assert!(task.values(&right, |_, _| f64::NAN).is_err());
    assert!(pairs(10).check().is_err() && task.check().is_ok());
}

#[test]
fn texts_go_to_the_nearest_class() {
    let text = |i: usize| ClassedText {
        text: format!("text {i}"),
        class: ["fees", "ferries"][i % 2].to_owned(),
    };
    let mut about = row(ExamKind::Classes);
    about.subjects = [("fees".to_owned(), 20), ("ferries".to_owned(), 20)].into();
    let task = Task::of_classes(about, (0..40).map(text).collect());
    assert_eq!(task.clusters.iter().collect::<HashSet<_>>().len(), 40);
    let read: Vec<usize> = (0..40).collect();
    let angle = |i: usize| (i % 2) as f64 + i as f64 / 100.0;
    let values = task
        .values(&read, |a, b| (angle(a) - angle(b)).cos())
        .unwrap();
    let given = Given {
        read,
        runs: vec![values],
        cut: 0,
    };
    let table = table(&task, &[("lsa".to_owned(), given)], Vec::new(), None, false);
    let figures = &table.systems[0].figures;
    assert_eq!(
        (figures[0].measure, figures[0].of.value),
        (TaskMeasure::Accuracy, 1.0)
    );
    assert_eq!(figures[1].measure, TaskMeasure::MacroF1);
}
