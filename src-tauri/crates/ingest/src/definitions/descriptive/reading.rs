//! What a form of words finds in a sentence.

use std::ops::Range;

/// A term and what is said of it, as tokens of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) term: Range<usize>,
    pub(super) wording: Range<usize>,
    /// The form of words is so plain that it defines even in a sentence of duties.
    pub(super) plain: bool,
}
