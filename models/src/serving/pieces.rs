//! Tokens to text as they come: whole characters only, and nothing of what may become a stop string.

use crate::Result;
use crate::decoding::language::Language;

/// Tokens after which a character that is still not whole is shown as it is: no character has more bytes.
const LONGEST_CHARACTER: usize = 8;

/// Text of tokens, in pieces of whole characters.
#[derive(Debug, Default)]
pub struct Pieces {
    ids: Vec<u32>,
    /// The index of the first token of the piece that was sent last. The tokens of that piece are decoded again with
    /// the new ones, because a token's text may depend on the tokens before it.
    before: usize,
    /// Tokens that were told.
    told: usize,
}

impl Pieces {
    /// Adds a token, and gives the text that is complete with it.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn push(&mut self, language: &Language, id: u32) -> Result<String> {
        self.ids.push(id);
        self.whole(language, self.ids.len() - self.told > LONGEST_CHARACTER)
    }

    /// The rest of the text at the end, even if its last character is incomplete.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn rest(&mut self, language: &Language) -> Result<String> {
        self.whole(language, true)
    }

    fn whole(&mut self, language: &Language, anyway: bool) -> Result<String> {
        let known = language.decode(&self.ids[self.before..self.told])?;
        let all = language.decode(&self.ids[self.before..])?;
        let new = all.get(known.len()..).unwrap_or_default();
        if new.is_empty() || (new.ends_with('\u{FFFD}') && !anyway) {
            return Ok(String::new());
        }
        self.before = self.told;
        self.told = self.ids.len();
        Ok(new.to_owned())
    }
}

/// Holds text back as long as it may become a stop string.
#[derive(Debug, Default)]
pub struct Stops {
    strings: Vec<String>,
    held: String,
}

impl Stops {
    /// A check for these strings. Empty strings are ignored.
    pub fn new(strings: Vec<String>) -> Self {
        Self {
            strings: strings
                .into_iter()
                .filter(|string| !string.is_empty())
                .collect(),
            held: String::new(),
        }
    }

    /// Whether text is held back.
    pub fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Takes in text and gives what can no longer become a stop string, and whether one has come: then nothing follows.
    pub fn push(&mut self, text: &str) -> (String, bool) {
        self.held.push_str(text);
        if let Some(start) = self
            .strings
            .iter()
            .filter_map(|stop| self.held.find(stop.as_str()))
            .min()
        {
            self.held.truncate(start);
            return (std::mem::take(&mut self.held), true);
        }
        let beginning = |at: usize| {
            self.strings
                .iter()
                .any(|stop| stop.starts_with(&self.held[at..]))
        };
        let longest = self.strings.iter().map(String::len).max().unwrap_or(0);
        let from = self.held.len().saturating_sub(longest);
        let free = (from..self.held.len())
            .find(|&at| self.held.is_char_boundary(at) && beginning(at))
            .unwrap_or(self.held.len());
        let rest = self.held.split_off(free);
        (std::mem::replace(&mut self.held, rest), false)
    }

    /// The text that was held back and cannot become a stop string any more.
    pub fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_stop_string_is_told_wherever_it_is_cut() {
        let check = |stops: &[&str], text: &str, expected: &str| {
            let stops: Vec<String> = stops.iter().map(|s| (*s).to_owned()).collect();
            let characters: Vec<char> = text.chars().collect();
            // Every way to cut the text into pieces of one to three characters in turn.
            for sizes in [&[1][..], &[2], &[3], &[1, 2], &[2, 1, 3], &[1000]] {
                let mut scan = Stops::new(stops.clone());
                let (mut told, mut stopped) = (String::new(), false);
                let mut at = 0;
                for size in sizes.iter().cycle() {
                    let piece: String = characters[at..characters.len().min(at + size)]
                        .iter()
                        .collect();
                    at += size;
                    let (new, now) = scan.push(&piece);
                    told.push_str(&new);
                    assert!(expected.starts_with(&told), "{told:?} of {expected:?}");
                    stopped = now;
                    if now || at >= characters.len() {
                        break;
                    }
                }
                if !stopped {
                    told.push_str(&scan.rest());
                }
                assert_eq!(told, expected, "{stops:?} {text:?} {sizes:?}");
                assert_eq!(stopped, expected != text, "{stops:?} {text:?}");
            }
        };
        check(&["END"], "one ENx two END three", "one ENx two ");
        check(&["\n\n"], "a\nb\n\nc", "a\nb");
        check(&["aab"], "aaab", "a");
        check(&["。", "\n"], "董事会。监事会", "董事会");
        check(&["会议室"], "董事会会议", "董事会会议");
        check(&["xyz"], "a xy", "a xy");
        check(&["", "b"], "abc", "a");
        check(&[], "abc", "abc");
    }

    #[test]
    fn the_string_that_is_whole_first_stops() {
        let mut stops = Stops::new(vec!["abcd".into(), "bc".into()]);
        assert_eq!(stops.push("ab"), (String::new(), false));
        assert!(stops.holds());
        assert_eq!(stops.push("c"), ("a".into(), true));
    }
}
