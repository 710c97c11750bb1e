//! A table of items × raters, how alike its categories are, and a figure of it.

use crate::error::{EvaluateError, Result};
use lexforge_domain::agreement::Undefined;

/// A table of items × raters over the categories `0..categories`.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    pub(super) categories: usize,
    /// Where each item's ratings begin in `cells`.
    starts: Vec<usize>,
    /// (rater, category), by rater within an item.
    pub(super) cells: Vec<(u32, u32)>,
}

impl Ratings {
    /// An empty table over a scale of so many categories.
    pub fn new(categories: usize) -> Self {
        Self {
            categories,
            starts: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Adds an item with its ratings: (rater, category), in any order.
    ///
    /// # Errors
    /// [`EvaluateError::Rating`] when a category does not belong to the scale, or a rater rates the item twice.
    pub fn push(&mut self, ratings: &[(u32, u32)]) -> Result<()> {
        let item = self.starts.len();
        let bad = |what: String| Err(EvaluateError::Rating { item, what });
        let mut sorted = ratings.to_vec();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return bad(format!("rater {} rates it twice", twice[0].0));
        }
        if let Some(&(_, category)) = sorted
            .iter()
            .find(|(_, category)| *category as usize >= self.categories)
        {
            return bad(format!(
                "category {category} is none of the scale's {}",
                self.categories
            ));
        }
        self.starts.push(self.cells.len());
        self.cells.append(&mut sorted);
        Ok(())
    }

    /// Items, rated or not.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether it has no item.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The raters who rated anything, in the order of their numbers.
    pub fn raters(&self) -> Vec<u32> {
        let mut raters: Vec<u32> = self.cells.iter().map(|cell| cell.0).collect();
        raters.sort_unstable();
        raters.dedup();
        raters
    }

    pub(super) fn items(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        let ends = self
            .starts
            .iter()
            .skip(1)
            .copied()
            .chain([self.cells.len()]);
        self.starts
            .iter()
            .zip(ends)
            .map(|(&start, end)| &self.cells[start..end])
    }
}

/// How alike two categories are: 1 for the same, 0 for those that have nothing in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Weights {
    /// Any two categories differ fully.
    #[default]
    Identity,
    /// Categories in an order of equal steps: 1 − |k − l| / (q − 1).
    Linear,
    /// Categories in an order of equal steps, with larger differences counting more: 1 − (k − l)² / (q − 1)².
    Quadratic,
    /// A weight for each two categories, row by row: q × q values.
    Table(Vec<f64>),
}

impl Weights {
    /// The weight of two categories of a scale of `q`; 0 beyond a table.
    pub fn of(&self, k: usize, l: usize, q: usize) -> f64 {
        let apart = || k.abs_diff(l) as f64 / (q.max(2) - 1) as f64;
        match self {
            Self::Identity => f64::from(u8::from(k == l)),
            Self::Linear => 1.0 - apart(),
            Self::Quadratic => 1.0 - apart() * apart(),
            Self::Table(table) => table.get(k * q + l).copied().unwrap_or(0.0),
        }
    }

    /// Sum over all pairs of categories: T(w).
    pub(super) fn total(&self, q: usize) -> f64 {
        match self {
            Self::Identity => q as f64,
            _ => (0..q)
                .map(|k| (0..q).map(|l| self.of(k, l, q)).sum::<f64>())
                .sum(),
        }
    }
}

/// A figure of one set of items, or why there is none.
pub(super) type Figure = std::result::Result<f64, Undefined>;
