//! What test questions can show, before anything is run on them.

use super::distributions::normal_quantile;
use lexforge_domain::statistics::Power;
use std::collections::BTreeMap;

/// The assumed share of the items on which two systems differ, if it was not measured.
pub const USUAL_DISCORDANT: f64 = 0.10;
/// Correlation of the differences within a cluster, where none was measured.
pub const USUAL_CORRELATION: f64 = 0.20;

const ALPHA: f64 = 0.05;
const POWER: f64 = 0.80;
/// Differences for which the clusters are counted, in points.
const POINTS: [u32; 3] = [1, 2, 3];

/// How two systems that have answered differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Share of the items on which one is right and the other is wrong.
    pub discordant: f64,
    /// Correlation of the differences within a cluster.
    pub correlation: f64,
}

impl Seen {
    /// How much two systems differ, computed from their answers. `clusters` gives the cluster of each item.
    /// `differences` gives 1 for an item that became right, −1 for one that became wrong, and 0 for all others. `None`
    /// if the systems never differ, because this does not show how much other systems would differ.
    pub fn of(clusters: &[usize], differences: &[f64]) -> Option<Self> {
        let n = differences.len().max(1) as f64;
        let discordant = differences.iter().map(|d| d * d).sum::<f64>() / n;
        (discordant > 0.0).then(|| Self {
            discordant,
            correlation: correlation_within(&grouped(clusters, differences)),
        })
    }
}

fn grouped(clusters: &[usize], differences: &[f64]) -> Vec<Vec<f64>> {
    let mut by_cluster: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (cluster, difference) in clusters.iter().zip(differences) {
        by_cluster.entry(*cluster).or_default().push(*difference);
    }
    by_cluster.into_values().collect()
}

