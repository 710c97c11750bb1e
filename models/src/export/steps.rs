//! How far an export is, and why it ended early.

use crate::jobs::control::{ControlFile, Wish};
use crate::jobs::events::EventLog;
use crate::platform::resident_mb;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::Event;
use std::time::{Duration, Instant};

/// Why the making of an export ended early.
pub(super) enum Ended {
    /// The user stopped it.
    Wish,
    Failure(Error),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        // A step that may go on no longer says so in the only way that it has.
        match error {
            Error::Told(failure) if failure.code == Code::Cancelled => Self::Wish,
            error => Self::Failure(error),
        }
    }
}

/// How far an export is.
pub(super) struct Steps<'a> {
    pub(super) events: &'a EventLog,
    pub(super) control: &'a ControlFile,
    pub(super) began: Instant,
    pub(super) reported: Option<Instant>,
    pub(super) stage: &'static str,
    pub(super) done: u64,
    pub(super) of: u64,
}

impl Steps<'_> {
    pub(super) fn begin(&mut self, stage: &'static str, of: usize) {
        (self.stage, self.done, self.of, self.reported) = (stage, 0, of as u64, None);
    }

    /// One step more, if the user lets it.
    pub(super) fn step(&mut self) -> Result<()> {
        if self.control.wish(self.events, self.done)? == Wish::Stop {
            return Err(Error::told(Code::Cancelled, "Stopped.", ""));
        }
        self.done += 1;
        let due = self
            .reported
            .is_none_or(|at| at.elapsed() >= Duration::from_millis(300));
        if !due && self.done < self.of {
            return Ok(());
        }
        self.reported = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs_f64();
        self.events.write(Event::Progress {
            stage: self.stage.into(),
            step: self.done.min(self.of),
            of: self.of,
            loss: None,
            lr: None,
            tokens_per_s: None,
            memory_mb: resident_mb(),
            eta_s: Some(seconds / self.done as f64 * self.of.saturating_sub(self.done) as f64),
        })
    }
}
