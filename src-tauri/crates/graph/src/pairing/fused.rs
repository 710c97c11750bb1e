//! Scores of several kinds put together.

use std::cmp::Ordering;

/// Scores of one text brought to mean 0 and spread 1; all 0 where they do not differ.
pub fn standardised(scores: &[f32]) -> Vec<f32> {
    let n = scores.len().max(1) as f64;
    let mean = scores.iter().map(|s| f64::from(*s)).sum::<f64>() / n;
    let off = |s: &f32| f64::from(*s) - mean;
    let spread = (scores.iter().map(|s| off(s).powi(2)).sum::<f64>() / n).sqrt();
    let scale = if spread > 1e-12 { spread.recip() } else { 0.0 };
    scores.iter().map(|s| (off(s) * scale) as f32).collect()
}

/// The standardised mean of standardised scores: kinds that say much the same count as one.
pub fn mean_of<K: AsRef<[f32]>>(kinds: &[K]) -> Vec<f32> {
    let mut sum = vec![0.0; kinds.first().map_or(0, |kind| kind.as_ref().len())];
    for kind in kinds {
        for (all, one) in sum.iter_mut().zip(standardised(kind.as_ref())) {
            *all += one;
        }
    }
    standardised(&sum)
}

/// The score that a share of the scores does not exceed.
pub fn quantile(scores: impl IntoIterator<Item = f32>, share: f64) -> Option<f32> {
    let mut scores: Vec<f32> = scores.into_iter().filter(|s| s.is_finite()).collect();
    let last = scores.len().checked_sub(1)?;
    let place = ((share * last as f64).round() as usize).min(last);
    let (_, found, _) = scores.select_nth_unstable_by(place, f32::total_cmp);
    Some(*found)
}

/// Up to so many places are kept in order while the scores are gone through once.
const KEPT_IN_ORDER: usize = 64;

/// The places of the greatest scores with these, the greatest first; equal scores in the order of their places.
pub fn greatest(scores: &[f32], most: usize) -> Vec<(usize, f32)> {
    let placed = || scores.iter().copied().enumerate();
    if most <= KEPT_IN_ORDER {
        return few_greatest(placed(), most);
    }
    let mut all: Vec<(usize, f32)> = placed().collect();
    if most < all.len() {
        all.select_nth_unstable_by(most, in_order);
        all.truncate(most);
        // What is collected from these few may keep their memory, and a caller may keep several such lists.
        all.shrink_to_fit();
    }
    all.sort_unstable_by(in_order);
    all
}

/// The score that exactly so many others reach or exceed; the least, if there are fewer. It is the same as a
/// [`quantile`], but takes one pass and no copy, as long as the number is small.
pub fn nth_greatest(scores: &[f32], n: usize) -> Option<f32> {
    if n >= KEPT_IN_ORDER {
        let last = scores.len().saturating_sub(1).max(1);
        let share = 1.0 - n as f64 / last as f64;
        return quantile(scores.iter().copied(), share.max(0.0));
    }
    let finite = scores.iter().copied().enumerate();
    let first = few_greatest(finite.filter(|(_, score)| score.is_finite()), n + 1);
    first.last().map(|(_, score)| *score)
}

fn in_order(a: &(usize, f32), b: &(usize, f32)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

/// The greatest of scores that come in the order of their places. Most are compared with the least of the kept ones
/// alone.
fn few_greatest(scores: impl Iterator<Item = (usize, f32)>, most: usize) -> Vec<(usize, f32)> {
    let mut kept: Vec<(usize, f32)> = Vec::with_capacity(most);
    for one in scores {
        if kept.len() < most {
            kept.push(one);
        } else {
            match kept.last_mut() {
                Some(last) if in_order(&one, last).is_lt() => *last = one,
                _ => continue,
            }
        }
        // The new one goes up to its place.
        let mut at = kept.len() - 1;
        while at > 0 && in_order(&kept[at], &kept[at - 1]).is_lt() {
            kept.swap(at, at - 1);
            at -= 1;
        }
    }
    kept
}

/// For each text how many of the kinds find it: those whose score is above their own bound.
pub fn votes<K: AsRef<[f32]>>(kinds: &[K], bounds: &[f32]) -> Vec<u32> {
    let mut votes = vec![0; kinds.first().map_or(0, |kind| kind.as_ref().len())];
    for (kind, bound) in kinds.iter().zip(bounds) {
        for (vote, score) in votes.iter_mut().zip(kind.as_ref()) {
            *vote += u32::from(score > bound);
        }
    }
    votes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_to_one_scale() {
        let scores = standardised(&[1.0, 2.0, 3.0]);
        assert!((scores[2] - 1.224_744_9).abs() < 1e-6 && scores[1].abs() < 1e-6);
        assert_eq!(standardised(&[5.0, 5.0]), [0.0, 0.0]);
        assert_eq!(mean_of(&[vec![1.0, 2.0], vec![10.0, 40.0]]), [-1.0, 1.0]);
        assert!(standardised(&[]).is_empty() && mean_of::<Vec<f32>>(&[]).is_empty());
    }

    #[test]
    fn the_greatest_are_those_of_a_whole_sort() {
        let (mut state, mut scores) = (7_u32, Vec::new());
        for n in 0..500_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Few different values, so that many are equal; both zeros and some that rise.
            scores.push(match n % 50 {
                0 => -0.0,
                1..10 => n as f32,
                _ => f32::from((state >> 24) as u8 % 20),
            });
        }
        let mut sorted: Vec<(usize, f32)> = scores.iter().copied().enumerate().collect();
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for most in [0, 1, 5, 12, KEPT_IN_ORDER, KEPT_IN_ORDER + 1, 499, 500, 900] {
            let found = greatest(&scores, most);
            assert_eq!(found, sorted[..most.min(500)], "{most}");
        }
        for n in [0, 1, 10, KEPT_IN_ORDER - 1, KEPT_IN_ORDER, 300, 499, 700] {
            let share = (1.0 - n as f64 / 499.0).max(0.0);
            let expected = quantile(scores.iter().copied(), share);
            assert_eq!(nth_greatest(&scores, n), expected, "{n}");
        }
        // Fewer than are asked for, and none.
        assert_eq!(nth_greatest(&[0.4, 0.2], 10), Some(0.2));
        assert_eq!(nth_greatest(&[f32::NAN, 0.2, 0.1], 0), Some(0.2));
        assert_eq!((greatest(&[], 3), nth_greatest(&[], 3)), (Vec::new(), None));
    }

    #[test]
    fn a_kind_votes_for_what_is_above_its_own_bound() {
        assert_eq!(quantile([4.0, 1.0, 3.0, 2.0, 5.0], 0.5), Some(3.0));
        assert_eq!(quantile([], 0.5), None);
        let kinds = [vec![0.1, 0.9, 0.8], vec![7.0, 9.0, 1.0]];
        assert_eq!(votes(&kinds, &[0.5, 5.0]), [1, 2, 1]);
    }
}
