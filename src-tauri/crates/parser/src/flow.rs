//! Documents without fixed pages (web pages, word processor documents, Markdown). Their paragraphs, tables and notes
//! become lines that the structure stage treats like any others. So numbering means the same in every format.

mod columns;
mod piece;
mod span;

use crate::layout::{Cell, Line, Role};
use crate::structure::assemble::assemble;
use columns::{Columns, Reaching};
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, DocumentWarning, ParsedDocument,
};
use lexforge_ingest::error::IngestError;
use lexforge_ingest::numbering::{Scheme, label};
use lexforge_text::fold::spaced;
use piece::{Piece, breaks_between};
pub use span::Span;

/// A document with more characters is refused: no regulation is so long, and the parser's memory would not hold it.
const MOST_CHARACTERS: usize = 20_000_000;
/// A paragraph with more characters is a clause, even in the style of a heading.
const HEADING: usize = 240;
/// Cells of more paragraphs than this arrange a page, not a table.
const CELL_PARAGRAPHS: usize = 4;
/// Columns that a level of a list is set in.
const INDENT: usize = 4;

#[derive(Clone, Debug, Default)]
pub struct Paragraph {
    /// Its text.
    pub spans: Vec<Span>,
    /// The role that the file gives it.
    pub role: Role,
    /// The number or bullet that the file computes for it.
    pub label: Option<String>,
    /// How deep in lists it stands.
    pub depth: usize,
    /// It continues the note before.
    pub goes_on: bool,
}

/// A piece of a flowing document.
#[derive(Clone, Debug)]
pub enum Block {
    Paragraph(Paragraph),
    /// A table: rows of cells.
    Table(Vec<Vec<TableCell>>),
    /// Text whose lines are set as they are.
    Preformatted(String),
    /// A new page begins.
    NewPage,
}

#[derive(Clone, Debug)]
pub struct TableCell {
    pub blocks: Vec<Block>,
    /// Rows that it takes, from 1.
    pub rows: u32,
    /// Columns that it takes, from 1.
    pub columns: u32,
    /// The file says that it heads a column or a row.
    pub head: bool,
}

impl From<Vec<Block>> for TableCell {
    fn from(blocks: Vec<Block>) -> Self {
        Self {
            blocks,
            rows: 1,
            columns: 1,
            head: false,
        }
    }
}

/// The content of a document without fixed pages.
#[derive(Debug, Default)]
pub struct Flow {
    /// Its blocks in reading order.
    pub blocks: Vec<Block>,
    /// The title that the file bears apart from its text.
    pub title: Option<String>,
    /// Facts that the file states about the document apart from its text.
    pub metadata: DocumentMetadata,
    /// Warnings for the user.
    pub warnings: Vec<DocumentWarning>,
}

impl Flow {
    /// Makes the document.
    ///
    /// # Errors
    /// When there is no text, or too much.
    pub fn document(
        self,
        stem: &str,
        format: DocumentFormat,
    ) -> Result<ParsedDocument, IngestError> {
        let mut lines = Lines::default();
        for block in self.blocks {
            lines.block(block, 0)?;
        }
        let pages = lines.finish();
        if pages.iter().all(Vec::is_empty) {
            return Err(IngestError::NoText(
                "no text: the document holds nothing but blanks".to_owned(),
            ));
        }
        let mut assembled = assemble(pages);
        let given = self.title.as_deref().map(spaced).filter(|t| is_title(t));
        assembled.title = assembled.title.or(given);
        Ok(ParsedDocument {
            metadata: self.metadata,
            ..assembled.without_places(stem, format, self.warnings)
        })
    }
}

/// A warning of characters that were left out because the document strikes them out; none if there are none.
pub(crate) fn struck_out(characters: usize) -> Option<DocumentWarning> {
    (characters > 0).then(|| DocumentWarning {
        code: "hidden_text".to_owned(),
        page: None,
        message: format!("{characters} characters that are struck out were left out."),
    })
}

/// Refuses texts that are too long for the parser's memory.
///
/// # Errors
/// When there are more than twenty million characters.
pub fn check_length(characters: usize) -> Result<(), IngestError> {
    if characters > MOST_CHARACTERS {
        return Err(IngestError::TooLarge(format!(
            "the document has more than {} million characters",
            MOST_CHARACTERS / 1_000_000
        )));
    }
    Ok(())
}

/// The text names a document and not a program's default.
fn is_title(text: &str) -> bool {
    let lower = text.to_lowercase();
    let machine = [
        ".doc",
        ".pdf",
        ".htm",
        ".xml",
        "microsoft word",
        "untitled",
        "无标题",
    ];
    text.chars().filter(|c| c.is_alphabetic()).count() >= 4
        && !machine.iter().any(|m| lower.contains(m))
}

#[derive(Default)]
struct Lines {
    pages: Vec<Vec<Line>>,
    lines: Vec<Line>,
    notes: Vec<Line>,
    row: usize,
    characters: usize,
    /// Tables met so far.
    tables: u32,
    /// The number of the present table.
    table: u32,
    /// Rows of the present table so far.
    rows: u32,
    columns: Columns,
    /// Cells of the present table that reach into the rows to come.
    reaching: Reaching,
}

