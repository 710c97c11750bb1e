//! Makes the document out of the lines of its pages: sections, and sentences with offsets and places.

use super::addresses;
use super::blocks::{Block, BlockKind, BlockText, Usual, blocks, usual};
use super::captions::{label_end, opens_caption};
use super::cell_sentences;
use super::figures;
use super::footnotes;
use super::hyphens::{Words, ends_compound};
use super::remarks::is_unmarked_note;
use super::row_labels;
use super::run_in;
use super::shown_capitals;
use super::small_letters::{SmallLetters, small_letter};
use super::table::Tables;
use super::tables;
use super::title;
use super::tree::{Tree, build};
use crate::layout::{Line, Role};
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, DocumentWarning, EngineCounts, ParsedDocument, ParsedPage,
    ParsedSection, ParsedSentence, ParsedTable,
};
use lexforge_domain::text::{Language, Region, SentenceKind};
use lexforge_ingest::definitions;
use lexforge_ingest::numbering::Scheme;
use lexforge_ingest::segment::segment;
use lexforge_ingest::{is_contents, section_name};
use lexforge_text::is_set_solid;
use lexforge_text::language;
use std::collections::HashSet;

/// Most characters of the term with which the entry of a glossary begins.
const TERM: usize = 80;
/// Fewest words, or ideographs, of its wording.
const WORDING: usize = 3;

/// The result of assembling the lines of a document.
#[derive(Debug)]
pub struct Assembled {
    /// Text of every page.
    pub pages: Vec<String>,
    /// Language of the whole.
    pub language: Language,
    /// Title found on the first page.
    pub title: Option<String>,
    /// Section tree.
    pub sections: Vec<ParsedSection>,
    /// Sentences in reading order.
    pub sentences: Vec<ParsedSentence>,
    /// Tables in reading order.
    pub tables: Vec<ParsedTable>,
}

impl Assembled {
    /// The document, if nothing in it has a place on a page. Without a title it gets the stem of its file's name.
    pub(crate) fn without_places(
        self,
        stem: &str,
        format: DocumentFormat,
        warnings: Vec<DocumentWarning>,
    ) -> ParsedDocument {
        let pages = (1..).zip(self.pages);
        ParsedDocument {
            title: self.title.unwrap_or_else(|| stem.to_owned()),
            format,
            language: self.language,
            metadata: DocumentMetadata::default(),
            pages: pages.map(|(n, text)| ParsedPage::plain(n, text)).collect(),
            sections: self.sections,
            sentences: self.sentences,
            tables: self.tables,
            engines: EngineCounts::default(),
            reader_agreement: None,
            scanned_pages: 0,
            warnings,
        }
    }
}

/// A character of a block and where it comes from.
#[derive(Clone, Copy)]
struct Origin {
    line: u32,
    at: u32,
}

/// Assembles pages of lines, each in reading order without running heads.
pub(crate) fn assemble(pages: Vec<Vec<Line>>) -> Assembled {
    assemble_under(pages, &[])
}

/// Assembles pages whose first one had these running heads.
pub(crate) fn assemble_under(pages: Vec<Vec<Line>>, heads: &[Line]) -> Assembled {
    let size = usual(pages.iter().flatten()).size;
    let pages: Vec<Vec<Line>> = pages
        .into_iter()
        .map(|lines| tables::cells(figures::mark(lines, size)))
        .collect();
    let page_texts: Vec<String> = pages.iter().map(|lines| page_text(lines)).collect();
    // Offsets count scalar values of the pages joined by form feeds, lines by line feeds.
    let mut starts = Vec::new();
    let mut offset = 0usize;
    let mut lines: Vec<Line> = Vec::new();
    for page in pages {
        let count = page.len();
        for (i, line) in page.into_iter().enumerate() {
            starts.push(offset);
            offset += line.chars.len() + usize::from(i + 1 < count);
            lines.push(line);
        }
        offset += 1;
    }
    let language = language::detect(&page_texts.join("\n"));
    let usual = usual(&lines);
    let tables_as_said = shown_capitals::put(&mut lines, usual);
    let notes = footnotes::mark(&lines, usual);
    let marks = footnotes::marks(&lines, &notes);
    let mut blocks = blocks(&lines, &notes, usual);
    row_labels::demote(&mut blocks, &lines);
    let words = Words::of(&lines);
    let small = SmallLetters::of(&lines);
    let mut texts = Vec::with_capacity(blocks.len());
    let mut origins = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let (text, origin) = block_text(block, &lines, (&words, &small), &marks);
        let first = &lines[block.lines[0]];
        texts.push(BlockText {
            text,
            page: first.page,
            wide: first.frame.is_wide(),
            bold: if first.lead.bold { first.lead.chars } else { 0 },
        });
        origins.push(origin);
    }
    let title = title::title(&blocks, &texts, usual.size, heads);
    let (title, titled) = title.map_or((None, 0..0), |(text, blocks)| (Some(text), blocks));
    let mut tree = build(&blocks, &texts, &titled);
    name_in(language, &mut tree.sections);
    let tables = Tables::of(&lines, &notes);
    let mut sentences = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        let context = BlockContext {
            block,
            text: &texts[i].text,
            origins: &origins[i],
            lines: &lines,
            starts: &starts,
            tables: &tables,
            usual,
        };
        context.sentences(&tree, i, language, &mut sentences);
    }
    Assembled {
        pages: page_texts,
        language,
        title,
        sections: tree.sections,
        sentences,
        tables: tables_as_said.unwrap_or_else(|| tables.into_list()),
    }
}

