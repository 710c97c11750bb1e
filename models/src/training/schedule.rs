//! The learning rate: linear warm-up, then decay to 0 in a straight line or along a cosine, or none.

use lexforge_domain::protocol::Decay;
use std::f64::consts::PI;

/// A schedule over a fixed number of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    peak: f64,
    warmup: u64,
    total: u64,
    decay: Decay,
}

impl Schedule {
    /// A learning rate that rises to `peak` within `warmup` steps. Then it stays constant or falls to 0 at `total`
    /// steps, as `decay` says. If the warm-up would be as long as the run, it is shortened to a tenth of the run,
    /// because otherwise the peak would never be reached. `warmup()` returns its length.
    pub fn new(peak: f64, warmup: u64, total: u64, decay: Decay) -> Self {
        let warmup = if warmup < total { warmup } else { total / 10 };
        Self {
            peak,
            warmup,
            total,
            decay,
        }
    }

    /// Steps of warm-up in use.
    pub fn warmup(&self) -> u64 {
        self.warmup
    }

    /// Learning rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f64 {
        if step < self.warmup {
            // From the first step on something is learned: (step + 1) / warmup.
            return self.peak * (step + 1) as f64 / self.warmup as f64;
        }
        // From 1 at the end of the warm-up to 0 at the end.
        let left =
            self.total.saturating_sub(step) as f64 / (self.total - self.warmup).max(1) as f64;
        self.peak
            * match self.decay {
                Decay::Linear => left,
                Decay::Cosine => (1.0 - (PI * left).cos()) / 2.0,
                Decay::Constant => 1.0,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rises_in_a_straight_line_and_falls_as_asked() {
        let check = |decay, warmup: u64, total: u64, step: u64, expected: f64| {
            let rate = Schedule::new(1.0, warmup, total, decay).rate(step);
            assert!(
                (rate - expected).abs() < 1e-12,
                "{decay:?} {warmup} {total} {step}: {rate}"
            );
        };
        let linear = Decay::Linear;
        check(linear, 4, 12, 0, 0.25);
        check(linear, 4, 12, 3, 1.0);
        check(linear, 4, 12, 4, 1.0);
        check(linear, 4, 12, 8, 0.5);
        check(linear, 4, 12, 11, 0.125);
        check(linear, 4, 12, 12, 0.0);
        check(linear, 0, 2, 0, 1.0);
        check(linear, 0, 2, 1, 0.5);
        check(linear, 100, 20, 1, 1.0);
        check(Decay::Cosine, 4, 12, 0, 0.25);
        check(Decay::Cosine, 4, 12, 4, 1.0);
        check(Decay::Cosine, 4, 12, 8, 0.5);
        check(Decay::Cosine, 4, 12, 6, (1.0 + 0.5f64.sqrt()) / 2.0);
        check(Decay::Cosine, 4, 12, 12, 0.0);
        check(Decay::Constant, 4, 12, 1, 0.5);
        check(Decay::Constant, 4, 12, 11, 1.0);
        assert_eq!(Schedule::new(1.0, 100, 20, linear).warmup(), 2);
        assert_eq!(Schedule::new(1.0, 100, 5, linear).warmup(), 0);
    }
}
