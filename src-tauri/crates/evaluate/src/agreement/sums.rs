//! What the coefficients need to know of a set of items: a few sums, from the patterns that its items have.

use super::ratings::{Figure, Ratings, Weights};
use crate::resample::Draws;
use lexforge_domain::agreement::Undefined;
use std::collections::{BTreeMap, HashMap};

/// Which pattern each item of a group has.
pub(super) struct Drawn {
    /// The pattern of each item.
    of_item: Vec<u32>,
    /// How many items have each pattern.
    pub(super) counts: Vec<u32>,
}

impl Drawn {
    fn of(of_item: Vec<u32>, patterns: usize) -> Self {
        let mut counts = vec![0; patterns];
        for &pattern in &of_item {
            counts[pattern as usize] += 1;
        }
        Self { of_item, counts }
    }

    pub(super) fn items(&self) -> usize {
        self.of_item.len()
    }

    /// Replaces the counts by those of as many items as there are, drawn with replacement.
    pub(super) fn draw_into(&self, draws: &mut Draws, counts: &mut [u32]) {
        counts.fill(0);
        for _ in 0..self.of_item.len() {
            counts[self.of_item[draws.index(self.of_item.len())] as usize] += 1;
        }
    }
}

/// The ratings of an item without their raters.
pub(super) struct Pattern {
    /// (category, ratings), by category.
    counts: Vec<(u32, u32)>,
    ratings: u32,
    /// Σₖ rₖ(rₖ − 1) / r(r − 1).
    agreeing: f64,
    /// Agreement with weights: Σₖ rₖ(Σₗ wₖₗ rₗ − 1) / r(r − 1).
    weighted: f64,
}

impl Pattern {
    fn new(counts: Vec<(u32, u32)>, weights: &Weights, q: usize) -> Self {
        let ratings: u32 = counts.iter().map(|c| c.1).sum();
        let pairs = f64::from(ratings) * (f64::from(ratings) - 1.0);
        let agreeing: f64 = counts
            .iter()
            .map(|&(_, n)| f64::from(n) * (f64::from(n) - 1.0))
            .sum();
        let near = |k: u32| {
            counts
                .iter()
                .map(|&(l, n)| f64::from(n) * weights.of(k as usize, l as usize, q))
                .sum::<f64>()
        };
        let weighted = match weights {
            Weights::Identity => agreeing,
            _ => counts
                .iter()
                .map(|&(k, n)| f64::from(n) * (near(k) - 1.0))
                .sum(),
        };
        let share = |sum: f64| if pairs > 0.0 { sum / pairs } else { 0.0 };
        Self {
            ratings,
            agreeing: share(agreeing),
            weighted: share(weighted),
            counts,
        }
    }
}

/// A table's items by their patterns: those that two or more rated, and those that one did.
pub(super) struct Patterns {
    pub(super) pairable: Drawn,
    pub(super) single: Drawn,
    patterns: Vec<Pattern>,
    /// The category of each pattern of one rating.
    alone: Vec<u32>,
    /// The most common number of ratings of a pairable item; the larger of two as common.
    common: u32,
    /// Categories that occur. Their numbers in the patterns count from 0, so that sums are as short as can be.
    seen: usize,
}

impl Patterns {
    pub(super) fn of(ratings: &Ratings, weights: &Weights) -> Self {
        let mut numbered = Numbered::new();
        let mut categories: Vec<u32> = ratings.cells.iter().map(|cell| cell.1).collect();
        categories.sort_unstable();
        categories.dedup();
        let place = |category: u32| categories.binary_search(&category).unwrap_or_default() as u32;
        let (mut patterns, mut of_item) = (Vec::new(), Vec::new());
        let (mut alone_numbered, mut alone, mut of_single) =
            (Numbered::new(), Vec::new(), Vec::new());
        let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
        for cells in ratings.items() {
            match cells {
                [] => {}
                [(_, category)] => {
                    let (number, new) = alone_numbered.of(*category);
                    of_single.push(number);
                    if new {
                        alone.push(place(*category));
                    }
                }
                _ => {
                    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
                    for (_, category) in cells {
                        *counts.entry(*category).or_default() += 1;
                    }
                    *sizes.entry(cells.len() as u32).or_default() += 1;
                    let counts: Vec<(u32, u32)> = counts.into_iter().collect();
                    let (number, new) = numbered.of(counts.clone());
                    of_item.push(number);
                    if new {
                        let mut pattern = Pattern::new(counts, weights, ratings.categories);
                        pattern
                            .counts
                            .iter_mut()
                            .for_each(|(category, _)| *category = place(*category));
                        patterns.push(pattern);
                    }
                }
            }
        }
        let common = sizes
            .iter()
            .max_by_key(|(size, items)| (**items, **size))
            .map_or(0, |(size, _)| *size);
        Self {
            pairable: Drawn::of(of_item, patterns.len()),
            single: Drawn::of(of_single, alone.len()),
            patterns,
            alone,
            common,
            seen: categories.len(),
        }
    }
}

