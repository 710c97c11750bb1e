//! The section tree: labels and headings in sequence to nested sections.
//!
//! Named levels nest by rank, decimal numbers by their prefixes, list markers by their sequence: `(b)`
//! goes beside `(a)`, the first marker of a new kind goes below what stands open. A marker that fits no
//! sequence is text.

use super::blocks::{Block, BlockKind, BlockText};
use super::contents::{contents, cover, front};
use super::title::{heads_nothing, title_like};
use lexforge_domain::document::ParsedSection;
use lexforge_ingest::numbering::{Count, Label, Level, Scheme, Wrap};
use std::collections::HashMap;
use std::ops::Range;

/// Joins the parts of a path.
pub const SEPARATOR: &str = " › ";

/// Distance below the text, in ems, from which a short line belongs to no clause.
const FAR: f32 = 4.5;

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

/// What an open section is.
#[derive(Clone, Debug)]
enum Node {
    /// The document's title: it stands above everything, and so in no path but its own.
    Title,
    Named(u8),
    Heading,
    Decimal(Vec<u32>),
    Item(Scheme, u32),
}

#[derive(Clone, Debug)]
struct Open {
    node: Node,
    section: usize,
    prominence: f32,
    begins_with_text: bool,
    indent: f32,
    hang: Option<f32>,
    page: u32,
}

struct Builder {
    tree: Tree,
    stack: Vec<Open>,
    ranks: HashMap<Level, u8>,
    last_of: HashMap<Scheme, u32>,
    last_article: Option<u32>,
    /// The section that a named label opened in the block before, still without a title.
    untitled: Option<usize>,
    apart: HashMap<&'static str, usize>,
    /// The block in hand is the heading or the title of a section.
    heads: bool,
}

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
        last_article: None,
        untitled: None,
        apart: HashMap::new(),
        heads: false,
    };
    for (i, (block, text)) in blocks.iter().zip(texts).enumerate() {
        let before = builder.tree.sections.len();
        builder.heads = block.kind == BlockKind::Heading;
        let (section, labelled) = match block.kind {
            BlockKind::Footnote => (
                Some(builder.apart(lexforge_ingest::FOOTNOTES_SECTION, text.page)),
                false,
            ),
            _ if contents[i] || cover.contains(&text.page) => {
                // Neither a cover nor a table of contents heads what follows.
                builder.stack.clear();
                let section = contents[i]
                    .then(|| builder.apart(lexforge_ingest::CONTENTS_SECTION, text.page));
                (section, false)
            }
            // What stands around the title names the series and no section.
            _ if front.contains(&i) => {
                builder.heads = true;
                let section = builder.apart(lexforge_ingest::FRONT_MATTER_SECTION, text.page);
                (Some(section), false)
            }
            _ if heads_nothing(block, &text.text) && !title.contains(&i) => (builder.top(), false),
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
        builder.tree.of_block.push(section);
        builder.tree.labelled.push(labelled);
        builder.tree.heads.push(builder.heads);
    }
    builder.tree
}

/// Ranks of the named levels; where the document nests them the other way round, so do we.
fn ranks(blocks: &[Block], contents: &[bool]) -> HashMap<Level, u8> {
    let order = [
        Level::Annex,
        Level::Part,
        Level::Title,
        Level::Chapter,
        Level::Section,
        Level::Subsection,
        Level::Article,
    ];
    let mut ranks: HashMap<Level, u8> = order.iter().zip(0u8..).map(|(&l, r)| (l, r)).collect();
    let mut seen: HashMap<Level, (usize, usize)> = HashMap::new();
    for (i, block) in blocks.iter().enumerate() {
        if let (
            false,
            Some(Label {
                scheme: Scheme::Named(level),
                ..
            }),
        ) = (contents[i], &block.label)
        {
            seen.entry(*level).or_insert((i, 0)).1 += 1;
        }
    }
    for (upper, lower) in [
        (Level::Part, Level::Title),
        (Level::Part, Level::Chapter),
        (Level::Section, Level::Article),
    ] {
        if let (Some(&(first_upper, many_upper)), Some(&(first_lower, many_lower))) =
            (seen.get(&upper), seen.get(&lower))
            && first_lower < first_upper
            && many_lower < many_upper
        {
            let (a, b) = (ranks[&upper], ranks[&lower]);
            ranks.insert(upper, b);
            ranks.insert(lower, a);
        }
    }
    ranks
}