/// The test questions, and what is expected of two systems on them.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan<'a> {
    /// Two systems have answered: of each item its cluster and right (1) or wrong (0) after − before.
    Measured {
        /// Which cluster each item is in.
        clusters: &'a [usize],
        /// 1, 0 or −1 of each item.
        differences: &'a [f64],
    },
    /// No answers are known, only the number of items of each cluster.
    Sizes(&'a [usize]),
    /// Two systems whose answers are not known yet. It is known how many items each cluster will have, and how much two
    /// other systems differed.
    Like(&'a [usize], Seen),
}

/// The smallest difference in accuracy that a paired comparison detects in four of five cases at a level of 5 %, and
/// the number of additional clusters that a smaller difference would need. Both are computed by a normal approximation
/// with the design effect `1 + (m − 1) ρ`. Here m is the size of an item's cluster, averaged over the items, and ρ is
/// the correlation within a cluster. `None` without items.
pub fn power(plan: &Plan) -> Option<Power> {
    let (sizes, seen) = match plan {
        Plan::Sizes(sizes) => (sizes.to_vec(), None),
        Plan::Like(sizes, seen) => (sizes.to_vec(), Some(*seen)),
        Plan::Measured {
            clusters,
            differences,
        } => {
            let groups = grouped(clusters, differences);
            let sizes = groups.iter().map(Vec::len).collect();
            (sizes, Seen::of(clusters, differences))
        }
    };
    let measured = seen.is_some();
    let Seen {
        discordant,
        correlation,
    } = seen.unwrap_or(Seen {
        discordant: USUAL_DISCORDANT,
        correlation: USUAL_CORRELATION,
    });
    let clusters = sizes.iter().filter(|size| **size > 0).count();
    let n: usize = sizes.iter().sum();
    if n == 0 {
        return None;
    }
    let squares: usize = sizes.iter().map(|size| size * size).sum();
    let beside = squares as f64 / n as f64 - 1.0;
    let effect = 1.0 + beside * correlation;
    let reach = normal_quantile(1.0 - ALPHA / 2.0) + normal_quantile(POWER);
    let smallest = reach * (discordant * effect / n as f64).sqrt();
    let per_cluster = n as f64 / clusters as f64;
    let more = |points: u32| {
        let difference = f64::from(points) / 100.0;
        let items = (reach / difference).powi(2) * discordant * effect;
        ((items / per_cluster).ceil() as u64).saturating_sub(clusters as u64)
    };
    Some(Power {
        alpha: ALPHA,
        power: POWER,
        n,
        clusters,
        discordant,
        correlation,
        measured,
        taken_from: None,
        smallest_difference: smallest.min(1.0),
        more_clusters: POINTS.iter().map(|p| (p.to_string(), more(*p))).collect(),
    })
}

/// The correlation of two items of one cluster, by the analysis of variance, never below 0. If no cluster has two
/// items, a usual value is taken.
fn correlation_within(groups: &[Vec<f64>]) -> f64 {
    let n: usize = groups.iter().map(Vec::len).sum();
    let k = groups.len();
    if n <= k || k < 2 {
        return if n <= k { 0.0 } else { USUAL_CORRELATION };
    }
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let all = groups.iter().flatten().sum::<f64>() / n as f64;
    let between: f64 = groups
        .iter()
        .map(|g| g.len() as f64 * (mean(g) - all).powi(2))
        .sum::<f64>()
        / (k - 1) as f64;
    let within: f64 = groups
        .iter()
        .map(|g| {
            let centre = mean(g);
            g.iter().map(|v| (v - centre).powi(2)).sum::<f64>()
        })
        .sum::<f64>()
        / (n - k) as f64;
    let squares: usize = groups.iter().map(|g| g.len() * g.len()).sum();
    let size = (n as f64 - squares as f64 / n as f64) / (k - 1) as f64;
    let correlation = (between - within) / (between + (size - 1.0) * within);
    if correlation.is_finite() {
        correlation.clamp(0.0, 1.0)
    } else {
        USUAL_CORRELATION
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn single_items_agree_with_statsmodels() {
        // Expected values from statsmodels 0.15: NormalIndPower(ddof=0).solve_power(alpha=.05, power=.8, ratio=0). That
        // function solves for a standard deviation of 1; ours is √.1, so its effect size is multiplied by √.1. The
        // numbers of items are those for 1, 2 and 3 points. The function also counts the other tail of the
        // distribution, which changes the power by less than 1e-6.
        let check = |n: usize, expected: f64| {
            let found = power(&Plan::Sizes(&vec![1; n])).unwrap();
            assert!(
                (found.smallest_difference - expected).abs() < 1e-6,
                "{found:?}"
            );
            assert_eq!((found.n, found.clusters, found.measured), (n, n, false));
            found.more_clusters
        };
        check(1_000, 0.028015834460586492);
        let more = check(168, 0.06835107680980035);
        let total = |points: &str| more[points] + 168;
        assert_eq!([total("1"), total("2"), total("3")], [7_849, 1_963, 873]);
    }

    #[test]
    fn items_of_one_rule_count_for_less() {
        // Ten items a rule: the effect of the design is 1 + 9 · .2 = 2.8.
        let alone = power(&Plan::Sizes(&[1; 400])).unwrap();
        let together = power(&Plan::Sizes(&[10; 40])).unwrap();
        let ratio = together.smallest_difference / alone.smallest_difference;
        assert!((ratio - 2.8_f64.sqrt()).abs() < 1e-9, "{ratio}");
        assert_eq!(power(&Plan::Sizes(&[])), None);
    }

    #[test]
    fn what_was_measured_is_taken() {
        // Whole clusters change together: the correlation is 1.
        let clusters: Vec<usize> = (0..40).map(|i| i / 4).collect();
        let differences: Vec<f64> = (0..40)
            .map(|i| [1.0, -1.0, 0.0, 0.0, 0.0][i / 4 % 5])
            .collect();
        let measured = Plan::Measured {
            clusters: &clusters,
            differences: &differences,
        };
        let found = power(&measured).unwrap();
        assert!(
            found.measured && (found.correlation - 1.0).abs() < 1e-9,
            "{found:?}"
        );
        assert!((found.discordant - 0.4).abs() < 1e-12);
        let same = Plan::Measured {
            clusters: &clusters,
            differences: &[0.0; 40],
        };
        assert!(!power(&same).unwrap().measured);
    }

    #[test]
    fn what_two_other_systems_showed_is_taken_for_a_set_of_another_size() {
        let clusters: Vec<usize> = (0..40).collect();
        let differences: Vec<f64> = (0..40).map(|i| f64::from(u8::from(i % 4 == 0))).collect();
        let seen = Seen::of(&clusters, &differences).unwrap();
        assert!((seen.discordant - 0.25).abs() < 1e-12, "{seen:?}");
        let usual = power(&Plan::Sizes(&[1; 90])).unwrap();
        let like = power(&Plan::Like(&[1; 90], seen)).unwrap();
        assert!(like.measured && !usual.measured);
        let ratio = like.smallest_difference / usual.smallest_difference;
        assert!((ratio - 2.5_f64.sqrt()).abs() < 1e-9, "{ratio}");
        assert_eq!(Seen::of(&clusters, &[0.0; 40]), None);
    }
}
