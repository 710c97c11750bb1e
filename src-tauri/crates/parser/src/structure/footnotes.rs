//! Footnotes. A line is judged by its place on the page, not only by its size. A footnote begins with a sign that the
//! text above refers to, or below a ruled line at the foot of the page. It continues until something else begins.

use super::blocks::Usual;
use super::captions::is_remark;
use crate::layout::{Line, Role};
use lexforge_ingest::numbering::{Scheme, label};
use std::collections::HashSet;

/// Notes stand below this share of the page.
const FOOT: f32 = 0.4;
/// Type smaller than this share of the usual size is small.
pub(super) const SMALL: f32 = 0.93;
/// Signs that mark a note.
const SIGNS: &str = "*†‡";
/// Lines of a note stand no further apart than this, in ems.
const PITCH: f32 = 1.6;

/// For every line: `Some(true)` where a footnote begins, `Some(false)` where one goes on, else `None`.
pub fn mark(lines: &[Line], usual: Usual) -> Vec<Option<bool>> {
    let mut out = vec![None; lines.len()];
    let mut start = 0;
    while start < lines.len() {
        let page = lines[start].page;
        let end = start + lines[start..].iter().take_while(|l| l.page == page).count();
        mark_page(&lines[start..end], usual, &mut out[start..end]);
        start = end;
    }
    mark_flow(lines, &mut out);
    for (line, note) in lines.iter().zip(&mut out) {
        if line.role == Role::Note {
            *note = Some(line.break_before);
        }
    }
    out
}

fn mark_page(lines: &[Line], usual: Usual, out: &mut [Option<bool>]) {
    let lone = lone_signs(lines);
    let mut referred = referred(lines);
    referred.extend(lone.iter().map(char::to_string));
    let marks = (&referred, lone.as_slice());
    let mut open: Option<Open> = None;
    for i in 0..lines.len() {
        let line = &lines[i];
        if line.cell.is_some() || line.figure.is_some() || line.frame.width <= 0.0 {
            open = None;
            continue;
        }
        let own = mark_of(line);
        if own.is_some() && begins(lines, i, marks, usual, open.as_ref()) {
            out[i] = Some(true);
            open = Some(Open::new(lines, i, own, usual));
        } else if let Some(note) = open.as_mut().filter(|n| n.goes_on(lines, i)) {
            out[i] = Some(false);
            note.last = i;
        } else {
            open = None;
        }
    }
    carried_over(lines, usual, out);
    withdraw(lines, &referred, out);
}

/// Marks footnotes in documents without fixed pages, whose lines have no place on a page. There a footnote is a
/// paragraph that begins with a raised mark, if the text before refers to this mark.
fn mark_flow(lines: &[Line], out: &mut [Option<bool>]) {
    let mut known: HashSet<String> = HashSet::new();
    let mut open = false;
    for (i, line) in lines.iter().enumerate() {
        let flows = line.frame.width <= 0.0 && line.cell.is_none();
        let begins = line.raised() > 0 && mark_of(line).is_some_and(|m| known.contains(&m));
        open = flows && (begins || (open && !line.break_before));
        if open {
            out[i] = Some(begins);
        } else if flows {
            known.extend(referred(&lines[i..=i]));
        }
    }
}

/// A note whose lines are being collected.
struct Open {
    first: usize,
    last: usize,
    mark: Option<String>,
    /// Its type is smaller than that of the text.
    small: bool,
}

impl Open {
    fn new(lines: &[Line], first: usize, mark: Option<String>, usual: Usual) -> Self {
        Self {
            first,
            last: first,
            mark,
            small: lines[first].size < SMALL * usual.size,
        }
    }

    /// Whether a line continues the note. It must be close below the note's last line and in the same type, and it must
    /// not begin a new paragraph of another kind.
    fn goes_on(&self, lines: &[Line], i: usize) -> bool {
        let (first, before, line) = (&lines[self.first], &lines[self.last], &lines[i]);
        let down = line.baseline - before.baseline;
        let apart = down <= 0.0 || down > PITCH * before.size.max(line.size);
        let overlap = before.x1.min(line.x1) - before.x0.max(line.x0) > 0.0;
        let alike = (line.size - first.size).abs() < 0.08 * first.size && line.frame == first.frame;
        let heading = line.bold && !first.bold;
        // A note in small type may have items: `b) If the price is used …`.
        let item = self.small && is_lettered(line);
        let anew = (is_labelled(line) && !item) || is_remark(&line.text());
        !apart && overlap && alike && !heading && !(ends(before) && anew)
    }
}

