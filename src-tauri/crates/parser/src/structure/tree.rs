//! The section tree: makes nested sections from the sequence of labels and headings.
//!
//! Named levels are nested by rank, decimal numbers by their prefixes, and list markers by their sequence: `(b)` goes
//! beside `(a)`, and the first marker of a new kind goes below the section that is open. A marker that fits no sequence
//! is text.

mod framed;
mod labelled;
mod open;
mod ranks;
mod steps;

pub use open::Tree;

use super::blocks::{Block, BlockKind, BlockText};
use super::contents::{contents, cover, front};
use super::title::{heads_nothing, title_like};
use framed::insets;
use lexforge_ingest::numbering::{Count, Label, Level, Scheme, Wrap};
use lexforge_text::is_set_solid;
use open::{Builder, Node, Open};
use ranks::ranks;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// Distance below the text, in ems, from which a short line belongs to no clause.
const FAR: f32 = 4.5;
/// Paragraphs whose left edges differ by less than this, in ems, are indented alike.
const SAME_INDENT: f32 = 0.7;
/// How many blocks ahead the next item of a list is looked for.
const AHEAD: usize = 24;
/// Fewest columns of a table whose head comes again.
const COLUMNS: usize = 3;
/// Fewest pages of slides.
const SLIDES: usize = 3;

/// Builds the tree over blocks in reading order; `title` are the blocks of the document's title.
pub fn build(blocks: &[Block], texts: &[BlockText], title: &Range<usize>) -> Tree {
    let contents = contents(blocks, texts);
    let cover = cover(blocks, texts);
    let front = front(blocks, texts, title);
    let mut builder = Builder {
        tree: Tree::default(),
        stack: Vec::new(),
        ranks: ranks(blocks, &contents),
        last_of: HashMap::new(),
        excerpt: None,
        last_article: None,
        untitled: None,
        apart: HashMap::new(),
        top_number: None,
        heads: false,
        ahead: None,
        ended: false,
        over_table: None,
        inset: None,
    };
    let insets = insets(blocks, texts);
    let columns = column_heads(blocks, texts);
    let is_column = |text: &BlockText| columns.contains(text.text.trim());
    // Such a word may head a section of its own, as a grade does of which the text speaks; then no part of a table is
    // beside it.
    let in_table = |i: usize| blocks[i].kind == BlockKind::TableRow || is_column(&texts[i]);
    let beside = |i: usize| {
        let around = [i.checked_sub(1), Some(i + 1)].into_iter().flatten();
        around.filter(move |&at| texts.get(at).is_some_and(|t| t.page == texts[i].page))
    };
    // Each slide has its own title.
    let slides = is_slides(texts);
    let at_top = |i: usize| i > 0 && texts[i - 1].page < texts[i].page;
    for (i, (block, text)) in blocks.iter().zip(texts).enumerate() {
        if block.kind != BlockKind::Footnote {
            builder.in_frame(insets[i]);
        }
        if slides && at_top(i) && block.kind == BlockKind::Heading {
            builder.stack.clear();
        }
        builder.leave_before_number(block);
        let before = builder.tree.sections.len();
        builder.heads = block.kind == BlockKind::Heading;
        builder.ahead = next_item(&blocks[i + 1..]);
        if block.kind == BlockKind::TableRow {
            builder.step_in_table(block, text);
        }
        let (section, labelled) = match block.kind {
            BlockKind::Footnote => (
                Some(builder.apart(lexforge_ingest::FOOTNOTES_SECTION, text.page)),
                false,
            ),
            _ if contents[i] || cover.contains(&text.page) => {
                // The text after a cover or a table of contents does not belong to it.
                builder.stack.clear();
                let section = contents[i]
                    .then(|| builder.apart(lexforge_ingest::CONTENTS_SECTION, text.page));
                (section, false)
            }
            // Lines around the title name the series and no section.
            _ if front.contains(&i) => {
                builder.heads = true;
                let section = builder.apart(lexforge_ingest::FRONT_MATTER_SECTION, text.page);
                (Some(section), false)
            }
            _ if heads_nothing(block, &text.text) && !title.contains(&i) => (builder.top(), false),
            BlockKind::Heading
                if block.label.is_none()
                    && is_column(text)
                    && beside(i).any(in_table)
                    && !title.contains(&i) =>
            {
                (builder.top(), false)
            }
            BlockKind::Heading if title.contains(&i) => {
                (Some(builder.title(i > title.start, block, text)), false)
            }
            _ => builder.place(block, text),
        };
        let opened_named = builder.tree.sections.len() > before
            && matches!(builder.stack.last().map(|o| &o.node), Some(Node::Named(_)))
            && block
                .label
                .as_ref()
                .is_some_and(|l| text.text.chars().count() <= l.len)
            && section.is_some_and(|s| builder.tree.sections[s].title.is_empty());
        if !matches!(block.kind, BlockKind::Footnote) {
            builder.untitled = if opened_named { section } else { None };
        }
        if block.kind == BlockKind::Text {
            builder.ended = text
                .text
                .trim_end_matches(['”', '）', '」', '》'])
                .ends_with('。');
        }
        let opened = section.filter(|_| builder.tree.sections.len() > before);
        builder.leave_table(block, text, opened);
        builder.tree.of_block.push(section);
        builder.tree.labelled.push(labelled);
        builder.tree.heads.push(builder.heads);
    }
    builder.tree
}

