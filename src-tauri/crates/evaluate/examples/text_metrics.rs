//! Measures how long BLEU, ROUGE, METEOR and chrF take over 100,000 answers of 20 to 39 words, and how long the
//! intervals of a comparison of 20,000 items in 2,000 clusters take.
//!
//!     cargo run --release -p lexforge-evaluate --example text_metrics

use lexforge_evaluate::statistics::{PairedSeries, compare_all};
use lexforge_evaluate::text_metrics::{Answer, Counting, measure};
use std::time::Instant;

const ANSWERS: usize = 100_000;

fn main() -> Result<(), lexforge_evaluate::EvaluateError> {
    let mut state = 1_u64;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut word = || {
        let syllables = [
            "re", "port", "ing", "bank", "al", "ion", "cap", "it", "s", "ed",
        ];
        let word: Vec<&str> = (0..2 + next(3))
            .map(|_| syllables[next(10) as usize])
            .collect();
        word.concat()
    };
    let words: Vec<String> = (0..5_000).map(|_| word()).collect();
    let mut sentence = |like: Option<&str>| {
        let mut chosen: Vec<String> = match like {
            Some(text) => text.split(' ').map(str::to_owned).collect(),
            None => (0..20 + next(20))
                .map(|_| words[next(5_000) as usize].clone())
                .collect(),
        };
        for _ in 0..4 {
            let at = next(chosen.len() as u64) as usize;
            chosen[at].clone_from(&words[next(5_000) as usize]);
        }
        chosen.join(" ") + "."
    };
    let pairs: Vec<(String, String)> = (0..ANSWERS)
        .map(|_| {
            let right = sentence(None);
            (sentence(Some(&right)), right)
        })
        .collect();
    let answers: Vec<Answer> = pairs
        .iter()
        .map(|(prediction, right)| Answer {
            prediction,
            references: vec![right],
            language: None,
        })
        .collect();
    let start = Instant::now();
    let found = measure(&answers, Counting::default());
    println!(
        "{ANSWERS} answers: {:.1} s · BLEU {:.2}, ROUGE-L {:.4}, METEOR {:.4}, chrF {:.2}",
        start.elapsed().as_secs_f64(),
        found.bleu[3],
        found.rouge[2].f1,
        found.meteor,
        found.chrf
    );

    let right = |share: u64, next: &mut dyn FnMut(u64) -> u64| {
        (0..20_000)
            .map(|_| f64::from(u8::from(next(10) < share)))
            .collect()
    };
    let series = PairedSeries {
        measure: "accuracy".to_owned(),
        against: "base".to_owned(),
        before: right(6, &mut next),
        after: right(7, &mut next),
    };
    let clusters: Vec<usize> = (0..20_000).map(|i| i / 10).collect();
    let start = Instant::now();
    let found = compare_all(&[series], &clusters, "rule", 10_000, 7)?;
    println!(
        "10,000 resamples and swaps of 20,000 items in 2,000 clusters: {:.2} s · {:?}",
        start.elapsed().as_secs_f64(),
        found[0].comparison.difference
    );
    Ok(())
}
