//! How long a comparison and a decision take: 10,000 resamples over 20,000 questions in 2,000 clusters, and the gate on
//! the same data with its characteristic.
//!
//! `cargo run --release -p lexforge-evaluate --example gate`

use lexforge_domain::QcaId;
use lexforge_domain::gate::{GatePolicy, ItemOutcome};
use lexforge_domain::qca::{QcaLevel, QuestionType};
use lexforge_evaluate::ScoredItem;
use lexforge_evaluate::gate::{Evidence, Paired, characteristic, decide};
use lexforge_evaluate::significance::compare;
use std::time::Instant;

const QUESTIONS: usize = 20_000;
const CLUSTERS: usize = 2_000;
const RESAMPLES: usize = 10_000;

fn main() -> Result<(), lexforge_evaluate::EvaluateError> {
    let system = |bonus: usize| -> Vec<ScoredItem> {
        (0..QUESTIONS)
            .map(|i| ScoredItem {
                id: QcaId(i as i64),
                cluster: (i % CLUSTERS) as i64,
                level: QcaLevel::Sentence,
                question_type: QuestionType::Obligation,
                answer: i % 4,
                scores: (0..4)
                    .map(|c| {
                        let noise = (i * 7_919 + c * 104_729 + bonus * i % 13 * 31) % 1_009;
                        noise as f64 / 1_009.0 + if c == i % 4 { 0.3 } else { 0.0 }
                    })
                    .collect(),
            })
            .collect()
    };
    let (old, new) = (system(0), system(1));
    let start = Instant::now();
    let comparisons = compare(&old, &new, "base", "anchor", RESAMPLES, 1)?;
    println!(
        "{RESAMPLES} resamples and as many permutations of {} measures over {QUESTIONS} questions in {CLUSTERS} clusters: {:.2} s",
        comparisons.len(),
        start.elapsed().as_secs_f64()
    );
    let outcomes = |items: &[ScoredItem]| -> Vec<ItemOutcome> {
        items
            .iter()
            .map(|i| ItemOutcome {
                id: i.id,
                cluster: i.cluster,
                answer: i.answer,
                chosen: i.chosen(),
                gap: i.gap(),
            })
            .collect()
    };
    let start = Instant::now();
    let paired = Paired::new(&outcomes(&old), &outcomes(&new))?;
    let decided = decide(&paired, &GatePolicy::default(), &Evidence::default());
    println!(
        "a decision ({}): {:.3} s",
        decided.verdict.tag(),
        start.elapsed().as_secs_f64()
    );
    let start = Instant::now();
    let printed = characteristic(&paired, &GatePolicy::default(), 2_000, 1);
    println!(
        "its characteristic (an equal model passes {:.3}): {:.2} s",
        printed.equal_passes,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
