//! Shortcut controls (docs/methods.md, "Evaluation"): the accuracy of simple rules that never read the question.
//!
//! A control far above chance means that the questions can be answered from the form of their choices, and that
//! a model's accuracy on them says less than it seems to.

use crate::overlap::CorpusIndex;
use lexforge_domain::metrics::ShortcutRow;

/// A control is flagged if it exceeds chance by more than this.
pub(crate) const TOLERATED_ABOVE_CHANCE: f64 = 0.10;

/// A question without its question.
#[derive(Clone, Copy, Debug)]
pub struct ControlItem<'a> {
    pub choices: &'a [String],
    /// Index of the right one.
    pub answer: usize,
    /// The scorer's score of each choice with the question left out, where the caller has it.
    pub choices_only: Option<&'a [f64]>,
    /// Vector of each choice, where the caller has them; for the medoid.
    pub vectors: Option<&'a [&'a [f32]]>,
}

/// All controls on these items. `choices_only` and `medoid` need additional data; they are computed over the items that
/// have them, and left out if no item has them. `longest_choice` and `corpus_overlap` are computed over all items.
pub fn controls(items: &[ControlItem], corpus: &CorpusIndex) -> Vec<ShortcutRow> {
    let choices_only = items
        .iter()
        .filter_map(|i| Some((i.choices_only?.to_vec(), i.answer)));
    let medoid = items
        .iter()
        .filter_map(|i| Some((medoid_scores(i.vectors?), i.answer)));
    let longest = items.iter().map(|i| {
        (
            i.choices.iter().map(|c| c.chars().count() as f64).collect(),
            i.answer,
        )
    });
    let overlap = items.iter().map(|i| {
        (
            i.choices.iter().map(|c| corpus.overlap(c)).collect(),
            i.answer,
        )
    });
    [
        row("choices_only", choices_only),
        row("medoid", medoid),
        row("longest_choice", longest),
        row("corpus_overlap", overlap),
    ]
    .into_iter()
    .filter(|row| row.n > 0)
    .collect()
}

/// The result of a control that picks the choice with the greatest score. `items` gives for each item its scores and
/// the index of the right choice. If k choices have the greatest score and one of them is right, the item counts 1/k.
/// Items without choices are left out.
pub fn row(name: &str, items: impl Iterator<Item = (Vec<f64>, usize)>) -> ShortcutRow {
    let (mut right, mut chance, mut n) = (0.0, 0.0, 0usize);
    for (scores, answer) in items.filter(|(scores, _)| !scores.is_empty()) {
        right += credit(&scores, answer);
        chance += 1.0 / scores.len() as f64;
        n += 1;
    }
    let of = n.max(1) as f64;
    let (accuracy, chance) = (right / of, chance / of);
    ShortcutRow {
        name: name.to_owned(),
        accuracy,
        chance,
        n,
        flagged: accuracy > chance + TOLERATED_ABOVE_CHANCE,
    }
}

/// The choice nearest to the others: mean cosine of each vector with the other ones.
pub(crate) fn medoid_scores(vectors: &[&[f32]]) -> Vec<f64> {
    let units: Vec<Vec<f64>> = vectors.iter().map(|v| unit(v)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let others = vectors.len().saturating_sub(1).max(1) as f64;
    (0..units.len())
        .map(|i| {
            (0..units.len())
                .filter(|&j| j != i)
                .map(|j| dot(&units[i], &units[j]))
                .sum::<f64>()
                / others
        })
        .collect()
}

fn unit(vector: &[f32]) -> Vec<f64> {
    let norm = vector
        .iter()
        .map(|&v| f64::from(v).powi(2))
        .sum::<f64>()
        .sqrt();
    let scale = if norm > 0.0 { norm.recip() } else { 0.0 };
    vector.iter().map(|&v| f64::from(v) * scale).collect()
}

/// 1/k if the right choice is one of the k choices with the highest score, otherwise 0. Scores that differ only by
/// rounding count as equal.
fn credit(scores: &[f64], answer: usize) -> f64 {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_best = |s: f64| s >= best - 1e-9 * best.abs().max(1.0);
    if !scores.get(answer).is_some_and(|&s| is_best(s)) {
        return 0.0;
    }
    1.0 / scores.iter().filter(|&&s| is_best(s)).count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_counts_as_its_share() {
        let check = |scores: &[f64], answer, expected: f64| {
            let found = credit(scores, answer);
            assert!((found - expected).abs() < 1e-12, "{scores:?}: {found}");
        };
        check(&[3.0, 1.0, 3.0, 2.0], 0, 0.5);
        check(&[3.0, 1.0, 3.0, 2.0], 1, 0.0);
        check(&[1.0, 1.0, 1.0, 1.0], 3, 0.25);
        check(&[0.1 + 0.2, 0.3], 1, 0.5);
        check(&[f64::NAN, 1.0], 1, 1.0);
        check(&[1.0], 4, 0.0);
    }

    #[test]
    fn controls_on_a_hand_worked_set() {
        let long = ["short", "the longest choice", "middle one"].map(String::from);
        let even = ["same", "size"].map(String::from);
        let vectors: [&[f32]; 3] = [&[1.0, 0.0], &[0.7, 0.7], &[0.0, 1.0]];
        let items = [
            ControlItem {
                choices: &long,
                answer: 1,
                choices_only: Some(&[0.1, 0.9, 0.2]),
                vectors: Some(&vectors),
            },
            ControlItem {
                choices: &even,
                answer: 0,
                choices_only: None,
                vectors: None,
            },
        ];
        let rows = controls(&items, &CorpusIndex::new(["It is the same size."]));
        let by_name = |name: &str| {
            rows.iter()
                .find(|r| r.name == name)
                .map(|r| (r.accuracy, r.n, r.flagged))
        };
        assert_eq!(by_name("choices_only"), Some((1.0, 1, true)));
        assert_eq!(by_name("medoid"), Some((1.0, 1, true)));
        assert_eq!(by_name("longest_choice"), Some((0.75, 2, true)));
        // Item 1: the only word that its choices share with the corpus is "the", and one word is not a run of three
        // words. So all three choices tie: 1/3. Item 2: both words are in the corpus, so two choices tie: 1/2. Chance
        // is the same, 5/12.
        let overlap = by_name("corpus_overlap");
        assert!(
            overlap.is_some_and(|(a, n, flagged)| (a - 5.0 / 12.0).abs() < 1e-12
                && n == 2
                && !flagged),
            "{overlap:?}"
        );
    }

    #[test]
    fn exactly_ten_points_above_chance_is_tolerated() {
        let at = |right: usize| {
            let items = (0..100).map(|i| (vec![1.0, 0.0, 0.0, 0.0], usize::from(i >= right)));
            row("x", items)
        };
        assert!(!at(35).flagged);
        assert!(at(36).flagged);
        assert_eq!(row("none", std::iter::empty()).accuracy, 0.0);
    }
}
