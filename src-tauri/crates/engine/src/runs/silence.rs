//! Notices a worker that says nothing any more, although its machine counts it as running.
//!
//! A worker that lives writes an event every few seconds. A scheduler may list a job as running although no process of
//! it is left. For example, Slurm does so if a machine was lost and came back at the wrong moment.

use lexforge_compute::remote::transfer::Told;
use lexforge_domain::protocol::TargetState;
use std::time::{Duration, Instant};

/// If a worker has written no event for this long, it is reported as silent. A shorter silence may come from a busy
/// machine or a full disk.
const SILENT: Duration = Duration::from_secs(300);

/// Since when a worker that is followed has said nothing.
#[derive(Debug)]
pub(super) struct Silence {
    since: Instant,
    is_running: bool,
    is_told: bool,
}

impl Silence {
    /// `is_told`: whether an earlier follower told that the worker is silent. That stands until the worker speaks.
    pub(super) fn from(now: Instant, is_told: bool) -> Self {
        let since = if is_told {
            now.checked_sub(SILENT)
        } else {
            None
        };
        Self {
            since: since.unwrap_or(now),
            is_running: is_told,
            is_told,
        }
    }

    /// A connection was made. What the worker said while there was none is still to come.
    pub(super) fn connected(&mut self, now: Instant) {
        if !self.is_told {
            self.since = now;
        }
    }

    /// Takes what came; whether the worker is silent, where that is to be told now.
    pub(super) fn after(&mut self, told: &Told, now: Instant) -> Option<bool> {
        match told {
            Told::Events(_) => self.since = now,
            // After a lost connection the same state is told again: that is no sign of life.
            Told::State(state) if (*state == TargetState::Running) != self.is_running => {
                self.is_running = !self.is_running;
                self.since = now;
            }
            Told::State(_) | Told::Nothing => {}
        }
        let is_silent = self.is_running && now.duration_since(self.since) >= SILENT;
        let is_new = is_silent != self.is_told;
        self.is_told = is_silent;
        is_new.then_some(is_silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_says_nothing_is_told_of_once_and_until_it_speaks() {
        let began = Instant::now();
        let mut silence = Silence::from(began, false);
        let mut after =
            |told: Told, seconds: u64| silence.after(&told, began + Duration::from_secs(seconds));
        let waiting = || {
            Told::State(TargetState::Unknown {
                reason: "none".into(),
            })
        };
        // What waits has no worker that could speak.
        assert_eq!(after(waiting(), 1), None);
        assert_eq!(after(Told::Nothing, 5_000), None);
        assert_eq!(after(Told::State(TargetState::Running), 5_001), None);
        assert_eq!(after(Told::Nothing, 5_300), None);
        assert_eq!(after(Told::State(TargetState::Running), 5_301), Some(true));
        assert_eq!(after(Told::Nothing, 5_302), None);
        assert_eq!(after(Told::Events(Vec::new()), 5_303), Some(false));
        assert_eq!(after(Told::Nothing, 5_602), None);
        assert_eq!(after(Told::Nothing, 5_603), Some(true));
        assert_eq!(after(waiting(), 5_604), Some(false));
    }
    #[test]
    fn what_an_earlier_follower_told_stands_until_the_worker_speaks() {
        let began = Instant::now() + SILENT;
        let running = Told::State(TargetState::Running);
        let mut silence = Silence::from(began, true);
        silence.connected(began);
        assert_eq!(silence.after(&running, began), None);
        assert_eq!(silence.after(&Told::Nothing, began), None);
        assert_eq!(silence.after(&Told::Events(Vec::new()), began), Some(false));
    }

    #[test]
    fn the_time_without_a_connection_is_no_silence() {
        let began = Instant::now();
        let mut silence = Silence::from(began, false);
        assert_eq!(
            silence.after(&Told::State(TargetState::Running), began),
            None
        );
        let again = began + SILENT + Duration::from_secs(9);
        silence.connected(again);
        assert_eq!(silence.after(&Told::Nothing, again), None);
        assert_eq!(silence.after(&Told::Nothing, again + SILENT), Some(true));
    }
}
