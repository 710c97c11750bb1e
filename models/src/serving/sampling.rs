//! Which token comes next.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;
use std::collections::HashMap;

/// How the next token is chosen among the likely ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// The number by which logits are divided; 0 = always the likeliest token.
    pub temperature: f64,
    /// Only the likeliest tokens that together have this probability; 1 = all.
    pub top_p: f64,
    /// Only so many of the likeliest tokens; 0 = all.
    pub top_k: usize,
    /// Taken off the logit of a token that has been written.
    pub presence_penalty: f64,
    /// Taken off the logit of a token for each time that it has been written.
    pub frequency_penalty: f64,
}

impl Sampling {
    /// Always the likeliest token.
    pub const GREEDY: Self = Self {
        temperature: 0.0,
        top_p: 1.0,
        top_k: 0,
        presence_penalty: 0.0,
        frequency_penalty: 0.0,
    };

    /// Whether the token is the largest logit as the model gives it.
    pub fn is_plain(&self) -> bool {
        self.temperature == 0.0 && self.presence_penalty == 0.0 && self.frequency_penalty == 0.0
    }
}

/// Chooses the tokens of one text. The same logits and seed give the same tokens, whatever else is computed.
#[derive(Debug)]
pub struct Sampler {
    sampling: Sampling,
    random: ChaCha8Rng,
    written: HashMap<u32, u32>,
}

impl Sampler {
    /// One with its seed.
    pub fn new(sampling: Sampling, seed: u64) -> Self {
        Self {
            sampling,
            random: ChaCha8Rng::seed_from_u64(seed),
            written: HashMap::new(),
        }
    }

    /// The settings by which it chooses a token.
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// The next token. Logits that are not finite are not chosen; `None` if there is no other.
    pub fn choose(&mut self, logits: &mut [f32]) -> Option<u32> {
        let Sampling {
            temperature,
            top_p,
            top_k,
            presence_penalty,
            frequency_penalty,
        } = self.sampling;
        if presence_penalty != 0.0 || frequency_penalty != 0.0 {
            for (&token, &times) in &self.written {
                if let Some(logit) = logits.get_mut(token as usize) {
                    *logit -= (presence_penalty + frequency_penalty * f64::from(times)) as f32;
                }
            }
        }
        let token = if temperature == 0.0 {
            likeliest(logits)?
        } else {
            let draw: f64 = self.random.random();
            drawn(logits, temperature, top_p, top_k, draw)?
        };
        *self.written.entry(token).or_default() += 1;
        Some(token)
    }
}

/// The largest finite logit, the first of equal ones.
pub fn likeliest(logits: &[f32]) -> Option<u32> {
    let mut best: Option<(usize, f32)> = None;
    for (token, &logit) in logits.iter().enumerate() {
        if logit.is_finite() && best.is_none_or(|(_, largest)| logit > largest) {
            best = Some((token, logit));
        }
    }
    best.and_then(|(token, _)| u32::try_from(token).ok())
}

/// The token at the place `draw`, in 0..1, of the cumulative distribution of what is left.
fn drawn(logits: &[f32], temperature: f64, top_p: f64, top_k: usize, draw: f64) -> Option<u32> {
    let mut left: Vec<(u32, f32)> = (0u32..)
        .zip(logits.iter().copied())
        .filter(|(_, logit)| logit.is_finite())
        .collect();
    // Likeliest first; equal ones in the order of their numbers, so that nothing depends on the sort.
    let order = |a: &(u32, f32), b: &(u32, f32)| {
        b.1.partial_cmp(&a.1)
            .unwrap_or(Ordering::Equal)
            .then(a.0.cmp(&b.0))
    };
    if top_k > 0 && top_k < left.len() {
        left.select_nth_unstable_by(top_k, order);
        left.truncate(top_k);
    }
    if top_p < 1.0 || top_k > 0 {
        left.sort_unstable_by(order);
    }
    let largest = left
        .iter()
        .map(|&(_, logit)| logit)
        .fold(f32::NEG_INFINITY, f32::max);
    let mut weights: Vec<f64> = left
        .iter()
        .map(|&(_, logit)| (f64::from(logit - largest) / temperature).exp())
        .collect();
    let mut total: f64 = weights.iter().sum();
    if top_p < 1.0 {
        let mut sum = 0.0;
        let kept = weights.iter().position(|weight| {
            sum += weight;
            sum >= top_p * total
        });
        weights.truncate(kept.map_or(weights.len(), |last| last + 1));
        total = weights.iter().sum();
    }
    let mut sum = 0.0;
    let place = weights.iter().position(|weight| {
        sum += weight;
        sum > draw * total
    });
    left.get(place.unwrap_or(weights.len().checked_sub(1)?))
        .map(|&(token, _)| token)
}

