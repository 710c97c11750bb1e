//! Footnotes: small lines at the foot of a page, the first of which begins with a mark.

use super::blocks::Usual;
use crate::layout::{Line, Role};
use std::collections::HashSet;

/// For every line: `Some(true)` where a footnote begins, `Some(false)` where one goes on, else `None`.
pub fn mark(lines: &[Line], usual: Usual) -> Vec<Option<bool>> {
    let mut out = vec![None; lines.len()];
    let mut start = 0;
    while start < lines.len() {
        let page = lines[start].page;
        let end = start + lines[start..].iter().take_while(|l| l.page == page).count();
        mark_page(lines, start, end, usual, &mut out);
        mark_columns(lines, start, end, usual, &mut out);
        start = end;
    }
    for (line, note) in lines.iter().zip(&mut out) {
        if line.role == Role::Note {
            *note = Some(line.break_before);
        }
    }
    out
}

fn mark_page(lines: &[Line], start: usize, end: usize, usual: Usual, out: &mut [Option<bool>]) {
    let small = |l: &Line| l.size < 0.93 * usual.size && l.frame.width > 0.0 && l.cell.is_none();
    let mut low: Vec<usize> = (start..end)
        .filter(|&i| lines[i].baseline > 0.4 * lines[i].frame.extent())
        .collect();
    low.sort_by(|&a, &b| lines[b].baseline.total_cmp(&lines[a].baseline));
    let mut notes: Vec<usize> = low.into_iter().take_while(|&i| small(&lines[i])).collect();
    notes.sort_unstable();
    let Some(first) = notes.iter().position(|&i| mark_of(&lines[i]).is_some()) else {
        return;
    };
    let mut last_page_order = None;
    for &i in &notes[first..] {
        // A jump in reading order means another column or a table.
        let follows =
            last_page_order.is_none_or(|last: usize| i == last + 1) || mark_of(&lines[i]).is_some();
        if !follows {
            continue;
        }
        out[i] = Some(mark_of(&lines[i]).is_some());
        last_page_order = Some(i);
    }
}

/// Footnotes at the foot of a column beside which another one runs on.
fn mark_columns(lines: &[Line], start: usize, end: usize, usual: Usual, out: &mut [Option<bool>]) {
    let small = |l: &Line| l.size < 0.93 * usual.size && l.frame.width > 0.0 && l.cell.is_none();
    let mut from = start;
    for i in start..end {
        let last = i + 1 == end;
        let turns = last || lines[i + 1].baseline < lines[i].baseline - 2.0 * lines[i].size;
        if !turns {
            continue;
        }
        let notes = (from..=i).rev().take_while(|&j| small(&lines[j])).count();
        let low = |j: usize| lines[j].baseline > 0.4 * lines[j].frame.extent();
        let first = (i + 1 - notes..=i).find(|&j| low(j) && mark_of(&lines[j]).is_some());
        // A column that is small from top to bottom is no foot.
        if let Some(first) = first.filter(|_| notes < i + 1 - from) {
            for j in first..=i {
                out[j].get_or_insert(mark_of(&lines[j]).is_some());
            }
        }
        from = i + 1;
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
        // A bracketed number stands in the text as it is printed: (4).
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
        return (bracketed || spaced).then_some(digits);
    }
    trimmed
        .chars()
        .next()
        .filter(|c| "*†‡".contains(*c))
        .map(String::from)
}
