//! How far a job is, told to its log: at most a few times a second, and once all of it is done.

use crate::Result;
use crate::jobs::events::EventLog;
use crate::platform::resident_mb;
use lexforge_domain::protocol::Event;
use std::time::{Duration, Instant};

/// Time between two that are told.
const EVERY: Duration = Duration::from_millis(300);

/// Reports how far a job is.
pub struct Progress<'a> {
    events: &'a EventLog,
    began: Instant,
    told: Option<Instant>,
}

impl<'a> Progress<'a> {
    /// The progress of a job that began at this time.
    pub fn new(events: &'a EventLog, began: Instant) -> Self {
        Self {
            events,
            began,
            told: None,
        }
    }

    /// A stage begins: its first step is told at once.
    pub fn begin(&mut self) {
        self.told = None;
    }

    /// Reports that `done` of `of` steps of a stage are done. `tokens` were computed for them, if tokens are counted.
    ///
    /// # Errors
    /// If events cannot be written.
    pub fn tell(&mut self, stage: &str, done: u64, of: u64, tokens: Option<u64>) -> Result<()> {
        let due = self.told.is_none_or(|at| at.elapsed() >= EVERY);
        if !due && done < of {
            return Ok(());
        }
        self.told = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs_f64();
        self.events.write(Event::Progress {
            stage: stage.into(),
            step: done.min(of),
            of,
            loss: None,
            lr: None,
            tokens_per_s: tokens.map(|n| n as f64 / seconds),
            memory_mb: resident_mb(),
            eta_s: Some(seconds / done.max(1) as f64 * of.saturating_sub(done) as f64),
        })
    }
}
