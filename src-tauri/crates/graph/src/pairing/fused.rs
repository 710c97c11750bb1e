//! Scores of several kinds put together.

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
    fn a_kind_votes_for_what_is_above_its_own_bound() {
        assert_eq!(quantile([4.0, 1.0, 3.0, 2.0, 5.0], 0.5), Some(3.0));
        assert_eq!(quantile([], 0.5), None);
        let kinds = [vec![0.1, 0.9, 0.8], vec![7.0, 9.0, 1.0]];
        assert_eq!(votes(&kinds, &[0.5, 5.0]), [1, 2, 1]);
    }
}
