//! Terms that could be confused with each other: by their vectors, and by their spelling.
//!
//! The similarity of spelling is the mean of two Dice coefficients `2·|A ∩ B| / (|A| + |B|)`. The first compares the
//! sets of character trigrams of the lower-case terms with a blank at either end (bigrams if a term has ideographs). It
//! shows that "depositor" and "depositary" are alike. The second compares the sets of their words (characters if a term
//! has ideographs). It shows that "lead supervisory authority" and "supervisory authority concerned" are alike.
//!
//! A pair's score is `0.5·max(cosine, 0) + 0.5·spelling`, or the spelling alone if a term has no vector. The neighbours
//! by vectors are exact ([`crate::neighbours`]). For the neighbours by spelling, an inverted index finds the terms that
//! share most of the rarer grams, and the nearest of these are taken.

use crate::matrix::dot;
use crate::threads::{joined, threads};
use crate::{Matrix, neighbours};
use lexforge_text::is_han;
use lexforge_text::likeness::shared;
use std::collections::{HashMap, HashSet};

/// Weight of the cosine in a score.
const COSINE: f32 = 0.5;
/// Terms that share most grams and are compared in full.
const COMPARED: usize = 96;
/// Share of all terms beyond which a gram does not distinguish terms.
const COMMON: usize = 20;
/// Grams of so few terms are looked up whatever their share.
const RARE: usize = 400;

/// Two terms, by their places in the list, that could be taken for each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confusable {
    /// The smaller place.
    pub a: u32,
    /// The larger place.
    pub b: u32,
    /// Cosine of their vectors.
    pub cosine: Option<f32>,
    /// Similarity of their spelling, 0 to 1.
    pub spelling: f32,
    /// The score by which pairs are ranked, 0 to 1.
    pub score: f32,
    /// The better of the two places, from 1, that each has in the other's list.
    pub place: u32,
}

