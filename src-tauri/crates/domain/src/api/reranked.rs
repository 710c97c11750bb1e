//! How an answer names the cross-encoder that put its clauses in order, and why one is not in use.

use crate::id::RunId;
use serde::{Deserialize, Serialize};

/// A cross-encoder that puts the first clauses in order, as an answer names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RerankName {
    /// The run that tuned it.
    pub run: RunId,
    /// SHA-256 of its adapter, hexadecimal.
    pub adapter: String,
    /// How much its score counts beside the order that the clauses had before, in hundredths.
    pub percent: u8,
    /// How many clauses it puts in order.
    pub first: u32,
}

/// Why a cross-encoder is not in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RerankGap {
    /// It was never measured in this workspace.
    NotMeasured,
    /// It was measured with another search: vectors of other documents, another ranker, or other words.
    OtherSearch,
    /// Its run, its model or the program that computes is not available now.
    Gone,
    /// The clauses are not better in order with it than without.
    NotBetter,
}
