//! Methods that find what documents cover, measured on sets that people have judged. For each document, a method learns
//! only from the labels of the other documents.

use super::judged_sets::{JudgedSet, judged_folders};
use super::learned::{Judged, Learner, Lesson, Said};
use super::sides::{Scores, Sides, Text};
use super::weigh::Likeness;
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled, tell};
use lexforge_domain::api::{MatchCoverageRow, Stage};
use lexforge_evaluate::coverage::{Told, figures};
use lexforge_graph::pairing;
use sha2::{Digest as _, Sha256};
use std::path::Path;

/// Parts of the documents, each judged by what was learned from the others.
const FOLDS: usize = 5;
/// Resamples behind an interval.
const RESAMPLES: usize = 1_000;
/// Statements that are looked into, and those among which the evidence is to stand.
const LOOKED_AT: usize = 12;
const FIRST: usize = 10;

/// The result of a method for a document and a demand.
struct Way {
    probability: f64,
    said: Said,
    /// How well each statement fits; empty where the way knows none.
    scores: Vec<f32>,
}

/// Measures the methods on a folder of documents with labels, or on each such folder within this one. `None` if there
/// is no such folder.
///
/// # Errors
/// When a file cannot be read, or does not have the expected form.
pub fn benchmark_coverage(
    folder: &Path,
    watcher: &dyn Watcher,
) -> Result<Option<Vec<MatchCoverageRow>>> {
    let folders = judged_folders(folder)?;
    let mut rows = Vec::new();
    for folder in &folders {
        let set = JudgedSet::read(folder)?;
        rows.extend(measured(set, watcher)?);
    }
    Ok((!folders.is_empty()).then_some(rows))
}

fn measured(set: JudgedSet, watcher: &dyn Watcher) -> Result<Vec<MatchCoverageRow>> {
    let JudgedSet {
        name,
        documents,
        lesson,
    } = set;
    let judged = lesson.judged.clone();
    let fold_of = folds(&documents);
    let by_words = by_words(&lesson);
    let rules = lesson.rules.len();
    let learner = Learner::new(lesson);
    let (mut usual, mut learned) = (Vec::new(), Vec::new());
    for fold in 0..FOLDS {
        tell(watcher, Stage::Match, &name, fold as u64, FOLDS as u64);
        if watcher.cancelled() {
            return Err(cancelled("Nothing was kept."));
        }
        let from: Vec<bool> = fold_of.iter().map(|of| *of != fold).collect();
        let most = most_frequent(&judged, &from, rules);
        let taught = learner.learned(&from);
        let held = judged.iter().filter(|one| fold_of[one.policy] == fold);
        let held: Vec<&Judged> = held.collect();
        for one in &held {
            usual.push(told(one, &most[one.rule]));
        }
        let Some(taught) = taught else { continue };
        learned.extend(pairing::each(held.len(), |at| {
            let one = held[at];
            let found = learner.judgement(&taught, one.rule, one.policy)?;
            let way = Way {
                probability: found.spoken,
                said: found.said(),
                // Where no classifier puts the statements in order, words do.
                scores: if found.is_pooled() {
                    by_words[one.policy][one.rule].scores.clone()
                } else {
                    found.scores
                },
            };
            Some(told(one, &way))
        }));
    }
    let words: Vec<Told> = judged
        .iter()
        .map(|one| told(one, &by_words[one.policy][one.rule]))
        .collect();
    let learned: Vec<Told> = learned.into_iter().flatten().collect();
    let ways = [
        ("words alone", false, words),
        ("most frequent answer of each demand", true, usual),
        ("learned from decisions", true, learned),
    ];
    Ok(ways
        .into_iter()
        .map(|(way, learned, told)| MatchCoverageRow {
            set: name.clone(),
            way: way.to_owned(),
            learned,
            documents: documents.len(),
            pairs: told.len(),
            figures: figures(&told, RESAMPLES, DEFAULT_SEED),
        })
        .collect())
}

/// Which part each document is in, by its name.
fn folds(documents: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|at| -> [u8; 32] { Sha256::digest(documents[*at].as_bytes()).into() });
    let mut folds = vec![0; documents.len()];
    for (number, at) in order.into_iter().enumerate() {
        folds[at] = number % FOLDS;
    }
    folds
}

