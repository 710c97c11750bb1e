//! A teacher's list of a question, and what a step takes of it.

use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::BTreeMap;

/// The score of a labelled clause. The teacher's first clause has the score 0, and the teacher's other clauses have
/// lower scores. With a score of 1, a labelled clause weighs e times as much as the teacher's first one. If the teacher
/// finds several clauses equally good, only the label shows which of them is right.
const LABEL_AHEAD: f64 = 1.0;

/// The list of a question, best first: each sentence with its score. The score is the teacher's score minus the
/// teacher's best score, divided by the temperature; a labelled sentence gets `LABEL_AHEAD` instead. `passage_of` gives
/// the sentence that represents each clause, and `right` are the labelled clauses, which answer the question. If there
/// is nothing to compare, the list is empty.
pub(super) fn listed(
    teacher: &[(u32, f32)],
    right: &[u32],
    passage_of: impl Fn(u32) -> Option<u32>,
    temperature: f64,
) -> Vec<(u32, f64)> {
    let Some(most) = first_score(teacher) else {
        return Vec::new();
    };
    let ahead = |score: f32| f64::from(score - most) / temperature;
    let taught = teacher
        .iter()
        .map(|(clause, score)| (*clause, ahead(*score)));
    let right = right.iter().map(|clause| (*clause, LABEL_AHEAD));
    let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
    for (clause, score) in taught.chain(right) {
        if let Some(passage) = passage_of(clause) {
            let known = scores.entry(passage).or_insert(score);
            *known = known.max(score);
        }
    }
    if scores.len() < 2 {
        return Vec::new();
    }
    let mut list: Vec<(u32, f64)> = scores.into_iter().collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    list
}

/// The teacher's greatest score; `None` if it has no list.
pub(super) fn first_score(teacher: &[(u32, f32)]) -> Option<f32> {
    teacher.iter().map(|t| t.1).reduce(f32::max)
}

/// Takes `most` sentences of a list, with shares whose sum is 1: all labelled ones, the teacher's first one, and others
/// chosen at random.
pub(super) fn draw(list: &[(u32, f64)], most: usize, random: &mut impl Rng) -> Vec<(u32, f64)> {
    let labelled = list.iter().take_while(|(_, ahead)| *ahead > 0.0).count();
    let (kept, others) = list.split_at((labelled + 1).min(list.len()));
    let wanted = most.max(2).saturating_sub(kept.len());
    let others = others.choose_multiple(random, wanted);
    let chosen: Vec<(u32, f64)> = kept.iter().chain(others).copied().collect();
    let all: f64 = chosen.iter().map(|(_, ahead)| ahead.exp()).sum();
    let shares = chosen.into_iter();
    shares.map(|(p, ahead)| (p, ahead.exp() / all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use std::collections::HashSet;

    #[test]
    fn a_step_draws_from_a_list_and_never_leaves_out_what_is_labelled_or_first() {
        let list = [
            (7, 1.0),
            (4, 1.0),
            (9, 0.0),
            (1, -1.0),
            (2, -2.0),
            (3, -3.0),
        ];
        let of = |most, seed| {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            draw(&list, most, &mut random)
        };
        let mut others: HashSet<u32> = HashSet::new();
        for seed in 0..20 {
            let found = of(4, seed);
            assert_eq!(
                found[..3].iter().map(|l| l.0).collect::<Vec<_>>(),
                [7, 4, 9]
            );
            assert_eq!(found.len(), 4);
            let sum: f64 = found.iter().map(|l| l.1).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
            let ratio = found[0].1 / found[2].1;
            assert!((ratio - 1f64.exp()).abs() < 1e-12, "{ratio}");
            others.insert(found[3].0);
        }
        assert_eq!(others.len(), 3, "{others:?}");
        assert_eq!(of(4, 1), of(4, 1));
        assert_eq!(of(1, 1).len(), 3, "labels and the first are kept");
        assert_eq!(of(99, 1).len(), list.len());
        // A score that is a great deal smaller has a share of 0, and is still a number.
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(0);
        let steep = draw(&[(3, 0.0), (2, -1e4)], 8, &mut random);
        assert_eq!(steep, [(3, 1.0), (2, 0.0)]);
    }
}