/// The scale of Gwet's chance.
pub(super) struct Scale {
    /// Categories.
    pub(super) q: usize,
    /// Sum of the weights of all pairs of categories.
    pub(super) weights: f64,
}

/// Sums over a set of items.
#[derive(Clone)]
pub(super) struct Sums {
    /// Pairable items.
    items: f64,
    /// The sum of their shares of agreeing pairs.
    agreeing: f64,
    /// The sum of their weighted shares.
    weighted: f64,
    /// Diagonal of the coincidence matrix.
    coinciding: f64,
    /// Ratings of pairable items, by category.
    values: Vec<f64>,
    /// Items with the most common number of ratings, their shares of agreeing pairs, and their ratings by category.
    fixed_items: f64,
    fixed_agreeing: f64,
    fixed_values: Vec<f64>,
    /// Items with any rating, and the sum of their shares of each category.
    rated: f64,
    shares: Vec<f64>,
}

impl Sums {
    pub(super) fn of(patterns: &Patterns, pairable: &[u32], single: &[u32]) -> Self {
        let none = vec![0.0; patterns.seen];
        let mut sums = Self {
            items: 0.0,
            agreeing: 0.0,
            weighted: 0.0,
            coinciding: 0.0,
            values: none.clone(),
            fixed_items: 0.0,
            fixed_agreeing: 0.0,
            fixed_values: none.clone(),
            rated: 0.0,
            shares: none,
        };
        sums.refill(patterns, pairable, single);
        sums
    }

    /// Sums over the items; each pattern has the given number of them.
    pub(super) fn refill(&mut self, patterns: &Patterns, pairable: &[u32], single: &[u32]) {
        (self.items, self.agreeing, self.weighted, self.coinciding) = (0.0, 0.0, 0.0, 0.0);
        (self.fixed_items, self.fixed_agreeing, self.rated) = (0.0, 0.0, 0.0);
        for values in [&mut self.values, &mut self.fixed_values, &mut self.shares] {
            values.fill(0.0);
        }
        for (pattern, &times) in patterns
            .patterns
            .iter()
            .zip(pairable)
            .filter(|(_, times)| **times > 0)
        {
            let (times, ratings) = (f64::from(times), f64::from(pattern.ratings));
            let fixed = pattern.ratings == patterns.common;
            self.items += times;
            self.agreeing += times * pattern.agreeing;
            self.weighted += times * pattern.weighted;
            self.coinciding += times * pattern.agreeing * ratings;
            if fixed {
                self.fixed_items += times;
                self.fixed_agreeing += times * pattern.agreeing;
            }
            for &(category, n) in &pattern.counts {
                let (category, n) = (category as usize, times * f64::from(n));
                self.values[category] += n;
                self.shares[category] += n / ratings;
                if fixed {
                    self.fixed_values[category] += n;
                }
            }
        }
        self.rated = self.items;
        for (&category, &times) in patterns.alone.iter().zip(single) {
            self.rated += f64::from(times);
            self.shares[category as usize] += f64::from(times);
        }
    }

    /// Percent agreement, α, Fleiss' κ, AC2.
    pub(super) fn figures(&self, scale: &Scale) -> [Figure; 4] {
        [
            self.percent(),
            self.alpha(),
            self.fleiss(),
            self.gwet(scale),
        ]
    }

    fn percent(&self) -> Figure {
        if self.items > 0.0 {
            Ok(self.agreeing / self.items)
        } else {
            Err(Undefined::NoPairs)
        }
    }

    fn alpha(&self) -> Figure {
        let n: f64 = self.values.iter().sum();
        if n == 0.0 {
            return Err(Undefined::NoPairs);
        }
        if self.values.contains(&n) {
            return Err(Undefined::OneCategory);
        }
        let same: f64 = self.values.iter().map(|v| v * (v - 1.0)).sum();
        // 1 − Dₒ / Dₑ with Dₒ = (n − Σ oₖₖ) / n and Dₑ = (n(n − 1) − Σ nₖ(nₖ − 1)) / n(n − 1).
        Ok(1.0 - (n - 1.0) * (n - self.coinciding) / (n * (n - 1.0) - same))
    }

