//! How far raters who put items into categories agree, corrected for agreement by chance in the usual ways.
//!
//! A table of items × raters ([`Ratings`]) has holes where a rater did not see an item. For each item *i* let *rᵢ* be
//! the number of its ratings and *rᵢₖ* those of category *k*. Items with *rᵢ* ≥ 2 are *pairable*; the other items show
//! nothing about agreement.
//!
//! - **Percent agreement**: the mean over pairable items of Σₖ rᵢₖ(rᵢₖ − 1) / rᵢ(rᵢ − 1).
//! - **Cohen's κ** of two raters: (pₒ − pₑ) / (1 − pₑ), with chance from each rater's own marginals (Cohen 1960).
//! - **Fleiss' κ**: the same form, with chance from the pooled marginals. It needs a constant number of ratings for
//!   each item (Fleiss 1971). So it is computed over the items that have the most common number; if two numbers are
//!   equally common, the larger one.
//! - **Krippendorff's α**, nominal: 1 − Dₒ / Dₑ from the coincidence matrix over all pairable items (Krippendorff
//!   2011).
//! - **Krippendorff's α**, interval-scaled, for ratings that are numbers: [`interval_alpha`].
//! - **Gwet's AC2**: chance is T(w) / q(q − 1) · Σₖ πₖ(1 − πₖ) with πₖ = mean over all rated items of rᵢₖ / rᵢ; with
//!   identity weights it is AC1 (Gwet 2008, 2014). *q* counts the categories of the scale, including those that no
//!   rater used.
//!
//! Each figure has the 2.5 and 97.5 percentiles of a bootstrap over items. A resample draws as many pairable items as
//! there are, and as many items with one rating as there are (only Gwet's chance uses these). All figures of a
//! table share the resamples. If a figure is not defined on a resample, that resample is left out of its percentiles.
//!
//! Items with the same ratings, apart from the raters' names, are one *pattern*. A resample draws items, but its sums
//! cost only as much as there are patterns.

mod bounds;
mod interval_scaled;
mod ratings;
mod sums;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

pub use bounds::Resampling;
pub use interval_scaled::interval_alpha;
pub use ratings::{Ratings, Weights};

use crate::resample::Draws;
use bounds::with_intervals;
use lexforge_domain::agreement::Interval;
use sums::{Patterns, Sums, TwoWay};

/// Agreement of any number of raters.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Items that two or more rated.
    pub items: u64,
    /// Items that one alone rated.
    pub single: u64,
    /// Raters who rated anything.
    pub raters: u32,
    /// Percent agreement.
    pub percent: Interval,
    /// Krippendorff's α, nominal.
    pub alpha: Interval,
    /// Fleiss' κ, over the items with the most common number of ratings.
    pub fleiss: Interval,
    /// Gwet's AC2; with identity weights AC1.
    pub gwet: Interval,
}

/// Agreement of two raters.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedAgreement {
    /// Items that both rated.
    pub items: u64,
    /// Share on which they agree.
    pub percent: Interval,
    /// Cohen's κ.
    pub kappa: Interval,
}

/// Percent agreement, α, Fleiss' κ and AC2 of a table.
///
/// Only AC2 uses `weights`. The other figures treat the categories as nominal.
pub fn agreement(ratings: &Ratings, weights: &Weights, resampling: Resampling) -> Agreement {
    let patterns = Patterns::of(ratings, weights);
    let scale = sums::Scale {
        q: ratings.categories,
        weights: weights.total(ratings.categories),
    };
    let observed = Sums::of(
        &patterns,
        &patterns.pairable.counts,
        &patterns.single.counts,
    );
    let resampled = (patterns.pairable.items() > 1).then(|| {
        let mut draws = Draws::new(resampling.seed, STREAM);
        let mut figures = [const { Vec::new() }; 4];
        let (mut pairable, mut single) = (
            patterns.pairable.counts.clone(),
            patterns.single.counts.clone(),
        );
        let mut sums = observed.clone();
        for _ in 0..resampling.count {
            patterns.pairable.draw_into(&mut draws, &mut pairable);
            patterns.single.draw_into(&mut draws, &mut single);
            sums.refill(&patterns, &pairable, &single);
            for (values, value) in figures.iter_mut().zip(sums.figures(&scale)) {
                values.extend(value.ok());
            }
        }
        figures
    });
    let [percent, alpha, fleiss, gwet] = with_intervals(observed.figures(&scale), resampled);
    Agreement {
        items: patterns.pairable.items() as u64,
        single: patterns.single.items() as u64,
        raters: ratings.raters().len() as u32,
        percent,
        alpha,
        fleiss,
        gwet,
    }
}

/// Percent agreement and Cohen's κ of two raters, over the items that both rated.
pub fn cohen(ratings: &Ratings, one: u32, other: u32, resampling: Resampling) -> PairedAgreement {
    let table = TwoWay::of(ratings, one, other);
    let resampled = (table.drawn.items() > 1).then(|| {
        let mut draws = Draws::new(resampling.seed, STREAM);
        let mut figures = [const { Vec::new() }; 2];
        let mut counts = table.drawn.counts.clone();
        let mut margins = table.margins();
        for _ in 0..resampling.count {
            table.drawn.draw_into(&mut draws, &mut counts);
            for (values, value) in figures.iter_mut().zip(table.figures(&counts, &mut margins)) {
                values.extend(value.ok());
            }
        }
        figures
    });
    let observed = table.figures(&table.drawn.counts, &mut table.margins());
    let [percent, kappa] = with_intervals(observed, resampled);
    PairedAgreement {
        items: table.drawn.items() as u64,
        percent,
        kappa,
    }
}

/// Stream of the draws, apart from those of other figures of the same seed.
const STREAM: u64 = 5;
