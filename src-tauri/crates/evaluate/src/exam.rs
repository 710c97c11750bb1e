//! Figures of exams, whose questions may have several right answers.
//!
//! If a system scores each choice, the scores do not say how many choices it means. So the number of right choices is
//! taken as known, and the system's answer is that many of its best-scored choices. If a system names choices in words,
//! the named choices are its answer. Of choices with equal scores, each is taken with equal probability. So a system
//! that cannot distinguish the choices gets the same figure as guessing.

use crate::resample::{Draws, central_95};
use lexforge_domain::api::ExamFigures;
use std::collections::{BTreeMap, BTreeSet};

/// Interval of a share about which nothing is known.
const ANY_SHARE: [f64; 2] = [0.0, 1.0];

/// A system's reply to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// A score of each choice; the greater the likelier.
    Scores(Vec<f64>),
    /// The choices that it names.
    Named(Vec<usize>),
    /// No reply that could be read. It counts as wrong.
    Nothing,
}

/// A question of an exam as a system answers it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExamAnswer {
    /// Questions with one wording are one cluster.
    pub cluster: usize,
    /// How many choices there are.
    pub choices: usize,
    /// The places of the right ones, rising.
    pub answers: Vec<usize>,
    /// What the system gives.
    pub response: Response,
}

/// What an answer is worth, 0 to 1 each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Credit {
    /// Exactly the right choices were given.
    pub set: f64,
    /// Share of the choices that were rightly given or rightly left.
    pub by_choice: f64,
}

impl ExamAnswer {
    /// The credit for the answer. If choices have equal scores, it is the mean credit of choosing among them at random.
    pub fn credit(&self) -> Credit {
        let choices = self.choices.max(1) as f64;
        let right = |place: &usize| self.answers.contains(place);
        match &self.response {
            Response::Nothing => Credit::default(),
            Response::Named(named) => {
                // A choice that is written twice is named once.
                let named: BTreeSet<usize> = named.iter().copied().collect();
                let hits = named.iter().filter(|place| right(place)).count();
                let differing = named.len() + self.answers.len() - 2 * hits;
                Credit {
                    set: f64::from(u8::from(differing == 0)),
                    by_choice: 1.0 - differing as f64 / choices,
                }
            }
            Response::Scores(scores) => {
                if scores.len() != self.choices || scores.iter().any(|s| s.is_nan()) {
                    return Credit::default();
                }
                let wanted = self.answers.len();
                let mut sorted = scores.clone();
                sorted.sort_by(|a, b| b.total_cmp(a));
                let Some(&cut) = wanted.checked_sub(1).and_then(|last| sorted.get(last)) else {
                    return Credit::default();
                };
                let count =
                    |holds: &dyn Fn(usize) -> bool| (0..scores.len()).filter(|&i| holds(i)).count();
                let above = count(&|i| scores[i] > cut);
                let above_right = count(&|i| scores[i] > cut && right(&i));
                let tied = count(&|i| scores[i] == cut);
                let tied_right = count(&|i| scores[i] == cut && right(&i));
                let drawn = wanted - above;
                let sure = above_right == above && tied_right == drawn;
                let hits = above_right as f64 + drawn as f64 * tied_right as f64 / tied as f64;
                Credit {
                    set: if sure { 1.0 / ways(tied, drawn) } else { 0.0 },
                    by_choice: 1.0 - 2.0 * (wanted as f64 - hits) / choices,
                }
            }
        }
    }

    /// The mean credit of guessing a set, if the number of right choices is known.
    pub fn chance(&self) -> f64 {
        1.0 / ways(self.choices, self.answers.len())
    }

    /// Its choices all have one score, so that nothing was decided.
    pub fn undecided(&self) -> bool {
        match &self.response {
            Response::Scores(scores) => scores.windows(2).all(|two| two[0] == two[1]),
            Response::Named(_) | Response::Nothing => false,
        }
    }
}

/// In how many ways `k` of `n` can be taken.
fn ways(n: usize, k: usize) -> f64 {
    let k = k.min(n.saturating_sub(k));
    (0..k).fold(1.0, |ways, i| ways * (n - i) as f64 / (i + 1) as f64)
}

/// Sums of a cluster.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    set: f64,
    by_choice: f64,
}

/// The figures, with 95 % intervals of a bootstrap over whole clusters. With fewer than two clusters the spread is
/// unknown, and the interval is the whole range.
pub fn figures<'a>(
    answers: impl IntoIterator<Item = &'a ExamAnswer>,
    resamples: usize,
    seed: u64,
) -> ExamFigures {
    let mut by_cluster: BTreeMap<usize, Sums> = BTreeMap::new();
    let (mut n, mut chance) = (0, 0.0);
    for answer in answers {
        let credit = answer.credit();
        let sums = by_cluster.entry(answer.cluster).or_default();
        sums.n += 1.0;
        sums.set += credit.set;
        sums.by_choice += credit.by_choice;
        n += 1;
        chance += answer.chance();
    }
    let sums: Vec<Sums> = by_cluster.into_values().collect();
    if n == 0 {
        return ExamFigures {
            ci95: ANY_SHARE,
            by_choice_ci95: ANY_SHARE,
            ..ExamFigures::default()
        };
    }
    let all = n as f64;
    let mean = |of: fn(&Sums) -> f64| sums.iter().map(of).sum::<f64>() / all;
    let [ci95, by_choice_ci95] = intervals(&sums, resamples, seed);
    ExamFigures {
        n,
        clusters: sums.len(),
        accuracy: mean(|s| s.set),
        ci95,
        by_choice: mean(|s| s.by_choice),
        by_choice_ci95,
        chance: chance / all,
    }
}

