//! Measures the time of a review of 50,000 terms after 100,000 decisions: the figures of docs/benchmarks/questions.md.
//!
//!     cargo run -p lexforge-engine --example review
#![allow(clippy::unwrap_used, missing_docs)]

use lexforge_domain::api::{NewDecision, QueueFilter, TermFilter};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, EngineCounts, ParsedDocument, ParsedPage, ParsedSentence,
    ReadEngine,
};
use lexforge_domain::review::{Choice, Edit, Role, Subject, SubjectKind};
use lexforge_domain::term::{FoundBy, ReviewStatus, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{SentenceId, TermId};
use lexforge_engine::Engine;
use lexforge_store::{NewAct, NewTerm, Workspace};
use std::path::Path;
use std::time::Instant;

const TERMS: usize = 50_000;
const SENTENCES: usize = 20_000;
/// Mentions of one term.
const MENTIONS: usize = 4;
/// Decisions of each of two reviewers.
const DECISIONS: usize = 50_000;
/// Decisions that are timed one by one.
const TIMED: usize = 300;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("review.lexforge");
    let terms = fill(&path);
    println!(
        "{} terms, {} sentences, {} mentions",
        terms.len(),
        SENTENCES,
        TERMS * MENTIONS
    );
    println!("before any decision: {:.1} MB", megabytes(&path));
    walk("no decisions", &path);

    let began = Instant::now();
    decide_all(&path, &terms);
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{} decisions, an act each, in batches of 1,000: {seconds:.1} s",
        2 * DECISIONS
    );
    println!("with 100,000 decisions: {:.1} MB", megabytes(&path));
    walk("100,000 decisions", &path);

    let engine = Engine::open(&path).unwrap();
    let status = |status| TermFilter {
        status: Some(status),
        limit: 100,
        ..TermFilter::default()
    };
    for (what, filter) in [
        ("accepted", status(ReviewStatus::Accepted)),
        ("unreviewed", status(ReviewStatus::Unreviewed)),
        (
            "of a class",
            TermFilter {
                class: Some("duty".to_owned()),
                limit: 100,
                ..TermFilter::default()
            },
        ),
    ] {
        let (mut times, mut processor) = (Vec::new(), Vec::new());
        let mut total = 0;
        for _ in 0..20 {
            let (began, before) = (Instant::now(), processor_milliseconds());
            total = engine.terms().terms(&filter).unwrap().total;
            times.push(milliseconds(began));
            processor.extend(
                processor_milliseconds()
                    .zip(before)
                    .map(|(after, before)| after - before),
            );
        }
        println!(
            "list of terms {what} ({total}): {}; processor time: {}",
            summary(times),
            summary(processor)
        );
    }
    let (began, before) = (Instant::now(), processor_milliseconds());
    let report = engine.workspace().audit_verify().unwrap();
    println!(
        "audit verified ({} rows, {}): {:.2} s",
        report.rows,
        report.ok,
        began.elapsed().as_secs_f64()
    );
    if let (Some(before), Some(after)) = (before, processor_milliseconds()) {
        println!("processor time of it: {:.2} s", (after - before) / 1e3);
    }
}

/// Goes through the queue as a person does: the item, a decision, the next item.
fn walk(what: &str, path: &Path) {
    let (mut opened, mut opened_processor) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let engine = Engine::open(path).unwrap();
        engine.review().act_as("Reviewer 3").unwrap();
        let (began, before) = (Instant::now(), processor_milliseconds());
        engine
            .review()
            .review_queue(&QueueFilter::of(SubjectKind::Term), None)
            .unwrap();
        opened.push(milliseconds(began));
        opened_processor.extend(
            processor_milliseconds()
                .zip(before)
                .map(|(after, before)| after - before),
        );
    }
    println!("{what}: queue opens: {}", summary(opened));
    println!(
        "{what}: processor time of it: {}",
        summary(opened_processor)
    );
    let engine = Engine::open(path).unwrap();
    engine.review().act_as("Reviewer 3").unwrap();
    let filter = QueueFilter::of(SubjectKind::Term);
    let mut view = engine.review().review_queue(&filter, None).unwrap();
    let (mut durable, mut next, mut both, mut undone) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for i in 0..TIMED {
        let subject = view.item.as_ref().unwrap().subject();
        let choice = if i % 3 == 0 {
            Choice::Reject
        } else {
            Choice::Accept
        };
        let began = Instant::now();
        engine.review().decide(&decision(subject, choice)).unwrap();
        let after = milliseconds(began);
        view = engine.review().review_queue(&filter, None).unwrap();
        let all = milliseconds(began);
        durable.push(after);
        next.push(all - after);
        both.push(all);
    }
    for _ in 0..TIMED {
        let began = Instant::now();
        engine.review().undo_decision().unwrap().unwrap();
        engine.review().review_queue(&filter, None).unwrap();
        undone.push(milliseconds(began));
    }
    println!("{what}: a decision is durable: {}", summary(durable));
    println!("{what}: the next item: {}", summary(next));
    println!("{what}: decision and next item: {}", summary(both));
    println!("{what}: undo and next item: {}", summary(undone));
}

