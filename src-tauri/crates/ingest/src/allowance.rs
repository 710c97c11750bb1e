//! The time that a child process may take. On a busy machine a child may get hardly any processor time, so the clock
//! does not show how much it has worked. So its processor time is limited, if the system reports it, and otherwise the
//! time by the clock. In any case there is a final limit by the clock.

use std::time::{Duration, Instant};

/// After this many times its allowed time by the clock, a child is ended in any case: it may be waiting for ever.
const PATIENCE: u32 = 10;
/// The same limit if the system does not report the processor time.
const PATIENCE_BY_CLOCK: u32 = 3;
/// Linux counts processor time for other programs in hundredths of a second.
#[cfg(target_os = "linux")]
const TICKS_A_SECOND: u64 = 100;

/// The time that a child may take, counted from a certain moment.
pub(crate) struct Allowance {
    pid: u32,
    allowed: Duration,
    began: Instant,
    /// The processor time that it had used before; `None` if the system does not report it.
    before: Option<Duration>,
}

impl Allowance {
    pub(crate) fn new(pid: u32, allowed: Duration) -> Self {
        Self {
            pid,
            allowed,
            began: Instant::now(),
            before: used(pid),
        }
    }

    /// Allows the child this time, counted from now.
    pub(crate) fn renew(&mut self, allowed: Duration) {
        *self = Self::new(self.pid, allowed);
    }

    pub(crate) fn allowed(&self) -> Duration {
        self.allowed
    }

    pub(crate) fn is_spent(&self) -> bool {
        let elapsed = self.began.elapsed();
        // The system is asked only where its answer may matter.
        elapsed >= self.allowed && {
            let now = self.before.zip(used(self.pid));
            let used = now.map(|(before, now)| now.saturating_sub(before));
            is_spent(self.allowed, used, elapsed)
        }
    }
}

/// Whether a child process has used up its time. `used` is its processor time, if known; `elapsed` is the time by the
/// clock. Several threads together can use more processor time than `elapsed`. So `elapsed` must have reached the
/// limit, too.
fn is_spent(allowed: Duration, used: Option<Duration>, elapsed: Duration) -> bool {
    let (had, patience) = match used {
        Some(used) => (used >= allowed, PATIENCE),
        None => (false, PATIENCE_BY_CLOCK),
    };
    (had && elapsed >= allowed) || elapsed >= allowed.saturating_mul(patience)
}

/// Processor time that all threads of a process have used.
#[cfg(target_os = "linux")]
fn used(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    ticks(&stat).map(|ticks| Duration::from_millis(ticks * 1000 / TICKS_A_SECOND))
}

#[cfg(not(target_os = "linux"))]
fn used(_pid: u32) -> Option<Duration> {
    None
}

/// The time in the program and the time in the system for it. The program's name, in brackets, may hold anything.
#[cfg(target_os = "linux")]
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_over_when_it_was_used_or_in_the_end() {
        let seconds = Duration::from_secs;
        for (used, elapsed, is) in [
            (Some(0), 59, false),
            (Some(59), 599, false),
            (Some(0), 600, true),
            (Some(60), 60, true),
            // Two threads at once.
            (Some(110), 59, false),
            (None, 60, false),
            (None, 179, false),
            (None, 180, true),
        ] {
            let over = is_spent(seconds(60), used.map(seconds), seconds(elapsed));
            assert_eq!(over, is, "{used:?} used in {elapsed} s");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_name_of_a_program_does_not_move_the_times() {
        let line = "7 (a) b (c)) S 1 7 7 0 -1 4194560 90 0 0 0 12 30 5 6 20 0 2 0 9 1 1";
        assert_eq!(ticks(line), Some(42));
        assert_eq!(ticks("7 (a) S 1 7"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_that_waits_uses_no_time_and_one_that_spins_does() {
        use std::process::{Child, Command};
        struct Ended(Child);
        impl Drop for Ended {
            fn drop(&mut self) {
                let _ = self.0.kill();
                let _ = self.0.wait();
            }
        }
        let start = |script: &str| {
            let child = Command::new("sh").args(["-c", script]).spawn();
            Ended(child.expect("a shell"))
        };
        let time = Duration::from_millis(200);
        for waits in ["exec sleep 60", "kill -STOP $$"] {
            let child = start(waits);
            let began = Instant::now();
            let allowance = Allowance::new(child.0.id(), time);
            while !allowance.is_spent() {
                std::thread::sleep(Duration::from_millis(20));
            }
            assert!(began.elapsed() >= time * PATIENCE, "{waits}");
            assert!(used(child.0.id()).is_some_and(|u| u < time), "{waits}");
        }
        let child = start("while :; do :; done");
        let allowance = Allowance::new(child.0.id(), time);
        while used(child.0.id()).is_some_and(|u| u < time) {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Whatever the clock says, the time was had.
        std::thread::sleep(time.saturating_sub(allowance.began.elapsed()));
        std::thread::sleep(Duration::from_millis(20));
        assert!(allowance.is_spent());
    }
}
