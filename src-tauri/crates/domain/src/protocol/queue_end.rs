//! How a scheduler ended a job, or why it put it back into its queue.

use serde::{Deserialize, Serialize};

/// How a scheduler ended a job, or why it put it back into its queue. None of these is a failure of the training.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum QueueEnd {
    /// Somebody took it out of the queue.
    Cancelled {
        /// The name of that user; empty where the cluster does not say.
        by: String,
    },
    /// Its time limit was reached, or is about to be.
    TimeLimit,
    /// Other jobs needed its place in the queue.
    Preempted,
    /// The machine that it ran on failed.
    NodeFailed,
    /// It needed more memory than allowed.
    OutOfMemory,
    /// Somebody put it back into the queue.
    Requeued,
    /// Twice in a row its time limit came before it made a step, so that it was not put back once more.
    NoProgress,
}