    fn fleiss(&self) -> Figure {
        if self.fixed_items == 0.0 {
            return Err(Undefined::NoPairs);
        }
        let n: f64 = self.fixed_values.iter().sum();
        if self.fixed_values.contains(&n) {
            return Err(Undefined::OneCategory);
        }
        let chance = self
            .fixed_values
            .iter()
            .map(|v| (v / n) * (v / n))
            .sum::<f64>();
        Ok(beyond(self.fixed_agreeing / self.fixed_items, chance))
    }

    fn gwet(&self, scale: &Scale) -> Figure {
        if self.items == 0.0 {
            return Err(Undefined::NoPairs);
        }
        if scale.q < 2 {
            return Err(Undefined::OneCategory);
        }
        let q = scale.q as f64;
        let spread: f64 = self
            .shares
            .iter()
            .map(|s| (s / self.rated) * (1.0 - s / self.rated))
            .sum();
        let chance = scale.weights / (q * (q - 1.0)) * spread;
        // Agreement by chance is certain only if the weights treat all categories as the same.
        if chance >= 1.0 {
            Err(Undefined::OneCategory)
        } else {
            Ok(beyond(self.weighted / self.items, chance))
        }
    }
}

/// The agreement beyond chance, as a share of the greatest agreement beyond chance that is possible.
fn beyond(observed: f64, chance: f64) -> f64 {
    (observed - chance) / (1.0 - chance)
}

/// The items that both of two raters rated, by what each said.
pub(super) struct TwoWay {
    pub(super) drawn: Drawn,
    /// The decisions of the two raters, as indices among the categories that occur.
    said: Vec<(u32, u32)>,
    seen: usize,
}

/// How often each category was said: by the one, by the other.
pub(super) type Margins = (Vec<f64>, Vec<f64>);

impl TwoWay {
    pub(super) fn of(ratings: &Ratings, one: u32, other: u32) -> Self {
        let (mut categories, mut pairs, mut said, mut of_item) =
            (Numbered::new(), Numbered::new(), Vec::new(), Vec::new());
        for cells in ratings.items() {
            let by = |rater: u32| {
                cells
                    .binary_search_by_key(&rater, |c| c.0)
                    .ok()
                    .map(|i| cells[i].1)
            };
            if let (Some(a), Some(b)) = (by(one), by(other)) {
                let pair = (categories.of(a).0, categories.of(b).0);
                let (number, new) = pairs.of(pair);
                of_item.push(number);
                if new {
                    said.push(pair);
                }
            }
        }
        Self {
            drawn: Drawn::of(of_item, said.len()),
            said,
            seen: categories.0.len(),
        }
    }

    /// Memory for the margins.
    pub(super) fn margins(&self) -> Margins {
        (vec![0.0; self.seen], vec![0.0; self.seen])
    }

    /// Percent agreement and κ of the items; each pattern has the given number of them.
    pub(super) fn figures(&self, counts: &[u32], margins: &mut Margins) -> [Figure; 2] {
        margins.0.fill(0.0);
        margins.1.fill(0.0);
        let (mut n, mut same) = (0.0, 0.0);
        for (&(a, b), &times) in self.said.iter().zip(counts) {
            let times = f64::from(times);
            n += times;
            margins.0[a as usize] += times;
            margins.1[b as usize] += times;
            if a == b {
                same += times;
            }
        }
        if n == 0.0 {
            return [Err(Undefined::NoPairs); 2];
        }
        let together: f64 = margins.0.iter().zip(&margins.1).map(|(a, b)| a * b).sum();
        let kappa = if together == n * n {
            Err(Undefined::OneCategory)
        } else {
            Ok(beyond(same / n, together / (n * n)))
        };
        [Ok(same / n), kappa]
    }
}

/// Numbers things in the order in which they first come.
struct Numbered<K>(HashMap<K, u32>);

impl<K: std::hash::Hash + Eq> Numbered<K> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    /// The number of a thing, and whether it is new.
    fn of(&mut self, key: K) -> (u32, bool) {
        let next = self.0.len() as u32;
        let number = *self.0.entry(key).or_insert(next);
        (number, number == next)
    }
}
