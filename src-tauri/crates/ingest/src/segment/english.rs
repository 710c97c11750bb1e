//! Sentence ends in alphabetic text.

use super::abbreviations::{is_closing, is_open, is_starter};

const BULLETS: &[char] = &['•', '●', '⁃', '▪', '-', '–', '−'];
const CLOSERS: &str = "\"'”’)]»";

/// Places right after a sentence's end; `items` are places at which list items begin.
pub fn ends(chars: &[char], items: &[usize]) -> Vec<usize> {
    let mut out = Vec::new();
    let mut sentence_start = 0;
    let mut i = 0;
    while i < chars.len() {
        if !".!?…。！？".contains(chars[i]) {
            i += 1;
            continue;
        }
        sentence_start = items.iter().copied().filter(|&s| s <= i).fold(sentence_start, usize::max);
        let run = stop_run(chars, i);
        let mut end = run.end;
        while end < chars.len() && CLOSERS.contains(chars[end]) {
            end += 1;
        }
        if is_end(chars, sentence_start, i, &run, end) {
            out.push(end);
            sentence_start = end;
        }
        i = end.max(i + 1);
    }
    out
}

/// Consecutive stops, spaced ellipses included.
struct Run {
    end: usize,
    stops: usize,
    spaced: bool,
}

fn stop_run(chars: &[char], from: usize) -> Run {
    let (mut end, mut stops, mut spaced) = (from + 1, 1, false);
    loop {
        if chars.get(end).is_some_and(|c| ".!?…".contains(*c)) {
            end += 1;
        } else if chars[from] == '.' && chars.get(end) == Some(&' ') && chars.get(end + 1) == Some(&'.') {
            end += 2;
            spaced = true;
        } else {
            return Run { end, stops, spaced };
        }
        stops += 1;
    }
}

fn is_end(chars: &[char], sentence_start: usize, stop: usize, run: &Run, end: usize) -> bool {
    let Some(&after) = chars.get(end) else { return true };
    if "。！？".contains(chars[stop]) {
        return true;
    }
    if !after.is_whitespace() {
        return false;
    }
    let rest = &chars[end..];
    let Some(lead) = rest.iter().position(|c| !c.is_whitespace()) else { return true };
    let next_chars = &rest[lead..];
    let opening = next_chars.iter().take_while(|c| "\"'“‘([«".contains(**c)).count();
    let next: String = next_chars[opening..].iter().take_while(|c| c.is_alphanumeric() || **c == '\'').collect();
    let head = next.chars().next();
    if head.is_some_and(char::is_lowercase) {
        // Lower case goes on, but for markers of a list (`a.`, `(b)`), which are found elsewhere.
        return false;
    }
    if next_chars.first().is_some_and(|c| ",;:)]".contains(*c)) {
        return false;
    }
    if run.stops == 3 && chars[stop] == '.' {
        // An ellipsis inside a sentence; a name or `I` after it tells nothing.
        return !run.spaced && head.is_some_and(char::is_uppercase) && is_starter(&next.to_lowercase()) && next != "I";
    }
    if chars[stop] != '.' || run.stops > 1 {
        return true;
    }
    if run.end < end && CLOSERS.contains(chars[run.end]) && chars[run.end] != ')' && chars[run.end] != ']' {
        return true;
    }
    let word = word_before(chars, sentence_start, stop);
    if word.is_empty() {
        return true;
    }
    judge(chars, sentence_start, stop, &word, &next, head)
}

/// Judges a single stop by the word before it and the word after it.
fn judge(chars: &[char], sentence_start: usize, stop: usize, word: &str, next: &str, head: Option<char>) -> bool {
    let lower = word.trim_start_matches(['(', '[', '"', '“', '‘', '\'']).to_lowercase();
    let bare: String = lower.chars().filter(|c| *c != '.').collect();
    let starter = head.is_some_and(char::is_uppercase) && is_starter(&next.to_lowercase());
    let only: String = chars[sentence_start..stop].iter().filter(|c| !c.is_whitespace()).collect();
    let only = only.trim_start_matches(BULLETS);
    if only == word.trim_start_matches(BULLETS) && is_marker(only) {
        return false;
    }
    if is_open(&lower) {
        // `no.` as an answer, `p.` as a letter and the like are rarer than the abbreviation.
        return false;
    }
    let letters = bare.chars().count();
    let dotted = lower.contains('.') && lower.split('.').all(|p| !p.is_empty() && p.chars().count() <= 2);
    if lower == "e.u" || lower == "u.s" || lower == "u.k" || lower == "u.n" || is_closing(&lower) || dotted {
        return starter && !(lower == "p.m" || lower == "a.m") || (starter && !title(next));
    }
    if letters == 1 && bare.chars().all(|c| c.is_alphabetic()) {
        let initial = word.chars().next_back().is_some_and(char::is_uppercase);
        return !initial || (bare == "i" && starter);
    }
    true
}

/// Forms of address that follow a time of day within the sentence.
fn title(word: &str) -> bool {
    ["Mr", "Mrs", "Ms", "Dr"].contains(&word)
}

/// The word that ends at `stop`, inner stops included.
fn word_before(chars: &[char], from: usize, stop: usize) -> String {
    let start = chars[from..stop].iter().rposition(|c| c.is_whitespace()).map_or(from, |p| from + p + 1);
    chars[start..stop].iter().collect()
}

/// A list marker's inside: digits, one or two letters, a Roman numeral.
fn is_marker(word: &str) -> bool {
    let word = word.to_lowercase();
    let inner = word.trim_matches(['(', ')']);
    let digits = !inner.is_empty() && inner.chars().all(|c| c.is_ascii_digit() || c == '.');
    let letter = inner.chars().count() <= 2 && inner.chars().all(char::is_alphabetic);
    let numeral = inner.len() <= 5 && inner.chars().all(|c| "ivxlc".contains(c));
    digits || letter || numeral
}
