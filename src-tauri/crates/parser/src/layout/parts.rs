//! The parts of a table's rows: what stands in one column on one baseline.

use super::line::Line;

/// The text in one column on one baseline.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its text.
    pub line: Line,
    /// First column that it takes.
    pub column: usize,
    /// Columns that it takes.
    pub span: usize,
}

/// Everything on one baseline of a table.
#[derive(Clone, Debug)]
pub struct Row {
    pub baseline: f32,
    /// From left to right.
    pub parts: Vec<Part>,
}

impl Part {
    /// A part in one column.
    pub fn new(line: Line, column: usize) -> Self {
        Self {
            line,
            column,
            span: 1,
        }
    }

    /// A quantity, a year, or the sign for none.
    pub fn is_number(&self) -> bool {
        let (mut digits, mut letters) = (0usize, 0usize);
        for c in &self.line.chars {
            digits += usize::from(c.ch.is_numeric());
            letters += usize::from(c.ch.is_alphabetic());
        }
        (digits > 0 && letters <= 1 && letters < digits)
            || (letters == 0 && !self.line.chars.is_empty() && self.line.chars.len() <= 3)
    }

    /// Whether it begins in the middle of a sentence.
    pub fn goes_on(&self) -> bool {
        self.line
            .chars
            .iter()
            .map(|c| c.ch)
            .find(|c| !"\"'“‘([".contains(*c))
            .is_some_and(char::is_lowercase)
    }

    /// The text asks for more: it ends with a comma, a hyphen or a joining word.
    pub fn is_open(&self) -> bool {
        let text = self.line.text();
        let last = text.rsplit(' ').next().unwrap_or_default();
        text.ends_with([',', '-', '–', '/', '('])
            || [
                "and", "or", "of", "the", "in", "to", "for", "by", "with", "from", "on", "at", "a",
                "an", "per", "&",
            ]
            .contains(&last)
    }
}

impl Row {
    /// The text in a column.
    pub fn part(&self, column: usize) -> Option<&Part> {
        self.parts.iter().find(|p| p.column == column)
    }
}