/// `ln Σ exp` of logits; what is not finite counts as impossible.
pub(crate) fn log_sum(logits: &[f32]) -> f64 {
    let largest = logits
        .iter()
        .copied()
        .filter(|logit| logit.is_finite())
        .fold(f32::NEG_INFINITY, f32::max);
    if largest == f32::NEG_INFINITY {
        return 0.0;
    }
    let sum: f64 = logits
        .iter()
        .filter(|logit| logit.is_finite())
        .map(|l| f64::from(l - largest).exp())
        .sum();
    f64::from(largest) + sum.ln()
}

/// The so many likeliest tokens, likeliest first.
pub(crate) fn most_likely(logits: &[f32], count: usize) -> Vec<u32> {
    let mut all: Vec<u32> = (0..u32::try_from(logits.len()).unwrap_or(u32::MAX)).collect();
    let at = |token: &u32| logits[*token as usize];
    let order = |a: &u32, b: &u32| {
        at(b)
            .partial_cmp(&at(a))
            .unwrap_or(Ordering::Equal)
            .then(a.cmp(b))
    };
    if count < all.len() {
        all.select_nth_unstable_by(count, order);
        all.truncate(count);
    }
    all.sort_unstable_by(order);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGITS: [f32; 5] = [1.0, 3.0, f32::NEG_INFINITY, 2.0, 0.0];

    fn counts(sampling: Sampling, draws: usize) -> Vec<usize> {
        let mut sampler = Sampler::new(sampling, 7);
        let mut counts = vec![0; LOGITS.len()];
        for _ in 0..draws {
            counts[sampler.choose(&mut LOGITS.clone()).unwrap() as usize] += 1;
        }
        counts
    }

    #[test]
    fn tokens_come_as_often_as_their_probability_says() {
        let draws = 20_000;
        let check = |temperature: f64, top_p: f64, top_k: usize, left: &[usize]| {
            let sampling = Sampling {
                temperature,
                top_p,
                top_k,
                ..Sampling::GREEDY
            };
            let weight = |token: usize| (f64::from(LOGITS[token]) / temperature).exp();
            let total: f64 = left.iter().map(|&token| weight(token)).sum();
            for (token, count) in counts(sampling, draws).into_iter().enumerate() {
                let expected = if left.contains(&token) {
                    weight(token) / total
                } else {
                    0.0
                };
                let found = count as f64 / draws as f64;
                assert!(
                    (found - expected).abs() < 0.015,
                    "{sampling:?}: {token} {found} {expected}"
                );
                assert!(expected > 0.0 || count == 0, "{sampling:?}: {token}");
            }
        };
        check(1.0, 1.0, 0, &[0, 1, 3, 4]);
        check(2.0, 1.0, 0, &[0, 1, 3, 4]);
        check(1.0, 1.0, 2, &[1, 3]);
        check(1.0, 0.5, 0, &[1]); // 3.0 alone has 0.64
        check(1.0, 0.8, 0, &[1, 3]);
        check(1.0, 0.99, 3, &[0, 1, 3]);
    }

    #[test]
    fn greedy_takes_the_largest_and_the_first_of_equals() {
        assert_eq!(counts(Sampling::GREEDY, 3), [0, 3, 0, 0, 0]);
        assert_eq!(likeliest(&[1.0, 2.0, 2.0]), Some(1));
        assert_eq!(likeliest(&[f32::NEG_INFINITY, f32::NAN]), None);
        assert_eq!(
            Sampler::new(
                Sampling {
                    temperature: 1.0,
                    ..Sampling::GREEDY
                },
                0
            )
            .choose(&mut [f32::NAN]),
            None
        );
    }

    #[test]
    fn a_seed_gives_the_same_tokens_and_another_seed_others() {
        let sampling = Sampling {
            temperature: 1.0,
            ..Sampling::GREEDY
        };
        let tokens = |seed| {
            let mut sampler = Sampler::new(sampling, seed);
            (0..30)
                .map(|_| sampler.choose(&mut LOGITS.clone()).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(tokens(1), tokens(1));
        assert_ne!(tokens(1), tokens(2));
    }

    #[test]
    fn penalties_make_way_for_other_tokens() {
        let sampling = Sampling {
            presence_penalty: 1.5,
            ..Sampling::GREEDY
        };
        let mut sampler = Sampler::new(sampling, 0);
        let tokens: Vec<u32> = (0..3)
            .map(|_| sampler.choose(&mut LOGITS.clone()).unwrap())
            .collect();
        assert_eq!(tokens, [1, 3, 1]);
    }

    #[test]
    fn logs_are_those_of_the_distribution() {
        let logits = [0.0f32, 1.0, f32::NEG_INFINITY];
        let sum = log_sum(&logits);
        assert!((sum - (1.0 + 1f64.exp()).ln()).abs() < 1e-9);
        assert_eq!(most_likely(&LOGITS, 3), [1, 3, 0]);
    }
}