/// For each term, its `keep` nearest other terms by score. A pair that is in the lists of both terms is returned once.
/// `unit` has a row of unit length for each term, or is `None`. `told_apart(i, j)` says that two terms cannot be
/// confused because they are names of one thing; it must be symmetric. Pairs are ordered by [`Confusable::place`], then
/// by score.
pub fn pairs(
    terms: &[&str],
    unit: Option<&Matrix>,
    keep: usize,
    told_apart: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<Confusable> {
    let index = Spelling::new(terms);
    let by_vector: Vec<Vec<u32>> = match unit {
        Some(unit) => neighbours::nearest(unit, keep, 0.0, f32::INFINITY, |i, j| !told_apart(i, j))
            .into_iter()
            .map(|list| list.into_iter().map(|n| n.row).collect())
            .collect(),
        None => vec![Vec::new(); terms.len()],
    };
    let ranked = |range: std::ops::Range<usize>| {
        let mut counter = Counter::new(terms.len());
        range
            .map(|i| {
                let near = index.nearest(i, keep, &mut counter, |j| !told_apart(i, j));
                let others: HashSet<u32> = near
                    .into_iter()
                    .chain(by_vector[i].iter().copied())
                    .collect();
                let mut list: Vec<Confusable> = others
                    .into_iter()
                    .map(|j| {
                        let spelling = index.similarity(i, j as usize);
                        let cosine = unit.map(|unit| dot(unit.row(i), unit.row(j as usize)));
                        let score = cosine.map_or(spelling, |c| {
                            COSINE * c.max(0.0) + (1.0 - COSINE) * spelling
                        });
                        let (a, b) = ((i as u32).min(j), (i as u32).max(j));
                        Confusable {
                            a,
                            b,
                            cosine,
                            spelling,
                            score,
                            place: 0,
                        }
                    })
                    .collect();
                list.sort_unstable_by(|x, y| {
                    y.score
                        .total_cmp(&x.score)
                        .then((x.a, x.b).cmp(&(y.a, y.b)))
                });
                list.truncate(keep);
                list
            })
            .collect::<Vec<_>>()
    };
    let chunk = terms.len().div_ceil(threads()).max(1);
    let lists: Vec<Vec<Confusable>> = std::thread::scope(|scope| {
        let starts = (0..terms.len()).step_by(chunk);
        let workers: Vec<_> = starts
            .map(|start| {
                let ranked = &ranked;
                scope.spawn(move || ranked(start..(start + chunk).min(terms.len())))
            })
            .collect();
        workers.into_iter().flat_map(joined).collect()
    });
    let mut found: HashMap<(u32, u32), Confusable> = HashMap::new();
    for list in lists {
        for (pair, place) in list.into_iter().zip(1..) {
            let known = found
                .entry((pair.a, pair.b))
                .or_insert(Confusable { place, ..pair });
            known.place = known.place.min(place);
        }
    }
    let mut pairs: Vec<Confusable> = found.into_values().collect();
    pairs.sort_unstable_by(|x, y| {
        x.place
            .cmp(&y.place)
            .then(y.score.total_cmp(&x.score))
            .then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    pairs
}

/// The spelling of a list of terms, ready to be compared.
#[derive(Debug)]
pub struct Spelling {
    grams: Vec<Vec<u32>>,
    words: Vec<Vec<u32>>,
    /// For each gram the terms that have it.
    holders: Vec<Vec<u32>>,
}

/// How many grams each term shares with the one at hand.
struct Counter {
    shared: Vec<u16>,
    touched: Vec<u32>,
}

impl Counter {
    fn new(terms: usize) -> Self {
        Self {
            shared: vec![0; terms],
            touched: Vec::new(),
        }
    }
}

impl Spelling {
    /// Takes the terms apart.
    pub fn new(terms: &[&str]) -> Self {
        let (mut gram_ids, mut word_ids) = (HashMap::new(), HashMap::new());
        let (mut grams, mut words) = (
            Vec::with_capacity(terms.len()),
            Vec::with_capacity(terms.len()),
        );
        for term in terms {
            let lower: Vec<char> = term
                .to_lowercase()
                .chars()
                .map(|c| if c == '-' { ' ' } else { c })
                .collect();
            let wide = lower.iter().any(|c| is_han(*c));
            let padded: Vec<char> = [&[' '][..], &lower, &[' ']].concat();
            let length = if wide { 2 } else { 3 };
            grams.push(numbered(
                padded
                    .windows(length.min(padded.len()))
                    .map(<[char]>::to_vec),
                &mut gram_ids,
            ));
            let text: String = lower.iter().collect();
            words.push(if wide {
                numbered(text.chars().map(|c| c.to_string()), &mut word_ids)
            } else {
                numbered(text.split_whitespace().map(str::to_owned), &mut word_ids)
            });
        }
        let mut holders = vec![Vec::new(); gram_ids.len()];
        for (term, grams) in grams.iter().enumerate() {
            for gram in grams {
                let of: &mut Vec<u32> = &mut holders[*gram as usize];
                of.push(term as u32);
            }
        }
        Self {
            grams,
            words,
            holders,
        }
    }

    /// Similarity of two terms of the list, 0 to 1.
    pub fn similarity(&self, i: usize, j: usize) -> f32 {
        0.5 * dice(&self.grams[i], &self.grams[j]) + 0.5 * dice(&self.words[i], &self.words[j])
    }

    /// The terms nearest to term `i`, the nearest first.
    fn nearest(
        &self,
        i: usize,
        keep: usize,
        counter: &mut Counter,
        admits: impl Fn(usize) -> bool,
    ) -> Vec<u32> {
        let most = (self.grams.len() / COMMON).max(RARE);
        for gram in &self.grams[i] {
            let holders = &self.holders[*gram as usize];
            if holders.len() > most {
                continue;
            }
            for j in holders {
                let shared = &mut counter.shared[*j as usize];
                if *shared == 0 {
                    counter.touched.push(*j);
                }
                *shared = shared.saturating_add(1);
            }
        }
        // The terms that are compared in full: those that share most grams in relation to their own length.
        let mut near: Vec<(f32, u32)> = Vec::with_capacity(counter.touched.len());
        for j in counter.touched.drain(..) {
            let shared = std::mem::take(&mut counter.shared[j as usize]);
            if j as usize != i {
                let of = self.grams[i].len() + self.grams[j as usize].len();
                near.push((2.0 * f32::from(shared) / of.max(1) as f32, j));
            }
        }
        let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        let compared = COMPARED.max(4 * keep);
        if near.len() > compared {
            near.select_nth_unstable_by(compared, order);
            near.truncate(compared);
        }
        near.retain(|(_, j)| admits(*j as usize));
        for (similarity, j) in &mut near {
            *similarity = self.similarity(i, *j as usize);
        }
        near.sort_unstable_by(order);
        near.into_iter().take(keep).map(|(_, j)| j).collect()
    }
}

/// Numbers of some parts, each once, in ascending order.
fn numbered<T: Eq + std::hash::Hash>(
    parts: impl Iterator<Item = T>,
    ids: &mut HashMap<T, u32>,
) -> Vec<u32> {
    let mut found: Vec<u32> = parts
        .map(|part| {
            let next = ids.len() as u32;
            *ids.entry(part).or_insert(next)
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Dice coefficient of two ascending lists.
fn dice(a: &[u32], b: &[u32]) -> f32 {
    if a.is_empty() || b.is_empty() {
        0.0
    } else {
        2.0 * shared(a, b) as f32 / (a.len() + b.len()) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: [&str; 7] = [
        "supervisory authority",
        "lead supervisory authority",
        "resolution authority",
        "depositor",
        "depositary",
        "liquidity ratio",
        "固定资产贷款",
    ];

    fn between(found: &[Confusable], one: usize, other: usize) -> Option<Confusable> {
        found
            .iter()
            .find(|p| (p.a as usize, p.b as usize) == (one, other))
            .copied()
    }

    #[test]
    fn near_spellings_come_first() {
        let found = pairs(&TERMS, None, 3, |_, _| false);
        for (one, other) in [(0, 1), (3, 4)] {
            assert_eq!(
                between(&found, one, other).map(|p| p.place),
                Some(1),
                "{found:?}"
            );
        }
        let near = between(&found, 0, 1).map_or(0.0, |p| p.score);
        assert!(near > between(&found, 0, 2).map_or(0.0, |p| p.score));
        assert!(
            found
                .iter()
                .all(|p| p.a < p.b && p.cosine.is_none() && (0.0..=1.0).contains(&p.spelling))
        );
        assert!(between(&found, 5, 6).is_none());
        let apart = pairs(&TERMS, None, 3, |i, j| i.min(j) == 0 && i.max(j) == 1);
        assert!(between(&apart, 0, 1).is_none());
    }

    #[test]
    fn vectors_bring_in_what_spelling_does_not_see() {
        let mut unit = Matrix::zeros(TERMS.len(), 3);
        for (i, row) in [
            [1.0, 0.0, 0.0],
            [1.0, 0.1, 0.0],
            [0.5, 0.5, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.9, 0.1],
        ]
        .into_iter()
        .chain([[0.0, 0.0, 1.0], [0.0, 0.05, 1.0]])
        .enumerate()
        {
            unit.row_mut(i).copy_from_slice(&row);
        }
        unit.normalize_rows();
        let found = pairs(&TERMS, Some(&unit), 2, |_, _| false);
        let pair = between(&found, 5, 6);
        assert!(
            pair.is_some_and(|p| p.place == 1 && p.cosine.is_some_and(|c| c > 0.9)),
            "{found:?}"
        );
    }

    #[test]
    fn the_index_finds_what_a_full_comparison_finds() {
        let stems = [
            "credit",
            "deposit",
            "liquid",
            "market",
            "operat",
            "counterpart",
            "settle",
            "resolv",
        ];
        let heads = [
            "risk",
            "institution",
            "scheme",
            "ratio",
            "agreement",
            "authority",
        ];
        let texts: Vec<String> = stems
            .iter()
            .flat_map(|stem| {
                heads
                    .iter()
                    .flat_map(move |head| ["ing", "ed", "or"].map(|e| format!("{stem}{e} {head}")))
            })
            .collect();
        let terms: Vec<&str> = texts.iter().map(String::as_str).collect();
        let index = Spelling::new(&terms);
        let mut counter = Counter::new(terms.len());
        for i in 0..terms.len() {
            let mut all: Vec<f32> = (0..terms.len())
                .filter(|j| *j != i)
                .map(|j| index.similarity(i, j))
                .collect();
            all.sort_unstable_by(|a, b| b.total_cmp(a));
            let found = index.nearest(i, 5, &mut counter, |_| true);
            let found: Vec<f32> = found
                .into_iter()
                .map(|j| index.similarity(i, j as usize))
                .collect();
            assert_eq!(found, all[..5], "{}", terms[i]);
        }
    }
}
