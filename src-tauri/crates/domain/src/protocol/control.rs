//! The control file of a bundle.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// A user's command to a running worker: the word in the control file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case")]
pub enum Control {
    /// Wait at the next step.
    Pause,
    /// Go on.
    Resume,
    /// Write a checkpoint at the next step and go on.
    Checkpoint,
    /// Write a checkpoint and leave.
    Stop,
}

impl Control {
    /// The word in the control file.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// The wish that a word names.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Pause, Self::Resume, Self::Checkpoint, Self::Stop]
            .into_iter()
            .find(|c| c.word() == word.trim())
    }
}
