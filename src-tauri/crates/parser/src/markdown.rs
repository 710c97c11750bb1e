//! Markdown: CommonMark with tables, footnotes and definition lists.

mod blanks;
mod grid;

use crate::flow::{Block, Flow, Paragraph, Span, TableCell, struck_out};
use crate::front_matter;
use crate::html;
use crate::layout::Role;
use lexforge_domain::document::{DocumentFormat, ParsedDocument};
use lexforge_ingest::encoding;
use lexforge_ingest::error::IngestError;
use lexforge_ingest::numbering::{Scheme, label};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Quotes and lists within each other that are followed.
const DEPTH: usize = 200;
/// Characters of a line that its number is read from.
const BEGINNING: usize = 80;

/// Commands of LaTeX that some writers put between paragraphs to begin a new page. They are no text.
const PAGE_BREAKS: [&str; 4] = [
    "\\pagebreak",
    "\\newpage",
    "\\clearpage",
    "\\cleardoublepage",
];

/// Reads a Markdown file.
///
/// # Errors
/// When it is not text, is nested too deeply, or is blank.
pub fn parse(stem: &str, bytes: &[u8]) -> Result<ParsedDocument, IngestError> {
    let decoded = encoding::decode(bytes, None)?;
    crate::flow::check_length(decoded.text.len() / 4)?;
    let head = front_matter::take(&decoded.text);
    let mut state = State::default();
    state.read(&grid::as_pipes(head.text))?;
    let warnings = decoded.warnings.into_iter().chain(head.warnings);
    let warnings = warnings.chain(html::hidden_characters(state.hidden));
    let flow = Flow {
        blocks: state.blocks,
        title: None,
        metadata: head.metadata,
        warnings: warnings.chain(struck_out(state.left_out)).collect(),
    };
    let mut document = flow.document(stem, DocumentFormat::Markdown)?;
    // The title that a file states counts before the first heading of its text.
    if let Some(title) = head.title {
        document.title = title;
    }
    Ok(document)
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
}

/// Whether each paragraph of an indented block begins with the number or the letter of an item. Markdown has no items
/// with letters, so it would treat indented text below such an item as code.
fn lists_items(text: &str) -> bool {
    let is_item = |line: &str| {
        let beginning: Vec<char> = line.chars().take(BEGINNING).collect();
        label(&beginning, false).is_some_and(|l| matches!(l.scheme, Scheme::Item(..)))
    };
    let (mut blank, mut items) = (true, 0);
    for line in text.lines() {
        let opens = std::mem::replace(&mut blank, line.trim().is_empty());
        if opens && !blank {
            if !is_item(line) {
                return false;
            }
            items += 1;
        }
    }
    items > 0
}

/// Whether the number of an item is written as `1)`.
fn has_bracket(item: &str) -> bool {
    let behind = item
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    behind.starts_with(')')
}

