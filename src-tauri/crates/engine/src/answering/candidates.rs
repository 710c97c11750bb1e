//! The clauses that are put in order for a question, and what is known of each.

use super::clauses::Clauses;
use super::fitting::{Fitting, MOST, first_by_words};
use super::share::share;
use lexforge_store::{ClauseHit, ClauseRanking};
use std::collections::{HashMap, HashSet};

/// A clause with fewer words is a heading or says next to nothing.
const SHORT: u32 = 10;

/// The score of a heading without text under it is multiplied by this. Such a heading answers nothing, but a user may
/// look for it.
const BARE_HEADING: f64 = 0.5;
/// The score of a recital, or of a reply to a consultation, is multiplied by this. Such texts explain why there is a
/// rule, often in the words of the question. The rule itself should come before them.
const BESIDE_THE_RULES: f64 = 0.65;

/// A cosine that texts about different things have with an encoder whose cosines lie high.
const UNRELATED: f64 = 0.8;
/// If the last of many candidates has at least this cosine, the cosines of the encoder lie high. The hundredth clause of
/// none of ObliQA's 2,788 development questions has more than .70 with MiniLM as it comes, and .51 with a tuned one.
const LIES_HIGH: f64 = 0.75;

/// The features of a candidate that a ranker uses. They improve the order also for questions about documents that the
/// ranker was not fitted on. These features were tried and did not help: ranks, neighbouring clauses, headings, other
/// candidates of the same document, likeness to the first candidates, and products of these.
const FEATURES: [&str; 6] = [
    "words",
    "vectors",
    "covered",
    "pairs_covered",
    "length",
    "short",
];

/// A clause that may answer.
pub(super) struct Candidate {
    /// Its number.
    pub clause: u32,
    /// The scores by words and by vectors, each as a share of the greatest of its ranking, with equal weight.
    pub half: f64,
    /// The features that a ranker weighs, in the order of [`features`].
    pub row: Vec<f64>,
}

/// The names of the features that a ranker weighs; without vectors there is one less.
pub(super) fn features(with_vectors: bool) -> Vec<String> {
    FEATURES
        .iter()
        .filter(|name| with_vectors || **name != "vectors")
        .map(|name| (*name).to_owned())
        .collect()
}

/// The candidates of both rankings, by an equal mixture of their scores, best first.
pub(super) fn candidates(
    words: &ClauseRanking,
    near: Option<&[(u32, f64)]>,
    cosines_lie_high: bool,
    clauses: &Clauses,
    fits: &Fitting,
) -> Vec<Candidate> {
    let by_words = |hit: &ClauseHit| hit.score * fits.times(hit.clause, clauses);
    let most = words.hits.iter().map(by_words).fold(1e-9, f64::max);
    let hits: HashMap<u32, &ClauseHit> = words.hits.iter().map(|hit| (hit.clause, hit)).collect();
    let cosines: HashMap<u32, f64> = near.into_iter().flatten().copied().collect();
    let least = near.map_or(0.0, |near| least(near, cosines_lie_high));
    let nearest = near.map(|near| (near.first().map_or(0.0, |n| n.1) - least).max(1e-9));
    let by_vectors = near.into_iter().flatten().take(MOST).map(|n| n.0);
    let numbers: HashSet<u32> = first_by_words(words, near.is_some())
        .chain(by_vectors)
        .collect();
    let half = match nearest {
        Some(_) if !words.hits.is_empty() => 0.5,
        _ => 1.0,
    };
    let mut all: Vec<Candidate> = numbers
        .into_iter()
        .map(|clause| {
            let hit = hits.get(&clause);
            let by_words = hit.map_or(0.0, |hit| by_words(hit) / most);
            let by_vectors = nearest.map(|nearest| {
                let cosine = cosines.get(&clause).copied().unwrap_or_default();
                (cosine - least).max(0.0) / nearest
            });
            let length = clauses.map.length(clause).unwrap_or_default();
            let mut row = vec![by_words];
            row.extend(by_vectors);
            row.extend([
                hit.map_or(0.0, |hit| share(&words.words, &hit.words)),
                hit.map_or(0.0, |hit| share(&words.pairs, &hit.pairs)),
                f64::from(length).ln_1p(),
                f64::from(u8::from(length < SHORT)),
            ]);
            let bare = if clauses.bare_headings.contains(&clause) {
                BARE_HEADING
            } else if clauses.beside.contains(&clause) {
                BESIDE_THE_RULES
            } else {
                1.0
            };
            Candidate {
                clause,
                half: bare * half * (by_words + by_vectors.unwrap_or_default()),
                row,
            }
        })
        .collect();
    all.sort_by(|a, b| b.half.total_cmp(&a.half).then(a.clause.cmp(&b.clause)));
    all
}

/// The value that is subtracted from each cosine to get the score by vectors: nothing, or for an encoder whose cosines
/// lie high what it gives to many texts. That they do is known of an encoder that comes with the product, and seen of
/// one that a user names.
fn least(near: &[(u32, f64)], cosines_lie_high: bool) -> f64 {
    let usual = usual(near);
    match cosines_lie_high || (near.len() >= MOST && usual >= LIES_HIGH) {
        true => usual,
        false => 0.0,
    }
}

/// The cosine that an encoder gives to many texts: that of the last candidate. If there are only a few clauses, the last
/// cosine means little, so the value is limited by a constant.
///
/// Measured on 600 everyday questions about statutes (STARD): with this subtraction, the right articles are among the
/// first ten for 58 % of the questions. If nothing is subtracted, as for other encoders, it is 52 %.
fn usual(near: &[(u32, f64)]) -> f64 {
    let last = near.get(MOST - 1).or(near.last()).map_or(0.0, |n| n.1);
    match near.len() < MOST {
        true => last.min(UNRELATED),
        false => last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoder_whose_cosines_lie_high_is_known_or_seen() {
        let near = |first: f64, count: u32| -> Vec<(u32, f64)> {
            (0..count)
                .map(|at| (at, first - f64::from(at) / 1_000.0))
                .collect()
        };
        for (first, count, known, expected) in [
            (0.9, 120, true, 0.801),
            (0.9, 120, false, 0.801),
            (0.8, 120, true, 0.701),
            (0.8, 120, false, 0.0),
            // Of a few clauses nothing can be seen.
            (0.9, 40, false, 0.0),
        ] {
            let found = least(&near(first, count), known);
            assert!((found - expected).abs() < 1e-9, "{first} {count}: {found}");
        }
    }

    #[test]
    fn where_cosines_lie_high_a_score_begins_at_what_many_have() {
        let near = |count: u32| -> Vec<(u32, f64)> {
            let cosine = |at| 0.95 - f64::from(at) / 1_000.0;
            (0..count).map(|at| (at, cosine(at))).collect()
        };
        for (count, expected) in [(150, 0.851), (100, 0.851), (99, 0.8), (1, 0.8), (0, 0.0)] {
            let found = usual(&near(count));
            assert!((found - expected).abs() < 1e-9, "{count}: {found}");
        }
        // If all of a few clauses are below the limit, the lowest cosine among them still separates them.
        assert!((usual(&[(0, 0.7), (1, 0.6)]) - 0.6).abs() < 1e-9);
    }
}
