//! Order and length of choices, so that neither tells the answer.

use crate::plan::Wrong;
use crate::words::{is_han, jaccard, length, words};
use lexforge_domain::TermId;
use lexforge_domain::qca::ChoiceOrigin;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Wrong statements of a question.
pub(crate) const WRONG: usize = 3;
/// Most wrong statements that are chosen from.
const POOL: usize = 9;

/// Keeps three wrong statements, so that the right one is as often the longest of the four as the shortest, and as
/// often like the others as not.
pub(crate) fn statements(right: &str, mut wrong: Vec<Wrong>, rng: &mut ChaCha8Rng) -> Vec<Wrong> {
    wrong.truncate(POOL);
    if wrong.len() <= WRONG {
        return wrong;
    }
    let place = rng.random_range(0..=WRONG);
    let middle = rng.random_bool(0.25);
    let bags: Vec<HashSet<String>> = std::iter::once(right)
        .chain(wrong.iter().map(|w| w.text.as_str()))
        .map(|t| words(t).into_iter().collect())
        .collect();
    let sizes: Vec<usize> = std::iter::once(right).chain(wrong.iter().map(|w| w.text.as_str())).map(length).collect();
    let mut sets = subsets(wrong.len(), WRONG);
    sets.shuffle(rng);
    let best = sets.into_iter().min_by_key(|set| {
        let shown: Vec<usize> = std::iter::once(0).chain(set.iter().map(|i| i + 1)).collect();
        let shorter = set.iter().filter(|i| sizes.get(**i + 1) < sizes.first()).count();
        let total = |i: usize| -> f64 {
            let others = shown.iter().filter(|j| **j != i);
            others.filter_map(|j| Some(jaccard(bags.get(i)?, bags.get(*j)?))).sum()
        };
        let own = total(0);
        let is_middle = shown.iter().skip(1).all(|i| total(*i) < own);
        shorter.abs_diff(place) + 2 * usize::from(is_middle != middle)
    });
    let chosen = best.unwrap_or_default();
    wrong.into_iter().enumerate().filter(|(i, _)| chosen.contains(i)).map(|(_, w)| w).collect()
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

/// Similarity of two terms, given by id and by what is shown.
pub(crate) type Likeness<'l> = dyn Fn((TermId, &str), (TermId, &str)) -> f64 + 'l;

/// A wrong term that could be shown.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: TermId,
    /// In the form that the gap asks for.
    pub(crate) text: String,
    /// Similar to the answer itself, and not only to a term that is.
    pub(crate) near: bool,
    /// The sentence mentions it elsewhere.
    pub(crate) mentioned: bool,
    /// In the form in which it is listed.
    pub(crate) same_form: bool,
}

/// Keeps `most` wrong terms so that the answer is neither always the longest nor always the one in
/// the middle. The terms nearest to the answer lie around it, and a reader of the choices alone would
/// find it there; so terms that are near to *those* are shown as well. Two coins say whether the answer
/// is the longest and whether it is the middle, each one time in as many as there are choices.
/// `alike` is the similarity of two terms.
pub(crate) fn terms(
    answer: (TermId, &str),
    wrong: &mut Vec<Candidate>,
    most: usize,
    alike: &Likeness<'_>,
    rng: &mut ChaCha8Rng,
) {
    let size = most.min(wrong.len());
    let share = 1.0 / (size + 1) as f64;
    let (longest, middle) = (rng.random_bool(share), rng.random_bool(share));
    let mut sets = subsets(wrong.len(), size);
    sets.shuffle(rng);
    let best = sets.into_iter().min_by_key(|set| {
        let chosen: Vec<&Candidate> = set.iter().filter_map(|i| wrong.get(*i)).collect();
        let is_longest = chosen.iter().all(|c| length(&c.text) < length(answer.1));
        let shown: Vec<(TermId, &str)> =
            std::iter::once(answer).chain(chosen.iter().map(|c| (c.id, c.text.as_str()))).collect();
        let misses = 2 * usize::from(is_middle(&shown, alike) != middle) + usize::from(is_longest != longest);
        let far = usize::from(!chosen.iter().any(|c| c.near));
        let mentioned = chosen.iter().filter(|c| c.mentioned).count();
        // Nearer terms are harder to tell apart.
        (far, misses, mentioned, set.iter().sum::<usize>() / 3)
    });
    if let Some(best) = best {
        *wrong = best.into_iter().filter_map(|i| wrong.get(i).cloned()).collect();
    }
}

/// Whether the first term is more like the others than any of them is.
fn is_middle(shown: &[(TermId, &str)], alike: &Likeness<'_>) -> bool {
    let total = |i: usize| -> f64 {
        let own = shown.get(i).copied();
        let others = shown.iter().enumerate().filter(|(j, _)| *j != i);
        others.filter_map(|(_, other)| own.map(|own| alike(own, *other))).sum()
    };
    let first = total(0);
    (1..shown.len()).all(|i| total(i) < first)
}

/// Share of common pieces of two terms: characters in Chinese, trigrams otherwise.
pub(crate) fn spelt_alike(a: &str, b: &str) -> f64 {
    let pieces = |t: &str| -> HashSet<String> {
        let chars: Vec<char> = t.to_lowercase().chars().collect();
        let size = if chars.iter().copied().any(is_han) { 1 } else { 3 };
        chars.windows(size).map(|w| w.iter().collect()).collect()
    };
    jaccard(&pieces(a), &pieces(b))
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
