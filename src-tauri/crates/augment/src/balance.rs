//! Order and length of choices, so that neither tells the answer.

use crate::plan::Plan;
use crate::words::{jaccard, length};
use lexforge_domain::TermId;
use lexforge_domain::qca::ChoiceOrigin;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Puts those plans first in which the answer is longer or shorter than its change and than the
/// neighbour as two coins say: over many questions it is then the longest one time in four.
pub(crate) fn by_length(plans: &mut [Plan], rng: &mut ChaCha8Rng) {
    plans.shuffle(rng);
    let wanted = [rng.random_bool(0.5), rng.random_bool(0.5)];
    plans.sort_by_key(|plan| plan.longer().iter().zip(&wanted).filter(|(a, b)| a != b).count());
}

/// The choices in a random order with their origins, and where the first one went.
pub(crate) fn shuffled(
    choices: Vec<(String, ChoiceOrigin)>,
    rng: &mut ChaCha8Rng,
) -> (Vec<String>, Vec<ChoiceOrigin>, usize) {
    let mut numbered: Vec<(usize, (String, ChoiceOrigin))> = choices.into_iter().enumerate().collect();
    numbered.shuffle(rng);
    let answer = numbered.iter().position(|(from, _)| *from == 0).unwrap_or(0);
    let (texts, origins) = numbered.into_iter().map(|(_, choice)| choice).unzip();
    (texts, origins, answer)
}

/// Keeps `most` wrong terms so that the answer is neither always the longest nor always the one in
/// the middle: the terms nearest to the answer lie around it, and a reader of the choices alone would
/// find it there. Two coins say whether it is the longest and whether it is the middle, each one time
/// in as many as there are choices.
pub(crate) fn terms(answer: &str, wrong: &mut Vec<(TermId, String)>, most: usize, rng: &mut ChaCha8Rng) {
    let size = most.min(wrong.len());
    let share = 1.0 / (size + 1) as f64;
    let (longest, middle) = (rng.random_bool(share), rng.random_bool(share));
    let mut sets = subsets(wrong.len(), size);
    sets.shuffle(rng);
    let best = sets.into_iter().min_by_key(|set| {
        let chosen: Vec<&str> = set.iter().filter_map(|i| wrong.get(*i)).map(|w| w.1.as_str()).collect();
        let is_longest = chosen.iter().all(|c| length(c) < length(answer));
        let misses = usize::from(is_longest != longest) + usize::from(is_middle(answer, &chosen) != middle);
        // Nearer terms are harder to tell apart.
        (misses, set.iter().sum::<usize>() / 3)
    });
    if let Some(best) = best {
        *wrong = best.into_iter().filter_map(|i| wrong.get(i).cloned()).collect();
    }
}

/// Whether the answer shares more character pairs with the others than any of them does.
fn is_middle(answer: &str, others: &[&str]) -> bool {
    let pairs = |t: &str| -> HashSet<String> {
        let chars: Vec<char> = t.to_lowercase().chars().collect();
        chars.windows(2).map(|w| w.iter().collect()).collect()
    };
    let sets: Vec<HashSet<String>> = std::iter::once(answer).chain(others.iter().copied()).map(pairs).collect();
    let mean = |i: usize| -> f64 {
        let own = sets.get(i);
        sets.iter().enumerate().filter(|(j, _)| *j != i).filter_map(|(_, s)| own.map(|o| jaccard(o, s))).sum()
    };
    let first = mean(0);
    (1..sets.len()).all(|i| mean(i) < first)
}

/// All subsets of `size` of the first `count` numbers.
fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    (size..=count)
        .flat_map(|last| {
            subsets(last - 1, size - 1).into_iter().map(move |mut set| {
                set.push(last - 1);
                set
            })
        })
        .collect()
}
