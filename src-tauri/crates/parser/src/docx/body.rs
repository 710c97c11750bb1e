//! The text of a document: paragraphs, tables, text boxes and notes in reading order.

mod notes;
mod open;

use super::numbering::Numbering;
use super::styles::{Look, Styles};
use crate::flow::{Block, Paragraph, Span};
use crate::layout::Role;
use lexforge_ingest::error::IngestError;
use lexforge_ingest::xml::{Event, Tag, Xml};
use open::{Open, Run, Table, Within};
use std::collections::HashMap;

/// Cells and text boxes within each other that are followed.
const DEPTH: usize = 48;
/// A heading of more characters that ends like a sentence is a clause in the style of a heading.
const CLAUSE: usize = 100;

/// Counts of content that was left out or is only a proposed change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Tracked deletions.
    pub deleted: usize,
    /// Tracked insertions.
    pub inserted: usize,
    /// Characters of hidden text.
    pub hidden: usize,
    /// Characters that are struck out.
    pub struck: usize,
    /// Documents within the document.
    pub embedded: usize,
}

/// The body in the reading.
pub struct Body<'s> {
    styles: &'s Styles,
    numbering: Numbering,
    notes: HashMap<(&'static str, String), Vec<Block>>,
    counts: Counts,
    targets: Vec<Vec<Block>>,
    open: Vec<Open>,
    tables: Vec<Table>,
    within: Within,
    in_text: bool,
    carried: Vec<Span>,
    waiting: Vec<(String, Vec<Block>)>,
    footnotes: u32,
    endnotes: u32,
}

impl<'s> Body<'s> {
    /// A body with these styles and numberings.
    pub fn new(styles: &'s Styles, numbering: Numbering) -> Self {
        Self {
            styles,
            numbering,
            notes: HashMap::new(),
            counts: Counts::default(),
            targets: vec![Vec::new()],
            open: Vec::new(),
            tables: Vec::new(),
            within: Within::Text,
            in_text: false,
            carried: Vec::new(),
            waiting: Vec::new(),
            footnotes: 0,
            endnotes: 0,
        }
    }

    /// The blocks and what was left out.
    pub fn finish(mut self) -> (Vec<Block>, Counts) {
        self.put_notes();
        (std::mem::take(&mut self.targets[0]), self.counts)
    }

    /// Reads the main part.
    ///
    /// # Errors
    /// When the part is not XML, or is nested too deeply.
    pub fn read(&mut self, part: &str) -> Result<(), IngestError> {
        let mut xml = Xml::new(part);
        while let Some(event) = xml.next_event()? {
            self.event(event, &mut xml)?;
        }
        while !self.open.is_empty() {
            self.end_paragraph();
        }
        Ok(())
    }

    /// Closes everything that is open, so that nothing of one part stays open in the next.
    fn reset(&mut self) {
        self.targets.truncate(1);
        self.open.clear();
        self.tables.clear();
        self.within = Within::Text;
        self.in_text = false;
        self.carried.clear();
    }

    fn event(&mut self, event: Event, xml: &mut Xml) -> Result<(), IngestError> {
        match event {
            Event::Open(tag) => self.begin(&tag, xml),
            Event::Close(name) => {
                self.end(&name);
                Ok(())
            }
            Event::Text(text) => {
                if self.in_text {
                    self.text(&text);
                }
                Ok(())
            }
        }
    }

    fn begin(&mut self, tag: &Tag, xml: &mut Xml) -> Result<(), IngestError> {
        match tag.name() {
            "pPrChange" | "rPrChange" | "sectPrChange" | "tblPrChange" | "trPrChange"
            | "tcPrChange" | "tblGridChange" | "tblPrExChange" | "numberingChange" | "sectPr"
            | "instrText" | "delText" | "delInstrText" | "Fallback" | "rt" | "rubyPr" | "tblPr"
            | "tblGrid" | "sdtPr" | "sdtEndPr" | "binData" => return xml.skip(),
            "del" | "moveFrom" => {
                match self.within {
                    Within::Text => self.counts.deleted += 1,
                    Within::Row => {
                        self.counts.deleted += 1;
                        if let Some(table) = self.tables.last_mut() {
                            table.deleted = true;
                        }
                    }
                    Within::Paragraph => {
                        if let Some(open) = self.open.last_mut() {
                            open.joined = true;
                        }
                    }
                    Within::Run => {}
                }
                return xml.skip();
            }
            "ins" | "moveTo" if self.within == Within::Text => self.counts.inserted += 1,
            "altChunk" => self.counts.embedded += 1,
            "p" => self.open.push(Open {
                run: Run::default(),
                ..Open::default()
            }),
            "pPr" => self.within = Within::Paragraph,
            "trPr" => self.within = Within::Row,
            "rPr" if self.within == Within::Text => self.within = Within::Run,
            "tbl" => {
                self.tables.push(Table::default());
                return self.check_depth();
            }
            "tr" => {
                if let Some(table) = self.tables.last_mut() {
                    table.row.clear();
                    table.deleted = false;
                }
            }
            "gridBefore" | "gridSpan" | "vMerge" => self.merged(tag),
            "tc" | "txbxContent" => {
                self.targets.push(Vec::new());
                return self.check_depth();
            }
            _ => self.piece(tag),
        }
        Ok(())
    }

