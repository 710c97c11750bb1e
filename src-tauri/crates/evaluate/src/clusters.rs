//! Items summed up by cluster, so that a resample costs a few additions a cluster however many items it has.

use crate::classification::{COUNTS_PER_CLASS, Confusion, MacroFigures, macro_figures};
use crate::item::ScoredItem;
use crate::resample::Draws;
use std::collections::BTreeMap;

/// Sums of one cluster, or of a resample of clusters.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    pub(crate) n: u32,
    pub(crate) right: u32,
    pub(crate) gap: f64,
    pub(crate) with_gap: u32,
    /// Three counts a class, see [`Confusion`].
    pub(crate) confusion: Vec<u32>,
}

impl Sums {
    pub(crate) fn accuracy(&self) -> f64 {
        if self.n == 0 {
            0.0
        } else {
            f64::from(self.right) / f64::from(self.n)
        }
    }

    pub(crate) fn cosine_gap(&self) -> f64 {
        if self.with_gap == 0 {
            0.0
        } else {
            self.gap / f64::from(self.with_gap)
        }
    }

    pub(crate) fn macro_figures(&self) -> MacroFigures {
        macro_figures(&self.confusion)
    }

    fn clear(&mut self) {
        self.n = 0;
        self.right = 0;
        self.gap = 0.0;
        self.with_gap = 0;
        self.confusion.fill(0);
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.n += other.n;
        self.right += other.right;
        self.gap += other.gap;
        self.with_gap += other.with_gap;
        for (sum, count) in self.confusion.iter_mut().zip(&other.confusion) {
            *sum += count;
        }
    }
}

/// Sums of every cluster, in the order of the clusters' ids.
#[derive(Clone, Debug)]
pub(crate) struct Clusters {
    pub(crate) sums: Vec<Sums>,
    classes: usize,
}

impl Clusters {
    /// `classes` must be at least the largest number of choices ([`classes_of`]).
    pub(crate) fn new<'a>(items: impl IntoIterator<Item = &'a ScoredItem>, classes: usize) -> Self {
        let mut by_id: BTreeMap<i64, (Sums, Confusion)> = BTreeMap::new();
        for item in items {
            let (sums, confusion) = by_id
                .entry(item.cluster)
                .or_insert_with(|| (Sums::default(), Confusion::new(classes)));
            sums.n += 1;
            sums.right += u32::from(item.is_right());
            if let Some(gap) = item.gap() {
                sums.gap += gap;
                sums.with_gap += 1;
            }
            confusion.add(item.answer, item.chosen());
        }
        let sums = by_id
            .into_values()
            .map(|(sums, confusion)| Sums {
                confusion: confusion.counts().to_vec(),
                ..sums
            })
            .collect();
        Self { sums, classes }
    }

    pub(crate) fn len(&self) -> usize {
        self.sums.len()
    }

    pub(crate) fn empty_sums(&self) -> Sums {
        Sums {
            confusion: vec![0; self.classes * COUNTS_PER_CLASS],
            ..Sums::default()
        }
    }

    /// Sums over all clusters.
    pub(crate) fn total(&self) -> Sums {
        let mut total = self.empty_sums();
        self.sums.iter().for_each(|s| total.add(s));
        total
    }

    /// Replaces the sums of two tables by the sums of a resample. A resample has as many clusters as the tables, chosen
    /// with replacement. Both tables have the same clusters, and the same clusters are chosen for both.
    pub(crate) fn resample_pair_into(
        &self,
        other: &Self,
        draws: &mut Draws,
        mine: &mut Sums,
        theirs: &mut Sums,
    ) {
        mine.clear();
        theirs.clear();
        for _ in 0..self.len() {
            let i = draws.index(self.len());
            mine.add(&self.sums[i]);
            theirs.add(&other.sums[i]);
        }
    }
}

/// Classes that the items need: their largest number of choices (or answer's place).
pub(crate) fn classes_of(items: &[ScoredItem]) -> usize {
    items
        .iter()
        .map(|i| i.scores.len().max(i.answer + 1))
        .max()
        .unwrap_or(0)
}
