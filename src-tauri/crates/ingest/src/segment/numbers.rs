//! Numbers that stand before whole paragraphs: of the items of a list of sentences, of headings, of notes.

use crate::numbering::{Count, Label, Scheme, Wrap, label};
use std::collections::HashSet;

/// How much of a line its label is read from.
const REACH: usize = 200;

/// Places at which what a number stands before begins. A number that opens a paragraph is no part of what the paragraph
/// says, and legal text is annotated so: it is a unit of its own. In running text and in lists whose items follow each
/// other line by line it stays with its item.
pub fn ends(chars: &[char]) -> Vec<usize> {
    let found = paragraphs(chars);
    let known: HashSet<(Scheme, u32)> = found.iter().flat_map(|(_, l)| readings(l)).collect();
    let counted = |(scheme, value): (Scheme, u32)| {
        let before = value > 1 && known.contains(&(scheme, value - 1));
        let after = known.contains(&(scheme, value + 1));
        // `A. Brown` may be a name: a letter by itself counts nothing.
        before || after || (value == 1 && !lettered(scheme))
    };
    found
        .into_iter()
        .filter(|(_, label)| readings(label).any(counted))
        .map(|(at, label)| at + label.len)
        .collect()
}

fn readings(label: &Label) -> impl Iterator<Item = (Scheme, u32)> {
    std::iter::once((label.scheme, label.value)).chain(label.other)
}

fn lettered(scheme: Scheme) -> bool {
    matches!(
        scheme,
        Scheme::Item(Wrap::Dot, Count::Upper | Count::Lower)
    )
}

/// The labels that open paragraphs with text behind them, and where they stand.
fn paragraphs(chars: &[char]) -> Vec<(usize, Label)> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut blank = false;
    for line in chars.split(|c| *c == '\n') {
        let at = from;
        from += line.len() + 1;
        let Some(lead) = line.iter().position(|c| !c.is_whitespace()) else {
            blank = at > 0 || blank;
            continue;
        };
        if std::mem::take(&mut blank) {
            let text = &line[lead..line.len().min(lead + REACH)];
            if let Some(label) = label(text, false).filter(|l| opens(l, text)) {
                out.push((at + lead, label));
            }
        }
    }
    out
}

/// What follows the label may be a sentence or a heading.
fn opens(label: &Label, text: &[char]) -> bool {
    let number = matches!(label.scheme, Scheme::Item(wrap, _) if wrap != Wrap::Bare);
    let next = text[label.len..]
        .iter()
        .find(|c| !"\"'“‘([`".contains(**c));
    number && next.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
}
