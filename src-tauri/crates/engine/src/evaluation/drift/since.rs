//! How long ago something was done, for tasks that are repeated after some days.

use std::time::{Duration, Instant, SystemTime};

/// A moment by two clocks. The monotonic clock stops while the machine sleeps, and the system clock may be set back. So
/// of the two times since this moment the longer one is used.
#[derive(Clone, Copy, Debug)]
pub struct Since {
    steady: Instant,
    wall: SystemTime,
}

impl Since {
    /// This moment.
    pub fn now() -> Self {
        Self {
            steady: Instant::now(),
            wall: SystemTime::now(),
        }
    }

    /// How much time has passed since then, with the time that the machine slept.
    pub fn passed(&self) -> Duration {
        // A clock that was set back to before that moment shows nothing.
        let wall = self.wall.elapsed().unwrap_or_default();
        wall.max(self.steady.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn sleep_counts_and_a_clock_that_is_set_back_hides_nothing() {
        let now = Since::now();
        assert!(now.passed() < HOUR);
        // The machine slept: the clock on the wall went on alone.
        let slept = Since {
            wall: now.wall - 2 * HOUR,
            ..now
        };
        assert!(slept.passed() >= 2 * HOUR);
        // The clock on the wall was set back: it shows a time before the moment.
        let set_back = Since {
            wall: now.wall + 2 * HOUR,
            ..now
        };
        std::thread::sleep(Duration::from_millis(2));
        let passed = set_back.passed();
        assert!(
            passed >= Duration::from_millis(2) && passed < HOUR,
            "{passed:?}"
        );
    }
}
