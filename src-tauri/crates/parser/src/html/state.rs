//! What is open while a page is read, and how its text becomes paragraphs, rows and tables.

use super::elements::Kind;
use super::lists::{Countdowns, List};
use crate::flow::{Block, Paragraph, Span, TableCell};
use crate::layout::Role;

/// An open element.
pub(super) struct Open {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) main: bool,
    pub(super) note: bool,
}

/// A table that is open, and where its paragraphs go.
#[derive(Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Vec<TableCell>>,
    pub(super) row: Option<Vec<TableCell>>,
    pub(super) cell: Option<TableCell>,
    /// Elements that were open when it began: what is opened in it ends with it.
    pub(super) depth: usize,
}

/// An element whose content is left out.
pub(super) struct Skip {
    pub(super) name: String,
    pub(super) depth: usize,
    pub(super) hidden: bool,
    pub(super) struck: bool,
    pub(super) furniture: bool,
}

pub(super) struct State {
    pub(super) furniture: bool,
    pub(super) blocks: Vec<Block>,
    pub(super) main: Vec<bool>,
    pub(super) title: String,
    pub(super) in_title: bool,
    pub(super) open: Vec<Open>,
    pub(super) tables: Vec<Table>,
    pub(super) lists: Vec<List>,
    pub(super) countdowns: Countdowns,
    pub(super) skip: Option<Skip>,
    pub(super) hidden: usize,
    /// Characters that are struck out.
    pub(super) struck: usize,
    pub(super) spans: Vec<Span>,
    pub(super) bold: usize,
    pub(super) italic: usize,
    pub(super) raised: usize,
    pub(super) label: Option<String>,
    pub(super) term: String,
    pub(super) preformatted: Option<String>,
    pub(super) too_deep: bool,
    pub(super) ended_skipping: bool,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            furniture: true,
            blocks: Vec::new(),
            main: Vec::new(),
            title: String::new(),
            in_title: false,
            open: Vec::new(),
            tables: Vec::new(),
            lists: Vec::new(),
            countdowns: Countdowns::default(),
            skip: None,
            hidden: 0,
            struck: 0,
            spans: Vec::new(),
            bold: 0,
            italic: 0,
            raised: 0,
            label: None,
            term: String::new(),
            preformatted: None,
            too_deep: false,
            ended_skipping: false,
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some(skip) = &self.skip {
            let seen = text.chars().filter(|c| !c.is_whitespace()).count();
            self.hidden += if skip.hidden { seen } else { 0 };
            self.struck += if skip.struck { seen } else { 0 };
        } else if self.in_title {
            self.title.push_str(text);
        } else if let Some(pre) = &mut self.preformatted {
            pre.push_str(text);
        } else if self
            .tables
            .last()
            .is_none_or(|t| t.cell.is_some() || !text.trim().is_empty())
        {
            // A line feed in the source is a blank; a line break has an element of its own.
            let text = text.replace(['\n', '\r'], " ");
            let (bold, italic, raised) = (self.bold > 0, self.italic > 0, self.raised > 0);
            Span::add(&mut self.spans, &text, bold, italic, raised);
        }
    }

    pub(super) fn pop(&mut self) {
        let Some(open) = self.open.pop() else { return };
        match open.kind {
            Kind::List(_) => drop(self.lists.pop()),
            Kind::Item => self.label = None,
            Kind::Cell => self.end_cell(),
            Kind::Row => self.end_row(),
            Kind::Table => self.end_table(),
            Kind::Preformatted => self.end_preformatted(),
            _ => {}
        }
    }

    pub(super) fn open_row(&mut self) {
        self.end_cell();
        if let Some(table) = self.tables.last_mut() {
            table.row.get_or_insert_default();
        }
    }

    pub(super) fn end_cell(&mut self) {
        if let Some(table) = self.tables.last_mut()
            && let Some(cell) = table.cell.take()
        {
            table.row.get_or_insert_default().push(cell);
        }
    }

    pub(super) fn end_row(&mut self) {
        self.end_cell();
        if let Some(table) = self.tables.last_mut()
            && let Some(row) = table.row.take()
        {
            table.rows.push(row);
        }
    }

    pub(super) fn end_table(&mut self) {
        self.end_row();
        if let Some(table) = self.tables.pop()
            && !table.rows.is_empty()
        {
            self.put(Block::Table(table.rows));
        }
    }

    pub(super) fn end_preformatted(&mut self) {
        if let Some(text) = self.preformatted.take()
            && !text.trim().is_empty()
        {
            self.put(Block::Preformatted(text));
        }
    }

    pub(super) fn push_break(&mut self) {
        let (bold, italic) = (self.bold > 0, self.italic > 0);
        match self.spans.last_mut() {
            Some(span) => span.text.push('\n'),
            None => self.spans.push(Span {
                text: "\n".to_owned(),
                bold,
                italic,
                ..Span::default()
            }),
        }
    }

    /// Ends the paragraph in hand.
    pub(super) fn flush(&mut self) {
        if let Some(text) = self.preformatted.take() {
            // A block within preformatted text: what stood before it is kept.
            if !text.trim().is_empty() {
                self.put(Block::Preformatted(text));
            }
            self.preformatted = Some(String::new());
        }
        let spans = std::mem::take(&mut self.spans);
        if spans.iter().all(|s| s.text.trim().is_empty()) {
            return;
        }
        let mut role = Role::Body;
        let mut in_note = false;
        for open in self.open.iter().rev() {
            match open.kind {
                Kind::Heading(level) => {
                    role = Role::Heading(level);
                    break;
                }
                Kind::Term => {
                    self.term.extend(spans.iter().map(|s| s.text.as_str()));
                    return;
                }
                Kind::Definition if !self.term.is_empty() => {
                    let term = std::mem::take(&mut self.term);
                    let mut all = vec![Span {
                        text: format!("{}: ", term.trim()),
                        ..Span::default()
                    }];
                    all.extend(spans);
                    let depth = self.lists.len();
                    self.put(Block::Paragraph(Paragraph {
                        spans: all,
                        role: Role::Definition,
                        depth,
                        ..Paragraph::default()
                    }));
                    return;
                }
                Kind::Item => {
                    role = if self.label.is_some() {
                        Role::Item
                    } else {
                        Role::Body
                    };
                    break;
                }
                Kind::Cell | Kind::Table => break,
                _ => {}
            }
        }
        for open in &self.open {
            in_note |= open.note;
        }
        if in_note && !matches!(role, Role::Heading(_)) {
            role = Role::Note;
        }
        let label = if matches!(role, Role::Heading(_)) {
            None
        } else {
            self.label.take()
        };
        let depth = self.lists.len();
        self.put(Block::Paragraph(Paragraph {
            spans,
            role,
            label,
            depth,
            goes_on: false,
        }));
    }

    pub(super) fn put(&mut self, block: Block) {
        let in_main = self.open.iter().any(|o| o.main);
        match self.tables.last_mut() {
            Some(table) => match (&mut table.cell, &mut table.row) {
                (Some(cell), _) => cell.blocks.push(block),
                // Text between rows and cells, such as a caption, stands in a row of its own.
                (None, _) => table.rows.push(vec![vec![block].into()]),
            },
            None => {
                self.blocks.push(block);
                self.main.push(in_main);
            }
        }
    }
}
