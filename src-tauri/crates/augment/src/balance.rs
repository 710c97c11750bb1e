//! Order and length of choices, so that neither tells the answer.

use crate::plan::Wrong;
use crate::words::{is_han, jaccard, length, words};
use lexforge_domain::TermId;
use lexforge_domain::qca::ChoiceOrigin;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Wrong statements of a question.
pub(crate) const WRONG: usize = 3;
/// Most wrong statements that are chosen from.
const POOL: usize = 9;
/// Words of a run by which a choice is compared with the corpus.
const RUN: usize = 4;
/// Words of the longer runs of which the share is compared.
const LONG_RUN: usize = 5;

/// What a writer knows of the corpus: the texts that it was given. A choice that is taken from them word by word can be
/// told from one that was changed.
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

    /// Share of the longer runs of a text that stand in the corpus.
    fn long_runs(&self, text: &str) -> f64 {
        let words = words(text);
        let size = LONG_RUN.min(words.len()).max(1);
        let runs = words.windows(size).len();
        words.windows(size).filter(|run| self.runs.contains(&hashed(run))).count() as f64 / runs.max(1) as f64
    }

    /// Share of the words of a text that stand in a run of the corpus, and one more for a text that stands there whole.
    fn overlap(&self, text: &str) -> f64 {
        let words = words(text);
        let size = RUN.min(words.len()).max(1);
        let mut covered = vec![false; words.len()];
        for (at, run) in words.windows(size).enumerate() {
            if self.runs.contains(&hashed(run)) {
                covered.iter_mut().skip(at).take(size).for_each(|c| *c = true);
            }
        }
        let share = covered.iter().filter(|c| **c).count() as f64 / words.len().max(1) as f64;
        share + f64::from(u8::from(self.whole.contains(&hashed(&words))))
    }
}

fn hashed(run: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    run.hash(&mut hasher);
    hasher.finish()
}

/// How often a right statement is to be the nearest to the corpus and the most like the others. It is so by chance now and
/// then where the coin says no: the writer knows a part of the corpus only.
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
            middle: [rng.random_bool(MIDDLE_BY_WORDS), rng.random_bool(MIDDLE_BY_CHARACTERS)],
        }
    }
}

/// Keeps three wrong statements so that the right one looks as the coins say; with how far it does not (0: as they say).
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
    let texts: Vec<&str> = std::iter::once(right).chain(wrong.iter().map(|w| w.text.as_str())).collect();
    let sizes: Vec<usize> = texts.iter().map(|t| length(t)).collect();
    let near: Vec<f64> = texts.iter().map(|t| known.overlap(t)).collect();
    let runs: Vec<f64> = texts.iter().map(|t| known.long_runs(t)).collect();
    let alike = [among(&texts, word_runs), among(&texts, character_runs)];
    let mut sets = subsets(wrong.len(), WRONG.min(wrong.len()));
    sets.shuffle(rng);
    let missed = |set: &[usize]| -> f64 {
        let shown: Vec<usize> = std::iter::once(0).chain(set.iter().map(|i| i + 1)).collect();
        let of = |values: &[f64]| -> Vec<f64> { shown.iter().filter_map(|i| values.get(*i).copied()).collect() };
        let total = |alike: &[Vec<f64>]| -> Vec<f64> {
            let with_others =
                |i: &usize| -> f64 { shown.iter().filter(|j| *j != i).filter_map(|j| alike.get(*i)?.get(*j)).sum() };
            shown.iter().map(with_others).collect()
        };
        let middle: f64 = alike.iter().zip(coins.middle).map(|(a, wanted)| off(&total(a), wanted)).sum();
        let shorter = shown.iter().filter(|i| sizes.get(**i) < sizes.first()).count();
        let equal = shown.iter().filter(|i| sizes.get(**i) == sizes.first()).count() - 1;
        let by_length = if (shorter..=shorter + equal).contains(&coins.shorter) {
            0.0
        } else {
            0.9 * shorter.abs_diff(coins.shorter) as f64
        };
        by_length + 1.3 * off(&of(&near), coins.nearest) + 1.3 * off(&of(&runs), coins.nearest) + 1.1 * middle
    };
    let best = sets.into_iter().map(|set| (missed(&set), set)).min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((missed, chosen)) = best else { return (wrong, 0.0) };
    let kept = wrong.into_iter().enumerate().filter(|(i, _)| chosen.contains(i)).map(|(_, w)| w).collect();
    (kept, missed)
}