/// The line ends a sentence or the item of a list.
fn ends(line: &Line) -> bool {
    line.chars
        .last()
        .is_some_and(|c| ".;:!?。；：！？".contains(c.ch))
}

/// The line begins with the label of a paragraph or of an item: `(a)`, `2.1`, `第八条`.
fn is_labelled(line: &Line) -> bool {
    let chars: Vec<char> = line.chars.iter().map(|c| c.ch).collect();
    label(&chars, false).is_some_and(|l| l.scheme != Scheme::Bullet)
}

/// The line begins with the letter of an item: `(b)`, `b)`.
fn is_lettered(line: &Line) -> bool {
    let mut chars = line.chars.iter().map(|c| c.ch).skip_while(|c| *c == '(');
    chars.next().is_some_and(|c| c.is_ascii_lowercase()) && chars.next() == Some(')')
}

/// The raised marks in the lines of a page, but for those with which lines begin.
fn referred(lines: &[Line]) -> HashSet<String> {
    let mut out = HashSet::new();
    for line in lines {
        let bracket = line
            .chars
            .iter()
            .take_while(|c| "([（".contains(c.ch))
            .count();
        let mut at = bracket
            + line.chars[bracket..]
                .iter()
                .take_while(|c| c.raised)
                .count();
        while at < line.chars.len() {
            let end = at + line.chars[at..].iter().take_while(|c| c.raised).count();
            let text: String = line.chars[at..end].iter().map(|c| c.ch).collect();
            let marks = text
                .split([',', ' ', '(', ')', '[', ']'])
                .filter(|m| !m.is_empty());
            out.extend(marks.map(str::to_owned));
            at = end.max(at + 1);
        }
        // A sign in brackets is a mark wherever it stands: 2006 (*).
        let bracketed = line.chars[bracket..].windows(3).filter_map(|c| {
            let sign = SIGNS.contains(c[1].ch) && c[0].ch == '(' && c[2].ch == ')';
            sign.then(|| c[1].ch.to_string())
        });
        out.extend(bracketed);
    }
    out
}

/// Finds signs that mark a note although they are not raised: `rates*` and `* See the report`. Such a sign is at the
/// end of a word, and at the beginning of exactly one line of the page. Items of a list also begin with a sign, but
/// their sign begins several lines.
fn lone_signs(lines: &[Line]) -> Vec<char> {
    let begins = |sign: char| {
        let with = |l: &&Line| l.cell.is_none() && l.chars.first().is_some_and(|c| c.ch == sign);
        lines.iter().filter(with).count()
    };
    let ends_a_word = |sign: char| {
        lines.iter().any(|line| {
            let chars = &line.chars;
            (1..chars.len()).any(|at| {
                let before = chars[at - 1].ch;
                chars[at].ch == sign
                    && (before.is_alphanumeric() || ")]”’".contains(before))
                    && chars.get(at + 1).is_none_or(|c| !c.ch.is_alphanumeric())
            })
        })
    };
    SIGNS
        .chars()
        .filter(|&sign| begins(sign) == 1 && ends_a_word(sign))
        .collect()
}

