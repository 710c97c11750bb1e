//! Breaks a label into lines of a width.

use lexforge_text::is_wide;

/// A label in lines no wider than `most`, broken between words or ideographs and after hyphens. If the label needs more
/// than `lines` lines, its lines become wider instead, so that the whole label is shown.
pub fn wrap(text: &str, most: f64, lines: usize, measure: &dyn Fn(&str) -> f64) -> Vec<String> {
    let mut width = most;
    loop {
        let broken = broken(text, width, measure);
        if broken.len() <= lines.max(1) || width > 4_000.0 {
            return broken;
        }
        width *= 1.15;
    }
}

fn broken(text: &str, most: f64, measure: &dyn Fn(&str) -> f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces(text) {
        let longer = format!("{line}{piece}");
        if !line.is_empty() && measure(longer.trim_end()) > most {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            line = piece.trim_start().to_owned();
        } else {
            line = longer;
        }
    }
    let rest = line.trim_end();
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest.to_owned());
    }
    lines
}

/// The pieces of a text that may not be broken: a word, or its part up to a hyphen, with the blanks after it; or an
/// ideograph with the marks after it.
fn pieces(text: &str) -> Vec<String> {
    let closes = |c: char| "，。；：、）》”’」』！？)…".contains(c);
    let mut pieces: Vec<String> = Vec::new();
    let (mut before, mut earlier): (Option<char>, Option<char>) = (None, None);
    for c in text.chars() {
        // Between letters only: a minus stays with its number, and so does a hyphen in one.
        let hyphenated =
            before == Some('-') && c.is_alphabetic() && earlier.is_some_and(char::is_alphabetic);
        let breaks = hyphenated
            || before.is_none_or(|b| {
                (b.is_whitespace() && !c.is_whitespace()) || is_wide(b) || is_wide(c)
            });
        let joins = closes(c) || before.is_some_and(|b| "（《“‘「『(".contains(b));
        match pieces.last_mut() {
            Some(last) if !breaks || joins || c.is_whitespace() => last.push(c),
            _ => pieces.push(c.to_string()),
        }
        (earlier, before) = (before, Some(c));
    }
    pieces
}
