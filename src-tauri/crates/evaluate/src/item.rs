//! A question with the score that a system gave to each choice.

use lexforge_domain::QcaId;
use lexforge_domain::qca::{QcaLevel, QuestionType};

/// A question as answered by one system.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredItem {
    /// The question.
    pub id: QcaId,
    /// Its cluster: the anchor rule, or the article or section where single documents were split.
    pub cluster: i64,
    pub level: QcaLevel,
    pub question_type: QuestionType,
    /// Index of the right choice. Choices come shuffled (seeded), so that the index is also the class.
    pub answer: usize,
    /// The score of each choice. Under the embedding scorer it is the cosine of question and choice. The system's
    /// answer is the choice with the highest score; if several have it, the first of them. A score that is not a number
    /// (NaN) is never chosen.
    pub scores: Vec<f64>,
}

impl ScoredItem {
    /// Index of the choice that the system gives; `None` if no score is a number.
    pub fn chosen(&self) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (i, &score) in self.scores.iter().enumerate() {
            if !score.is_nan() && best.is_none_or(|(_, b)| score > b) {
                best = Some((i, score));
            }
        }
        best.map(|(i, _)| i)
    }

    /// The system's answer is the right one.
    pub fn is_right(&self) -> bool {
        self.chosen() == Some(self.answer)
    }

    /// Score of the right choice minus the mean score of the wrong ones (the cosine gap of the choices). `None` if a
    /// score is not a finite number, or if there is no wrong choice.
    pub fn gap(&self) -> Option<f64> {
        let right = *self.scores.get(self.answer)?;
        let wrong = self.wrong_scores();
        let gap = right - wrong.clone().sum::<f64>() / wrong.count() as f64;
        gap.is_finite().then_some(gap)
    }

    /// Score of the right choice minus the best wrong one; not a number where there is no such pair.
    pub fn margin(&self) -> f64 {
        let best_wrong = self.wrong_scores().fold(f64::NAN, f64::max);
        self.scores
            .get(self.answer)
            .map_or(f64::NAN, |right| right - best_wrong)
    }

    fn wrong_scores(&self) -> impl Iterator<Item = f64> + Clone + '_ {
        self.scores
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != self.answer)
            .map(|(_, s)| *s)
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A sentence-level item of `cluster`.
    pub(crate) fn item(id: i64, cluster: i64, answer: usize, scores: &[f64]) -> ScoredItem {
        ScoredItem {
            id: QcaId(id),
            cluster,
            level: QcaLevel::Sentence,
            question_type: QuestionType::Obligation,
            answer,
            scores: scores.to_vec(),
        }
    }

    /// Sixty four-choice items in six clusters with pseudo-random scores. Their figures were recorded with numpy 2,
    /// scikit-learn 1 and the exact enumeration of all resamples and swaps. `system` is 1 or 2.
    pub(crate) fn recorded(system: usize) -> Vec<ScoredItem> {
        let bonus = if system == 1 { 0.10 } else { 0.25 };
        (0..60usize)
            .map(|i| {
                let answer = (i * 7 + i / 5) % 4;
                let score = |c: usize| {
                    ((i * 53 + c * 29 + system * 17 + i * c * 7 + i * i * system * 3) % 101) as f64
                        / 101.0
                };
                let scores: Vec<f64> = (0..4)
                    .map(|c| score(c) + if c == answer { bonus } else { 0.0 })
                    .collect();
                item(
                    i as i64,
                    ((i * i * i + i / 7) % 6 * 10) as i64,
                    answer,
                    &scores,
                )
            })
            .collect()
    }

    pub(crate) fn assert_near(found: f64, expected: f64, tolerance: f64) {
        assert!(
            (found - expected).abs() <= tolerance,
            "found {found}, expected {expected} ± {tolerance}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::testing::item;

    #[test]
    fn the_first_of_the_greatest_scores_is_chosen() {
        let check = |scores: &[f64], expected: Option<usize>| {
            assert_eq!(item(1, 1, 0, scores).chosen(), expected)
        };
        check(&[0.1, 0.7, 0.3], Some(1));
        check(&[0.5, 0.5], Some(0));
        check(&[f64::NAN, -1.0], Some(1));
        check(&[f64::NEG_INFINITY, f64::NEG_INFINITY], Some(0));
        check(&[f64::NAN], None);
        check(&[], None);
    }

    #[test]
    fn gap_and_margin_of_a_hand_worked_item() {
        let i = item(1, 1, 2, &[0.2, 0.6, 0.5]);
        assert!((i.gap().unwrap_or(f64::NAN) - 0.1).abs() < 1e-12);
        assert!((i.margin() + 0.1).abs() < 1e-12);
        assert_eq!(item(1, 1, 0, &[0.4]).gap(), None);
        assert_eq!(item(1, 1, 0, &[f64::NAN, 0.1]).gap(), None);
        assert_eq!(item(1, 1, 5, &[0.4, 0.2]).gap(), None);
    }
}
