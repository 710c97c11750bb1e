//! Names that look like each other.

use serde::{Deserialize, Serialize};

/// What is known about a person whose name looks like that of a known person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LookAlike {
    /// Nobody has said so; the user is asked.
    #[default]
    Ask,
    /// The person who is there.
    Same,
    /// Another person.
    Another,
}