/// Names the sections that the parser added itself, in the language of the document.
fn name_in(language: Language, sections: &mut [ParsedSection]) {
    for section in sections.iter_mut().filter(|s| s.path == s.title) {
        let name = section_name(&section.title, language).to_owned();
        section.path.clone_from(&name);
        section.title = name;
    }
}

/// Whether the heading above a block says that terms follow, for example "Definitions". Headings that are a single
/// letter, which divide a glossary, are skipped.
fn in_glossary(tree: &Tree, block: usize) -> bool {
    let own = tree.of_block[block].map(|at| &tree.sections[at]);
    let mut above = std::iter::successors(own, |s| s.parent.map(|at| &tree.sections[at]));
    let nearest = above.find(|section| section.title.chars().count() > 1);
    nearest.is_some_and(|section| {
        let title = section.title.to_lowercase();
        ["glossary", "definitions", "术语", "释义"]
            .iter()
            .any(|word| title.contains(word))
    })
}

fn page_text(lines: &[Line]) -> String {
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            text.push(tables::separator(&lines[i - 1], line));
        }
        text.extend(line.chars.iter().map(|c| c.ch));
    }
    text
}

struct BlockContext<'a> {
    block: &'a Block,
    text: &'a str,
    origins: &'a [Origin],
    lines: &'a [Line],
    starts: &'a [usize],
    tables: &'a Tables,
    usual: Usual,
}