fn intervals(sums: &[Sums], resamples: usize, seed: u64) -> [[f64; 2]; 2] {
    if sums.len() < 2 {
        return [ANY_SHARE; 2];
    }
    let mut draws = Draws::new(seed, 0);
    let (mut sets, mut choices) = (Vec::with_capacity(resamples), Vec::with_capacity(resamples));
    for _ in 0..resamples {
        let mut total = Sums::default();
        for _ in 0..sums.len() {
            let drawn = sums[draws.index(sums.len())];
            total.n += drawn.n;
            total.set += drawn.set;
            total.by_choice += drawn.by_choice;
        }
        sets.push(total.set / total.n);
        choices.push(total.by_choice / total.n);
    }
    [sets, choices].map(|values| central_95(values).unwrap_or(ANY_SHARE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::testing::assert_near;

    fn answer(choices: usize, answers: &[usize], response: Response) -> ExamAnswer {
        ExamAnswer {
            cluster: 0,
            choices,
            answers: answers.to_vec(),
            response,
        }
    }

    #[test]
    fn a_set_is_right_as_a_whole_and_its_choices_one_by_one() {
        let check = |answers: &[usize], response: Response, set: f64, by_choice: f64| {
            let found = answer(4, answers, response.clone()).credit();
            assert_near(found.set, set, 1e-12);
            assert_near(found.by_choice, by_choice, 1e-12);
        };
        let scores = |s: [f64; 4]| Response::Scores(s.to_vec());
        check(&[1], scores([0.1, 0.9, 0.2, 0.3]), 1.0, 1.0);
        check(&[0], scores([0.1, 0.9, 0.2, 0.3]), 0.0, 0.5);
        check(&[1, 3], scores([0.1, 0.9, 0.2, 0.3]), 1.0, 1.0);
        check(&[1, 2], scores([0.1, 0.9, 0.2, 0.3]), 0.0, 0.5);
        check(&[0, 1, 2, 3], scores([0.1, 0.9, 0.2, 0.3]), 1.0, 1.0);
        // Ties are worth what a fair draw is: one of four, one of the three behind the best, two of four.
        check(&[2], scores([0.5; 4]), 0.25, 0.625);
        check(&[1, 2], scores([0.1, 0.9, 0.1, 0.1]), 1.0 / 3.0, 2.0 / 3.0);
        check(&[1, 2], scores([0.5; 4]), 1.0 / 6.0, 0.5);
        check(
            &[0, 2],
            scores([0.1, 0.9, 0.1, 0.1]),
            0.0,
            1.0 - 2.0 * (2.0 - 2.0 / 3.0) / 4.0,
        );
        check(&[1, 3], Response::Named(vec![3, 1]), 1.0, 1.0);
        check(&[1, 3], Response::Named(vec![1]), 0.0, 0.75);
        check(&[1, 3], Response::Named(vec![1, 1]), 0.0, 0.75);
        check(&[1, 3], Response::Named(vec![1, 3, 1, 1]), 1.0, 1.0);
        check(&[1], Response::Named(vec![0]), 0.0, 0.5);
        check(&[1], Response::Nothing, 0.0, 0.0);
        check(&[1], scores([f64::NAN, 1.0, 0.0, 0.0]), 0.0, 0.0);
        check(&[1], Response::Scores(vec![1.0]), 0.0, 0.0);
    }

    #[test]
    fn guessing_has_one_of_the_sets() {
        let chance =
            |choices, answers: &[usize]| answer(choices, answers, Response::Nothing).chance();
        assert_near(chance(4, &[0]), 0.25, 1e-12);
        assert_near(chance(4, &[0, 2]), 1.0 / 6.0, 1e-12);
        assert_near(chance(5, &[0, 2, 3]), 0.1, 1e-12);
        assert_near(chance(4, &[0, 1, 2, 3]), 1.0, 1e-12);
    }

    #[test]
    fn figures_are_means_with_intervals_of_clusters() {
        let all: Vec<ExamAnswer> = (0..40)
            .map(|i| ExamAnswer {
                cluster: i / 2,
                ..answer(
                    4,
                    &[i % 4],
                    Response::Named(vec![if i < 20 { i % 4 } else { (i + 1) % 4 }]),
                )
            })
            .collect();
        let found = figures(&all, 2_000, 7);
        assert_eq!((found.n, found.clusters), (40, 20));
        assert_near(found.accuracy, 0.5, 1e-12);
        assert_near(found.by_choice, 0.75, 1e-12);
        assert_near(found.chance, 0.25, 1e-12);
        // Twenty clusters of one half: a standard deviation of .112.
        assert_near(found.ci95[0], 0.5 - 1.96 * 0.1118, 0.04);
        assert_near(found.ci95[1], 0.5 + 1.96 * 0.1118, 0.04);
        assert_eq!(figures(&all, 2_000, 7), found);
        assert_eq!(figures(&all[..2], 100, 7).ci95, ANY_SHARE);
        assert_eq!(figures(&[], 100, 7).ci95, ANY_SHARE);
    }
}
