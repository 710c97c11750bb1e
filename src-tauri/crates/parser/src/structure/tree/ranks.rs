//! Which named levels stand above which in a document.

use crate::structure::blocks::Block;
use lexforge_ingest::numbering::{Label, Level, Scheme};
use std::collections::HashMap;

/// Ranks of the named levels; where the document nests them the other way round, so do we.
pub(super) fn ranks(blocks: &[Block], contents: &[bool]) -> HashMap<Level, u8> {
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
