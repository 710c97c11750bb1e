//! How text of other people is shown on a terminal, in a log or in a report. Some characters have effects there: they
//! move the cursor, change the direction of reading, or are invisible. Such characters are shown by their numbers.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character changes the direction in which the text around it is read.
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character is invisible and a reader cannot see that it is there. The zero-width joiner and non-joiner
/// count as such characters, although Persian and Indic scripts need them inside words.
pub fn has_no_form(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character ends a line but is not a line feed.
fn ends_line(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a character must be shown by its number. This is so for control characters (except line feed and tab), and
/// for characters that change the direction of reading, are invisible or end a line.
pub fn acts(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || turns_direction(c)
        || has_no_form(c)
        || ends_line(c)
}

/// A text in a form that can be shown: characters with effects become numbers such as `\u{202e}`. Line feeds and tabs
/// stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    written(text, acts)
}

/// A text as it can be shown on a single line: as by [`visible`], with line feeds and tabs as `\n` and `\t`.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    written(text, |c| acts(c) || c == '\n' || c == '\t')
}

fn written(text: &str, marked: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&marked) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !marked(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => {
                // Writing into a String does not fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_shown_by_its_number() {
        for (text, expected) in [
            (
                "Règlement (UE) n° 648/2012 — 第一条",
                "Règlement (UE) n° 648/2012 — 第一条",
            ),
            ("a\u{1b}]0;x\u{7}b", "a\\u{1b}]0;x\\u{7}b"),
            ("a\u{9b}31m\u{7f}", "a\\u{9b}31m\\u{7f}"),
            (
                "invoice\u{202e}fdp.exe\u{2066}\u{61c}\u{200f}",
                "invoice\\u{202e}fdp.exe\\u{2066}\\u{61c}\\u{200f}",
            ),
            (
                "B\u{200d}e\u{200b}a\u{feff}\u{e0041}\u{ad}",
                "B\\u{200d}e\\u{200b}a\\u{feff}\\u{e0041}\\u{ad}",
            ),
            ("one\u{2028}two\u{2029}", "one\\u{2028}two\\u{2029}"),
            ("one\ntwo\tthree\rfour", "one\ntwo\tthree\\rfour"),
            ("⚠\u{fe0f}", "⚠\u{fe0f}"),
        ] {
            assert_eq!(visible(text), expected, "{text:?}");
            assert!(!visible(text).chars().any(acts));
        }
        assert_eq!(
            on_one_line("one\ntwo\tthree\r\u{1b}"),
            "one\\ntwo\\tthree\\r\\u{1b}"
        );
    }
}