impl Lines {
    fn page(&self) -> u32 {
        u32::try_from(self.pages.len() + 1).unwrap_or(u32::MAX)
    }

    fn new_page(&mut self) {
        let mut page = std::mem::take(&mut self.lines);
        page.append(&mut self.notes);
        for (row, line) in page.iter_mut().enumerate() {
            line.baseline = 2.4 * row as f32;
        }
        self.pages.push(page);
        self.reaching.clear();
        self.row = 0;
    }

    fn finish(mut self) -> Vec<Vec<Line>> {
        self.new_page();
        self.pages
    }

    fn block(&mut self, block: Block, depth: usize) -> Result<(), IngestError> {
        match block {
            Block::Paragraph(paragraph) => self.paragraph(&paragraph),
            Block::Table(rows) => {
                self.tables += 1;
                // Each table counts its rows from 0, and one within a cell leaves the counts of the table around it.
                let (number, page) = (self.table, self.pages.len());
                let columns = std::mem::take(&mut self.columns);
                let counts = (
                    std::mem::take(&mut self.rows),
                    std::mem::take(&mut self.reaching),
                );
                self.table = self.tables;
                for row in rows {
                    self.row(row, depth)?;
                }
                (self.table, self.columns) = (number, columns);
                (self.rows, self.reaching) = counts;
                if self.pages.len() > page {
                    // The lines of these cells are on a page that has ended.
                    self.reaching.clear();
                }
                Ok(())
            }
            Block::Preformatted(text) => self.preformatted(&text),
            Block::NewPage => {
                self.new_page();
                Ok(())
            }
        }
    }

    fn preformatted(&mut self, text: &str) -> Result<(), IngestError> {
        self.characters += text.len();
        check_length(self.characters)?;
        for line in text.lines() {
            self.row += 1;
            if !line.trim().is_empty() {
                self.lines.push(Line::plain(self.page(), self.row, line));
            }
        }
        self.row += 1;
        Ok(())
    }

    fn paragraph(&mut self, paragraph: &Paragraph) -> Result<(), IngestError> {
        let mut first = true;
        let mut pieces = vec![Piece::default()];
        if let Some(label) = computed_label(paragraph) {
            pieces[0].push_text(&label, false, None);
            // 第八条 has a blank after it, 一、 has none.
            if !label.ends_with(['、', '．', '）']) {
                pieces[0].push(' ', false, None);
            }
        }
        for span in &paragraph.spans {
            if span.new_page {
                pieces.push(Piece {
                    new_page: true,
                    ..Piece::default()
                });
            }
            for (i, part) in span.text.split('\n').enumerate() {
                if i > 0 {
                    pieces.push(Piece {
                        line_break: true,
                        ..Piece::default()
                    });
                }
                if let Some(piece) = pieces.last_mut() {
                    piece.push_text(part, span.raised, Some((span.bold, span.italic)));
                }
            }
        }
        let letters: usize = pieces.iter().map(|p| p.chars.len()).sum();
        self.characters += letters;
        check_length(self.characters)?;
        let role = match paragraph.role {
            Role::Heading(_) if letters > HEADING => Role::Body,
            Role::Unknown => Role::Body,
            role => role,
        };
        // A line that continues an item is at the place of the item's text.
        let column = paragraph.depth.min(16) * INDENT;
        let continued = paragraph.depth > 0 && paragraph.label.is_none() && role == Role::Body;
        let column = if continued {
            column + INDENT - 1
        } else {
            column
        };
        let mut before: Option<String> = None;
        for piece in pieces {
            if piece.new_page && role != Role::Note {
                self.new_page();
            }
            let text: String = piece.chars.iter().map(|c| c.0).collect();
            if text.trim().is_empty() {
                continue;
            }
            let breaks = match &before {
                None => !paragraph.goes_on || !first,
                Some(before) => {
                    piece.line_break && role != Role::Note && breaks_between(before, &text)
                }
            };
            let line = piece.line(self.page(), self.row, column, role, breaks);
            (if role == Role::Note {
                &mut self.notes
            } else {
                &mut self.lines
            })
            .push(line);
            self.row += 1;
            first = false;
            before = Some(text);
        }
        Ok(())
    }