/// The column heads of tables that continue over several pages: rows of words that are repeated. If the table's rows
/// are not found on a page, these heads look like headings there.
fn column_heads<'a>(blocks: &[Block], texts: &'a [BlockText]) -> HashSet<&'a str> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (block, text) in blocks.iter().zip(texts) {
        let words = |cell: &str| {
            cell.chars().any(char::is_alphabetic) && !cell.chars().any(char::is_numeric)
        };
        let cells = text.text.split('\t');
        if block.kind == BlockKind::TableRow
            && cells.clone().count() >= COLUMNS
            && cells.clone().all(words)
        {
            *seen.entry(&text.text).or_default() += 1;
        }
    }
    let again = seen.into_iter().filter(|(_, count)| *count > 1);
    again
        .flat_map(|(row, _)| row.split('\t').map(str::trim))
        .collect()
}

/// Numbers and no word follow: the number is one of a scale or of a formula and numbers nothing.
fn only_numbers(label: &Label, text: &BlockText) -> bool {
    let rest = || text.text.chars().skip(label.len);
    rest().any(|c| c.is_ascii_digit()) && !rest().any(char::is_alphabetic)
}

/// Most pages, and several, are wider than high.
fn is_slides(texts: &[BlockText]) -> bool {
    let pages: BTreeMap<u32, bool> = texts.iter().map(|t| (t.page, t.wide)).collect();
    let wide = pages.values().filter(|wide| **wide).count();
    pages.len() >= SLIDES && wide * 10 >= pages.len() * 8
}

impl Builder {
    /// Finds or opens the section of a block of text or a heading.
    fn place(&mut self, block: &Block, text: &BlockText) -> (Option<usize>, bool) {
        let bare = text
            .text
            .trim()
            .trim_end_matches([':', '：'])
            .to_lowercase();
        if bare == "whereas" {
            self.stack.clear();
            let section = self.open(
                Node::Heading,
                String::new(),
                "Recitals".to_owned(),
                block,
                text.page,
            );
            return (Some(section), false);
        }
        if bare.starts_with("have adopted this") || bare.starts_with("has adopted this") {
            self.stack.clear();
            return (None, false);
        }
        if self.is_tail(block, &text.text) {
            self.stack.clear();
            return (None, false);
        }
        let scale = |l: &&Label| matches!(l.scheme, Scheme::Decimal(_)) && only_numbers(l, text);
        if let Some(label) = block.label.as_ref().filter(|l| !scale(l)) {
            let placed = match label.scheme {
                Scheme::Named(level) => self.named(level, label, block, text),
                Scheme::Decimal(_) => self.decimal(label.parts.clone(), label, block, text),
                Scheme::Item(wrap, count) => self.item(wrap, count, label, block, text),
                Scheme::Bullet => None,
            };
            if let Some(section) = placed {
                return (Some(section), true);
            }
        }
        if let Some(section) = self.untitled
            && (block.kind == BlockKind::Heading || title_like(block, &text.text))
        {
            self.tree.sections[section].title = text.text.clone();
            self.heads = true;
            return (Some(section), false);
        }
        if let Some(section) = self.step(block, text) {
            return (Some(section), false);
        }
        if block.kind == BlockKind::Heading {
            return (
                Some(self.heading(String::new(), text.text.clone(), block, text.page)),
                false,
            );
        }
        // A number that continues no list is that of a paragraph, but articles may hold items of any number.
        let paragraph = |l: &Label| {
            matches!(l.scheme, Scheme::Item(Wrap::Dot, Count::Digit)) && !self.in_chinese_article()
        };
        if block.label.as_ref().is_none_or(paragraph) {
            self.leave_lists(block, text);
        }
        (
            self.top(),
            matches!(
                &block.label,
                Some(Label {
                    scheme: Scheme::Bullet,
                    ..
                })
            ),
        )
    }

