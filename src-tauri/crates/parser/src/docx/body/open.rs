//! The things that are open while a body is read: a paragraph with its run of text, a table, properties.

use crate::flow::{Block, Span, TableCell};

/// How a run of text looks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) raised: bool,
    pub(super) hidden: bool,
}

/// A paragraph in the reading.
#[derive(Default)]
pub(super) struct Open {
    pub(super) spans: Vec<Span>,
    pub(super) style: Option<String>,
    pub(super) numbering: Option<u32>,
    pub(super) level: Option<u8>,
    pub(super) outline: Option<u8>,
    /// Whether its end is a tracked deletion, so that it continues in the next paragraph.
    pub(super) joined: bool,
    /// Text boxes that hang on it.
    pub(super) after: Vec<Block>,
    pub(super) run: Run,
}

/// A table in the reading.
#[derive(Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Vec<TableCell>>,
    pub(super) row: Vec<TableCell>,
    pub(super) deleted: bool,
}

/// Where in a paragraph's or a row's properties the reading is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Within {
    #[default]
    Text,
    Paragraph,
    Run,
    Row,
}
