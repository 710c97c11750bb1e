//! Lists in running text: items that begin a line, and items that follow each other on one.

use crate::numbering::{Label, Scheme, Wrap, label};
use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Words after which a number is a reference, not a marker.
    REFERRING: HashSet<Word> = "english/referring.txt";
}

/// How much of a line its label is read from: labels are short, lines need not be.
const LABEL_REACH: usize = 200;

/// Places at which a list item, or a numbered article or section, begins.
pub fn starts(chars: &[char]) -> Vec<usize> {
    let mut out = Vec::new();
    let mut line_start = true;
    for (i, &c) in chars.iter().enumerate() {
        if c == '\n' {
            line_start = true;
            continue;
        }
        if line_start && !c.is_whitespace() {
            line_start = false;
            let reach = &chars[i..chars.len().min(i + LABEL_REACH)];
            let end = reach
                .iter()
                .position(|c| *c == '\n')
                .map_or(i + reach.len(), |p| i + p);
            // The `v.` between the parties of a case is no Roman number.
            let versus = matches!(&chars[i..end], ['v', '.']);
            if i > 0 && !versus && label(&chars[i..end], false).is_some() && settled(&chars[..i]) {
                out.push(i);
            }
        }
    }
    out.extend(on_one_line(chars));
    out
}

/// The text before does not run on into a reference such as `in point⏎(a)`.
fn settled(before: &[char]) -> bool {
    let last = last_word(before);
    last.ends_with(['.', ';', ':', '。', '；', '：']) || !REFERRING.contains(last.as_str())
}

/// The last word before a marker, at most 40 characters of it, in lower case.
fn last_word(before: &[char]) -> String {
    let text: String = before[before.len().saturating_sub(40)..].iter().collect();
    text.split_whitespace()
        .next_back()
        .unwrap_or("")
        .to_lowercase()
}

/// `1) First 2) Second`: markers of one kind in sequence, from the beginning of the text.
fn on_one_line(chars: &[char]) -> Vec<usize> {
    let Some(first) = chars.iter().position(|c| !c.is_whitespace()) else {
        return Vec::new();
    };
    // Markers in brackets are also references, `(3) … (4)`, and are left to the layout.
    let plain = |l: &Label| {
        matches!(
            l.scheme,
            Scheme::Item(Wrap::Close | Wrap::Dot, _) | Scheme::Bullet
        )
    };
    let Some(opening) =
        label(&chars[first..chars.len().min(first + LABEL_REACH)], false).filter(plain)
    else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut value = opening.value;
    let mut from = first + opening.len;
    let bullet = opening.scheme == Scheme::Bullet;
    while let Some(gap) = chars[from..].iter().position(|c| c.is_whitespace()) {
        let at = from + gap + 1;
        if at >= chars.len() {
            break;
        }
        from = at;
        let Some(next) = label(&chars[at..chars.len().min(at + LABEL_REACH)], false) else {
            continue;
        };
        let alternative = next.other.map_or(next.scheme, |o| o.0);
        let same = next.scheme == opening.scheme
            || alternative == opening.scheme
            || opening.other.is_some_and(|o| o.0 == alternative);
        let read = |l: &Label, scheme: Scheme| {
            if l.scheme == scheme {
                l.value
            } else {
                l.other.map_or(l.value, |o| o.1)
            }
        };
        let letters = opening.other.map_or(opening.scheme, |o| o.0);
        let follows = same
            && (read(&next, letters) == read(&opening, letters) + out.len() as u32 + 1
                || next.value == value + 1);
        if (bullet && next.scheme == Scheme::Bullet && !"-–—*o".contains(chars[at]))
            || (!bullet && follows && settled_item(&chars[..at]))
        {
            value = next.value;
            out.push(at);
            from = at + next.len.saturating_sub(1).max(1);
        }
    }
    out
}

/// Whether the text before a marker in the middle of a line ends an item. The result is false if its last word refers
/// to the marker, as in "point (a)".
fn settled_item(before: &[char]) -> bool {
    let last = last_word(before);
    last.ends_with(['.', ';', ':', '。', '；'])
        || (last.chars().all(char::is_alphabetic) && !REFERRING.contains(last.as_str()))
}
