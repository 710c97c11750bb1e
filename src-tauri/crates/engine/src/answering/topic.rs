//! Whether what a Chinese question is about stands in what was found. Its other words may stand there, of something else:
//! "证券公司的净资本" finds the net capital of banks.

use super::candidates::share;
use lexforge_store::{ClauseHit, ClauseRanking, words};
use lexforge_text::asked;

/// Clauses of which one must have it.
const FIRST: usize = 3;
/// Share of its pairs of characters, by how rare they are, that the clause and its title must have. Of 114 questions about
/// Chinese financial regulations that have an answer none has less.
const LEAST: f64 = 0.4;

/// Whether the first clauses lack most of what the question is about. `subject` is what was looked for with `found`.
pub(super) fn is_absent(subject: &str, found: &ClauseRanking, order: &[(u32, f64)]) -> bool {
    let Some(topic) = asked::topic(subject) else {
        return false;
    };
    let mut different: Vec<String> = Vec::new();
    for word in words(subject) {
        if !different.contains(&word) {
            different.push(word);
        }
    }
    // Where words were left out as too common it is not known which is which.
    if different.len() != found.words.len() {
        return false;
    }
    let own = words(topic);
    let of_topic = |weights: &[f64]| -> Vec<f64> {
        let weighed = weights.iter().zip(&different);
        weighed
            .map(|(weight, word)| if own.contains(word) { *weight } else { 0.0 })
            .collect()
    };
    let weights = of_topic(&found.words);
    let has = |hit: &ClauseHit| share(&weights, &hit.words);
    let first = order.iter().take(FIRST).filter_map(|(clause, _)| {
        let hit = found.hits.iter().find(|hit| hit.clause == *clause);
        hit.map(has)
    });
    let most = first.fold(0.0, f64::max);
    weights.iter().sum::<f64>() > 0.0 && !found.hits.is_empty() && most < LEAST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_something_else_is_no_answer() {
        // 渔船, 船的, 的停, 停泊, 泊费 of a question, and what a clause has of them.
        let found = |has: [bool; 5]| ClauseRanking {
            words: vec![4.0, 1.0, 1.0, 2.0, 2.0],
            pairs: Vec::new(),
            hits: vec![ClauseHit {
                clause: 7,
                score: 1.0,
                words: has.to_vec(),
                pairs: Vec::new(),
            }],
            ideal: 1.0,
        };
        let absent = |subject, has| is_absent(subject, &found(has), &[(7, 1.0)]);
        assert!(absent("渔船的停泊费", [false, false, true, true, true]));
        assert!(!absent("渔船的停泊费", [true, false, false, true, true]));
        // Without a topic nothing is said.
        assert!(!absent("渔船停泊费", [false, false, true, true, true]));
    }
}
