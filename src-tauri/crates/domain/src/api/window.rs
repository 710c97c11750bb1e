//! Messages that the shell sends to the window without being asked.

use super::{RunRow, SshQuestion, Task};
use crate::id::RunId;
use crate::protocol::JobEvent;
use serde::{Deserialize, Serialize};

/// Messages that the shell sends to the window, under the event name `lexforge`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Notice {
    /// A background job began, went on or ended.
    Task {
        /// The job.
        task: Task,
    },
    /// A run's state changed.
    Run {
        /// The run.
        run: RunRow,
    },
    /// A run's worker said something.
    RunEvent {
        /// The run.
        id: RunId,
        /// What it said.
        event: JobEvent,
    },
    /// Questions of `ssh` that nobody has answered yet, oldest first.
    Ssh {
        /// All questions.
        questions: Vec<SshQuestion>,
    },
    /// Rows of the workspace changed; the window reloads what it shows.
    Changed,
}

/// How the process of the window's page ended, so that the page had to be loaded again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageEnd {
    /// It crashed, by its own fault or because something else ended it.
    Crashed,
    /// It took more memory than allowed.
    OutOfMemory,
}
