//! The learning rate: linear warm-up, then linear decay to 0.

/// A schedule over a fixed number of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    peak: f64,
    warmup: u64,
    total: u64,
}

impl Schedule {
    /// Reaches `peak` after `warmup` steps and 0 after `total`. A warm-up that would not end before the
    /// run does is shortened to a tenth of it, since the peak would never be reached; `warmup()` tells.
    pub fn new(peak: f64, warmup: u64, total: u64) -> Self {
        let warmup = if warmup < total { warmup } else { total / 10 };
        Self { peak, warmup, total }
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
        let left = self.total.saturating_sub(step) as f64;
        self.peak * left / (self.total - self.warmup).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rises_and_falls_in_straight_lines() {
        let check = |warmup: u64, total: u64, step: u64, expected: f64| {
            let rate = Schedule::new(1.0, warmup, total).rate(step);
            assert!((rate - expected).abs() < 1e-12, "{warmup} {total} {step}: {rate}");
        };
        check(4, 12, 0, 0.25);
        check(4, 12, 3, 1.0);
        check(4, 12, 4, 1.0);
        check(4, 12, 8, 0.5);
        check(4, 12, 11, 0.125);
        check(4, 12, 12, 0.0);
        check(0, 2, 0, 1.0);
        check(0, 2, 1, 0.5);
        check(100, 20, 1, 1.0);
        assert_eq!(Schedule::new(1.0, 100, 20).warmup(), 2);
        assert_eq!(Schedule::new(1.0, 100, 5).warmup(), 0);
    }
}
