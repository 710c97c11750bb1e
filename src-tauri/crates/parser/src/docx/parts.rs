//! The parts of a package that are read.

/// The parts of a document that are read, as XML.
#[derive(Debug, Default)]
pub struct Parts {
    /// The text.
    pub document: String,
    pub styles: Option<String>,
    /// Definitions of numberings.
    pub numbering: Option<String>,
    pub footnotes: Option<String>,
    pub endnotes: Option<String>,
    /// Title, author and dates.
    pub core: Option<String>,
}
