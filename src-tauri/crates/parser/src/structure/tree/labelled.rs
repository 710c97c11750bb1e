//! The sections of blocks with a label: named levels, decimal numbers, list markers.

use super::open::{Builder, Node, Open};
use crate::structure::blocks::{Block, BlockKind, BlockText};
use crate::structure::title::title_like;
use lexforge_ingest::numbering::{self, Count, Label, Level, Scheme, Wrap};

/// The prominence of headings of one level differs by at most this much, in points.
const ALIKE: f32 = 0.5;
/// Signs between a label and its title, which belong to neither: `3.5.2 | Limits`, `附件：限额`.
const BETWEEN: [char; 3] = ['|', ':', '：'];

/// What a label can mean: `i)` is a letter or a Roman number.
fn readings_of(label: &Label) -> Vec<(Scheme, u32)> {
    std::iter::once((label.scheme, label.value))
        .chain(label.other)
        .collect()
}

/// Numbers of paragraphs: `156.`
const PARAGRAPHS: Scheme = Scheme::Item(Wrap::Dot, Count::Digit);

impl Builder {
    pub(super) fn named(
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
            // An article must continue the numbering. Otherwise the label is a reference at the beginning of a line.
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
        // Some files write the text of a Chinese article with the comma and the colon of English.
        let chinese = label.text.starts_with('第');
        let stops = |c: char| "，。；：;".contains(c) || (chinese && ",:".contains(c));
        let inner_stop = level == Level::Article && rest.contains(stops);
        let is_title = block.kind == BlockKind::Heading || (title_like(block, rest) && !inner_stop);
        let name = rest.trim_start_matches(BETWEEN).trim_start();
        // If a label is alone on its line, the text below belongs to it.
        self.heads = is_title || name.is_empty();
        let title = if is_title {
            name.to_owned()
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

    pub(super) fn decimal(
        &mut self,
        parts: Vec<u32>,
        label: &Label,
        block: &Block,
        text: &BlockText,
    ) -> Option<usize> {
        let is_heading = block.kind == BlockKind::Heading;
        let prefix = |o: &Open| matches!(&o.node, Node::Decimal(open) if open.len() < parts.len() && parts.starts_with(open));
        let prominence = block.prominence;
        let top = is_heading && parts.len() == 1;
        if top && self.goes_on_after_annex(label.value, prominence) {
            self.stack.clear();
        }
        if let Some(at) = self.stack.iter().rposition(prefix) {
            self.stack.truncate(at + 1);
        } else {
            let sibling =
                |o: &Open| matches!(&o.node, Node::Decimal(open) if open.len() >= parts.len());
            if let Some(at) = self.stack.iter().position(sibling) {
                self.stack.truncate(at);
            }
            self.pop_while(|o| match o.node {
                // A much smaller heading of a lower level is below the open one, whatever its number says.
                Node::Decimal(ref open) => {
                    let below = open.len() < parts.len() && o.prominence > prominence + ALIKE;
                    !(is_heading && below)
                }
                Node::Item(..) | Node::Title => true,
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
        if top && self.stack.is_empty() {
            self.top_number = Some((label.value, prominence));
        }
        Some(self.open(Node::Decimal(parts), name, title, block, text.page))
    }

    /// Whether a heading ends the annexes before it, because it continues the numbering of the headings before the
    /// annexes. It must look like the last of these headings, and have the next number. This happens if a report
    /// contains a whole act with its annexes.
    fn goes_on_after_annex(&self, value: u32, prominence: f32) -> bool {
        let annex = self.ranks.get(&Level::Annex);
        let first = self.stack.first().map(|o| &o.node);
        let in_annex = matches!(first, Some(Node::Named(rank)) if Some(rank) == annex);
        let numbered = self
            .stack
            .iter()
            .any(|o| matches!(o.node, Node::Decimal(_)));
        let next = self
            .top_number
            .is_some_and(|(before, look)| before + 1 == value && (look - prominence).abs() < ALIKE);
        in_annex && !numbered && next
    }

    /// Whether an open heading has the number before this one: `b) Limits` goes beside `a) Scope`.
    fn goes_on_from_heading(&self, readings: &[(Scheme, u32)]) -> bool {
        let headings = self
            .stack
            .iter()
            .filter(|o| matches!(o.node, Node::Heading));
        let labels = headings.map(|o| self.tree.sections[o.section].label.as_str());
        labels.filter(|label| !label.is_empty()).any(|before| {
            // A label is read before a word.
            let before: Vec<char> = before.chars().chain(" Xx".chars()).collect();
            let before = numbering::label(&before, true).map(|l| readings_of(&l));
            let next = |&(scheme, value): &(Scheme, u32)| readings.contains(&(scheme, value + 1));
            before.is_some_and(|before| before.iter().any(next))
        })
    }

    fn rest(&self, label: &Label, text: &BlockText) -> String {
        text.text
            .chars()
            .skip(label.len)
            .collect::<String>()
            .trim()
            .trim_start_matches(BETWEEN)
            .trim_start()
            .to_owned()
    }

    pub(super) fn item(
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
        let readings = readings_of(label);
        if is_heading && self.goes_on_from_heading(&readings) {
            return Some(self.heading(
                label.text.clone(),
                self.rest(label, text),
                block,
                text.page,
            ));
        }
        let floor = self
            .stack
            .iter()
            .rposition(|o| !matches!(o.node, Node::Item(..)))
            .map_or(0, |at| at + 1);
        let Some((at, scheme, value, is_excerpt)) = self.place_of_item(label, &readings, floor)
        else {
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
        if is_excerpt {
            self.excerpt = Some(value);
        } else {
            self.last_of.insert(scheme, value);
        }
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

    /// The place of an item with this label in the section tree: the height of the stack at which it is opened, its
    /// scheme and number, and whether it is a paragraph of an excerpt. These places are tried in order: the item
    /// continues an open list, begins a new list, continues an open list with up to three numbers missing, or continues
    /// a list that was closed. `None` if no place fits.
    fn place_of_item(
        &self,
        label: &Label,
        readings: &[(Scheme, u32)],
        floor: usize,
    ) -> Option<(usize, Scheme, u32, bool)> {
        let open_item = |stack: &[Open], test: &dyn Fn(Scheme, u32) -> bool| {
            (floor..stack.len())
                .rev()
                .find(|&at| matches!(stack[at].node, Node::Item(s, v) if test(s, v)))
        };
        let mut chosen: Option<(usize, Scheme, u32)> = None;
        for &(scheme, value) in readings {
            if let Some(at) = open_item(&self.stack, &|s, v| s == scheme && v + 1 == value) {
                chosen = chosen
                    .filter(|&(a, ..)| a > at)
                    .or(Some((at, scheme, value)));
            }
        }
        chosen
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
            })
            .map(|(at, scheme, value)| {
                let goes_on = value > 1 && self.excerpt == Some(value - 1);
                let is_excerpt = goes_on && scheme == PARAGRAPHS && at < self.stack.len();
                (at, scheme, value, is_excerpt)
            })
            .or_else(|| {
                // The next number follows: a row of paragraphs whose beginning is elsewhere, as in an excerpt.
                let paragraphs = label.scheme == PARAGRAPHS
                    && floor == self.stack.len()
                    && self.ahead == Some((PARAGRAPHS, label.value + 1));
                paragraphs.then_some((floor, PARAGRAPHS, label.value, true))
            })
    }
}
