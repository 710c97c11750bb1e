//! Turns a page's tokens into blocks. The tokens are read one by one and no tree is built. So a deep or long page needs
//! no memory beyond that for its text.

use super::elements::{Kind, hides, is_note, is_void, kind, strikes};
use super::lists::{Countdowns, List};
use super::state::{Open, Skip, State, Table};
use crate::flow::{Block, Flow, TableCell, struck_out};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer,
};
use lexforge_domain::document::DocumentWarning;
use lexforge_ingest::error::IngestError;
use std::cell::RefCell;

/// Elements that may be open at once; browsers stop at this depth too.
const DEPTH: usize = 512;
/// Tables within tables that are followed.
const TABLES: usize = 24;
/// The rest of a page is left out if its main content has more than one in this many parts of the page's text.
const MAIN_SHARE: usize = 2;

/// A page in the reading.
pub struct Page {
    blocks: Vec<Block>,
    main: Vec<bool>,
    title: String,
    hidden: usize,
    struck: usize,
    skipping: bool,
}

impl Page {
    /// Reads a page in portions of `portion` bytes. With `furniture`, navigation and similar parts are left out.
    ///
    /// # Errors
    /// When elements or tables are nested too deeply.
    pub fn read(text: &str, portion: usize, furniture: bool) -> Result<Self, IngestError> {
        let sink = Sink(RefCell::new(State {
            furniture,
            ..State::new()
        }));
        let tokenizer = Tokenizer::new(sink, Default::default());
        let mut rest = text;
        while !rest.is_empty() {
            let mut at = portion.min(rest.len());
            while !rest.is_char_boundary(at) {
                at += 1;
            }
            let (now, later) = rest.split_at(at);
            let queue = BufferQueue::default();
            queue.push_back(StrTendril::from_slice(now));
            while !queue.is_empty() {
                // The end of a script interrupts the tokenizer. The script is not run, and reading continues.
                let _ = tokenizer.feed(&queue);
            }
            if tokenizer.sink.0.borrow().too_deep {
                return Err(IngestError::Damaged(format!(
                    "the page nests elements more than {DEPTH} deep"
                )));
            }
            rest = later;
        }
        tokenizer.end();
        let mut state = tokenizer.sink.0.into_inner();
        if state.too_deep {
            return Err(IngestError::Damaged(format!(
                "the page nests elements more than {DEPTH} deep"
            )));
        }
        Ok(state.finish())
    }

    /// The page ended within an element that was left out because it belongs to the site.
    pub(crate) fn ended_in_skipped(&self) -> bool {
        self.skipping
    }

    /// How many characters the page hides and how many it strikes out.
    pub fn left_out(&self) -> [usize; 2] {
        [self.hidden, self.struck]
    }

    /// The content of the page.
    pub fn finish(self) -> Flow {
        let hidden = hidden_characters(self.hidden).into_iter();
        let mut warnings: Vec<_> = hidden.chain(struck_out(self.struck)).collect();
        let size = |wanted: bool| -> usize {
            self.blocks
                .iter()
                .zip(&self.main)
                .filter(|(_, m)| **m == wanted)
                .map(|(b, _)| length(b))
                .sum()
        };
        let (inside, outside) = (size(true), size(false));
        let mut blocks = self.blocks;
        if inside > 0 && inside * MAIN_SHARE > inside + outside {
            if outside > 0 {
                warnings.push(warning(
                    "outside_main_content",
                    format!("{outside} characters outside the page's main content were left out."),
                ));
            }
            blocks = blocks
                .into_iter()
                .zip(self.main)
                .filter(|(_, main)| *main)
                .map(|(block, _)| block)
                .collect();
        }
        let title = (!self.title.trim().is_empty()).then_some(self.title);
        Flow {
            blocks,
            title,
            warnings,
            ..Flow::default()
        }
    }
}

fn length(block: &Block) -> usize {
    match block {
        Block::Paragraph(p) => p.spans.iter().map(|s| s.text.len()).sum(),
        Block::Table(rows) => rows
            .iter()
            .flatten()
            .flat_map(|c| &c.blocks)
            .map(length)
            .sum(),
        Block::Preformatted(text) => text.len(),
        Block::NewPage => 0,
    }
}

/// Gives the items their numbers that were known only at the end of their list.
fn number(blocks: &mut [Block], countdowns: &Countdowns) {
    for block in blocks {
        match block {
            Block::Paragraph(p) => {
                p.label = p.label.take().and_then(|label| countdowns.label(label));
            }
            // No deeper than tables are followed.
            Block::Table(rows) => {
                for cell in rows.iter_mut().flatten() {
                    number(&mut cell.blocks, countdowns);
                }
            }
            Block::Preformatted(_) | Block::NewPage => {}
        }
    }
}

