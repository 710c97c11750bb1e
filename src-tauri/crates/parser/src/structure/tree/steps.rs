//! Headings that are recognised by their number or place: the numbered steps of a text, and the lines above a table.

use super::open::{Builder, Node};
use crate::structure::blocks::{Block, BlockKind, BlockText};
use crate::structure::captions::{is_remark, numbered_name};
use lexforge_ingest::numbering::{Count, Scheme, Wrap};

/// The prominence of steps of one row differs by at most this much, in points.
const ALIKE: f32 = 0.5;

/// Name and number of the step with which a text begins: `Objective 5:`.
fn named_step(text: &str) -> Option<(&str, u32)> {
    let (word, number) = text.get(..numbered_name(text))?.split_once(' ')?;
    let number = number.trim_end_matches([':', '.']).parse().ok()?;
    Some((word, number))
}

impl Builder {
    /// Place in the stack and number of the open step of a name.
    fn open_step(&self, word: &str) -> Option<(usize, u32)> {
        let mut open = self.stack.iter().enumerate().rev();
        open.find_map(|(at, open)| {
            let section = &self.tree.sections[open.section];
            let name = if section.label.is_empty() {
                section.title.clone()
            } else {
                format!("{}:", section.label)
            };
            let (other, number) = named_step(&name)?;
            (matches!(open.node, Node::Heading) && other == word).then_some((at, number))
        })
    }

    /// Handles steps such as `Objective 5:` and `Question 3.`. They are headings of everything up to the next step of
    /// the same name. They may be on a line of their own, or in bold before a paragraph. Other numbering may start
    /// again below each step.
    pub(super) fn step(&mut self, block: &Block, text: &BlockText) -> Option<usize> {
        let (word, _) = named_step(&text.text)?;
        let label = numbered_name(&text.text);
        let alone = block.kind == BlockKind::Heading;
        if block.label.is_some() || !(alone || text.bold == label) {
            return None;
        }
        // A much smaller heading of the same name is below the larger one.
        let beside = |at: usize| self.stack[at].prominence < block.prominence + ALIKE;
        if let Some((at, _)) = self.open_step(word).filter(|&(at, _)| beside(at)) {
            self.stack.truncate(at);
        }
        if alone {
            return Some(self.heading(String::new(), text.text.clone(), block, text.page));
        }
        self.pop_while(|o| matches!(o.node, Node::Item(..) | Node::Title));
        let name: String = text.text.chars().take(label).collect();
        let name = name.trim_end_matches([':', '.']).to_owned();
        Some(self.open(Node::Heading, name, String::new(), block, text.page))
    }

    /// Ends the open step if the next step is a row of a table. If that row is bold and has only one cell, it is the
    /// heading of the rows below it.
    pub(super) fn step_in_table(&mut self, block: &Block, row: &BlockText) {
        let Some((word, number)) = named_step(&row.text) else {
            return;
        };
        let before = self.open_step(word);
        let Some((at, _)) = before.filter(|(_, before)| before + 1 == number) else {
            return;
        };
        let prominence = self.stack[at].prominence;
        self.stack.truncate(at);
        let label = numbered_name(&row.text);
        if row.bold < label || row.text.contains('\t') {
            return;
        }
        let name = format!("{word} {number}");
        self.open(Node::Heading, name, String::new(), block, row.page);
        if let Some(open) = self.stack.last_mut() {
            open.prominence = prominence;
        }
    }

    /// Closes the section of a table's caption before a numbered paragraph. Such a paragraph after the rows of the
    /// table continues the numbering from before the table, and does not belong to the caption.
    pub(super) fn leave_before_number(&mut self, block: &Block) {
        let goes_on = block.label.as_ref().is_some_and(|l| {
            let number = matches!(
                l.scheme,
                Scheme::Decimal(_) | Scheme::Item(Wrap::Dot, Count::Digit)
            );
            number && l.value > 1
        });
        if block.kind == BlockKind::Text
            && goes_on
            && let Some((section, true)) = self.over_table
            && self.top() == Some(section)
        {
            self.stack.pop();
            self.over_table = None;
        }
    }

    /// Closes the section of a heading that is only the caption of a table. This is a heading without a number directly
    /// above a table, if a remark below the table names the table's source. The text after the remark does not belong
    /// to this section. `opened` is the section that the block opened.
    pub(super) fn leave_table(&mut self, block: &Block, text: &BlockText, opened: Option<usize>) {
        match block.kind {
            BlockKind::Footnote | BlockKind::Contents => {}
            BlockKind::TableRow => {
                if let Some((_, rows)) = &mut self.over_table {
                    *rows = true;
                }
            }
            BlockKind::Heading => {
                let own = opened.filter(|_| block.label.is_none());
                self.over_table = own.map(|section| (section, false));
            }
            BlockKind::Text => {
                if let Some((section, true)) = self.over_table.take()
                    && is_remark(&text.text)
                    && self.top() == Some(section)
                {
                    self.stack.pop();
                }
            }
        }
    }
}