/// The results by words alone for each document and demand, with the product's own weights.
fn by_words(lesson: &Lesson) -> Vec<Vec<Way>> {
    let texts = |all: &[String]| -> Vec<Text> {
        all.iter()
            .map(|text| Text {
                text: text.clone(),
                ..Text::default()
            })
            .collect()
    };
    let asked = texts(&lesson.rules);
    pairing::each(lesson.policies.len(), |policy| {
        let sides = Sides::new(&asked, &texts(&lesson.policies[policy]));
        (0..asked.len())
            .map(|rule| {
                let scores = sides.scores(rule);
                let probability = likely(&sides, &scores, rule);
                Way {
                    probability,
                    said: if probability >= 0.5 {
                        Said::Covered
                    } else {
                        Said::Open
                    },
                    scores: scores.both,
                }
            })
            .collect()
    })
}

fn likely(sides: &Sides, scores: &Scores, rule: usize) -> f64 {
    let looked: Vec<Likeness> = pairing::greatest(&scores.both, LOOKED_AT)
        .into_iter()
        .map(|(place, _)| Likeness::of(sides, scores, rule, place))
        .collect();
    Likeness::best(&looked).probability()
}

/// The most frequent answer to each demand in these documents, and how often something is said of it.
fn most_frequent(judged: &[Judged], from: &[bool], rules: usize) -> Vec<Way> {
    let mut counts = vec![[0_usize; 3]; rules];
    for one in judged.iter().filter(|one| from[one.policy]) {
        counts[one.rule][one.said as usize] += 1;
    }
    counts
        .into_iter()
        .map(|of| {
            let all = [Said::Open, Said::Covered, Said::Contradicted];
            let spoken = of[1] + of[2];
            Way {
                probability: spoken as f64 / (spoken + of[0]).max(1) as f64,
                said: all
                    .into_iter()
                    .max_by_key(|said| of[*said as usize])
                    .unwrap_or(Said::Open),
                scores: Vec::new(),
            }
        })
        .collect()
}

/// The result of a method together with people's judgement.
fn told(judged: &Judged, way: &Way) -> Told {
    let ranked = !way.scores.is_empty() && !judged.named.is_empty();
    Told {
        document: judged.policy,
        probability: way.probability,
        covered: judged.said != Said::Open,
        right: judged.said == way.said,
        evidence: ranked.then(|| {
            let first = pairing::greatest(&way.scores, FIRST);
            let held = |place: &&usize| first.iter().take(FIRST).any(|(one, _)| one == *place);
            judged.named.iter().filter(held).count() as f64 / judged.named.len() as f64
        }),
        contradicted: (
            judged.said == Said::Contradicted,
            way.said == Said::Contradicted,
        ),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::workspace::Silent;
    use std::fmt::Write as _;

    #[test]
    fn words_that_no_demand_has_are_learned_from_other_documents() {
        let folder = tempfile::tempdir().unwrap();
        let (mut sentences, mut labels) = (String::new(), String::new());
        for document in 0..15 {
            let covers = [document % 3 != 0, document % 2 == 0];
            let said = |covers: bool, yes, no| if covers { yes } else { no };
            let texts = [
                "This policy is about the office and its people.",
                said(
                    covers[0],
                    "Records are shredded after a year.",
                    "Doors are painted after a year.",
                ),
                said(
                    covers[1],
                    "Workshops are held for our people.",
                    "Lunches are held for our people.",
                ),
            ];
            for (number, text) in texts.into_iter().enumerate() {
                let line = serde_json::json!({"document_id": format!("d{document}"), "sentence": number, "text": text});
                writeln!(sentences, "{line}").unwrap();
            }
            for (rule, covered) in covers.into_iter().enumerate() {
                let evidence: Vec<usize> = covered.then_some(rule + 1).into_iter().collect();
                let line = serde_json::json!({
                    "document_id": format!("d{document}"), "requirement_id": format!("R{rule}"),
                    "covered": covered, "evidence_sentences": evidence,
                });
                writeln!(labels, "{line}").unwrap();
            }
        }
        let demands = "{\"id\": \"R0\", \"text\": \"Data are deleted.\"}\n{\"id\": \"R1\", \"text\": \"Staff are trained.\"}\n";
        for (name, text) in [
            ("requirements.jsonl", demands),
            ("sentences.jsonl", sentences.as_str()),
            ("coverage.jsonl", labels.as_str()),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let rows = benchmark_coverage(folder.path(), &Silent).unwrap().unwrap();
        let right = |way: &str| {
            let row = rows.iter().find(|row| row.way == way).unwrap();
            assert_eq!((row.documents, row.pairs), (15, 30), "{way}");
            row.figures.get("right").unwrap().value
        };
        assert_eq!(right("learned from decisions"), 1.0);
        assert!(right("most frequent answer of each demand") < 0.8);
        assert!(right("words alone") < 0.8);
        let none = tempfile::tempdir().unwrap();
        assert_eq!(benchmark_coverage(none.path(), &Silent).unwrap(), None);
    }
}
