//! Order and length of choices, chosen so that neither gives the answer away.

use super::scene::{WRONG, Wrong};
use crate::distractors::subsets;
use crate::usage::hashed;
use crate::words::length;
use lexforge_text::words;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashSet};

/// Most wrong statements that are chosen from.
const POOL: usize = 9;
/// Words of a run by which a choice is compared with the corpus.
const RUN: usize = 4;
/// The length, in words, of the longer runs whose share is compared.
const LONG_RUN: usize = 5;

/// The texts of the corpus that a writer was given. They show whether a choice is copied from these texts word by word
/// or was changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    runs: HashSet<u64>,
    whole: HashSet<u64>,
}

impl Known {
    /// The runs of words of some texts.
    pub(crate) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut known = Self::default();
        for text in texts {
            let words = words(text);
            for size in 1..=LONG_RUN {
                known.runs.extend(words.windows(size).map(hashed));
            }
            known.whole.insert(hashed(&words));
        }
        known
    }

    /// Share of the longer runs of a text that are in the corpus.
    fn long_runs(&self, text: &str) -> f64 {
        let words = words(text);
        let size = LONG_RUN.min(words.len()).max(1);
        let runs = words.windows(size).len();
        words
            .windows(size)
            .filter(|run| self.runs.contains(&hashed(run)))
            .count() as f64
            / runs.max(1) as f64
    }

    /// Share of the words of a text that are in a run of the corpus, and one more for a text that is there whole.
    fn overlap(&self, text: &str) -> f64 {
        let words = words(text);
        let size = RUN.min(words.len()).max(1);
        let mut covered = vec![false; words.len()];
        for (at, run) in words.windows(size).enumerate() {
            if self.runs.contains(&hashed(run)) {
                covered
                    .iter_mut()
                    .skip(at)
                    .take(size)
                    .for_each(|c| *c = true);
            }
        }
        let share = covered.iter().filter(|c| **c).count() as f64 / words.len().max(1) as f64;
        share + f64::from(u8::from(self.whole.contains(&hashed(&words))))
    }
}

/// The probabilities with which the right statement is made the one nearest to the corpus, the one most like the others
/// by words, and the one most like the others by characters. With these probabilities, none of these properties shows
/// which statement is right. They take into account that the right statement can also get a property by chance: a
/// writer knows only a part of the corpus, and a wrong statement may be near to the part that the writer does not know.
const NEAREST: f64 = 0.06;
const MIDDLE_BY_WORDS: f64 = 0.25;
const MIDDLE_BY_CHARACTERS: f64 = 0.5;

/// How a right statement is to look among its wrong ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coins {
    /// How many of the others are shorter.
    shorter: usize,
    /// Nearest to the corpus.
    nearest: bool,
    /// Most like the others, by words and by runs of characters.
    middle: [bool; 2],
}

impl Coins {
    /// Throws them.
    pub(crate) fn thrown(rng: &mut ChaCha8Rng) -> Self {
        Self {
            // Being the longest is asked for more often, since it can be had less often: a changed rule gains words.
            shorter: rng.random_range(0..=WRONG + 1).min(WRONG),
            nearest: rng.random_bool(NEAREST),
            middle: [
                rng.random_bool(MIDDLE_BY_WORDS),
                rng.random_bool(MIDDLE_BY_CHARACTERS),
            ],
        }
    }
}

