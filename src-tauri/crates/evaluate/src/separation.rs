//! How well vectors separate a rule's own policy from the policies of other rules (S1 and S2 of *NLP for financial
//! regulation*, docs/methods.md, "Rules and policies").

use std::collections::HashSet;

/// The separation of one rule.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Separation {
    /// Mean cosine with its own policies less the mean cosine with those of each other rule; S1 is its mean.
    pub own_less_others: f64,
    /// 1 where one of its own policies is the nearest of all, a half where it shares the place; S2 is its mean.
    pub nearest: f64,
}

/// The separation of each rule. `cosines` has for each rule its cosine with every policy; `own` has for each rule the
/// policies that belong to it. A rule is compared with the policies of all other rules (the paper takes one of them at
/// random). A policy that belongs to both rules is not used in their comparison. Policies that belong to no rule are
/// left out.
pub fn separation(cosines: &[Vec<f32>], own: &[HashSet<usize>]) -> Vec<Separation> {
    let linked: HashSet<usize> = own.iter().flatten().copied().collect();
    let each = cosines.iter().zip(own).enumerate();
    each.map(|(rule, (cosines, mine))| {
        let cosine = |policy: &usize| f64::from(cosines[*policy]);
        let others = own
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != rule)
            .filter_map(|(_, theirs)| mean(theirs.difference(mine).map(cosine)));
        let greatest = |policies: &mut dyn Iterator<Item = &usize>| {
            policies.map(cosine).fold(f64::NEG_INFINITY, f64::max)
        };
        let (best, rival) = (
            greatest(&mut mine.iter()),
            greatest(&mut linked.difference(mine)),
        );
        Separation {
            own_less_others: mean(mine.iter().map(cosine)).unwrap_or(0.0)
                - mean(others).unwrap_or(0.0),
            nearest: match best.total_cmp(&rival) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            },
        }
    })
    .collect()
}

/// The mean of some values; `None` if there are none.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0usize), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cosines: &[&[f32]], own: &[&[usize]]) -> Vec<(f64, f64)> {
        let cosines: Vec<Vec<f32>> = cosines.iter().map(|row| row.to_vec()).collect();
        let own: Vec<HashSet<usize>> = own.iter().map(|o| o.iter().copied().collect()).collect();
        separation(&cosines, &own)
            .into_iter()
            .map(|s| (s.own_less_others, s.nearest))
            .collect()
    }

    #[test]
    fn a_rule_is_near_its_own_and_far_from_those_of_others() {
        // The last policy belongs to no rule, though it is the nearest to the first.
        let found = of(
            &[&[0.75, 0.25, 0.25, 1.0], &[0.5, 0.25, 0.75, 0.0]],
            &[&[0], &[1, 2]],
        );
        assert_eq!(found, [(0.5, 1.0), (0.0, 1.0)]);
    }

    #[test]
    fn a_shared_policy_is_none_of_the_others_and_a_tie_is_half_a_hit() {
        let found = of(&[&[0.5, 0.5], &[0.25, 0.75]], &[&[0], &[0, 1]]);
        assert_eq!(found, [(0.0, 0.5), (0.5, 1.0)]);
        assert_eq!(of(&[&[0.5]], &[&[0]]), [(0.5, 1.0)]);
    }
}
