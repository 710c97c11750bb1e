//! The parts of a package that are read.

/// The parts of a document that are read, as XML.
#[derive(Debug, Default)]
pub struct Parts {
    /// The text.
    pub document: String,
    /// Styles.
    pub styles: Option<String>,
    /// Definitions of numberings.
    pub numbering: Option<String>,
    /// Footnotes.
    pub footnotes: Option<String>,
    /// Endnotes.
    pub endnotes: Option<String>,
    /// Title, author and dates.
    pub core: Option<String>,
}
