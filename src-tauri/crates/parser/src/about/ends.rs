//! The parts of a document in which it speaks of itself.

/// The parts of a document in which it speaks of itself.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    pub title: String,
    /// Lines of its first page.
    pub first: Vec<String>,
    /// Running heads and feet of its first pages.
    pub running: Vec<String>,
    /// Text of its last pages.
    pub last: String,
}