    fn check_depth(&self) -> Result<(), IngestError> {
        if self.targets.len() > DEPTH || self.tables.len() > DEPTH {
            return Err(IngestError::Damaged(format!(
                "the document nests tables or text boxes more than {DEPTH} deep"
            )));
        }
        Ok(())
    }

    /// Notes how many columns a cell of the open table takes, and whether it continues the cell above.
    fn merged(&mut self, tag: &Tag) {
        let Some(table) = self.tables.last_mut() else {
            return;
        };
        match tag.name() {
            "gridBefore" => table.leave_free(tag.number().unwrap_or(0)),
            "gridSpan" => table.columns = tag.number().unwrap_or(1),
            // Without a value, the tag says that the cell continues the one above.
            _ => table.goes_on = tag.val().as_deref() != Some("restart"),
        }
    }

    /// Handles an element within a paragraph or its properties.
    fn piece(&mut self, tag: &Tag) {
        let styles = self.styles;
        let Some(open) = self.open.last_mut() else {
            return;
        };
        match (self.within, tag.name()) {
            (Within::Paragraph, "pStyle") => open.style = tag.val(),
            (Within::Paragraph, "numId") => open.numbering = tag.number(),
            (Within::Paragraph, "ilvl") => open.level = tag.number(),
            (Within::Paragraph, "outlineLvl") => open.outline = tag.number(),
            (Within::Run, "b") => open.run.bold = tag.is_on(),
            (Within::Run, "i") => open.run.italic = tag.is_on(),
            (Within::Run, "vanish") => open.run.hidden = tag.is_on(),
            (Within::Run, "strike" | "dstrike") => open.run.struck |= tag.is_on(),
            (Within::Run, "vertAlign") => {
                open.run.raised = tag.val().as_deref() == Some("superscript")
            }
            (Within::Run, "rStyle") => {
                let look = styles.look(tag.val().as_deref());
                open.run.bold |= look.bold;
                open.run.italic |= look.italic;
                open.run.hidden |= look.hidden;
                open.run.raised |= look.raised;
            }
            (Within::Text, "r") => {
                let look = styles.paragraph(open.style.as_deref());
                open.run = Run {
                    bold: look.bold,
                    italic: look.italic,
                    raised: false,
                    hidden: look.hidden,
                    struck: false,
                };
            }
            (Within::Text, "t") => self.in_text = true,
            (Within::Text, "tab" | "ptab") => self.text(" "),
            (Within::Text, "br" | "cr") => self.text("\n"),
            (Within::Text, "noBreakHyphen") => self.text("-"),
            (Within::Text, "sym") => self.symbol(tag),
            (Within::Text, "lastRenderedPageBreak") => open.spans.push(Span {
                new_page: true,
                ..Span::default()
            }),
            (Within::Text, "footnoteReference") => self.reference("footnote", tag),
            (Within::Text, "endnoteReference") => self.reference("endnote", tag),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "pPr" | "trPr" => self.within = Within::Text,
            "rPr" if self.within == Within::Run => self.within = Within::Text,
            "p" => self.end_paragraph(),
            "tc" if self.targets.len() > 1 => {
                let cell = self.targets.pop().unwrap_or_default();
                if let Some(table) = self.tables.last_mut() {
                    table.end_cell(cell);
                }
            }
            "txbxContent" if self.targets.len() > 1 => {
                let blocks = self.targets.pop().unwrap_or_default();
                match self.open.last_mut() {
                    Some(open) => open.after.extend(blocks),
                    None => self.put_all(blocks),
                }
            }
            "tr" => {
                if let Some(table) = self.tables.last_mut() {
                    let row = std::mem::take(&mut table.row);
                    if !table.deleted {
                        table.rows.push(row);
                    }
                }
            }
            "tbl" => {
                if let Some(table) = self.tables.pop()
                    && !table.rows.is_empty()
                {
                    self.put_all(vec![Block::Table(table.into_rows())]);
                    self.put_notes();
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if open.run.hidden || open.run.struck {
            let left_out = text.chars().filter(|c| !c.is_whitespace()).count();
            match open.run.hidden {
                true => self.counts.hidden += left_out,
                false => self.counts.struck += left_out,
            }
            return;
        }
        let Run {
            bold,
            italic,
            raised,
            ..
        } = open.run;
        Span::add(&mut open.spans, text, bold, italic, raised);
    }

    /// A character by its number in a symbol font; of those without a meaning of their own the commonest are known.
    fn symbol(&mut self, tag: &Tag) {
        let code = tag
            .get("char")
            .and_then(|c| u32::from_str_radix(&c, 16).ok())
            .unwrap_or(0);
        let known = match code {
            0xF0A8 | 0xF06F | 0xF071 => Some('☐'),
            0xF0FE | 0xF052 => Some('☑'),
            0xF0FD | 0xF053 => Some('☒'),
            0xF0E0 => Some('→'),
            0xF0FC => Some('✓'),
            0xF0B3 => Some('≥'),
            0xF0A3 => Some('≤'),
            0xF0B1 => Some('±'),
            0xF0B4 => Some('×'),
            0xF0B0 => Some('°'),
            0xE000..=0xF8FF => Some('•'),
            code => char::from_u32(code).filter(|c| !c.is_control()),
        };
        if let Some(c) = known {
            self.text(c.encode_utf8(&mut [0; 4]));
        }
    }

    fn end_paragraph(&mut self) {
        let Some(mut open) = self.open.pop() else {
            return;
        };
        let mut spans = std::mem::take(&mut self.carried);
        spans.append(&mut open.spans);
        let look = self.styles.paragraph(open.style.as_deref());
        if open.joined {
            self.carried = spans;
            self.put_all(open.after);
            return;
        }
        let label = self.label(&open, look);
        let text: usize = spans.iter().map(|s| s.text.trim().chars().count()).sum();
        let role = match open.outline {
            Some(level) if level < 9 => Role::Heading(level + 2),
            Some(_) => Role::Unknown,
            None => look.role,
        };
        let end = spans
            .iter()
            .rev()
            .find_map(|s| s.text.trim_end().chars().last());
        let clause = text > CLAUSE && end.is_some_and(|c| ".;:。；：".contains(c));
        let role = match role {
            Role::Heading(_) if clause => Role::Body,
            Role::Unknown if label.as_deref() == Some("•") => Role::Item,
            Role::Unknown => Role::Body,
            role => role,
        };
        let depth = if role == Role::Item {
            usize::from(open.level.unwrap_or(0)) + 1
        } else {
            0
        };
        if text > 0 {
            let paragraph = Paragraph {
                spans,
                role,
                label,
                depth,
                goes_on: false,
            };
            self.put_all(vec![Block::Paragraph(paragraph)]);
        } else if spans.iter().any(|s| s.new_page) {
            self.put_all(vec![Block::NewPage]);
        }
        self.put_all(open.after);
        self.put_notes();
    }

    /// Counts the paragraph's numbering on and gives its label.
    fn label(&mut self, open: &Open, look: Look) -> Option<String> {
        let (numbering, level) = match (open.numbering, look.numbering) {
            (Some(id), _) => (id, open.level.or(look.numbering.and_then(|n| n.1))),
            (None, Some((id, level))) => (id, open.level.or(level)),
            (None, None) => return None,
        };
        if numbering == 0 {
            return None;
        }
        let of_style = || {
            self.numbering
                .level_of_style(numbering, open.style.as_deref()?)
        };
        let level = level.or_else(of_style).unwrap_or(0);
        self.numbering.next(numbering, level)
    }

    fn put_all(&mut self, blocks: Vec<Block>) {
        if let Some(target) = self.targets.last_mut() {
            target.extend(blocks);
        }
    }
}
