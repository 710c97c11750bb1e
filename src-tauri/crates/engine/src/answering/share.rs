//! How much of a question a clause has.

/// The share of the total weight that the words in a clause have.
pub(super) fn share(weights: &[f64], has: &[bool]) -> f64 {
    let all: f64 = weights.iter().sum();
    let held: f64 = weights
        .iter()
        .zip(has)
        .filter(|(_, has)| **has)
        .map(|(weight, _)| weight)
        .sum();
    if all > 0.0 { held / all } else { 0.0 }
}
