//! Checks that no text of a page becomes markup. Each text is spoilt in turn, wherever it is on the page.

#![allow(clippy::unwrap_used)]

use super::drift_tests::moved;
use super::paper_tests::{attacked, bench, decision, head};
use super::sample::{Sample, sample};
use super::tests::assert_well_formed;
use super::{
    Model, ReportInput, Training, card_html, comparison_html, decision_html, drift_html, html,
};
use lexforge_domain::api::{ComparisonPaper, DecisionPaper, DriftPaper, ModelCard};
use lexforge_domain::metrics::ScorerRow;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What is put behind a text: an element, and the end of an attribute.
const MARK: &str = "\"'><i onload=x>";
/// Of a list so many entries are spoilt.
const ENTRIES: usize = 3;

/// The places of the texts in a value.
fn texts(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(place.to_owned()),
        Value::Array(all) => {
            for (at, one) in all.iter().take(ENTRIES).enumerate() {
                texts(one, &format!("{place}/{at}"), found);
            }
        }
        Value::Object(all) => {
            for (key, one) in all {
                let key = key.replace('~', "~0").replace('/', "~1");
                texts(one, &format!("{place}/{key}"), found);
            }
        }
        _ => {}
    }
}

/// Copies of a value. In each copy, the mark is added to one of the value's texts. A text that is the name of a variant
/// is not marked, because the copy could then not be read back.
fn spoilt<T: Serialize + DeserializeOwned>(value: &T) -> Vec<(String, T)> {
    let json = serde_json::to_value(value).unwrap();
    let mut places = Vec::new();
    texts(&json, "", &mut places);
    let copy = |place: String| {
        let mut json = json.clone();
        let Some(Value::String(text)) = json.pointer_mut(&place) else {
            return None;
        };
        text.push_str(MARK);
        Some((place, serde_json::from_value(json).ok()?))
    };
    places.into_iter().filter_map(copy).collect()
}

fn holds(what: &str, place: &str, page: &str) {
    assert!(!page.contains("<i onload"), "{what}{place} is markup");
    assert_well_formed(page);
}

/// A sample with every scorer, as a decoder has them.
fn scored() -> Sample {
    let mut whole = sample(9, 0.0, 0.2);
    let e = &mut whole.view.evaluation;
    let row = ScorerRow {
        scorer: "pmi".to_owned(),
        before: e.before.clone(),
        after: e.after.clone(),
        comparison: e.comparisons[0].clone(),
        unparseable_before: 3,
        unparseable_after: 1,
    };
    e.scorers = vec![row];
    whole
}

#[test]
fn no_text_of_a_report_is_markup() {
    let whole = scored();
    let check = |what: &str, place: &str, input: &ReportInput<'_>| {
        holds(what, place, &html(input));
    };
    let mut count = 0;
    for (place, view) in spoilt(&whole.view) {
        let both = ReportInput {
            evaluation: Some(&view),
            decoder: Some(Model {
                training: whole.evaluated().training,
                evaluation: Some(&view),
            }),
            ..whole.evaluated()
        };
        check("evaluation", &place, &both);
        count += 1;
    }
    for (place, documents) in spoilt(&whole.documents) {
        let documents = &documents;
        check(
            "documents",
            &place,
            &ReportInput {
                documents,
                ..whole.evaluated()
            },
        );
        count += 1;
    }
    for (place, failed) in spoilt(&whole.failed) {
        let failed = &failed;
        check(
            "failed",
            &place,
            &ReportInput {
                failed,
                ..whole.evaluated()
            },
        );
        count += 1;
    }
    for (place, skipped) in spoilt(&whole.skipped) {
        let skipped = &skipped;
        check(
            "skipped",
            &place,
            &ReportInput {
                skipped,
                ..whole.prepared()
            },
        );
        count += 1;
    }
    for (place, terms) in spoilt(&whole.term_sample) {
        let term_sample = &terms;
        check(
            "terms",
            &place,
            &ReportInput {
                term_sample,
                ..whole.evaluated()
            },
        );
        count += 1;
    }
    for (place, graph) in spoilt(&whole.graph) {
        let graph = Some(&graph);
        check(
            "graph",
            &place,
            &ReportInput {
                graph,
                ..whole.evaluated()
            },
        );
        count += 1;
    }
    for (place, questions) in spoilt(&whole.questions) {
        let questions = Some(&questions);
        check(
            "questions",
            &place,
            &ReportInput {
                questions,
                ..whole.evaluated()
            },
        );
        count += 1;
    }
    for (place, sample) in spoilt(&whole.question_sample) {
        let question_sample = &sample;
        check(
            "examples",
            &place,
            &ReportInput {
                question_sample,
                ..whole.evaluated()
            },
        );
        count += 1;
    }
    let trained = |training: Training<'_>, place: &str| {
        let training = Some(training);
        check(
            "training",
            place,
            &ReportInput {
                training,
                ..whole.evaluated()
            },
        );
    };
    let training = whole.evaluated().training.unwrap();
    for (place, run) in spoilt(&whole.run) {
        trained(
            Training {
                run: &run,
                ..training
            },
            &place,
        );
        count += 1;
    }
    for (place, job) in spoilt(&whole.job) {
        trained(
            Training {
                job: Some(&job),
                ..training
            },
            &place,
        );
        count += 1;
    }
    for (place, result) in spoilt(&whole.result) {
        trained(
            Training {
                result: Some(&result),
                ..training
            },
            &place,
        );
        count += 1;
    }
    trained(
        Training {
            device: MARK,
            ..training
        },
        "/device",
    );
    check(
        "head",
        "",
        &ReportInput {
            workspace: MARK,
            created: MARK,
            version: MARK,
            audit_head: MARK,
            ..whole.evaluated()
        },
    );
    assert!(count > 60, "{count} texts were spoilt");
}

#[test]
fn no_text_of_a_paper_is_markup() {
    let comparison = ComparisonPaper {
        head: head(),
        systems: bench(),
        attack: Some(attacked()),
    };
    for (place, paper) in spoilt(&comparison) {
        holds("comparison", &place, &comparison_html(&paper));
    }
    let decided = DecisionPaper {
        head: head(),
        decision: decision(10, 3),
    };
    for (place, paper) in spoilt(&decided) {
        holds("decision", &place, &decision_html(&paper));
    }
    let drifted = DriftPaper {
        head: head(),
        report: moved(),
    };
    for (place, paper) in spoilt(&drifted) {
        holds("drift", &place, &drift_html(&paper));
    }
    let whole = scored();
    let card = ModelCard {
        head: head(),
        run: whole.run.clone(),
        job: whole.job.clone(),
        result: Some(whole.result.clone()),
        device: "cpu".to_owned(),
        documents: whole.view.hashes.documents.clone(),
        dataset: Some(whole.view.dataset.clone()),
        evaluation: Some(whole.view.clone()),
        decision: Some(decision(10, 3)),
        active: None,
        attack: Some(attacked()),
        exports: Vec::new(),
    };
    for (place, card) in spoilt(&card) {
        holds("card", &place, &card_html(&card));
    }
}
