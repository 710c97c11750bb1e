//! Footnotes and endnotes: read before the text, and put behind the paragraph or the table that refers to them.

use super::Body;
use crate::flow::{Block, Span};
use crate::layout::Role;
use lexforge_ingest::error::IngestError;
use lexforge_ingest::xml::{Event, Tag, Xml};
use lexforge_text::numerals::write;

impl Body<'_> {
    /// Reads a part of notes: `footnote` or `endnote` elements with their ids.
    ///
    /// # Errors
    /// When the part is not XML, or is nested too deeply.
    pub(crate) fn read_notes(&mut self, part: &str, kind: &'static str) -> Result<(), IngestError> {
        let mut xml = Xml::new(part);
        let mut id: Option<String> = None;
        while let Some(event) = xml.next_event()? {
            match event {
                Event::Open(tag) if tag.name() == kind => {
                    // The lines that part notes from the text are kept as notes of a type of their own.
                    if tag.get("type").is_some_and(|t| t != "normal") {
                        xml.skip()?;
                    } else {
                        id = tag.get("id");
                        self.targets.push(Vec::new());
                    }
                }
                Event::Close(name) if name == kind => {
                    if let (Some(id), true) = (id.take(), self.targets.len() > 1) {
                        let blocks = self.targets.pop().unwrap_or_default();
                        self.notes.insert((kind, id), blocks);
                    }
                }
                event => self.event(event, &mut xml)?,
            }
        }
        self.reset();
        Ok(())
    }

    /// The mark of a note, and the note, which waits for the end of the paragraph.
    pub(super) fn reference(&mut self, kind: &'static str, tag: &Tag) {
        let id = tag.get("id").unwrap_or_default();
        let own_mark = tag
            .get("customMarkFollows")
            .is_some_and(|v| v != "0" && v != "false");
        let Some(blocks) = self.notes.remove(&(kind, id)) else {
            return;
        };
        let mark = if own_mark {
            String::new()
        } else if kind == "footnote" {
            self.footnotes += 1;
            self.footnotes.to_string()
        } else {
            self.endnotes += 1;
            write::roman(self.endnotes).to_lowercase()
        };
        if let Some(open) = self.open.last_mut().filter(|_| !own_mark) {
            open.spans.push(Span {
                text: mark.clone(),
                raised: true,
                ..Span::default()
            });
        }
        self.waiting.push((mark, blocks));
    }

    /// Notes stand after the paragraph or the table that refers to them.
    pub(super) fn put_notes(&mut self) {
        if self.targets.len() > 1 {
            return;
        }
        for (mark, blocks) in std::mem::take(&mut self.waiting) {
            let mut first = true;
            for block in blocks {
                let Block::Paragraph(mut paragraph) = block else {
                    self.targets[0].push(block);
                    continue;
                };
                paragraph.role = Role::Note;
                paragraph.goes_on = !first;
                if first && !mark.is_empty() {
                    let blank = Span {
                        text: " ".to_owned(),
                        ..Span::default()
                    };
                    paragraph.spans.insert(0, blank);
                    paragraph.spans.insert(
                        0,
                        Span {
                            text: mark.clone(),
                            raised: true,
                            ..Span::default()
                        },
                    );
                }
                first = false;
                self.targets[0].push(Block::Paragraph(paragraph));
            }
        }
    }
}
