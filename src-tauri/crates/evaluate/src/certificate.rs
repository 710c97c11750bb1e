//! How often answers are wrong, with a guaranteed upper bound. Thresholds are tested in a fixed sequence with the exact
//! binomial bound (Learn-then-Test; Angelopoulos et al. 2021).
//!
//! The bound is valid for questions of the same kind as the labelled ones (exchangeable with them), and only for the
//! same encoder, adapter and index.

/// A labelled question that was answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answered {
    /// The probability by which it would be decided whether to answer.
    pub probability: f64,
    /// The answer is wrong.
    pub wrong: bool,
}

/// What holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certified {
    /// Answers are given from this probability on.
    pub threshold: f64,
    /// Labelled questions at or above it.
    pub n: usize,
    /// How many of these were answered wrongly.
    pub wrong: usize,
}

/// The first tested threshold is chosen so that at least one in this many of the labelled questions is answered. More
/// are answered if so few could not show the promised bound. If fewer were answered, a single wrong answer could
/// already be a failure, and a failure ends the test for all lower thresholds.
const FIRST: usize = 10;
/// Each threshold takes in this many times as many questions as the one before.
const STEP: f64 = 1.1;

/// P(Bin(n, p) ≤ k).
pub(crate) fn binomial_at_most(k: usize, n: usize, p: f64) -> f64 {
    if k >= n || p <= 0.0 {
        return 1.0;
    }
    if p >= 1.0 {
        return 0.0;
    }
    // Each term follows from the one before: C(n, i + 1) = C(n, i) · (n − i) / (i + 1). Logarithms are used because (1
    // − p)ⁿ can be too small for a floating-point number.
    let ratio = p.ln() - (1.0 - p).ln();
    let mut term = n as f64 * (1.0 - p).ln();
    let mut sum = term.exp();
    for i in 0..k {
        term += ((n - i) as f64 / (i + 1) as f64).ln() + ratio;
        sum += term.exp();
    }
    sum.min(1.0)
}

/// The fewest labelled answers, all of them right, that bear out "wrong ≤ `alpha`" at confidence 1 − `delta`.
pub fn fewest(alpha: f64, delta: f64) -> usize {
    (delta.ln() / (1.0 - alpha).ln()).ceil().max(1.0) as usize
}

