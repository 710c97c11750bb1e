//! A text as words and marks, sentence by sentence.

use std::borrow::Cow;

/// A word or a mark.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    /// In lower case.
    pub(super) word: Cow<'a, str>,
    /// First byte of the text.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// It begins with a capital.
    pub(super) capital: bool,
}

impl Token<'_> {
    /// Whether this is a word or a number, and no mark.
    pub(super) fn is_word(&self) -> bool {
        self.word.starts_with(char::is_alphanumeric)
    }
}

/// The tokens of each sentence of a text, without the marks that end sentences. Quotation marks and numbers of
/// citations ("\[12\]") are left out.
pub(super) fn sentences(text: &str) -> Vec<Vec<Token<'_>>> {
    let (mut all, mut sentence) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        if c.is_alphanumeric() {
            let end = word_end(text, at);
            sentence.push(token(text, at, end));
            at = end;
            continue;
        }
        match c {
            '[' => {
                if let Some(len) = citation(&text[at..]) {
                    at += len;
                    continue;
                }
                sentence.push(token(text, at, next));
            }
            '.' | '?' | '!' => all.push(std::mem::take(&mut sentence)),
            '\n' if text[next..].starts_with('\n') => all.push(std::mem::take(&mut sentence)),
            '\u{c}' => all.push(std::mem::take(&mut sentence)),
            '“' | '”' | '‘' | '’' | '"' | '\'' | '`' | '«' | '»' => {}
            c if c.is_whitespace() => {}
            _ => sentence.push(token(text, at, next)),
        }
        at = next;
    }
    all.push(sentence);
    all.retain(|s| !s.is_empty());
    all
}

fn token(text: &str, start: usize, end: usize) -> Token<'_> {
    let raw = &text[start..end];
    let capital = raw.starts_with(char::is_uppercase);
    let plain = !raw.contains(|c: char| c.is_uppercase() || c == ' ');
    let word = if plain {
        Cow::Borrowed(raw)
    } else {
        Cow::Owned(raw.replace(' ', "").to_lowercase())
    };
    Token {
        word,
        start,
        end,
        capital,
    }
}

/// Where the word at `start` ends. Hyphens, apostrophes, points and slashes between letters belong to the word, even if
/// there are blanks around a hyphen or before "’s". The points of "U.S." belong to it, too.
fn word_end(text: &str, start: usize) -> usize {
    let run = |from: usize| {
        text[from..]
            .find(|c: char| !c.is_alphanumeric())
            .map_or(text.len(), |n| from + n)
    };
    let mut end = run(start);
    loop {
        let rest = &text[end..];
        let mut chars = rest.chars();
        let (first, second) = (chars.next(), chars.next());
        let joins = matches!(first, Some('-' | '’' | '\'' | '/' | '.' | '&'));
        if joins && second.is_some_and(char::is_alphanumeric) {
            end = run(end + first.map_or(0, char::len_utf8));
            continue;
        }
        if rest.starts_with(" - ") && rest[3..].starts_with(char::is_alphanumeric) {
            end = run(end + 3);
            continue;
        }
        let possessive = [" ’s", " 's"].into_iter().find(|p| rest.starts_with(p));
        if let Some(p) = possessive
            && !rest[p.len()..].starts_with(char::is_alphanumeric)
        {
            end += p.len();
            continue;
        }
        break;
    }
    let word = &text[start..end];
    let initials = word.len() >= 3
        && word
            .split('.')
            .all(|part| part.chars().count() == 1 && part.starts_with(char::is_alphabetic));
    if initials && text[end..].starts_with('.') {
        end += 1;
    }
    end
}

/// The length of a mark like "\[12\]" or "\[a\]" at the beginning of a text.
fn citation(text: &str) -> Option<usize> {
    let close = text.char_indices().take(12).find(|(_, c)| *c == ']')?.0;
    let within = text[1..close].trim();
    (!within.is_empty() && within.chars().all(char::is_alphanumeric)).then_some(close + 1)
}

/// The tokens of one sentence.
#[cfg(test)]
pub(super) fn only(text: &str) -> Vec<Token<'_>> {
    sentences(text).into_iter().next().unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&[&str]]) {
        let found = sentences(text);
        let words: Vec<Vec<&str>> = found
            .iter()
            .map(|s| s.iter().map(|t| &*t.word).collect())
            .collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn words_marks_and_sentences() {
        check(
            "The U.S. Mint’s “re - issue” costs 3.5 % [12]. It ended.",
            &[
                &["the", "u.s.", "mint’s", "re-issue", "costs", "3.5", "%"],
                &["it", "ended"],
            ],
        );
        check(
            "A firm ’s aim: and/or",
            &[&["a", "firm’s", "aim", ":", "and/or"]],
        );
        check(
            "one line\ntwo\n\nthree",
            &[&["one", "line", "two"], &["three"]],
        );
    }
}
