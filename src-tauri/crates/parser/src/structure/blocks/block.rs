//! A block: lines that belong together, with their common properties.

use lexforge_ingest::numbering::Label;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Running text, numbered or not.
    Text,
    Heading,
    TableRow,
    Footnote,
    /// A line of a table of contents.
    Contents,
}

/// Lines that belong together.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its lines, as indices into the document's lines.
    pub lines: Vec<usize>,
    /// The label at its beginning.
    pub label: Option<Label>,
    /// Left edge of its first line, in ems.
    pub indent: f32,
    /// Distance of its first baseline from the line before on the page, in ems; none at a page's start.
    pub gap: Option<f32>,
    /// Font size as a multiple of the usual one.
    pub scale: f32,
    /// Left edge of its later lines, in ems.
    pub hang: Option<f32>,
    /// Whether it looks like a heading: bold, large, in capitals, or set apart.
    pub styled: bool,
    /// The frame of its page in which it stands.
    pub framed: Option<u32>,
    /// How prominent it looks: font size in points plus a little for weight and capitals.
    pub prominence: f32,
}

/// The facts about a block that the section tree needs in addition to its shape.
pub struct BlockText {
    pub text: String,
    /// Page on which it begins.
    pub page: u32,
    /// Whether its page is wider than high.
    pub wide: bool,
    /// Characters in bold at its beginning.
    pub bold: usize,
}
