//! Part of a long list.

use serde::{Deserialize, Serialize};

/// Part of a long list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rows<T> {
    /// The rows asked for.
    pub rows: Vec<T>,
    /// How many match the filter in all.
    pub total: u64,
}
