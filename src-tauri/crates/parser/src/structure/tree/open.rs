//! The tree in the making: its sections, and which of them are open.

use crate::structure::blocks::{Block, BlockKind};
use lexforge_domain::document::ParsedSection;
use lexforge_ingest::numbering::{Level, Scheme};
use std::collections::HashMap;

/// How much larger a heading without a number may be than the numbered one that it stands under.
const LARGER: f32 = 1.15;
/// Joins the parts of a path.
const SEPARATOR: &str = " › ";

/// The tree and the section of every block.
#[derive(Debug, Default)]
pub struct Tree {
    /// Sections, parents before children.
    pub sections: Vec<ParsedSection>,
    /// For every block the index of its section.
    pub of_block: Vec<Option<usize>>,
    /// For every block whether its label opened a section or stands in a list.
    pub labelled: Vec<bool>,
    /// For every block whether it heads a section, whatever it looks like.
    pub heads: Vec<bool>,
}

/// The kind of an open section.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// The document's title: it is above everything, and so in no path but its own.
    Title,
    Named(u8),
    Heading,
    Decimal(Vec<u32>),
    Item(Scheme, u32),
}

#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) node: Node,
    pub(super) section: usize,
    pub(super) prominence: f32,
    begins_with_text: bool,
    pub(super) indent: f32,
    pub(super) hang: Option<f32>,
    pub(super) page: u32,
}

pub(super) struct Builder {
    pub(super) tree: Tree,
    pub(super) stack: Vec<Open>,
    pub(super) ranks: HashMap<Level, u8>,
    pub(super) last_of: HashMap<Scheme, u32>,
    /// The last number of paragraphs whose beginning is elsewhere. The document's own numbers go on after them.
    pub(super) excerpt: Option<u32>,
    pub(super) last_article: Option<u32>,
    /// The section that a named label opened in the block before, still without a title.
    pub(super) untitled: Option<usize>,
    pub(super) apart: HashMap<&'static str, usize>,
    /// Number and prominence of the last numbered heading that is in no other section.
    pub(super) top_number: Option<(u32, f32)>,
    /// The block in hand is the heading or the title of a section.
    pub(super) heads: bool,
    /// The next item of a list after the block in hand.
    pub(super) ahead: Option<(Scheme, u32)>,
    /// The paragraph before the block in hand ended with a full stop.
    pub(super) ended: bool,
    /// The section of a heading without a number after which nothing but rows of a table came, and whether any came.
    pub(super) over_table: Option<(usize, bool)>,
    /// The frame that is open, and what stood open before it.
    pub(super) inset: Option<(usize, Outer)>,
}

/// The sections that are open around a frame.
pub(super) struct Outer {
    stack: Vec<Open>,
    last_of: HashMap<Scheme, u32>,
    last_article: Option<u32>,
    /// Sections that stay open in the frame.
    floor: usize,
}

impl Builder {
    pub(super) fn top(&self) -> Option<usize> {
        self.stack.last().map(|o| o.section)
    }

    /// A section beside the tree: contents, footnotes.
    pub(super) fn apart(&mut self, title: &'static str, page: u32) -> usize {
        if let Some(&section) = self.apart.get(title) {
            return section;
        }
        self.tree.sections.push(ParsedSection {
            parent: None,
            level: 0,
            label: String::new(),
            title: title.to_owned(),
            path: title.to_owned(),
            page,
        });
        let section = self.tree.sections.len() - 1;
        self.apart.insert(title, section);
        section
    }

    pub(super) fn open(
        &mut self,
        node: Node,
        label: String,
        title: String,
        block: &Block,
        page: u32,
    ) -> usize {
        let in_path = |o: &&Open| !matches!(o.node, Node::Title);
        let mut above = self.stack.iter().filter(in_path);
        let level = u8::try_from(above.clone().count()).unwrap_or(u8::MAX);
        let parent = above.next_back().map(|o| o.section);
        let name = if label.is_empty() { &title } else { &label };
        let path = match parent {
            Some(parent) => format!("{}{SEPARATOR}{name}", self.tree.sections[parent].path),
            None => name.clone(),
        };
        let begins_with_text = !self.heads && block.kind == BlockKind::Text && title.is_empty();
        self.tree.sections.push(ParsedSection {
            parent,
            level,
            label,
            title,
            path,
            page,
        });
        let section = self.tree.sections.len() - 1;
        self.stack.push(Open {
            node,
            section,
            prominence: block.prominence,
            begins_with_text,
            indent: block.indent,
            hang: block.hang,
            page,
        });
        section
    }

    pub(super) fn pop_while(&mut self, test: impl Fn(&Open) -> bool) {
        let floor = self.inset.as_ref().map_or(0, |(_, outer)| outer.floor);
        while self.stack.len() > floor && self.stack.last().is_some_and(&test) {
            self.stack.pop();
        }
    }

    /// Enters the frame with this number; with `None`, leaves the present frame. A heading inside a frame does not
    /// apply to the text outside. So the sections that were open before the frame are open again after it.
    pub(super) fn in_frame(&mut self, number: Option<usize>) {
        if self.inset.as_ref().map(|(open, _)| *open) == number {
            return;
        }
        if let Some((_, outer)) = self.inset.take() {
            self.stack = outer.stack;
            self.last_of = outer.last_of;
            self.last_article = outer.last_article;
        }
        let Some(number) = number else {
            return;
        };
        let stack = self.stack.clone();
        self.pop_while(|o| matches!(o.node, Node::Item(..)));
        let outer = Outer {
            stack,
            last_of: self.last_of.clone(),
            last_article: self.last_article,
            floor: self.stack.len(),
        };
        self.inset = Some((number, outer));
    }

    pub(super) fn heading(
        &mut self,
        label: String,
        title: String,
        block: &Block,
        page: u32,
    ) -> usize {
        let prominence = block.prominence;
        self.pop_while(|o| match o.node {
            Node::Item(..) | Node::Title => true,
            Node::Heading => o.prominence <= prominence,
            // An article that begins with its text, and not with a heading, contains no headings.
            Node::Named(_) => o.prominence <= prominence || o.begins_with_text,
            // Below a heading such as `5.2.1`, a heading without a number may be a little larger. Below a heading with
            // a single number this is not allowed, because that number may be the beginning of a name, such as `12 CFR
            // 363`.
            Node::Decimal(ref parts) if parts.len() > 1 && !o.begins_with_text => {
                LARGER * o.prominence < prominence
            }
            Node::Decimal(_) => o.prominence < prominence,
        });
        self.open(Node::Heading, label, title, block, page)
    }
}