/// Whether the marked line `i` begins a note. `referred` are the marks in the text that refer to notes. `lone` are the
/// signs that [`lone_signs`] finds.
fn begins(
    lines: &[Line],
    i: usize,
    (referred, lone): (&HashSet<String>, &[char]),
    usual: Usual,
    open: Option<&Open>,
) -> bool {
    let line = &lines[i];
    let Some(own) = mark_of(line) else {
        return false;
    };
    let known = referred.contains(&own);
    let small = line.size < SMALL * usual.size;
    // The notes of a box or of a table stand where that ends.
    let sign = small && lone.iter().any(|sign| own.starts_with(*sign));
    let own_table = known && small && (open.is_some() || i > 0 && closes_inset(&lines[i - 1]));
    // If the note with this number stands at the foot, and below no other table, this is an item.
    let at_foot = |l: &Line| l.size < SMALL * usual.size && l.baseline > FOOT * l.frame.extent();
    let is_there = |l: &Line| at_foot(l) && mark_of(l).as_ref() == Some(&own);
    let mut behind = lines[i..].windows(2);
    let own_table = own_table && !behind.any(|w| is_there(&w[1]) && !closes_inset(&w[0]));
    if line.baseline <= FOOT * line.frame.extent() && !sign && !own_table {
        return false;
    }
    // A paragraph or an item is numbered so, too.
    if is_dotted(line) && line.raised() == 0 && !(known && small) {
        return false;
    }
    let raised = line.raised() > 0;
    // The notes of a page count on.
    let number = |mark: &str| mark.parse::<u32>().ok();
    if let Some(open) = open {
        let rises = match (open.mark.as_deref().and_then(number), number(&own)) {
            (Some(before), Some(now)) => now > before,
            _ => true,
        };
        let alike = (line.size - lines[open.first].size).abs() < 0.08 * line.size;
        if alike {
            return rises && (known || raised || small);
        }
    }
    let set_off = line.rule_above.is_some() || gap_above(lines, i);
    if small {
        known || raised || line.rule_above.is_some()
    } else {
        known && raised && set_off
    }
}

/// The line belongs to a table or a figure, or is a remark below one. Notes of its own may follow it.
fn closes_inset(line: &Line) -> bool {
    line.cell.is_some() || line.figure.is_some() || is_remark(&line.text())
}

/// The free space above the line is larger than between the lines of the page.
fn gap_above(lines: &[Line], i: usize) -> bool {
    let line = &lines[i];
    let above = lines
        .iter()
        .filter(|l| l.baseline < line.baseline - 0.5 * line.size)
        .filter(|l| l.x1.min(line.x1) > l.x0.max(line.x0))
        .map(|l| l.baseline)
        .fold(f32::MIN, f32::max);
    let mut pitches: Vec<f32> = lines
        .windows(2)
        .map(|w| w[1].baseline - w[0].baseline)
        .filter(|d| *d > 0.5 * line.size && *d < 3.0 * line.size)
        .collect();
    pitches.sort_by(f32::total_cmp);
    let usual = pitches
        .get(pitches.len() / 2)
        .copied()
        .unwrap_or(1.2 * line.size);
    line.baseline - above > 1.3 * usual
}

/// The rest of a note from the page before: small lines without a mark between the rule at the foot and the first note.
fn carried_over(lines: &[Line], usual: Usual, out: &mut [Option<bool>]) {
    let Some(first) = out.iter().position(|n| *n == Some(true)) else {
        return;
    };
    let size = lines[first].size;
    let part = |i: &usize| {
        let (line, next) = (&lines[*i], &lines[i + 1]);
        let down = next.baseline - line.baseline;
        line.cell.is_none()
            && line.size < SMALL * usual.size
            && (line.size - size).abs() < 0.08 * size
            && down > 0.0
            && down < PITCH * size
            && line.baseline > FOOT * line.frame.extent()
    };
    let from = (0..first).rev().take_while(part).last();
    if let Some(from) = from.filter(|&i| lines[i].rule_above.is_some()) {
        out[from..first].fill(Some(false));
    }
}

/// Lines that look like notes are not notes if nothing refers to them and the text of the page continues below them.
fn withdraw(lines: &[Line], referred: &HashSet<String>, out: &mut [Option<bool>]) {
    let mut at = 0;
    while at < out.len() {
        if out[at].is_none() {
            at += 1;
            continue;
        }
        let end = at + out[at..].iter().take_while(|n| n.is_some()).count();
        let known = (at..end).any(|i| mark_of(&lines[i]).is_some_and(|m| referred.contains(&m)));
        let below = lines.iter().zip(out.iter()).filter(|(l, n)| {
            let overlap = l.x1.min(lines[at].x1) > l.x0.max(lines[at].x0);
            n.is_none() && overlap && l.baseline > lines[end - 1].baseline
        });
        if !known && below.count() > 1 {
            out[at..end].fill(None);
        }
        at = end;
    }
}

