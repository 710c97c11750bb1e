//! The actors that a rule may bind, and the text around a rule.

/// Whom a rule binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addressee {
    /// A legislator, an authority, a court.
    Public,
    /// Somebody else who acts.
    Other,
    /// The rule names no actor.
    Nobody,
}

/// The text around a rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// The headings above it.
    pub headings: &'a [&'a str],
    /// The addressee of the sentence before it in the same article, to whom "it" refers.
    pub before: Option<Addressee>,
    /// Whether its document names a public board, see [`crate::names_public_board`].
    pub public_board: bool,
}
