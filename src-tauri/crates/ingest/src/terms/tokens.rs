//! English tokens: words with inner hyphens and apostrophes. Everything else is a break between tokens. Words have
//! numbers, so that phrases are counted without copying any text.

use std::collections::HashMap;

/// A token of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The word as written, with plain apostrophes.
    pub written: u32,
    /// Lower case.
    pub lower: u32,
    /// A word, as against a number, a symbol or a punctuation mark.
    pub word: bool,
}

/// The different words of a corpus by number. Number 0 is the empty word.
#[derive(Debug)]
pub(crate) struct Words {
    ids: HashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
    lower: Vec<u32>,
    word: Vec<bool>,
    chars: Vec<(usize, char)>,
}

impl Words {
    pub(crate) fn new() -> Self {
        let mut words = Self {
            ids: HashMap::new(),
            texts: Vec::new(),
            lower: Vec::new(),
            word: Vec::new(),
            chars: Vec::new(),
        };
        words.id("");
        words
    }

    /// The number of a word as written.
    pub(crate) fn id(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.texts.len() as u32;
        self.ids.insert(text.into(), id);
        self.texts.push(text.into());
        self.lower.push(id);
        self.word.push(
            !text.chars().any(|c| c.is_ascii_digit()) && text.chars().any(char::is_alphabetic),
        );
        let lower = text.to_lowercase();
        if lower != text {
            self.lower[id as usize] = self.id(&lower);
        }
        id
    }

    /// The word of a number.
    pub(crate) fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", |text| text)
    }

    /// All words, in the order of their numbers.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    fn token(&mut self, text: &str) -> Token {
        let written = self.id(text);
        Token {
            written,
            lower: self.lower[written as usize],
            word: self.word[written as usize],
        }
    }

    /// The tokens of a sentence.
    pub(crate) fn tokenise(&mut self, text: &str) -> Vec<Token> {
        let mut chars = std::mem::take(&mut self.chars);
        chars.clear();
        chars.extend(text.char_indices());
        let mut tokens = Vec::with_capacity(text.len() / 5);
        let mut i = 0;
        while i < chars.len() {
            let (from, c) = chars[i];
            if c.is_whitespace() {
                i += 1;
                continue;
            }
            if !c.is_alphanumeric() {
                tokens.push(Token {
                    word: false,
                    ..self.token(&text[from..from + c.len_utf8()])
                });
                i += 1;
                continue;
            }
            let start = i;
            while i < chars.len() && (chars[i].1.is_alphanumeric() || joins(&chars, i)) {
                i += 1;
            }
            let slice = &text[from..chars.get(i).map_or(text.len(), |(at, _)| *at)];
            let plain: Option<String> = (!slice.is_ascii())
                .then(|| chars[start..i].iter().map(|(_, c)| plain(*c)).collect());
            let written = plain.as_deref().unwrap_or(slice);
            let stem = written
                .strip_suffix("'s")
                .or_else(|| written.strip_suffix('\''));
            tokens.push(self.token(stem.unwrap_or(written)));
            if stem.is_some() {
                // "the controller's duty" is not the phrase "controller duty".
                tokens.push(Token {
                    word: false,
                    ..self.token("'s")
                });
            }
        }
        self.chars = chars;
        self.mark_prepositions(&mut tokens);
        tokens
    }

    /// "subject to" is a preposition, unless "subject" ends a phrase ("the data subject to whom").
    fn mark_prepositions(&mut self, tokens: &mut [Token]) {
        let (subject, to) = (self.id("subject"), self.id("to"));
        for i in 0..tokens.len() {
            if tokens[i].lower == subject
                && tokens.get(i + 1).is_some_and(|t| t.lower == to)
                && (i == 0
                    || !tokens[i - 1].word
                    || super::lexicon::FUNCTION.contains(self.text(tokens[i - 1].lower)))
            {
                tokens[i].word = false;
            }
        }
    }
}

/// Whether the character at `i` holds two parts of one word together.
fn joins(chars: &[(usize, char)], i: usize) -> bool {
    let inner = || {
        i > 0
            && chars[i - 1].1.is_alphanumeric()
            && chars.get(i + 1).is_some_and(|(_, c)| c.is_alphanumeric())
    };
    match plain(chars[i].1) {
        '-' | '\'' | '&' => inner(),
        '.' => inner() && chars[i - 1].1.is_ascii_digit(),
        _ => false,
    }
}

fn plain(c: char) -> char {
    match c {
        '’' | 'ʼ' => '\'',
        '\u{2010}' | '\u{2011}' => '-',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_breaks() {
        let check = |text: &str, expected: &[&str]| {
            let mut words = Words::new();
            let found: Vec<String> = words
                .tokenise(text)
                .into_iter()
                .map(|t| {
                    if t.word {
                        words.text(t.lower).to_owned()
                    } else {
                        format!("|{}", words.text(t.written))
                    }
                })
                .collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check(
            "The controller’s cross-border data, 8.5 %",
            &[
                "the",
                "controller",
                "|'s",
                "cross-border",
                "data",
                "|,",
                "|8.5",
                "|%",
            ],
        );
        check(
            "subject to consent of the data subject",
            &["|subject", "to", "consent", "of", "the", "data", "subject"],
        );
        check("(R&D) Article 6a", &["|(", "r&d", "|)", "article", "|6a"]);
    }
}
