//! How far a method of matching keeps requirements apart: its measures S1 and S2 (docs/methods.md, "Rules and
//! policies") with their intervals.

use super::methods::Method;
use super::reading::Set;
use super::thresholds::Above;
use crate::answering::Measured;
use crate::workspace::DEFAULT_SEED;
use lexforge_domain::metrics::{Comparison, Interval};
use lexforge_evaluate::separation::{Separation, separation};
use lexforge_evaluate::statistics::{PairedSeries, compare_all, mean_interval};
use std::collections::{BTreeSet, HashSet};

/// Resamples behind an interval, and swaps behind a p-value.
const RESAMPLES: usize = 2_000;

/// A method with the outcome of each requirement.
#[derive(Clone)]
pub(super) struct Outcomes {
    pub(super) method: String,
    pub(super) measured: Vec<Measured>,
    pub(super) apart: Vec<Separation>,
    /// Its scores are cosines.
    pub(super) cosines: bool,
    /// The results of bounds on its cosines; empty if its scores are no cosines.
    pub(super) above: Vec<Above>,
}

/// How far a method keeps the requirements of a part apart.
pub(super) fn of_part(set: &Set, method: &Method, part: Option<&str>) -> Vec<Separation> {
    let of_part = |at: &usize| part.is_none() || set.asked.standards[*at].as_deref() == part;
    let places: Vec<usize> = (0..set.links.len()).filter(of_part).collect();
    let rows: Vec<Vec<f32>> = places.iter().map(|at| method.rows[*at].clone()).collect();
    let own: Vec<HashSet<usize>> = places.iter().map(|at| set.links[*at].clone()).collect();
    separation(&rows, &own)
}

/// A measure by its name, requirement by requirement.
fn series(of: &Outcomes, measure: &str) -> Option<Vec<f64>> {
    let each = of.apart.iter();
    match measure {
        "s1" => of
            .cosines
            .then(|| each.map(|s| s.own_less_others).collect()),
        _ => Some(each.map(|s| s.nearest).collect()),
    }
}

/// The cluster of each requirement as a number, in the order of the clusters' names.
fn clusters(of: &Outcomes) -> Vec<usize> {
    let names: BTreeSet<&str> = of.measured.iter().map(|m| m.cluster.as_str()).collect();
    let place = |m: &Measured| names.range(..m.cluster.as_str()).count();
    of.measured.iter().map(place).collect()
}

/// A measure's mean with its interval by section.
pub(super) fn mean(of: &Outcomes, measure: &str) -> Option<Interval> {
    let values = series(of, measure)?;
    let (value, interval, _) = mean_interval(&values, &clusters(of), RESAMPLES, DEFAULT_SEED);
    let [low, high] = interval.unwrap_or([value; 2]);
    (!values.is_empty()).then_some(Interval { value, low, high })
}

/// The gain of a method in S1 and S2 over another one.
pub(super) fn gains(of: &Outcomes, against: &Outcomes, unit: &str) -> Vec<Comparison> {
    let pair = |measure: &str| {
        Some(PairedSeries {
            measure: measure.to_owned(),
            against: against.method.clone(),
            before: series(against, measure)?,
            after: series(of, measure)?,
        })
    };
    let pairs: Vec<PairedSeries> = ["s1", "s2"].into_iter().filter_map(pair).collect();
    // Lists of one length are compared, which is seen to before; anything else says nothing.
    compare_all(&pairs, &clusters(of), unit, RESAMPLES, DEFAULT_SEED)
        .map(|all| all.into_iter().map(|one| one.comparison).collect())
        .unwrap_or_default()
}
