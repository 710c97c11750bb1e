//! What a training run is doing.

use crate::tags::{read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

tagged!(RunState);
read_by_tag!(RunState);

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RunState {
    /// Made, not yet started.
    Queued,
    /// A worker was started and has not said anything yet. On a busy machine this takes a while.
    Starting,
    /// A worker holds the bundle.
    Running,
    /// A worker holds the bundle and waits.
    Paused,
    /// Stopped with a checkpoint; can be resumed.
    Stopped,
    /// The worker ended without a result; can be resumed.
    Died,
    /// The worker said why it failed; can be resumed once that is mended.
    Failed,
    /// Done.
    Finished,
    /// What became of it cannot be found out now: it runs elsewhere, or its disk does not answer.
    Unknown,
    /// It was sent to another machine, and somebody chose to follow it no more. What it left there stays there.
    Unfollowed,
}

impl RunState {
    /// Whether `resume` makes sense.
    pub fn resumable(self) -> bool {
        matches!(
            self,
            Self::Queued | Self::Stopped | Self::Died | Self::Failed | Self::Unfollowed
        )
    }
}