/// The marks of the footnotes of every page, as `(page, mark)`.
pub fn marks(lines: &[Line], notes: &[Option<bool>]) -> HashSet<(u32, String)> {
    let begun = lines
        .iter()
        .zip(notes)
        .filter(|(_, note)| **note == Some(true));
    begun
        .filter_map(|(line, _)| mark_of(line).map(|mark| (line.page, mark)))
        .collect()
}

/// For every character of a line whether it belongs to a reference to a footnote of its page.
pub fn references(line: &Line, marks: &HashSet<(u32, String)>) -> Vec<bool> {
    let mut out = vec![false; line.chars.len()];
    let mut at = 0;
    while at < line.chars.len() {
        if !line.chars[at].raised {
            at += 1;
            continue;
        }
        let end = at + line.chars[at..].iter().take_while(|c| c.raised).count();
        // A bracketed number is in the text as it is printed: (4).
        let bracketed = at > 0 && "([（".contains(line.chars[at - 1].ch);
        let text: String = line.chars[at..end].iter().map(|c| c.ch).collect();
        let mut all = text.split([',', ' ']).filter(|t| !t.is_empty());
        let noted = all
            .clone()
            .all(|mark| marks.contains(&(line.page, mark.to_owned())));
        // Notes may stand on another page, but m² and 10⁶ are no references.
        let number = all.all(|mark| mark.len() <= 3 && mark.chars().all(|c| c.is_ascii_digit()));
        if at > 0 && !bracketed && (noted || (number && ends_word(line, at))) {
            out[at..end].fill(true);
        }
        at = end;
    }
    out
}

/// A word of some length or the punctuation after one stands before `at`.
fn ends_word(line: &Line, at: usize) -> bool {
    let mut before = line.chars[..at].iter().rev().map(|c| c.ch);
    match before.next() {
        Some(c) if c.is_alphabetic() => {
            !c.is_ascii() || 1 + before.take_while(|c| c.is_alphabetic()).count() >= 4
        }
        Some(')') => before.take_while(|c| c.is_alphanumeric()).count() >= 3,
        Some(c) => ".,;:!?\"'”’]，。；：！？）》」".contains(c),
        None => false,
    }
}

/// The line begins with a number, a stop and a word with a capital: `33. See the report`.
fn is_dotted(line: &Line) -> bool {
    let text: Vec<char> = line.chars.iter().take(6).map(|c| c.ch).collect();
    let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
    let after = text.get(digits..).unwrap_or_default();
    (1..=3).contains(&digits)
        && matches!(after, ['.', ' ', next, ..] if next.is_uppercase() || "“‘\"'".contains(*next))
}

/// The mark with which a footnote begins: raised characters, or a number or sign set apart.
pub fn mark_of(line: &Line) -> Option<String> {
    let text: Vec<char> = line.chars.iter().map(|c| c.ch).collect();
    let raised = line.raised();
    if raised > 0 && raised <= 4 {
        let mark: String = text
            .iter()
            .take(raised)
            .filter(|c| c.is_alphanumeric() || "*†‡§".contains(**c))
            .collect();
        if !mark.is_empty() {
            return Some(mark);
        }
    }
    let trimmed: String = text.iter().take(8).filter(|c| **c != ' ').collect();
    let inner = trimmed.trim_start_matches(['(', '[', '（']);
    let digits: String = inner.chars().take_while(char::is_ascii_digit).collect();
    if !digits.is_empty() && digits.len() <= 3 {
        let bracketed =
            inner.len() < trimmed.len() && inner[digits.len()..].starts_with([')', ']', '）']);
        let after = text.get(digits.len()).copied();
        let spaced = after == Some(' ')
            && text
                .get(digits.len() + 1)
                .is_some_and(|c| c.is_uppercase() || "“‘\"'".contains(*c));
        return (bracketed || spaced || is_dotted(line)).then_some(digits);
    }
    let mut signs = inner.chars();
    let sign = signs.next().filter(|c| SIGNS.contains(*c))?;
    let closed = inner.len() == trimmed.len() || signs.next() == Some(')');
    closed.then(|| sign.to_string())
}