/// How far the first of some values is from being the highest, or from not being it.
fn off(values: &[f64], wanted: bool) -> f64 {
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let tied = values.iter().filter(|v| (**v - best).abs() < 1e-9).count();
    // Where all are alike nothing is told.
    if tied == values.len() {
        return 0.0;
    }
    let credit = if values.first().is_some_and(|v| (v - best).abs() < 1e-9) { 1.0 / tied as f64 } else { 0.0 };
    if wanted { 1.0 - credit } else { credit }
}

/// What is counted in a text, by number, with the length of one.
type Bag = Vec<(u64, f64)>;

/// How alike each two of some texts are, by what `counted` finds in them.
fn among(texts: &[&str], counted: impl Fn(&str) -> Vec<u64>) -> Vec<Vec<f64>> {
    let bags: Vec<Bag> = texts.iter().map(|t| bag(counted(t))).collect();
    bags.iter().map(|a| bags.iter().map(|b| cosine(a, b)).collect()).collect()
}

/// The words of a text, each as a number.
fn word_runs(text: &str) -> Vec<u64> {
    words(text).iter().map(|word| hashed(std::slice::from_ref(word))).collect()
}

/// The runs of three characters of a text, each as a number.
fn character_runs(text: &str) -> Vec<u64> {
    let chars: Vec<u64> = text.chars().flat_map(char::to_lowercase).map(|c| u64::from(u32::from(c))).collect();
    chars.windows(3).map(|run| run.iter().fold(0, |packed, c| packed << 21 | c)).collect()
}

/// Numbers counted and brought to a length of one, in order.
fn bag(mut numbers: Vec<u64>) -> Bag {
    numbers.sort_unstable();
    let mut bag: Bag = numbers.chunk_by(|a, b| a == b).filter_map(|c| Some((*c.first()?, c.len() as f64))).collect();
    let norm = bag.iter().map(|(_, v)| v * v).sum::<f64>().sqrt().max(1e-12);
    bag.iter_mut().for_each(|(_, v)| *v /= norm);
    bag
}

fn cosine(a: &Bag, b: &Bag) -> f64 {
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    let mut sum = 0.0;
    while let (Some(x), Some(y)) = (left.peek(), right.peek()) {
        match x.0.cmp(&y.0) {
            Ordering::Less => drop(left.next()),
            Ordering::Greater => drop(right.next()),
            Ordering::Equal => {
                sum += x.1 * y.1;
                left.next();
                right.next();
            }
        }
    }
    sum
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
    let (longest, middle) = (rng.random_bool(share), rng.random_bool(share / 2.0));
    let shortest = !longest && rng.random_bool(share);
    let mut sets = subsets(wrong.len(), size);
    sets.shuffle(rng);
    let best = sets.into_iter().min_by_key(|set| {
        let chosen: Vec<&Candidate> = set.iter().filter_map(|i| wrong.get(*i)).collect();
        let is_longest = chosen.iter().all(|c| length(&c.text) < length(answer.1));
        let is_shortest = chosen.iter().all(|c| length(&c.text) > length(answer.1));
        let shown: Vec<(TermId, &str)> =
            std::iter::once(answer).chain(chosen.iter().map(|c| (c.id, c.text.as_str()))).collect();
        let misses = 2 * usize::from(is_middle(&shown, alike) != middle)
            + usize::from(is_longest != longest)
            + usize::from(is_shortest != shortest);
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