fn decision(subject: Subject, choice: Choice) -> NewDecision {
    NewDecision {
        subjects: vec![subject],
        choice,
        edit: Edit::default(),
        reason: String::new(),
        adjudicates: false,
    }
}

/// Two reviewers decide about every term, each decision an act and a row of the audit chain of its own.
fn decide_all(path: &Path, terms: &[TermId]) {
    let workspace = Workspace::open(path).unwrap();
    for (reviewer, name) in ["Reviewer 1", "Reviewer 2"].into_iter().enumerate() {
        let person = workspace
            .write(name, |w| w.put_person(None, name, Role::DomainExpert, 1))
            .unwrap()
            .id;
        for (batch, chunk) in terms[..DECISIONS].chunks(1_000).enumerate() {
            workspace
                .write(name, |w| {
                    for (i, id) in chunk.iter().enumerate() {
                        let reject = i % 9 == 0 || reviewer == 1 && i % 17 == 0;
                        let class = (i % 4 == 0 && !reject).then(|| "duty".to_owned());
                        let edit = Edit {
                            class,
                            ..Edit::default()
                        };
                        let reason = if i % 50 == 0 {
                            format!("as Article {batch} says")
                        } else {
                            String::new()
                        };
                        w.decide(&NewAct {
                            person,
                            subjects: &[Subject::term(*id)],
                            choice: if reject {
                                Choice::Reject
                            } else {
                                Choice::Accept
                            },
                            edit: &edit,
                            reason: &reason,
                            adjudicates: false,
                        })?;
                    }
                    Ok(())
                })
                .unwrap();
        }
    }
}

/// A workspace with terms that are mentioned here and there.
fn fill(path: &Path) -> Vec<TermId> {
    let texts: Vec<String> = (0..SENTENCES)
        .map(|i| {
            format!(
                "The holder of duty {i} shall report to the authority within {} days of the event.",
                i % 90
            )
        })
        .collect();
    let mut start = 0;
    let sentences = texts
        .iter()
        .enumerate()
        .map(|(i, text)| {
            let end = start + text.chars().count();
            let sentence = ParsedSentence {
                text: text.clone(),
                complete: None,
                page: (i / 40) as u32 + 1,
                section: None,
                kind: SentenceKind::Rule,
                regions: Vec::new(),
                start,
                end,
                external_id: None,
            };
            start = end + 1;
            sentence
        })
        .collect();
    let page = |number: usize| ParsedPage {
        number: number as u32,
        width: 0.0,
        height: 0.0,
        text: String::new(),
        engine: ReadEngine::Plain,
        agreement: None,
        scanned: false,
        differences: Vec::new(),
        removed: Vec::new(),
    };
    let document = ParsedDocument {
        title: "Duties".to_owned(),
        format: DocumentFormat::Text,
        language: Language::En,
        metadata: DocumentMetadata::default(),
        pages: (1..=SENTENCES / 40).map(page).collect(),
        sections: Vec::new(),
        sentences,
        engines: EngineCounts::default(),
        tables: Vec::new(),
        reader_agreement: None,
        scanned_pages: 0,
        warnings: Vec::new(),
    };
    let workspace = Workspace::create(path).unwrap();
    workspace
        .write("bench", |w| {
            let document = w.insert_document(&document, "duties.txt", b"duties")?;
            let sentences: Vec<SentenceId> =
                w.sentences(Some(document))?.iter().map(|s| s.id).collect();
            let terms: Vec<NewTerm> = (0..TERMS).map(term).collect();
            let mentions: Vec<(usize, SentenceId, u32, u32)> = (0..TERMS * MENTIONS)
                .map(|i| {
                    (
                        i % TERMS,
                        sentences[(i * 7919) % SENTENCES],
                        14,
                        14 + (i % 5) as u32 + 4,
                    )
                })
                .collect();
            w.replace_terms(&terms, &mentions, ReviewPolicy::UnreviewedAutomatic)
        })
        .unwrap()
}

fn term(i: usize) -> NewTerm {
    let found = if i.is_multiple_of(5) {
        FoundBy::Defined
    } else {
        FoundBy::Phrase
    };
    NewTerm::of(TermCandidate {
        score: (TERMS - i) as f64 / 7.0,
        count: MENTIONS as u32,
        definition: i
            .is_multiple_of(5)
            .then(|| format!("what the holder owes under rule {i}")),
        ..TermCandidate::new(format!("duty number {i}"), found, Language::En)
    })
}

fn megabytes(path: &Path) -> f64 {
    // Opening and closing writes the log back.
    drop(Workspace::open(path).unwrap());
    std::fs::metadata(path).unwrap().len() as f64 / 1e6
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// Time on a processor of this thread, where the system says (Linux): what the work costs on a machine at rest.
fn processor_milliseconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
}

fn summary(mut times: Vec<f64>) -> String {
    if times.is_empty() {
        return "not known".to_owned();
    }
    times.sort_by(f64::total_cmp);
    format!(
        "median {:.1} ms, worst {:.1} ms",
        times[times.len() / 2],
        times[times.len() - 1]
    )
}