/// The lowest threshold at which "wrong among answered ≤ `alpha`" holds with confidence 1 − `delta`, or `None` if there
/// is no such threshold.
///
/// Thresholds are tested from the highest down, and the first failure ends the test. So no correction for the number of
/// tests is needed. The thresholds depend only on the probabilities and not on which answers were wrong.
pub fn certify(answers: &[Answered], alpha: f64, delta: f64) -> Option<Certified> {
    let mut sorted = answers.to_vec();
    sorted.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let mut best = None;
    let mut wanted = fewest(alpha, delta).max(sorted.len() / FIRST) as f64;
    let (mut n, mut wrong) = (0, 0);
    if sorted.len() < fewest(alpha, delta) {
        return None;
    }
    while n < sorted.len() {
        let at = (wanted.ceil() as usize).min(sorted.len());
        // Questions of one probability stand on one side of a threshold.
        let threshold = sorted[at - 1].probability;
        while let Some(next) = sorted.get(n).filter(|a| a.probability >= threshold) {
            wrong += usize::from(next.wrong);
            n += 1;
        }
        if binomial_at_most(wrong, n, alpha) > delta {
            break;
        }
        best = Some(Certified {
            threshold,
            n,
            wrong,
        });
        wanted = n as f64 * STEP;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    #[test]
    fn the_binomial_is_exact() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(binomial_at_most(0, 3, 0.5), 0.125);
        close(binomial_at_most(1, 3, 0.5), 0.5);
        close(binomial_at_most(3, 3, 0.5), 1.0);
        close(binomial_at_most(0, 59, 0.05), 0.95_f64.powi(59));
        assert!(binomial_at_most(0, 100_000, 0.5) >= 0.0);
        // 200 tosses, at most 100 heads: ½ + ½ P(100).
        close(binomial_at_most(100, 200, 0.5), 0.5281742395046282);
    }

    #[test]
    fn the_fewest_right_answers() {
        assert_eq!(fewest(0.05, 0.05), 59);
        assert_eq!(fewest(0.01, 0.05), 299);
    }

    #[test]
    fn fifty_nine_right_answers_are_enough_and_fifty_eight_are_not() {
        let right = |n: usize| -> Vec<Answered> {
            (0..n)
                .map(|i| Answered {
                    probability: 1.0 - i as f64 / 1000.0,
                    wrong: false,
                })
                .collect()
        };
        assert_eq!(certify(&right(58), 0.05, 0.05), None);
        let holds = certify(&right(59), 0.05, 0.05);
        assert_eq!(holds.map(|c| (c.n, c.wrong)), Some((59, 0)));
    }

    #[test]
    fn wrong_answers_at_low_probabilities_raise_the_threshold() {
        let answers: Vec<Answered> = (0..400)
            .map(|i| Answered {
                probability: 1.0 - f64::from(i) / 400.0,
                wrong: i >= 200 && i % 2 == 0,
            })
            .collect();
        let holds = certify(&answers, 0.05, 0.05);
        assert!(holds.is_some_and(|c| c.n >= 190 && c.n < 240 && c.threshold > 0.4));
    }

    /// Checks the guarantee: for at most a share `delta` of random samples, the true error at the certified threshold
    /// is above `alpha`.
    #[test]
    fn the_promise_is_broken_no_more_often_than_it_says() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut uniform = || f64::from(random.next_u32()) / f64::from(u32::MAX);
        let (alpha, delta, drawings) = (0.1, 0.1, 400);
        let mut broken = 0;
        for _ in 0..drawings {
            // An answer of probability p is wrong with probability (1 − p) / 2.
            let answers: Vec<Answered> = (0..300)
                .map(|_| {
                    let probability = uniform();
                    let wrong = uniform() < (1.0 - probability) / 2.0;
                    Answered { probability, wrong }
                })
                .collect();
            // Above a threshold t the share of wrong answers is (1 − t) / 4.
            broken += usize::from(
                certify(&answers, alpha, delta).is_some_and(|c| (1.0 - c.threshold) / 4.0 > alpha),
            );
        }
        println!("{broken} of {drawings} drawings break the promise of {delta}");
        assert!(broken as f64 <= 0.14 * f64::from(drawings), "{broken}");
    }

    /// The guarantee as a user sees it: the threshold is certified on one half of the labelled questions and tested on
    /// the other half. If an exact test at 5 % rejects "wrong ≤ `alpha`" there, either the guarantee failed or the test
    /// itself is wrong.
    #[test]
    fn on_the_other_half_the_promise_is_rejected_no_more_often_than_the_errors_add_up_to() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let (alpha, delta, its_own) = (0.05, 0.05, 0.05);
        let splits = 200;
        let (mut certified, mut rejected) = (0, 0);
        for _ in 0..splits {
            let mut uniform = || f64::from(random.next_u32()) / f64::from(u32::MAX);
            let mut half = || -> Vec<Answered> {
                (0..400)
                    .map(|_| {
                        let probability = uniform();
                        // Above .7 as many are wrong as the promise allows, and more below.
                        let risk = if probability > 0.7 { alpha } else { 0.3 };
                        let wrong = uniform() < risk;
                        Answered { probability, wrong }
                    })
                    .collect()
            };
            let (labelled, others) = (half(), half());
            let Some(holds) = certify(&labelled, alpha, delta) else {
                continue;
            };
            certified += 1;
            let given = others.iter().filter(|a| a.probability >= holds.threshold);
            let (n, wrong) = given.fold((0, 0), |(n, wrong), a| {
                (n + 1, wrong + usize::from(a.wrong))
            });
            // P(Bin(n, alpha) ≥ wrong).
            let at_least = match wrong {
                0 => 1.0,
                k => 1.0 - binomial_at_most(k - 1, n, alpha),
            };
            rejected += usize::from(at_least <= its_own);
        }
        let allowed = (delta + its_own) * f64::from(splits);
        println!("{rejected} of {splits} splits reject the promise, {certified} certified");
        assert!(certified > 0, "none was certified");
        assert!(
            rejected as f64 <= allowed,
            "{rejected} of {splits}, {certified} certified"
        );
    }
}
