//! Judges possible bounds on a method's cosine. For each bound it gives two shares: how many of the pairs above the
//! bound are linked, and how many of the linked pairs are above the bound.

use super::methods::Method;
use super::reading::Set;
use lexforge_domain::api::MatchThreshold;

/// The bounds that are looked at; .7 is the one that is published (docs/methods.md, "Rules and policies").
const BOUNDS: [f32; 7] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];

/// Pairs above a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Above {
    /// Pairs that people linked.
    right: u64,
    /// All of them.
    found: u64,
    /// All linked pairs, above the bound or not.
    linked: u64,
}

/// The numbers above each bound in a part of a set; empty if the scores are no cosines.
pub(super) fn of_part(set: &Set, method: &Method, part: Option<&str>) -> Vec<Above> {
    if !method.cosines {
        return Vec::new();
    }
    let mut all = vec![Above::default(); BOUNDS.len()];
    for (at, linked) in set.links.iter().enumerate() {
        if part.is_some() && set.asked.standards[at].as_deref() != part {
            continue;
        }
        count(&mut all, &method.rows[at], |place| linked.contains(&place));
    }
    all
}

fn count(all: &mut [Above], scores: &[f32], is_linked: impl Fn(usize) -> bool) {
    for (place, score) in scores.iter().enumerate() {
        let linked = is_linked(place);
        for (above, bound) in all.iter_mut().zip(BOUNDS) {
            above.linked += u64::from(linked);
            if *score > bound {
                above.found += 1;
                above.right += u64::from(linked);
            }
        }
    }
}

/// Adds what lies above the bounds in another set.
pub(super) fn add(all: &mut [Above], more: &[Above]) {
    for (one, more) in all.iter_mut().zip(more) {
        one.right += more.right;
        one.found += more.found;
        one.linked += more.linked;
    }
}

/// The numbers as shares.
pub(super) fn shares(all: &[Above]) -> Vec<MatchThreshold> {
    let share = |part: u64, of: u64| (of > 0).then(|| part as f64 / of as f64);
    let each = all.iter().zip(BOUNDS);
    each.map(|(above, bound)| MatchThreshold {
        // The bound as it is written, without the rounding error of a binary fraction.
        cosine: (f64::from(bound) * 100.0).round() / 100.0,
        pairs: above.found,
        precision: share(above.right, above.found),
        recall: share(above.right, above.linked),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_bound_finds_fewer_pairs() {
        let mut all = vec![Above::default(); BOUNDS.len()];
        // Of three pairs the first and the last are linked.
        count(&mut all, &[0.9, 0.62, 0.4], |place| place != 1);
        let found = shares(&all);
        let of = |cosine: f64| {
            let one = found.iter().find(|one| one.cosine == cosine);
            one.map(|one| (one.pairs, one.precision, one.recall))
        };
        assert_eq!(of(0.6), Some((2, Some(0.5), Some(0.5))));
        assert_eq!(of(0.7), Some((1, Some(1.0), Some(0.5))));
        let mut twice = all.clone();
        add(&mut twice, &all);
        assert_eq!(shares(&twice)[0].pairs, 2 * found[0].pairs);
        assert_eq!(shares(&twice)[0].recall, found[0].recall);
    }
}