struct Sink(RefCell<State>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => return state.tag(&tag),
            Token::CharacterTokens(text) => state.text(&text),
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

/// A test of an element's kind.
type Is = fn(Kind) -> bool;

impl State {
    fn finish(&mut self) -> Page {
        let left_out = |s: &Skip| s.furniture || s.hidden || s.struck;
        self.ended_skipping = self.skip.as_ref().is_some_and(left_out);
        self.flush();
        while !self.tables.is_empty() {
            self.end_table();
        }
        let mut blocks = std::mem::take(&mut self.blocks);
        number(&mut blocks, &self.countdowns);
        Page {
            blocks,
            main: std::mem::take(&mut self.main),
            title: std::mem::take(&mut self.title),
            hidden: self.hidden,
            struck: self.struck,
            skipping: self.ended_skipping && self.furniture,
        }
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        if let Some(skip) = &mut self.skip {
            if skip.name == name && !is_void(name) {
                match tag.kind {
                    TagKind::StartTag if !tag.self_closing => skip.depth += 1,
                    TagKind::StartTag => {}
                    TagKind::EndTag => skip.depth -= 1,
                }
                if skip.depth == 0 {
                    self.skip = None;
                }
            }
            return if tag.kind == TagKind::StartTag {
                raw(name)
            } else {
                TokenSinkResult::Continue
            };
        }
        match tag.kind {
            TagKind::StartTag => {
                self.start(tag);
                raw(name)
            }
            TagKind::EndTag => {
                self.end(name);
                TokenSinkResult::Continue
            }
        }
    }

    fn start(&mut self, tag: &Tag) {
        let name: &str = &tag.name;
        let get = |key: &str| {
            tag.attrs
                .iter()
                .find(|a| &*a.name.local == key)
                .map(|a| &*a.value)
        };
        let kind = kind(name);
        let role = get("role").unwrap_or_default();
        let hidden = get("hidden").is_some_and(|v| v != "until-found")
            || get("aria-hidden") == Some("true")
            || get("style").is_some_and(hides);
        let in_main = self.open.iter().any(|o| o.main);
        let furniture = self.furniture
            && !in_main
            && (kind == Kind::Furniture || matches!(role, "navigation" | "search" | "contentinfo"));
        let nav = self.furniture && name == "nav";
        // If an element for struck-out text is never closed, the rest of the page would be removed. In that case the
        // page is read a second time, and struck-out text is kept.
        let struck = self.furniture && !hidden && strikes(name);
        if is_void(name) {
            // A hidden input or picture has no content.
        } else if kind == Kind::Skipped || hidden || struck || furniture || nav {
            if !tag.self_closing {
                self.skip = Some(Skip {
                    name: name.to_owned(),
                    depth: 1,
                    hidden,
                    struck,
                    furniture: furniture || nav,
                });
            }
            return;
        }
        match kind {
            Kind::Skipped | Kind::Meta | Kind::Inline => return,
            Kind::Title => {
                self.in_title = self.title.is_empty();
                return;
            }
            Kind::Break => {
                match &mut self.preformatted {
                    Some(pre) => pre.push('\n'),
                    None => self.push_break(),
                }
                return;
            }
            Kind::Bold => return self.bold += 1,
            Kind::Italic => return self.italic += 1,
            Kind::Raised => return self.raised += 1,
            Kind::Rule => return self.flush(),
            _ => {}
        }
        self.flush();
        self.close_implied(kind);
        if tag.self_closing && name != "p" && name != "div" {
            // XHTML writes empty elements so; HTML ignores the slash. Nothing is lost either way.
            return;
        }
        let note = is_note(get("class").unwrap_or_default()) || is_note(role);
        let main = name == "main" || role == "main" || (name == "article" && !in_main);
        let level = (role == "heading").then(|| {
            get("aria-level")
                .and_then(|l| l.parse().ok())
                .unwrap_or(2u8)
        });
        let kind = level.map_or(kind, |l| Kind::Heading(l.clamp(1, 9)));
        match kind {
            Kind::List(ordered) => self.lists.push(List::new(
                ordered,
                get("type"),
                get("style"),
                get("start").and_then(|s| s.trim().parse().ok()),
                get("reversed").is_some(),
                &mut self.countdowns,
            )),
            Kind::Item => {
                let value = get("value").and_then(|v| v.trim().parse().ok());
                let own = get("style")
                    .is_some_and(|s| s.replace(' ', "").contains("list-style-type:none"));
                let label = match self.lists.last_mut() {
                    Some(list) => list.label(value, &mut self.countdowns),
                    None => Some("•".to_owned()),
                };
                self.label = label.filter(|_| !own);
            }
            Kind::Table => {
                if self.tables.len() >= TABLES {
                    self.too_deep = true;
                    return;
                }
                self.tables.push(Table {
                    depth: self.open.len(),
                    ..Table::default()
                });
            }
            Kind::Row => self.open_row(),
            Kind::Cell => {
                self.open_row();
                if let Some(table) = self.tables.last_mut() {
                    // The same limit as in browsers.
                    let span = |key: &str| {
                        let number = get(key).and_then(|v| v.trim().parse::<u32>().ok());
                        number.unwrap_or(1).clamp(1, 1000)
                    };
                    table.cell = Some(TableCell {
                        blocks: Vec::new(),
                        rows: span("rowspan"),
                        columns: span("colspan"),
                        head: name == "th",
                    });
                }
            }
            Kind::Preformatted => self.preformatted = Some(String::new()),
            Kind::Term => self
                .term
                .push_str(if self.term.is_empty() { "" } else { ", " }),
            _ => {}
        }
        if self.open.len() >= DEPTH {
            self.too_deep = true;
            return;
        }
        self.open.push(Open {
            name: name.to_owned(),
            kind,
            main,
            note,
        });
    }

    fn end(&mut self, name: &str) {
        match kind(name) {
            Kind::Title => self.in_title = false,
            Kind::Bold => self.bold = self.bold.saturating_sub(1),
            Kind::Italic => self.italic = self.italic.saturating_sub(1),
            Kind::Raised => self.raised = self.raised.saturating_sub(1),
            Kind::Inline | Kind::Meta | Kind::Skipped | Kind::Rule => {}
            Kind::Break => self.push_break(),
            _ => {
                self.flush();
                let floor = match kind(name) {
                    // An element that is opened in a cell cannot end an element around its table.
                    Kind::Table | Kind::Row | Kind::Cell => 0,
                    _ => self.tables.last().map_or(0, |t| t.depth),
                };
                if let Some(at) = self
                    .open
                    .iter()
                    .rposition(|o| o.name == name)
                    .filter(|at| *at >= floor)
                {
                    while self.open.len() > at {
                        self.pop();
                    }
                }
            }
        }
    }

    /// Elements that the start of another ends, though nothing says so.
    fn close_implied(&mut self, kind: Kind) {
        let floor = self.tables.last().map_or(0, |t| t.depth);
        let (ends, stops): (Is, Is) = match kind {
            Kind::Item => (
                |k| k == Kind::Item,
                |k| matches!(k, Kind::List(_) | Kind::Table),
            ),
            Kind::Term | Kind::Definition => (
                |k| matches!(k, Kind::Term | Kind::Definition),
                |k| matches!(k, Kind::List(_) | Kind::Table),
            ),
            Kind::Row => (|k| k == Kind::Row, |k| k == Kind::Table),
            Kind::Cell => (
                |k| k == Kind::Cell,
                |k| matches!(k, Kind::Row | Kind::Table),
            ),
            Kind::Heading(_) => (|k| matches!(k, Kind::Heading(_)), |k| k != Kind::Block),
            _ => (|_| false, |_| true),
        };
        let mut found = None;
        for at in (floor..self.open.len()).rev() {
            let open = &self.open[at];
            if ends(open.kind) {
                found = Some(at);
                break;
            }
            if stops(open.kind) {
                break;
            }
        }
        // A paragraph is ended by any block.
        let paragraph = || {
            self.open
                .len()
                .checked_sub(1)
                .filter(|at| self.open[*at].name == "p")
        };
        if let Some(at) = found.or_else(paragraph) {
            while self.open.len() > at {
                self.pop();
            }
        }
    }
}

/// How the tokenizer must go on after the start of an element whose content is no markup.
fn raw(name: &str) -> TokenSinkResult<()> {
    match name {
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => {
            TokenSinkResult::RawData(RawKind::Rawtext)
        }
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        _ => TokenSinkResult::Continue,
    }
}

/// A warning of characters that a page hides; none if there are none.
pub(crate) fn hidden_characters(characters: usize) -> Option<DocumentWarning> {
    (characters > 0).then(|| {
        warning(
            "hidden_text",
            format!("{characters} characters that the page hides from its readers were left out."),
        )
    })
}

fn warning(code: &str, message: String) -> DocumentWarning {
    DocumentWarning {
        code: code.to_owned(),
        page: None,
        message,
    }
}