/// The characters of a text without its blanks.
fn seen(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

#[derive(Default)]
struct State {
    blocks: Vec<Block>,
    spans: Vec<Span>,
    roles: Vec<Role>,
    lists: Vec<Option<u64>>,
    label: Option<String>,
    /// The number of the item is followed by a bracket and not by a full stop.
    bracket: bool,
    depth: usize,
    bold: usize,
    italic: usize,
    raised: usize,
    struck: usize,
    /// Elements of HTML that strike out and are open in the paragraph.
    deleted: usize,
    /// What is in them, until they are closed.
    held: Vec<Span>,
    /// Characters that are struck out, blanks not counted.
    left_out: usize,
    /// Characters that pieces of HTML hide.
    hidden: usize,
    skipped: usize,
    code: bool,
    /// The block of code is set in, and not fenced.
    indented: bool,
    /// What is read was set in like code.
    unindented: bool,
    html: Option<String>,
    term: Option<String>,
    table: Vec<Vec<TableCell>>,
    note: bool,
}

impl State {
    fn read(&mut self, text: &str) -> Result<(), IngestError> {
        let shown = blanks::as_text(text, options());
        let text: &str = &shown;
        for (event, at) in Parser::new_ext(text, options()).into_offset_iter() {
            if matches!(event, Event::Start(Tag::Item)) {
                self.bracket = text.get(at).is_some_and(has_bracket);
            }
            self.event(event)?;
        }
        self.flush();
        Ok(())
    }

    fn event(&mut self, event: Event) -> Result<(), IngestError> {
        match event {
            Event::Start(tag) => {
                self.depth += 1;
                if self.depth > DEPTH {
                    return Err(IngestError::Damaged(format!(
                        "the text nests quotes or lists more than {DEPTH} deep"
                    )));
                }
                self.start(tag);
            }
            Event::End(end) => {
                self.depth = self.depth.saturating_sub(1);
                return self.end(end);
            }
            Event::Html(text) => match &mut self.html {
                Some(html) => html.push_str(&text),
                None => self.raw(&text)?,
            },
            Event::InlineHtml(tag) => match tag.to_ascii_lowercase().trim() {
                "<sup>" => self.raised += 1,
                "</sup>" => self.raised = self.raised.saturating_sub(1),
                "<del>" | "<s>" | "<strike>" => self.deleted += 1,
                "</del>" | "</s>" | "</strike>" => self.end_deletion(),
                "<br>" | "<br/>" | "<br />" => self.text("\n"),
                _ => {}
            },
            Event::Text(text)
            | Event::Code(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => {
                // Only a code block has several lines in one text.
                self.text(&text);
            }
            Event::FootnoteReference(name) => {
                self.raised += 1;
                self.text(&name);
                self.raised -= 1;
            }
            Event::SoftBreak | Event::HardBreak => self.text("\n"),
            Event::Rule => self.flush(),
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }),
        }
        Ok(())
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.roles.push(Role::Heading(level as u8));
            }
            Tag::List(start) => {
                self.flush();
                self.lists.push(start);
            }
            Tag::Item => {
                self.flush();
                self.label = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let label = format!("{number}{}", if self.bracket { ')' } else { '.' });
                        *number = number.saturating_add(1);
                        label
                    }
                    _ => "•".to_owned(),
                });
                self.roles.push(Role::Item);
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.code = true;
                self.indented = matches!(kind, CodeBlockKind::Indented);
            }
            Tag::HtmlBlock => {
                self.flush();
                self.html = Some(String::new());
            }
            Tag::FootnoteDefinition(name) => {
                self.flush();
                self.roles.push(Role::Note);
                self.spans.push(Span {
                    text: name.to_string(),
                    raised: true,
                    ..Span::default()
                });
                self.spans.push(Span {
                    text: " ".to_owned(),
                    ..Span::default()
                });
                self.note = false;
            }
            Tag::TableHead | Tag::TableRow => {
                self.flush();
                self.table.push(Vec::new());
            }
            Tag::DefinitionListTitle => {
                self.flush();
                self.term = Some(String::new());
            }
            Tag::DefinitionListDefinition => {
                self.flush();
                self.roles.push(Role::Definition);
                if let Some(term) = self.term.take() {
                    self.spans.push(Span {
                        text: format!("{}: ", term.trim()),
                        ..Span::default()
                    });
                }
            }
            Tag::Strong => self.bold += 1,
            Tag::Emphasis => self.italic += 1,
            Tag::Superscript => self.raised += 1,
            Tag::Strikethrough => self.struck += 1,
            Tag::Image { .. } => self.skipped += 1,
            Tag::Paragraph | Tag::BlockQuote(_) => self.flush_unless_begun(),
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd) -> Result<(), IngestError> {
        match end {
            TagEnd::Heading(_)
            | TagEnd::Item
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionListDefinition => {
                self.flush();
                self.roles.pop();
                self.label = None;
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::CodeBlock => {
                self.code = false;
                let text: String = self.spans.drain(..).map(|s| s.text).collect();
                if self.indented && !self.unindented && lists_items(&text) {
                    return self.read_set_in(&text);
                }
                self.blocks.push(Block::Preformatted(text));
            }
            TagEnd::HtmlBlock => {
                if let Some(html) = self.html.take() {
                    self.raw(&html)?;
                }
            }
            TagEnd::TableCell => {
                self.keep_unclosed();
                let spans = std::mem::take(&mut self.spans);
                if let Some(row) = self.table.last_mut() {
                    let paragraph = Block::Paragraph(Paragraph {
                        spans,
                        ..Paragraph::default()
                    });
                    row.push(vec![paragraph].into());
                }
            }
            TagEnd::Table => self
                .blocks
                .push(Block::Table(std::mem::take(&mut self.table))),
            TagEnd::DefinitionListTitle => {
                self.keep_unclosed();
                self.term = Some(self.spans.drain(..).map(|s| s.text).collect());
            }
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Superscript => self.raised = self.raised.saturating_sub(1),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Image => self.skipped = self.skipped.saturating_sub(1),
            TagEnd::Paragraph | TagEnd::BlockQuote(_) => self.flush(),
            _ => {}
        }
        Ok(())
    }

    /// Reads text that was indented like code as Markdown. Text that is indented deeper stays as it is.
    fn read_set_in(&mut self, text: &str) -> Result<(), IngestError> {
        self.unindented = true;
        self.read(text)?;
        self.unindented = false;
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.skipped > 0 {
            return;
        }
        // What its author has struck out is no longer said.
        if self.struck > 0 {
            self.left_out += seen(text);
            return;
        }
        let (bold, italic, raised) = (self.bold > 0, self.italic > 0, self.raised > 0);
        let spans = match self.deleted {
            0 => &mut self.spans,
            _ => &mut self.held,
        };
        Span::add(spans, text, bold, italic, raised);
    }

    /// Reads a piece of HTML.
    fn raw(&mut self, html: &str) -> Result<(), IngestError> {
        let (blocks, [hidden, struck]) = html::fragment(html)?;
        self.blocks.extend(blocks);
        self.hidden += hidden;
        self.left_out += struck;
        Ok(())
    }

    /// Leaves out what an element of HTML strikes out, now that it is closed.
    fn end_deletion(&mut self) {
        self.deleted = self.deleted.saturating_sub(1);
        if self.deleted == 0 {
            let held = std::mem::take(&mut self.held);
            self.left_out += held.iter().map(|span| seen(&span.text)).sum::<usize>();
        }
    }

    /// An element that its paragraph does not close would take the rest of the document with it: it takes nothing.
    fn keep_unclosed(&mut self) {
        self.deleted = 0;
        self.spans.append(&mut self.held);
    }

    /// A note or a definition whose first words were read continues.
    fn flush_unless_begun(&mut self) {
        let begun = matches!(self.roles.last(), Some(Role::Note | Role::Definition))
            && !self.spans.is_empty();
        if !begun {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.keep_unclosed();
        let spans = std::mem::take(&mut self.spans);
        let said: String = spans.iter().map(|s| s.text.as_str()).collect();
        if said.trim().is_empty() || PAGE_BREAKS.contains(&said.trim()) {
            return;
        }
        let role = self.roles.last().copied().unwrap_or(Role::Body);
        let label = if matches!(role, Role::Heading(_) | Role::Note) {
            None
        } else {
            self.label.take()
        };
        // Only the first paragraph of an item is the item.
        let role = if role == Role::Item && label.is_none() {
            Role::Body
        } else {
            role
        };
        let goes_on = role == Role::Note && self.note;
        self.note |= role == Role::Note;
        self.blocks.push(Block::Paragraph(Paragraph {
            spans,
            role,
            label,
            depth: self.lists.len(),
            goes_on,
        }));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
