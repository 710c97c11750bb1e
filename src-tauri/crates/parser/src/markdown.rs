//! Markdown: CommonMark with tables, footnotes and definition lists.

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

/// Reads a Markdown file.
///
/// # Errors
/// When it is not text, is nested too deeply, or is blank.
pub fn parse(stem: &str, bytes: &[u8]) -> Result<ParsedDocument, IngestError> {
    let decoded = encoding::decode(bytes, None)?;
    crate::flow::check_length(decoded.text.len() / 4)?;
    let head = front_matter::take(&decoded.text);
    let mut state = State::default();
    for event in Parser::new_ext(&grid::as_pipes(head.text), options()) {
        state.event(event)?;
    }
    state.flush();
    let warnings = decoded.warnings.into_iter().chain(head.warnings);
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

/// Whether each paragraph of an indented block begins with the number or the letter of an item. Markdown knows no items
/// with letters, and takes what is indented below one for code.
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

#[derive(Default)]
struct State {
    blocks: Vec<Block>,
    spans: Vec<Span>,
    roles: Vec<Role>,
    lists: Vec<Option<u64>>,
    label: Option<String>,
    depth: usize,
    bold: usize,
    italic: usize,
    raised: usize,
    struck: usize,
    /// Characters that are struck out, blanks not counted.
    left_out: usize,
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
                None => self.blocks.extend(html::fragment(&text)?),
            },
            Event::InlineHtml(tag) => match tag.to_ascii_lowercase().trim() {
                "<sup>" => self.raised += 1,
                "</sup>" => self.raised = self.raised.saturating_sub(1),
                "<del>" | "<s>" | "<strike>" => self.struck += 1,
                "</del>" | "</s>" | "</strike>" => self.struck = self.struck.saturating_sub(1),
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
                        let label = format!("{number}.");
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
                    self.blocks.extend(html::fragment(&html)?);
                }
            }
            TagEnd::TableCell => {
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

    /// Reads what was set in like code. What is set in deeper stays as it is.
    fn read_set_in(&mut self, text: &str) -> Result<(), IngestError> {
        self.unindented = true;
        for event in Parser::new_ext(text, options()) {
            self.event(event)?;
        }
        self.flush();
        self.unindented = false;
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.skipped > 0 {
            return;
        }
        // What its author has struck out is no longer said.
        if self.struck > 0 {
            self.left_out += text.chars().filter(|c| !c.is_whitespace()).count();
            return;
        }
        let (bold, italic, raised) = (self.bold > 0, self.italic > 0, self.raised > 0);
        Span::add(&mut self.spans, text, bold, italic, raised);
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
        let spans = std::mem::take(&mut self.spans);
        if spans.iter().all(|s| s.text.trim().is_empty()) {
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
mod tests {
    use super::*;

    #[test]
    fn markdown_keeps_its_structure() {
        let text = "---\ntitle: Outsourcing\nowner: Purchasing\n---\n# Outsourcing policy\n\n## Article 1 Scope\n\nThis policy applies to *all* units.[^1]\nIt \
                    binds the board.\n\n1. first duty\n2. second duty\n   - nested point\n\n(a) a clause;\n(b) another clause.\n\n\
                    | Class | Limit |\n|---|---|\n| Banks | 25 % |\n\nprovider\n: a person that supplies a service.\n\n\
                    <div onclick=\"x()\"><p>Raw <b>markup</b>.</p></div>\n\n![picture](x.png)\n\n[^1]: See the law.\n";
        let document = parse("x", text.as_bytes()).unwrap();
        let path =
            |s: Option<usize>| s.map_or(String::new(), |i| document.sections[i].path.clone());
        let found: Vec<String> = document
            .sentences
            .iter()
            .map(|s| format!("{} [{}] {}", s.kind.tag(), path(s.section), s.text))
            .collect();
        for (kind, text) in [
            ("heading", "Outsourcing policy"),
            ("rule", "This policy applies to all units."),
            ("rule", "It binds the board."),
            ("list_item", "1. first duty"),
            ("list_item", "• nested point"),
            ("list_item", "(b) another clause."),
            ("table_cell", "Banks\t25 %"),
            ("definition", "provider: a person that supplies a service."),
            ("rule", "Raw markup."),
            ("footnote", "1 See the law."),
        ] {
            let ending = format!("] {text}");
            assert!(
                found
                    .iter()
                    .any(|s| s.starts_with(kind) && s.ends_with(&ending)),
                "{kind} {text}: {found:#?}"
            );
        }
        assert!(found.iter().any(|s| s.contains("[Article 1")), "{found:#?}");
        assert!(!document.pages[0].text.contains("picture"));
        assert_eq!(document.title, "Outsourcing");
        assert_eq!(document.metadata.owner.as_deref(), Some("Purchasing"));
        assert!(!document.pages[0].text.contains("Purchasing"));
    }

    #[test]
    fn items_that_are_set_in_below_a_letter_are_no_code() {
        let items = "a. The duties are:\n\n    i. *Managers* report losses;\n\n    ii. *Others* keep records.\n";
        let code = "The program adds:\n\n    a = b *c* d\n";
        let sentences = |text: &str| -> Vec<String> {
            let document = parse("x", text.as_bytes()).unwrap();
            document
                .sentences
                .iter()
                .map(|s| format!("{} {}", s.kind.tag(), s.text))
                .collect()
        };
        assert_eq!(
            sentences(items)[1..],
            [
                "list_item i. Managers report losses;",
                "list_item ii. Others keep records.",
            ]
        );
        // Code keeps its stars.
        let found = sentences(code);
        assert!(found.concat().contains("a = b *c* d"), "{found:#?}");
    }

    #[test]
    fn a_head_never_leads_in_the_items_of_a_list() {
        let text = "name: Logs\nmeets:\n  SET:\n    - A1\nrevisions:\n  - date: 2024-03-05\n---\n\n1. All systems shall keep logs.\n\n\
                    ---\nBetween two rules stands text.\n---\n";
        let mut document = parse("x", text.as_bytes()).unwrap();
        crate::complete::fill(&mut document);
        let texts: Vec<&str> = document.sentences.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "1. All systems shall keep logs.",
                "Between two rules stands text."
            ]
        );
        assert!(document.sentences.iter().all(|s| s.complete.is_none()));
        assert_eq!(document.title, "Logs");
        assert_eq!(document.metadata.date.as_deref(), Some("2024-03-05"));
        assert_eq!(document.warnings.len(), 1, "{:?}", document.warnings);
    }

    #[test]
    fn what_is_struck_out_is_left_out_and_told() {
        let text = "The limit is ~~25 %~~ 20 %.\n\nBanks <del>may</del> shall report.\n\n~~Funds report.~~\n";
        let document = parse("x", text.as_bytes()).unwrap();
        let texts: Vec<&str> = document.sentences.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(texts, ["The limit is 20 %.", "Banks shall report."]);
        let told: Vec<&str> = document
            .warnings
            .iter()
            .map(|w| w.message.as_str())
            .collect();
        assert_eq!(told, ["18 characters that are struck out were left out."]);
    }

    #[test]
    fn hostile_nesting_is_refused() {
        let deep = format!("{}x", "> ".repeat(3_000));
        assert!(matches!(
            parse("x", deep.as_bytes()),
            Err(IngestError::Damaged(_))
        ));
    }

    #[test]
    fn a_drawn_table_has_rows() {
        let text = "Levels:\n\n+------+----------+\n| Who  | May      |\n+======+==========+\n| Board| read and |\n|      | write.   |\n+------+----------+\n";
        let document = parse("levels", text.as_bytes()).unwrap();
        let rows: Vec<&str> = document
            .sentences
            .iter()
            .filter(|s| s.kind.tag() == "table_cell")
            .map(|s| s.text.as_str())
            .collect();
        assert!(rows.contains(&"Board\tread and write."), "{rows:?}");
    }
}
