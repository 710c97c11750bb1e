//! How long agreement takes: 100,000 items, three reviewers and three choices, 1,000 resamples.
//!
//!     cargo run --release -p lexforge-evaluate --example agreement

use lexforge_evaluate::agreement::{Ratings, Resampling, Weights, agreement, cohen};
use std::time::Instant;

fn main() -> Result<(), lexforge_evaluate::EvaluateError> {
    let mut ratings = Ratings::new(3);
    // A linear congruential sequence: four of five reviewers say what the item is.
    let mut state = 1_u64;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..100_000 {
        let item = next(3);
        let said = [0, 1, 2].map(|rater| (rater, if next(5) > 0 { item } else { next(3) } as u32));
        ratings.push(&said)?;
    }
    let resampling = Resampling {
        count: 1_000,
        seed: 7,
    };
    let start = Instant::now();
    let found = agreement(&ratings, &Weights::Identity, resampling);
    println!(
        "percent, α, Fleiss' κ, AC1 with intervals: {:.2} s",
        start.elapsed().as_secs_f64()
    );
    println!("  α {:?}", found.alpha);
    let start = Instant::now();
    let pair = cohen(&ratings, 0, 1, resampling);
    println!(
        "Cohen's κ of two with its interval: {:.2} s",
        start.elapsed().as_secs_f64()
    );
    println!("  κ {:?}", pair.kappa);
    Ok(())
}