    /// Whether a block comes after the last clause and belongs to no clause. Such a block gives the date and place of
    /// signing, or it is a short line far below the text, such as a note of the site that printed it.
    fn is_tail(&self, block: &Block, text: &str) -> bool {
        let in_article = self.stack.iter().any(|o| matches!(o.node, Node::Named(_)));
        let short = block.lines.len() == 1 && text.chars().count() <= 60;
        let signing = short && (text.starts_with("Done at ") || text.starts_with("Given at "));
        let end = text.chars().last().unwrap_or('.');
        let open_end = block.label.is_none() && !".;:,。；：，".contains(end);
        let far = block
            .gap
            .is_some_and(|g| g > FAR || (block.scale < 0.85 && g > 0.6 * FAR));
        in_article && (signing || (far && short && open_end && block.kind == BlockKind::Text))
    }

    /// The section of the document's title; further lines of the title may follow (`more`).
    fn title(&mut self, more: bool, block: &Block, text: &BlockText) -> usize {
        if let (
            true,
            Some(Open {
                node: Node::Title,
                section,
                ..
            }),
        ) = (more, self.stack.last())
        {
            return *section;
        }
        self.stack.clear();
        self.open(
            Node::Title,
            String::new(),
            text.text.clone(),
            block,
            text.page,
        )
    }

    /// A paragraph that is no item, and stands further left than a list's text, has left the list.
    fn leave_lists(&mut self, block: &Block, text: &BlockText) {
        if text.text.starts_with(is_set_solid) && self.in_chinese_article() {
            let ahead = self.ahead;
            let goes_on = |o: &Open| matches!(o.node, Node::Item(scheme, value) if ahead == Some((scheme, value + 1)));
            // The paragraph above is the one that leads the list in, with its items. No item speaks of it so.
            let of_the_article = OF_AN_ARTICLE.iter().any(|w| text.text.starts_with(w));
            // In a Chinese article all paragraphs have the same indent, so the indent does not show whether this
            // paragraph still belongs to a list. It leaves the list only if the paragraph before ended with a full
            // stop, or if its own first words show that it belongs to the article.
            if self.ended || of_the_article {
                self.pop_while(|o| {
                    let alike = of_the_article || (o.indent - block.indent).abs() < SAME_INDENT;
                    matches!(o.node, Node::Item(..)) && alike && !goes_on(o)
                });
            }
            // Text between two items explains the first of them.
            if self.stack.last().is_some_and(goes_on) {
                return;
            }
        }
        self.pop_while(|o| {
            let Node::Item(scheme, _) = o.node else {
                return false;
            };
            let numbered_paragraph = matches!(scheme, Scheme::Item(Wrap::Dot, Count::Digit));
            let text_at = o.hang.unwrap_or(if numbered_paragraph {
                o.indent
            } else {
                o.indent + 1.2
            });
            o.page == text.page && text_at > block.indent + 0.8
        });
    }

    /// Whether the innermost open section, apart from lists, is an article.
    fn in_chinese_article(&self) -> bool {
        let rank = self.ranks.get(&Level::Article);
        let open = self.stack.iter().rev().find_map(|o| match o.node {
            Node::Item(..) => None,
            Node::Named(rank) => Some(Some(rank)),
            _ => Some(None),
        });
        self.last_article.is_some() && open.flatten().as_ref() == rank
    }
}

/// How a paragraph of a Chinese article begins that is said of its other paragraphs.
const OF_AN_ARTICLE: [&str; 2] = ["前款", "本条第"];

/// The next item of a list, unless another kind of label comes before it.
fn next_item(blocks: &[Block]) -> Option<(Scheme, u32)> {
    let mut labels = blocks.iter().take(AHEAD).filter_map(|b| b.label.as_ref());
    let next = labels.find(|label| label.scheme != Scheme::Bullet)?;
    matches!(next.scheme, Scheme::Item(..)).then_some((next.scheme, next.value))
}

#[cfg(test)]
mod tests;
