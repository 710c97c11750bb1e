//! The scores of clauses by BM25.

use crate::bm25::PARAMETERS;
/// Words of each clause, with those of its title.
#[derive(Debug)]
pub(super) struct Sizes {
    pub(super) of: Vec<u32>,
    pub(super) mean: f64,
}

/// Clause and how often it has a word, by clause.
pub(super) type Counts = Vec<(u32, u32)>;

/// The scores of all clauses for one question.
pub(super) struct Scores<'a> {
    sizes: &'a Sizes,
    of: Vec<f64>,
    /// The clauses that have a score, as they came.
    found: Vec<u32>,
}

impl<'a> Scores<'a> {
    pub(super) fn none(sizes: &'a Sizes) -> Self {
        Self {
            of: vec![0.0; sizes.of.len()],
            sizes,
            found: Vec::new(),
        }
    }

    /// Adds what a word or a pair of words counts in each clause, and returns its inverse document frequency.
    pub(super) fn add(&mut self, counts: &Counts, weight: f64) -> f64 {
        let idf = PARAMETERS.idf(self.of.len(), counts.len());
        for (clause, count) in counts {
            let at = *clause as usize;
            if self.of[at] == 0.0 {
                self.found.push(*clause);
            }
            let size = f64::from(self.sizes.of[at]);
            self.of[at] +=
                weight * idf * PARAMETERS.saturation(f64::from(*count), size, self.sizes.mean);
        }
        idf
    }

    /// The best clauses among those wanted, with their scores. Of equal ones, the first in reading order comes first.
    pub(super) fn best(self, wanted: impl Fn(u32) -> bool, top: usize) -> Vec<(u32, f64)> {
        let Self { of, mut found, .. } = self;
        found.retain(|clause| wanted(*clause));
        let order = |a: &u32, b: &u32| of[*b as usize].total_cmp(&of[*a as usize]).then(a.cmp(b));
        if top < found.len() {
            found.select_nth_unstable_by(top, order);
            found.truncate(top);
        }
        found.sort_unstable_by(order);
        let scored = found
            .into_iter()
            .map(|clause| (clause, of[clause as usize]));
        scored.collect()
    }
}
