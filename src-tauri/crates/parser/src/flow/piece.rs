//! A line of a paragraph in the making: its characters and their look, and where line breaks part paragraphs.

use crate::layout::line::Lead;
use crate::layout::{Line, Role};
use lexforge_ingest::numbering::{Scheme, label};
use lexforge_text::fold::is_invisible;

/// A line of a paragraph in the making.
#[derive(Default)]
pub struct Piece {
    /// Characters, and whether they are raised.
    pub chars: Vec<(char, bool)>,
    /// Bold letters.
    pub bold: usize,
    /// Italic letters.
    pub italic: usize,
    /// Letters and digits.
    pub letters: usize,
    /// The look that it begins in.
    pub lead: Lead,
    /// The look of the first character.
    pub first: Option<(bool, bool)>,
    /// Whether there is a line break before it.
    pub line_break: bool,
    /// A new page begins before it.
    pub new_page: bool,
}

impl Piece {
    /// Adds text; `look` is bold and italic, or none where the file computes the text.
    pub(crate) fn push_text(&mut self, text: &str, raised: bool, look: Option<(bool, bool)>) {
        text.chars().for_each(|c| self.push(c, raised, look));
    }

    /// Adds a character; several blanks are one.
    pub fn push(&mut self, c: char, raised: bool, look: Option<(bool, bool)>) {
        if is_invisible(c) {
            return;
        }
        if c.is_whitespace() || c.is_control() {
            if self.chars.last().is_some_and(|(last, _)| *last != ' ') {
                self.chars.push((' ', raised));
            }
            return;
        }
        if let Some((bold, italic)) = look.filter(|_| c.is_alphanumeric()) {
            self.letters += 1;
            self.bold += usize::from(bold);
            self.italic += usize::from(italic);
        }
        if let Some(look) = look {
            self.lead.take(&mut self.first, look, self.chars.len());
        }
        self.chars.push((c, raised));
    }

    pub fn line(
        self,
        page: u32,
        row: usize,
        column: usize,
        role: Role,
        break_before: bool,
    ) -> Line {
        let text: String = std::iter::repeat_n(' ', column)
            .chain(self.chars.iter().map(|c| c.0))
            .collect();
        let mut line = Line::plain(page, row, &text);
        for (at, (_, raised)) in line.chars.iter_mut().zip(&self.chars) {
            at.raised = *raised;
        }
        line.bold = self.letters > 0 && self.bold * 10 >= self.letters * 9;
        line.italic = self.letters > 0 && self.italic * 10 >= self.letters * 9;
        line.lead = self.lead;
        line.role = role;
        line.break_before = break_before;
        line
    }
}

/// Whether a line break parts paragraphs: after the end of a clause, before a number.
pub(crate) fn breaks_between(before: &str, after: &str) -> bool {
    let end = before
        .trim_end()
        .trim_end_matches(['"', '”', '’', ')', '）', '」'])
        .chars()
        .last()
        .unwrap_or(' ');
    if ".!?;:。！？；：".contains(end) {
        return true;
    }
    let chars: Vec<char> = after.trim().chars().take(200).collect();
    let Some(label) = label(&chars, false) else {
        return false;
    };
    let clause = ",，、—–".contains(end)
        || before.trim_end().ends_with(" and")
        || before.trim_end().ends_with(" or");
    matches!(label.scheme, Scheme::Named(_) | Scheme::Bullet) || clause
}
