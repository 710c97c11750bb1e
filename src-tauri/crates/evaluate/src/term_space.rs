//! Measures of how vectors of terms in their sentences lie, with intervals by term.
//!
//! Mentions of one term are similar to each other, so the intervals are computed over whole terms. They come from a
//! delete-a-group jackknife (Kott, Journal of Official Statistics 17, 2001): the terms are divided into groups, each
//! group is left out once, and the error is computed from how much the figures change. A bootstrap cannot be used here.
//! A bootstrap would choose some terms twice, and two copies of a vector have the cosine 1, which would shift every
//! measure of pairs.

use crate::gate::student;
use crate::resample::Draws;
use crate::space::audit;
use lexforge_domain::metrics::{EXPLAINED_BY, Interval, SpaceAudit};
use lexforge_domain::term_space::{SpaceMeasure, SpaceRow};
use std::cell::Cell;

/// Groups that are left out in turn; fewer terms make as many groups as there are terms.
const GROUPS: usize = 20;
/// The stream of the seed by which terms are dealt out.
const PURPOSE: u64 = 31;
/// Where the upper bound of a two-sided 95 % interval lies.
const LEVEL: f64 = 0.975;

/// Vectors of mentions, row-major. Mentions of one term have the same number; each term's mentions count as one unit.
#[derive(Clone, Copy, Debug)]
pub struct Mentions<'a> {
    /// Values a vector.
    pub dim: usize,
    /// The term of each row.
    pub terms: &'a [usize],
    /// Vectors of the base model.
    pub before: &'a [f32],
    /// Vectors of the tuned model, of the same mentions in the same order.
    pub after: Option<&'a [f32]>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Of the base model.
    pub before: SpaceAudit,
    /// Of the tuned model.
    pub after: Option<SpaceAudit>,
    /// The measures with their intervals.
    pub rows: Vec<SpaceRow>,
    /// Groups of terms that were left out in turn.
    pub groups: usize,
}

/// The measures of mentions, each with its interval by term. The alignment is computed over pairs of mentions of one
/// term. Before each audit, `goes_on` gets the number of finished audits and their total. If it returns `false`, the
/// work ends and the result is `None`.
pub fn of_terms(
    mentions: &Mentions<'_>,
    seed: u64,
    goes_on: &dyn Fn(usize, usize) -> bool,
) -> Option<Found> {
    let group = groups(mentions.terms, seed);
    let count = group.iter().max().map_or(0, |last| last + 1);
    let of = (count + 1) * (1 + usize::from(mentions.after.is_some()));
    let done = Cell::new(0);
    let audited = |vectors: &[f32], keep: &dyn Fn(usize) -> bool| -> Option<SpaceAudit> {
        if !goes_on(done.get(), of) {
            return None;
        }
        done.set(done.get() + 1);
        Some(measured(vectors, mentions, keep))
    };
    let both = |vectors: &[f32]| -> Option<(SpaceAudit, Vec<Figures>)> {
        let whole = audited(vectors, &|_| true)?;
        let without = (0..count).map(|left_out| {
            let part = audited(vectors, &|row| group[row] != left_out)?;
            Some(figures(&part))
        });
        Some((whole, without.collect::<Option<_>>()?))
    };
    let (before, parts_before) = both(mentions.before)?;
    let (after, parts_after) = match mentions.after {
        Some(vectors) => {
            let (after, parts) = both(vectors)?;
            (Some(after), Some(parts))
        }
        None => (None, None),
    };
    let differences = parts_after.as_ref().map(|after| {
        let both = after.iter().zip(&parts_before);
        both.map(|(a, b)| minus(a, b)).collect::<Vec<_>>()
    });
    let figures_before = figures(&before);
    let figures_after = after.as_ref().map(figures);
    let rows = SpaceMeasure::ALL
        .into_iter()
        .enumerate()
        .map(|(at, measure)| {
            let after = figures_after.as_ref().zip(parts_after.as_ref());
            let difference = figures_after
                .as_ref()
                .map(|after| minus(after, &figures_before));
            SpaceRow {
                measure,
                before: interval(at, &figures_before, &parts_before),
                after: after.and_then(|(figures, parts)| interval(at, figures, parts)),
                difference: difference
                    .zip(differences.as_ref())
                    .and_then(|(figures, parts)| interval(at, &figures, parts)),
            }
        })
        .collect();
    Some(Found {
        before,
        after,
        rows,
        groups: count,
    })
}

/// One figure for each of [`SpaceMeasure::ALL`].
type Figures = [Option<f64>; SpaceMeasure::ALL.len()];