/// Chooses three of the wrong statements so that the right statement gets the properties that are named in `coins`.
/// Also returns a number that says how far this failed: 0 if the right statement got all of them.
pub(crate) fn statements(
    right: &str,
    mut wrong: Vec<Wrong>,
    known: &Known,
    coins: Coins,
    rng: &mut ChaCha8Rng,
) -> (Vec<Wrong>, f64) {
    if wrong.len() > POOL {
        wrong.shuffle(rng);
        wrong.truncate(POOL);
    }
    let texts: Vec<&str> = std::iter::once(right)
        .chain(wrong.iter().map(|w| w.text.as_str()))
        .collect();
    let sizes: Vec<usize> = texts.iter().map(|t| length(t)).collect();
    let near: Vec<f64> = texts.iter().map(|t| known.overlap(t)).collect();
    let runs: Vec<f64> = texts.iter().map(|t| known.long_runs(t)).collect();
    let alike = [among(&texts, word_runs), among(&texts, character_runs)];
    let mut sets = subsets(wrong.len(), WRONG.min(wrong.len()));
    sets.shuffle(rng);
    let missed = |set: &[usize]| -> f64 {
        let shown: Vec<usize> = std::iter::once(0)
            .chain(set.iter().map(|i| i + 1))
            .collect();
        let of = |values: &[f64]| -> Vec<f64> {
            shown
                .iter()
                .filter_map(|i| values.get(*i).copied())
                .collect()
        };
        let total = |alike: &[Vec<f64>]| -> Vec<f64> {
            let with_others = |i: &usize| -> f64 {
                shown
                    .iter()
                    .filter(|j| *j != i)
                    .filter_map(|j| alike.get(*i)?.get(*j))
                    .sum()
            };
            shown.iter().map(with_others).collect()
        };
        let middle: f64 = alike
            .iter()
            .zip(coins.middle)
            .map(|(a, wanted)| off(&total(a), wanted))
            .sum();
        let shorter = shown
            .iter()
            .filter(|i| sizes.get(**i) < sizes.first())
            .count();
        let equal = shown
            .iter()
            .filter(|i| sizes.get(**i) == sizes.first())
            .count()
            - 1;
        let by_length = if (shorter..=shorter + equal).contains(&coins.shorter) {
            0.0
        } else {
            0.9 * shorter.abs_diff(coins.shorter) as f64
        };
        by_length
            + 1.3 * off(&of(&near), coins.nearest)
            + 1.3 * off(&of(&runs), coins.nearest)
            + 1.1 * middle
    };
    let best = sets
        .into_iter()
        .map(|set| (missed(&set), set))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((missed, chosen)) = best else {
        return (wrong, 0.0);
    };
    let kept = wrong
        .into_iter()
        .enumerate()
        .filter(|(i, _)| chosen.contains(i))
        .map(|(_, w)| w)
        .collect();
    (kept, missed)
}

/// How far the first of some values is from being the highest, or from not being it.
fn off(values: &[f64], wanted: bool) -> f64 {
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let tied = values.iter().filter(|v| (**v - best).abs() < 1e-9).count();
    // If all choices are equal in this property, it gives nothing away.
    if tied == values.len() {
        return 0.0;
    }
    let credit = if values.first().is_some_and(|v| (v - best).abs() < 1e-9) {
        1.0 / tied as f64
    } else {
        0.0
    };
    if wanted { 1.0 - credit } else { credit }
}

/// The counted units of a text, by number, with the length of the vector.
type Bag = BTreeMap<u64, f64>;

/// How alike each two of some texts are, by what `counted` finds in them.
fn among(texts: &[&str], counted: impl Fn(&str) -> Vec<u64>) -> Vec<Vec<f64>> {
    let bags: Vec<Bag> = texts.iter().map(|t| bag(counted(t))).collect();
    bags.iter()
        .map(|a| bags.iter().map(|b| cosine(a, b)).collect())
        .collect()
}

/// The words of a text, each as a number.
fn word_runs(text: &str) -> Vec<u64> {
    words(text)
        .iter()
        .map(|word| hashed(std::slice::from_ref(word)))
        .collect()
}

/// The runs of three characters of a text, each as a number.
fn character_runs(text: &str) -> Vec<u64> {
    let chars: Vec<u64> = text
        .chars()
        .flat_map(char::to_lowercase)
        .map(|c| u64::from(u32::from(c)))
        .collect();
    chars
        .windows(3)
        .map(|run| run.iter().fold(0, |packed, c| packed << 21 | c))
        .collect()
}

/// Numbers counted and brought to a length of one.
fn bag(numbers: Vec<u64>) -> Bag {
    let mut bag = Bag::new();
    numbers
        .into_iter()
        .for_each(|number| *bag.entry(number).or_default() += 1.0);
    let norm = bag.values().map(|v| v * v).sum::<f64>().sqrt().max(1e-12);
    bag.values_mut().for_each(|v| *v /= norm);
    bag
}

fn cosine(a: &Bag, b: &Bag) -> f64 {
    a.iter()
        .filter_map(|(number, v)| Some(v * b.get(number)?))
        .sum()
}