impl Builder {
    fn top(&self) -> Option<usize> {
        self.stack.last().map(|o| o.section)
    }

    /// A section beside the tree: contents, footnotes.
    fn apart(&mut self, title: &'static str, page: u32) -> usize {
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

    fn open(
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

    fn pop_while(&mut self, test: impl Fn(&Open) -> bool) {
        while self.stack.last().is_some_and(&test) {
            self.stack.pop();
        }
    }

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
        if let Some(label) = &block.label {
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
        if block.kind == BlockKind::Heading {
            return (
                Some(self.heading(String::new(), text.text.clone(), block, text.page)),
                false,
            );
        }
        if block.label.is_none() {
            self.leave_lists(block, text.page);
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

    /// What stands below the last clause and belongs to none: the date and place of signing, or a short
    /// line far below the text, such as a note of the site that printed it.
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

    /// The section of the document's title, of which `more` may follow.
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

    fn heading(&mut self, label: String, title: String, block: &Block, page: u32) -> usize {
        let prominence = block.prominence;
        self.pop_while(|o| match o.node {
            Node::Item(..) | Node::Title => true,
            Node::Heading => o.prominence <= prominence,
            // An article that begins with its text, not with a heading, holds no headings.
            Node::Named(_) => o.prominence <= prominence || o.begins_with_text,
            Node::Decimal(_) => o.prominence < prominence,
        });
        self.open(Node::Heading, label, title, block, page)
    }

    fn named(
        &mut self,
        level: Level,
        label: &Label,
        block: &Block,
        text: &BlockText,
    ) -> Option<usize> {
        let rank = self.ranks.get(&level).copied().unwrap_or(0);
        if level == Level::Article
            && block.kind != BlockKind::Heading
            && label.text.starts_with('第')
        {
            // An article goes on from the one before; anything else is a reference at the start of a line.
            let last = self.last_article.unwrap_or(0);
            if label.value <= last && label.value != 1 && !label.text.contains('之') {
                return None;
            }
        }
        if level == Level::Article {
            self.last_article = Some(label.value);
        } else if level == Level::Annex {
            self.last_article = None;
        }
        let prominence = block.prominence;
        self.pop_while(|o| match &o.node {
            Node::Item(..) | Node::Decimal(_) | Node::Title => true,
            Node::Named(open) => *open >= rank,
            Node::Heading => level <= Level::Chapter || o.prominence <= prominence,
        });
        self.last_of.clear();
        let rest: String = text.text.chars().skip(label.len).collect();
        let rest = rest.trim();
        let inner_stop = level == Level::Article && rest.contains(['，', '。', '；', '：', ';']);
        let is_title = block.kind == BlockKind::Heading || (title_like(block, rest) && !inner_stop);
        // A label alone on its line heads what follows.
        self.heads = is_title || rest.is_empty();
        let title = if is_title {
            rest.to_owned()
        } else {
            String::new()
        };
        let section = self.open(
            Node::Named(rank),
            label.text.clone(),
            title,
            block,
            text.page,
        );
        Some(section)
    }

    fn decimal(
        &mut self,
        parts: Vec<u32>,
        label: &Label,
        block: &Block,
        text: &BlockText,
    ) -> Option<usize> {
        let is_heading = block.kind == BlockKind::Heading;
        let prefix = |o: &Open| matches!(&o.node, Node::Decimal(open) if open.len() < parts.len() && parts.starts_with(open));
        if let Some(at) = self.stack.iter().rposition(prefix) {
            self.stack.truncate(at + 1);
        } else {
            let prominence = block.prominence;
            let sibling =
                |o: &Open| matches!(&o.node, Node::Decimal(open) if open.len() >= parts.len());
            if let Some(at) = self.stack.iter().position(sibling) {
                self.stack.truncate(at);
            }
            self.pop_while(|o| match o.node {
                Node::Item(..) | Node::Decimal(_) | Node::Title => true,
                Node::Heading => is_heading && o.prominence <= prominence,
                Node::Named(_) => false,
            });
        }
        let title = if is_heading {
            self.rest(label, text)
        } else {
            String::new()
        };
        let name = label.text.trim_end_matches('.').to_owned();
        Some(self.open(Node::Decimal(parts), name, title, block, text.page))
    }

    fn rest(&self, label: &Label, text: &BlockText) -> String {
        text.text
            .chars()
            .skip(label.len)
            .collect::<String>()
            .trim()
            .to_owned()
    }

    fn item(
        &mut self,
        wrap: Wrap,
        count: Count,
        label: &Label,
        block: &Block,
        text: &BlockText,
    ) -> Option<usize> {
        let is_heading = block.kind == BlockKind::Heading;
        if is_heading && count == Count::Digit && matches!(wrap, Wrap::Dot | Wrap::Bare) {
            return self.decimal(vec![label.value], label, block, text);
        }
        let readings: Vec<(Scheme, u32)> = std::iter::once((label.scheme, label.value))
            .chain(label.other)
            .collect();
        let floor = self
            .stack
            .iter()
            .rposition(|o| !matches!(o.node, Node::Item(..)))
            .map_or(0, |at| at + 1);
        let open_item = |stack: &[Open], test: &dyn Fn(Scheme, u32) -> bool| {
            (floor..stack.len())
                .rev()
                .find(|&at| matches!(stack[at].node, Node::Item(s, v) if test(s, v)))
        };
        let mut chosen: Option<(usize, Scheme, u32)> = None;
        for &(scheme, value) in &readings {
            if let Some(at) = open_item(&self.stack, &|s, v| s == scheme && v + 1 == value) {
                chosen = chosen
                    .filter(|&(a, ..)| a > at)
                    .or(Some((at, scheme, value)));
            }
        }
        let chosen = chosen
            .or_else(|| {
                readings
                    .iter()
                    .rev()
                    .find(|&&(_, v)| v == 1)
                    .or(readings.iter().find(|&&(_, v)| v == 1))
                    .map(|&(s, v)| {
                        let at = open_item(&self.stack, &|open, _| open == s)
                            .unwrap_or(self.stack.len());
                        (at, s, v)
                    })
            })
            .or_else(|| {
                readings.iter().find_map(|&(s, v)| {
                    let at = open_item(&self.stack, &|open, value| {
                        open == s && v > value && v <= value + 3
                    })?;
                    Some((at, s, v))
                })
            })
            .or_else(|| {
                let &(s, v) = readings
                    .iter()
                    .find(|(s, v)| self.last_of.get(s).is_some_and(|l| *v > *l && *v <= l + 2))?;
                Some((floor, s, v))
            });
        let Some((at, scheme, value)) = chosen else {
            if is_heading {
                return Some(self.heading(
                    label.text.clone(),
                    self.rest(label, text),
                    block,
                    text.page,
                ));
            }
            return None;
        };
        if is_heading && at >= floor && at == self.stack.len() {
            // The first of a lettered sequence of headings goes by its look.
            let section =
                self.heading(label.text.clone(), self.rest(label, text), block, text.page);
            return Some(section);
        }
        // The title stays: what follows the list stands below it again.
        self.stack.truncate(at);
        self.last_of.insert(scheme, value);
        let name = match wrap {
            Wrap::Dot | Wrap::Comma | Wrap::Bare => label
                .text
                .trim_end_matches(['.', '．', '、', '，'])
                .to_owned(),
            _ => label.text.clone(),
        };
        let title = if is_heading {
            self.rest(label, text)
        } else {
            String::new()
        };
        Some(self.open(Node::Item(scheme, value), name, title, block, text.page))
    }

    /// An unnumbered paragraph that stands further left than a list's text has left the list.
    fn leave_lists(&mut self, block: &Block, page: u32) {
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
            o.page == page && text_at > block.indent + 0.8
        });
    }
}