impl BlockContext<'_> {
    fn sentences(
        &self,
        tree: &Tree,
        index: usize,
        language: Language,
        out: &mut Vec<ParsedSentence>,
    ) {
        let heads = tree.heads[index] && self.block.kind == BlockKind::Text;
        let row = self.block.kind == BlockKind::TableRow;
        // Heads of a table that goes on were read where it began.
        let again = |&i: &usize| self.tables.comes_again(&self.lines[i]);
        if row && self.block.lines.iter().all(again) {
            return;
        }
        let whole = heads || matches!(self.block.kind, BlockKind::Heading | BlockKind::Contents);
        let plain = !whole && self.block.kind == BlockKind::Text;
        // An entry of a glossary begins with its term, which is no heading.
        let glossary = plain && in_glossary(tree, index);
        let head = if plain && !glossary {
            self.run_in(language)
        } else {
            0
        };
        let entry = glossary && self.begins_with_term();
        let spans: Vec<(usize, usize)> = if whole {
            vec![(0, self.origins.len())]
        } else if row {
            self.row(language)
        } else {
            let rest: String = self.text.chars().skip(head).collect();
            let label = if head == 0 { label_end(self.text) } else { 0 };
            let rest = segment(&rest, language);
            let rest = rest
                .into_iter()
                .map(|s| (head + s.start, head + s.end))
                .filter(|(_, to)| label == 0 || *to > label)
                .enumerate()
                .map(|(at, (from, to))| (if label > 0 && at == 0 { 0 } else { from }, to));
            let head = (head > 0).then_some((0, head));
            head.into_iter().chain(rest).collect()
        };
        let chars: Vec<char> = self.text.chars().collect();
        for (from, to) in spans {
            let heads = heads || (from == 0 && to == head);
            let defines = from == 0 && entry;
            let text: String = chars[from..to].iter().collect();
            // A typed rule, or a sign that is left of a formula, is no sentence.
            if text.trim().is_empty() || (!row && !text.contains(char::is_alphanumeric)) {
                continue;
            }
            let (Some(first), Some(last)) = (self.origins.get(from), self.origins.get(to - 1))
            else {
                continue;
            };
            out.push(ParsedSentence {
                page: self.lines[first.line as usize].page,
                section: tree.of_block[index],
                kind: if heads {
                    SentenceKind::Heading
                } else if defines {
                    SentenceKind::Definition
                } else {
                    self.kind(&text, tree, index, language)
                },
                regions: self.regions(from, to),
                start: self.starts[first.line as usize] + first.at as usize,
                end: self.starts[last.line as usize] + last.at as usize + 1,
                external_id: None,
                complete: row
                    .then(|| self.alone(first, (from, to), &text, language))
                    .flatten(),
                text,
            });
        }
    }

    /// The number of characters of a heading that its paragraph continues on the same line. 0 if there is no such
    /// heading.
    fn run_in(&self, language: Language) -> usize {
        let chars: Vec<char> = self.text.chars().collect();
        let lines = self.lines;
        let origins: Vec<(usize, &Line)> = self
            .origins
            .iter()
            .map(|o| (o.at as usize, &lines[o.line as usize]))
            .collect();
        if self.block.label.is_some() {
            return 0;
        }
        let length = run_in::length(&chars, &origins);
        // Few paragraphs begin with such words, so only these are searched for a definition.
        if length > 0 && definitions::defines(self.text, language) {
            return 0;
        }
        length
    }

    /// Some words in another look, and more after them: the term of a glossary's entry, and its wording.
    fn begins_with_term(&self) -> bool {
        let line = &self.lines[self.block.lines[0]];
        let term: String = line
            .chars
            .iter()
            .take(line.lead.chars)
            .map(|c| c.ch)
            .collect();
        let words = |text: &str| text.split_whitespace().count();
        let after = words(self.text).saturating_sub(words(&term));
        let letters = term.chars().any(char::is_alphabetic);
        let solid = self.text.chars().filter(|c| is_set_solid(*c)).count();
        letters
            && line.lead.chars <= TERM
            && (after >= WORDING || solid > line.lead.chars + WORDING)
    }

    fn kind(&self, text: &str, tree: &Tree, index: usize, language: Language) -> SentenceKind {
        match self.block.kind {
            BlockKind::Heading => return SentenceKind::Heading,
            BlockKind::Footnote => return SentenceKind::Footnote,
            BlockKind::TableRow | BlockKind::Contents => return SentenceKind::TableCell,
            BlockKind::Text => {}
        }
        if is_unmarked_note(self.lines, &self.block.lines, text, self.usual) {
            return SentenceKind::Footnote;
        }
        // An entry of a table of contents is no rule, whether leaders show it or not.
        let section = tree.of_block[index].map(|s| &tree.sections[s]);
        if section.is_some_and(|s| s.level == 0 && is_contents(&s.path)) {
            return SentenceKind::TableCell;
        }
        // Numbers alone are the labels of a chart or a part of a formula, whatever the first of them looks like.
        let label = self.block.label.as_ref();
        if !text.contains(char::is_alphabetic) && label.is_none_or(|l| !l.is_list_item()) {
            return SentenceKind::TableCell;
        }
        // A caption in the look of text is a heading, too, but for a sentence such as `Table 3 - the limits - is new.`
        if opens_caption(text) && !text.ends_with(['.', ';', ',', ':', '。', '；', '，', '：'])
        {
            return SentenceKind::Heading;
        }
        // `Section 2` alone on its line heads what follows, plain as it may look.
        let named = label
            .is_some_and(|l| matches!(l.scheme, Scheme::Named(_)) && l.len >= self.origins.len());
        if named && tree.labelled[index] {
            return SentenceKind::Heading;
        }
        let role = self.lines[self.block.lines[0]].role;
        if role == Role::Definition || definitions::defines(text, language) {
            return SentenceKind::Definition;
        }
        if role == Role::Item {
            return SentenceKind::ListItem;
        }
        // `1.` numbers a paragraph, but below `(a)` it numbers an item. Below the heading `(a) Limits` it does not.
        let parent = tree.of_block[index].and_then(|s| tree.sections[s].parent);
        let nested = parent.map(|p| &tree.sections[p]).is_some_and(|section| {
            section.title.is_empty() && section.label.starts_with(['(', '（'])
        });
        let list = tree.labelled[index]
            && label.is_some_and(|l| l.is_list_item() || (nested && l.is_marker()));
        if list {
            SentenceKind::ListItem
        } else {
            SentenceKind::Rule
        }
    }

    /// A row of a table, or a sentence of one of its cells, as a text that can be understood alone.
    fn alone(
        &self,
        first: &Origin,
        (from, to): (usize, usize),
        text: &str,
        language: Language,
    ) -> Option<String> {
        let part = (from > 0 || to < self.origins.len()).then_some(text);
        let line = &self.lines[first.line as usize];
        let lines = self.lines;
        let own: Vec<&Line> = self.block.lines.iter().map(|&i| &lines[i]).collect();
        // The cells of a whole row that a page's end cuts stand in two tables.
        if part.is_none() && own.iter().any(|l| l.page != line.page) {
            return None;
        }
        self.tables
            .alone(line, own.first().copied(), part, language)
    }

    /// A row is one sentence. If one of its cells contains running text, each cell has its own sentences.
    fn row(&self, language: Language) -> Vec<(usize, usize)> {
        // The labels of a figure are no sentences.
        if self.lines[self.block.lines[0]].figure.is_some() {
            return vec![(0, self.origins.len())];
        }
        cell_sentences::spans(self.text, language)
    }

    /// One rectangle a line.
    fn regions(&self, from: usize, to: usize) -> Vec<Region> {
        let mut out = Vec::new();
        let mut at = from;
        while at < to {
            let line = self.origins[at].line;
            let end = at
                + self.origins[at..to]
                    .iter()
                    .take_while(|o| o.line == line)
                    .count();
            let (a, b) = (
                self.origins[at].at as usize,
                self.origins[end - 1].at as usize + 1,
            );
            out.extend(self.lines[line as usize].region(a, b));
            at = end;
        }
        out
    }
}