    /// Adds a row of a table. The row becomes plain text if only one of its cells has text, or if its first cell holds
    /// only a number. Such a table only arranges paragraphs.
    fn row(&mut self, cells: Vec<TableCell>, depth: usize) -> Result<(), IngestError> {
        let spans: Vec<(u32, u32)> = cells.iter().map(|c| (c.rows, c.columns)).collect();
        let places = self.columns.row(&spans);
        let heads: Vec<bool> = cells.iter().map(|c| c.head).collect();
        let mut texts: Vec<String> = Vec::new();
        let mut filled: Vec<Vec<Block>> = Vec::new();
        let mut paragraphs = 0;
        let mut pages = 0;
        for TableCell { blocks: cell, .. } in cells {
            let mut parts = Vec::new();
            texts_of(&cell, &mut parts, &mut pages, 0);
            texts.push(parts.join(" "));
            if !parts.is_empty() {
                paragraphs = paragraphs.max(parts.len());
                filled.push(cell);
            }
        }
        let arranged = filled.len() == 1 || (paragraphs > CELL_PARAGRAPHS && depth < 24);
        let number = texts
            .iter()
            .find(|t| !t.is_empty())
            .filter(|t| filled.len() == 2 && is_label(t))
            .cloned();
        self.reaching
            .pass(&mut self.lines, arranged || number.is_some());
        if arranged {
            for cell in filled {
                for block in cell {
                    self.block(block, depth + 1)?;
                }
            }
        } else if let Some(number) = number {
            let mut blocks = filled.pop().unwrap_or_default().into_iter();
            let mut pending = Some(number);
            for block in &mut blocks {
                match (block, pending.take()) {
                    (Block::Paragraph(mut p), Some(number)) if !is_blank(&p) => {
                        p.label = None;
                        p.role = if matches!(p.role, Role::Heading(_)) {
                            p.role
                        } else {
                            Role::Body
                        };
                        p.spans.insert(
                            0,
                            Span {
                                text: format!("{number} "),
                                bold: is_bold(&p),
                                ..Span::default()
                            },
                        );
                        self.paragraph(&p)?;
                    }
                    (Block::Paragraph(_), number) if number.is_some() => pending = number,
                    (block, number) => {
                        if let Some(number) = number {
                            let span = Span {
                                text: number,
                                ..Span::default()
                            };
                            self.paragraph(&Paragraph {
                                spans: vec![span],
                                ..Paragraph::default()
                            })?;
                        }
                        self.block(block, depth + 1)?;
                    }
                }
            }
        } else {
            for (i, text) in texts.iter().enumerate().filter(|(_, t)| !t.is_empty()) {
                self.characters += text.len();
                check_length(self.characters)?;
                let mut line = Line::plain(self.page(), self.row, text);
                let (column, columns) = places[i];
                line.cell = Some(Cell {
                    rows: spans[i].0,
                    columns,
                    ..Cell::single(self.table, self.rows, column)
                });
                line.bold = heads[i];
                line.role = Role::Body;
                self.reaching.add(self.lines.len(), spans[i].0);
                self.lines.push(line);
                self.row += 1;
            }
            self.rows += 1;
            for _ in 0..pages {
                self.new_page();
            }
        }
        Ok(())
    }
}

fn is_blank(paragraph: &Paragraph) -> bool {
    paragraph.spans.iter().all(|s| s.text.trim().is_empty())
}

fn is_bold(paragraph: &Paragraph) -> bool {
    let mut filled = paragraph.spans.iter().filter(|s| !s.text.trim().is_empty());
    filled.all(|s| s.bold)
}

/// The label that goes before the paragraph: none where its text begins with one of its own.
fn computed_label(paragraph: &Paragraph) -> Option<String> {
    let given = paragraph.label.as_ref().filter(|l| !l.trim().is_empty())?;
    let text: String = paragraph.spans.iter().map(|s| s.text.as_str()).collect();
    let chars: Vec<char> = text.trim().chars().take(80).collect();
    let bullet = !given.chars().any(char::is_alphanumeric);
    let own = (!chars.is_empty()).then(|| label(&chars, true)).flatten();
    (!(bullet && own.is_some_and(|l| l.scheme != Scheme::Decimal(2)))).then(|| given.clone())
}

/// The text is a number or a bullet and nothing else.
fn is_label(text: &str) -> bool {
    let chars: Vec<char> = text.trim().chars().collect();
    if chars.is_empty() || chars.len() > 12 {
        return false;
    }
    let whole: Vec<char> = chars.iter().copied().chain(" Xx".chars()).collect();
    label(&whole, false).is_some_and(|l| l.is_marker() && l.len == chars.len() + 1)
}

/// The texts of the paragraphs in a cell.
fn texts_of(blocks: &[Block], out: &mut Vec<String>, pages: &mut usize, depth: usize) {
    for block in blocks {
        match block {
            Block::Paragraph(p) => {
                let mut text = computed_label(p)
                    .map(|l| format!("{l} "))
                    .unwrap_or_default();
                for span in &p.spans {
                    *pages += usize::from(span.new_page);
                    text.push_str(&span.text);
                }
                let text = spaced(&text);
                if !text.is_empty() {
                    out.push(text);
                }
            }
            // Deeper tables than any reader could follow are cut off by the formats' own limits.
            Block::Table(rows) if depth < 64 => {
                rows.iter()
                    .flatten()
                    .for_each(|cell| texts_of(&cell.blocks, out, pages, depth + 1));
            }
            Block::Table(_) => {}
            Block::Preformatted(text) => out.extend(
                text.lines()
                    .map(|l| l.trim().to_owned())
                    .filter(|l| !l.is_empty()),
            ),
            Block::NewPage => *pages += 1,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
