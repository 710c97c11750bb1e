//! A line of text with the place of each of its characters.

use crate::reader::Glyph;
use lexforge_domain::text::Region;
use lexforge_text::is_set_solid;

/// A gap from here on in a row counts as the edge of a cell.
pub(crate) const CELL_EDGE: f32 = 1.2;

/// A character of a line and its horizontal extent in the line's frame.
#[derive(Clone, Copy, Debug)]
pub struct LineChar {
    /// The character; a space stands for a gap.
    pub ch: char,
    /// Left edge.
    pub x0: f32,
    /// Right edge.
    pub x1: f32,
    /// Set small and above the baseline.
    pub raised: bool,
    /// The page shows the capital of this small letter.
    pub capital: bool,
}

impl LineChar {
    /// A blank from one edge to the next.
    pub fn space(x0: f32, x1: f32) -> Self {
        Self {
            ch: ' ',
            x0,
            x1: x1.max(x0),
            raised: false,
            capital: false,
        }
    }
}

/// How a line's frame lies on the page: text runs rightwards in the frame, whatever it does on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Quarter turns clockwise from the page to the direction of writing.
    pub turn: u8,
    /// Width of the page.
    pub width: f32,
    /// Height of the page.
    pub height: f32,
}

impl Frame {
    /// A point of the page in the frame.
    pub fn of_page(self, x: f32, y: f32) -> (f32, f32) {
        match self.turn {
            1 => (y, self.width - x),
            2 => (self.width - x, self.height - y),
            3 => (self.height - y, x),
            _ => (x, y),
        }
    }

    /// A rectangle of the frame on the page: `(x0, y0, x1, y1)`.
    pub(crate) fn to_page(self, u0: f32, v0: f32, u1: f32, v1: f32) -> (f32, f32, f32, f32) {
        match self.turn {
            1 => (self.width - v1, u0, self.width - v0, u1),
            2 => (
                self.width - u1,
                self.height - v1,
                self.width - u0,
                self.height - v0,
            ),
            3 => (v0, self.height - u1, v1, self.height - u0),
            _ => (u0, v0, u1, v1),
        }
    }

    /// The page is much wider than high, as the frame sees it: a slide.
    pub fn is_wide(self) -> bool {
        let across = if self.turn.is_multiple_of(2) {
            self.width
        } else {
            self.height
        };
        across > 1.2 * self.extent()
    }

    /// Height of the page as the frame sees it.
    pub fn extent(self) -> f32 {
        if self.turn.is_multiple_of(2) {
            self.height
        } else {
            self.width
        }
    }
}

/// The place of a line in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The table, counted on its page.
    pub table: u32,
    /// Row in which the cell begins.
    pub row: u32,
    /// Column in which the cell begins.
    pub column: u32,
    /// Rows that it takes, from 1.
    pub rows: u32,
    /// Columns that it takes, from 1.
    pub columns: u32,
}

impl Cell {
    /// A cell of one row and one column.
    pub fn single(table: u32, row: u32, column: u32) -> Self {
        Self {
            table,
            row,
            column,
            rows: 1,
            columns: 1,
        }
    }
}

/// The role of a line, if the file states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The file does not say: place and look decide.
    #[default]
    Unknown,
    /// A paragraph; it may look like a heading by its weight, not by its place.
    Body,
    /// A heading of this level, from 1.
    Heading(u8),
    /// An item of a list.
    Item,
    /// A footnote.
    Note,
    /// A line of a table of contents.
    Contents,
    /// A term with its definition.
    Definition,
}

/// The beginning of a line that is bold or italic, whatever comes after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lead {
    /// The number of its characters; 0 if the line begins in plain type.
    pub chars: usize,
    pub bold: bool,
}

impl Lead {
    /// Counts how many characters at the beginning of a line have the same look (bold, slanted). Call it for each
    /// character, with its look and its index `at` in the line. `first` stores the look of the first character. The
    /// count grows as long as the following characters have the same look.
    pub fn take(&mut self, first: &mut Option<(bool, bool)>, look: (bool, bool), at: usize) {
        match *first {
            None if at == 0 => {
                *first = Some(look);
                if look != (false, false) {
                    *self = Self {
                        chars: 1,
                        bold: look.0,
                    };
                }
            }
            // A blank may stand between the last character of the look and this one.
            Some(of) if of == look && self.chars > 0 && self.chars + 1 >= at => self.chars = at + 1,
            _ => {}
        }
    }
}