/// The text of a block, line breaks resolved, with the origin of every character.
fn block_text(
    block: &Block,
    lines: &[Line],
    (words, letters): (&Words, &SmallLetters),
    marks: &HashSet<(u32, String)>,
) -> (String, Vec<Origin>) {
    let mut text: Vec<char> = Vec::new();
    let mut origins: Vec<Origin> = Vec::new();
    let mut before: Option<usize> = None;
    // What is set in small capitals throughout is a heading, which is read as it would be written.
    let plain = matches!(block.kind, BlockKind::Heading | BlockKind::Text);
    let small = plain && block.lines.iter().all(|&i| !lines[i].small.is_empty());
    for &index in &block.lines {
        let line = &lines[index];
        let first = line.chars.first().map_or(' ', |c| c.ch);
        let new_cell =
            text.last().is_some() && tables::begins_cell(&lines[before.unwrap_or(index)], line);
        before = Some(index);
        if new_cell {
            origins.push(*origins.last().unwrap_or(&Origin { line: 0, at: 0 }));
            text.push('\t');
        } else if let Some(&last) = text.last() {
            if last == '\u{AD}' || (last == '-' && words.parts(&text, line)) {
                text.pop();
                origins.pop();
            } else if !(ends_compound(text.iter().rev().copied(), first)
                || addresses::goes_on(&text, line)
                || (is_set_solid(last) && is_set_solid(first)))
            {
                let end = *origins.last().unwrap_or(&Origin { line: 0, at: 0 });
                text.push(' ');
                origins.push(end);
            }
        }
        let references = footnotes::references(line, marks);
        let small = if small {
            letters.places(line)
        } else {
            Vec::new()
        };
        let mut left_out = false;
        for (at, c) in line.chars.iter().enumerate() {
            if references[at] && block.kind != BlockKind::Footnote {
                left_out = true;
                continue;
            }
            // Blanks on both sides of a reference leave one.
            if std::mem::take(&mut left_out) && c.ch == ' ' && text.last() == Some(&' ') {
                continue;
            }
            if c.ch == '\u{AD}' && at + 1 < line.chars.len() {
                continue;
            }
            let small = small.binary_search(&at).is_ok();
            text.push(if small { small_letter(c.ch) } else { c.ch });
            origins.push(Origin {
                line: index as u32,
                at: at as u32,
            });
        }
    }
    while text.last().is_some_and(|c| *c == ' ' || *c == '\u{AD}') {
        text.pop();
        origins.pop();
    }
    (text.into_iter().collect(), origins)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod kind_tests;
