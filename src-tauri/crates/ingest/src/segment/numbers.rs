//! Finds numbers and signs at the beginning of whole paragraphs: numbers of items, of headings and of notes, a page
//! number of a law report, a sign for omitted sentences.

use crate::numbering::{Count, Label, Scheme, Wrap, label};
use std::collections::HashSet;

/// How much of a line its label is read from.
const REACH: usize = 200;

/// The places where the text after a leading number begins. Such a number is at the beginning of a paragraph or of a
/// list item. `items` holds the places of markers such as `(a)`, ascending. The number is a unit of its own and not
/// part of the text. Legal texts with annotated sentences treat it in this way. The number stays with its text in
/// running text, in lists of phrases, and in lists that begin each line with `1.`, `2.` and so on.
pub fn ends(chars: &[char], items: &[usize]) -> Vec<usize> {
    let mut found: Vec<Opening> = Vec::new();
    let mut line_by_line: HashSet<(Scheme, u32)> = HashSet::new();
    let mut from = 0;
    let mut blank = false;
    for line in chars.split(|c| *c == '\n') {
        let at = from;
        from += line.len() + 1;
        if line.iter().all(|c| c.is_whitespace()) {
            blank = at > 0 || blank;
            continue;
        }
        let line = &line[..line.len().min(REACH)];
        let lead = line.iter().take_while(|c| c.is_whitespace()).count();
        let item = line.get(lead) == Some(&'(') && items.binary_search(&(at + lead)).is_ok();
        let opens = std::mem::take(&mut blank) || item;
        openings(line, at, opens, &mut found);
        if !opens && let Some(label) = label(&line[lead..], false) {
            line_by_line.extend(readings(&label));
        }
    }
    let known: HashSet<(Scheme, u32)> = found
        .iter()
        .filter_map(|o| o.label.as_ref())
        .flat_map(readings)
        .collect();
    let counted = |(scheme, value): (Scheme, u32)| {
        let before = value > 1 && known.contains(&(scheme, value - 1));
        let after = (scheme, value + 1);
        // `A. Brown` may be a name: a letter by itself counts nothing.
        before
            || known.contains(&after)
            || (value == 1 && !lettered(scheme) && !line_by_line.contains(&after))
    };
    found
        .into_iter()
        .filter(|o| {
            o.label
                .as_ref()
                .is_none_or(|label| readings(label).any(counted))
        })
        .map(|o| o.past)
        .collect()
}

struct Opening {
    past: usize,
    /// A number that has to have its place in a sequence.
    label: Option<Label>,
}

fn readings(label: &Label) -> impl Iterator<Item = (Scheme, u32)> + use<> {
    std::iter::once((label.scheme, label.value)).chain(label.other)
}

fn lettered(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::Item(Wrap::Dot, Count::Upper | Count::Lower))
}

/// What opens the line that begins at `at`, which may open a `paragraph`.
fn openings(line: &[char], at: usize, paragraph: bool, out: &mut Vec<Opening>) {
    let skip = |from: usize, what: fn(char) -> bool| {
        from + line[from..].iter().take_while(|c| what(**c)).count()
    };
    let mut from = skip(0, char::is_whitespace);
    if from == line.len() {
        return;
    }
    let mut push = |from: usize, label: Option<Label>| {
        let begins = skip(from, |c| c.is_whitespace() || "\"'“‘([`".contains(c));
        let spaced =
            from + 1 < line.len() && line[from - 1..=from].iter().any(|c| c.is_whitespace());
        let begins = line.get(begins);
        if spaced && begins.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit() || *c == '¶') {
            out.push(Opening {
                past: at + from,
                label,
            });
        }
    };
    if line[from] == '*' {
        let past = skip(from + 1, |c| c.is_ascii_digit());
        if past > from + 1 {
            push(past, None);
            from = skip(past, char::is_whitespace);
        }
    }
    if !paragraph {
        return;
    }
    let from = skip(from, |c| "\"“`".contains(c));
    let rest = &line[from..];
    if let Some(inside) = rest.strip_prefix(&['[']) {
        let noted = |c: &&char| c.is_ascii_digit() || ", *".contains(**c);
        let inside = inside.iter().take_while(noted).count();
        if inside > 0 && rest.get(inside + 1) == Some(&']') {
            push(from + inside + 2, None);
        }
    } else if rest.starts_with(&['.', ' ', '.', ' ', '.', ' ']) {
        push(from + 5, None);
    } else if let Some(label) = label(rest, false)
        && matches!(label.scheme, Scheme::Item(wrap, _) if wrap != Wrap::Bare)
    {
        push(from + label.len, Some(label));
    }
}