/// A line of text, or a row of table cells that stand on one baseline.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Page, from 1.
    pub page: u32,
    /// Characters with places, spaces between words included.
    pub chars: Vec<LineChar>,
    /// Left edge.
    pub x0: f32,
    /// Right edge.
    pub x1: f32,
    pub baseline: f32,
    /// Font size of most characters.
    pub size: f32,
    /// Most characters are bold.
    pub bold: bool,
    /// Most characters are italic.
    pub italic: bool,
    /// Underlined from its first to its last word.
    pub underlined: bool,
    /// The look of its beginning, if it is another than that of the rest.
    pub lead: Lead,
    /// Blanks, as places among the characters, that part cells though they are narrow.
    pub gutters: Vec<usize>,
    /// Letters, as places among the characters, that are set as small capitals.
    pub small: Vec<usize>,
    /// Number of pieces set apart by wide gaps (1 for running text).
    pub cells: u32,
    /// Left edge of the last of these pieces.
    pub last_cell: f32,
    /// The cell of a table to which the line belongs, once tables are found.
    pub cell: Option<Cell>,
    /// Height of a rule drawn closely above the line.
    pub rule_above: Option<f32>,
    /// Whether it is in a chart or beside one.
    pub in_chart: bool,
    /// The figure of its page whose label it is.
    pub figure: Option<u32>,
    /// The frame of its page in which it stands.
    pub framed: Option<u32>,
    /// A new paragraph begins here whatever the geometry says.
    pub break_before: bool,
    /// The place of the frame on the page.
    pub frame: Frame,
    /// The role that the file gives it.
    pub role: Role,
}

impl Line {
    /// A line of plain text on a grid of characters, `row` lines below the top of its page. It has a size (two
    /// characters to the em), so that indents and gaps can be measured, but no real place on a page.
    pub fn plain(page: u32, row: usize, text: &str) -> Self {
        let mut column = 0.0f32;
        let mut chars = Vec::new();
        for ch in text.chars() {
            let width = if is_set_solid(ch) { 2.0 } else { 1.0 };
            if !chars.is_empty() || !ch.is_whitespace() {
                let ch = if ch.is_whitespace() { ' ' } else { ch };
                chars.push(LineChar {
                    ch,
                    x0: column,
                    x1: column + width,
                    raised: false,
                    capital: false,
                });
            }
            column += width;
        }
        while chars.last().is_some_and(|c| c.ch == ' ') {
            chars.pop();
        }
        let (x0, x1) = (
            chars.first().map_or(0.0, |c| c.x0),
            chars.last().map_or(0.0, |c| c.x1),
        );
        Self {
            page,
            chars,
            x0,
            x1,
            baseline: 2.4 * row as f32,
            size: 2.0,
            cells: 1,
            last_cell: x0,
            ..Self::default()
        }
    }

    /// A line with the properties of `other` but without its text.
    pub fn bare(other: &Self) -> Self {
        Self {
            page: other.page,
            baseline: other.baseline,
            size: other.size,
            bold: other.bold,
            italic: other.italic,
            rule_above: other.rule_above,
            frame: other.frame,
            ..Self::default()
        }
    }

    /// A part of its characters as a line with one cell; `None` if there are none.
    pub fn piece(&self, from: usize, to: usize) -> Option<Self> {
        let chars = self.chars.get(from..to)?.to_vec();
        let (first, last) = (chars.first()?, chars.last()?);
        let (x0, x1) = (first.x0, last.x1);
        Some(Self {
            x0,
            x1,
            chars,
            cells: 1,
            last_cell: x0,
            ..Self::bare(self)
        })
    }

    pub fn text(&self) -> String {
        self.chars.iter().map(|c| c.ch).collect()
    }

    /// Number of characters at its beginning that are set small and raised.
    pub fn raised(&self) -> usize {
        self.chars.iter().take_while(|c| c.raised).count()
    }

    /// Upper edge in the frame.
    pub fn top(&self) -> f32 {
        self.baseline - 0.85 * self.size
    }

    /// Lower edge in the frame.
    pub fn bottom(&self) -> f32 {
        self.baseline + 0.25 * self.size
    }

    /// The place of the characters `from..to` on the page; `None` for plain text or blanks.
    pub fn region(&self, from: usize, to: usize) -> Option<Region> {
        if self.frame.width <= 0.0 {
            return None;
        }
        let part = self.chars.get(from..to.min(self.chars.len()))?;
        let x0 = part.iter().find(|c| c.ch != ' ')?.x0;
        let x1 = part.iter().rev().find(|c| c.ch != ' ')?.x1;
        let (x0, y0, x1, y1) = self.frame.to_page(x0, self.top(), x1, self.bottom());
        let round = |v: f32| (v * 10.0).round() / 10.0;
        Some(Region {
            page: self.page,
            x0: round(x0),
            y0: round(y0),
            x1: round(x1),
            y1: round(y1),
        })
    }
}

/// Upright characters set downwards read like a line turned by a quarter.
pub fn direction(glyph: &Glyph) -> u8 {
    if glyph.vertical {
        (glyph.turn + 1) % 4
    } else {
        glyph.turn
    }
}
