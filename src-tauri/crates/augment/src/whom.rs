//! What a rule may bind, and what stands around it.

/// Whom a rule binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addressee {
    /// A legislator, an authority, a court.
    Public,
    /// Somebody else who acts.
    Other,
    /// It names nobody who acts.
    Nobody,
}

/// What stands around a rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// The headings above it.
    pub headings: &'a [&'a str],
    /// Whom the sentence before it in the same article binds: "it" is the same.
    pub before: Option<Addressee>,
    /// Whether its document names a public board, see [`crate::names_public_board`].
    pub public_board: bool,
}