fn figures(of: &SpaceAudit) -> Figures {
    let two = of.n > 1;
    let explained = |directions: usize| {
        let place = EXPLAINED_BY.iter().position(|&k| k == directions)?;
        of.explained.map(|shares| shares[place])
    };
    let mut found = [None; SpaceMeasure::ALL.len()];
    for (place, measure) in found.iter_mut().zip(SpaceMeasure::ALL) {
        *place = match measure {
            SpaceMeasure::MeanPairwiseCosine => two.then_some(of.mean_pairwise_cosine),
            SpaceMeasure::Isoscore => two.then_some(of.isoscore),
            SpaceMeasure::Explained1 => explained(1),
            SpaceMeasure::Explained8 => explained(8),
            SpaceMeasure::Uniformity => of.uniformity,
            SpaceMeasure::Alignment => of.alignment,
        };
    }
    found
}

fn minus(after: &Figures, before: &Figures) -> Figures {
    let mut difference = *after;
    for (value, before) in difference.iter_mut().zip(before) {
        *value = value.zip(*before).map(|(after, before)| after - before);
    }
    difference
}

/// The group of each row; all rows of a term are in one group.
fn groups(terms: &[usize], seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = terms.to_vec();
    order.sort_unstable();
    order.dedup();
    let mut draws = Draws::new(seed, PURPOSE);
    for i in 0..order.len() {
        let other = i + draws.index(order.len() - i);
        order.swap(i, other);
    }
    let count = GROUPS.min(order.len().max(1));
    let mut dealt: Vec<(usize, usize)> = order
        .into_iter()
        .enumerate()
        .map(|(place, term)| (term, place % count))
        .collect();
    dealt.sort_unstable();
    let of = |term: &usize| {
        let found = dealt.binary_search_by_key(term, |(term, _)| *term);
        found.map_or(0, |place| dealt[place].1)
    };
    terms.iter().map(of).collect()
}

/// The measures of the rows that are kept.
fn measured(vectors: &[f32], mentions: &Mentions<'_>, keep: impl Fn(usize) -> bool) -> SpaceAudit {
    let dim = mentions.dim.max(1);
    let kept: Vec<(usize, &[f32])> = vectors
        .chunks_exact(dim)
        .zip(mentions.terms)
        .enumerate()
        .filter(|(row, _)| keep(*row))
        .map(|(_, (vector, &term))| (term, vector))
        .collect();
    let rows: Vec<f32> = kept
        .iter()
        .flat_map(|(_, row)| row.iter().copied())
        .collect();
    SpaceAudit {
        alignment: alignment(&kept, dim),
        ..audit(&rows, dim)
    }
}

/// The mean over terms of the mean squared distance of two of their mentions; `None` if no term has two. With unit rows
/// u of a term and their sum s, the mean cosine of its m (m − 1) / 2 pairs is (‖s‖² − m) / (m (m − 1)).
fn alignment(rows: &[(usize, &[f32])], dim: usize) -> Option<f64> {
    let mut sorted: Vec<&(usize, &[f32])> = rows.iter().collect();
    sorted.sort_by_key(|(term, _)| *term);
    let (mut sum, mut terms) = (0.0, 0_usize);
    for of_term in sorted.chunk_by(|a, b| a.0 == b.0) {
        let mut total = vec![0.0_f64; dim];
        let mut mentions = 0_usize;
        for (_, row) in of_term {
            let norm = row
                .iter()
                .map(|&v| f64::from(v).powi(2))
                .sum::<f64>()
                .sqrt();
            if norm > 0.0 && norm.is_finite() {
                mentions += 1;
                for (sum, &value) in total.iter_mut().zip(*row) {
                    *sum += f64::from(value) / norm;
                }
            }
        }
        if mentions > 1 {
            let m = mentions as f64;
            let cosine = (total.iter().map(|v| v * v).sum::<f64>() - m) / (m * (m - 1.0));
            sum += 2.0 - 2.0 * cosine;
            terms += 1;
        }
    }
    (terms > 0).then(|| sum / terms as f64)
}

/// The interval of one measure. `None` if it is not defined, for all terms or without a group of them.
fn interval(at: usize, whole: &Figures, without: &[Figures]) -> Option<Interval> {
    let value = whole[at]?;
    let parts: Vec<f64> = without.iter().map(|of| of[at]).collect::<Option<_>>()?;
    let count = parts.len() as f64;
    if parts.len() < 2 {
        return None;
    }
    let mean = parts.iter().sum::<f64>() / count;
    let squares: f64 = parts.iter().map(|part| (part - mean).powi(2)).sum();
    let reach = student(LEVEL, count - 1.0) * ((count - 1.0) / count * squares).sqrt();
    Some(Interval {
        value,
        low: value - reach,
        high: value + reach,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
