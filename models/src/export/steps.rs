//! How far an export is, and why it ended early.

use crate::jobs::control::{ControlFile, Wish};
use crate::jobs::events::EventLog;
use crate::jobs::progress::Progress;
use crate::{Error, Result};
use lexforge_domain::Code;

/// Why the making of an export ended early.
pub(super) enum Ended {
    /// The user stopped it.
    Wish,
    Failure(Error),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        // A step that is told to stop can report it only as this error.
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
    pub(super) progress: Progress<'a>,
    pub(super) stage: &'static str,
    pub(super) done: u64,
    pub(super) of: u64,
}

impl Steps<'_> {
    pub(super) fn begin(&mut self, stage: &'static str, of: usize) {
        (self.stage, self.done, self.of) = (stage, 0, of as u64);
        self.progress.begin();
    }

    /// One step more, if the user lets it.
    pub(super) fn step(&mut self) -> Result<()> {
        if self.control.wish(self.events, self.done)? == Wish::Stop {
            return Err(Error::told(Code::Cancelled, "Stopped.", ""));
        }
        self.done += 1;
        self.progress.tell(self.stage, self.done, self.of, None)
    }
}
