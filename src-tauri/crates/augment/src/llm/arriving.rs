//! The statements of an answer that a model is still writing.
//!
//! A statement is read as soon as its text is complete, by the same rule as in [`read_answer`](super::read_answer). The
//! statements are only for showing progress: a mistake later in the answer can still make the whole answer unreadable.
//! So the answer is read again when it is complete.

use super::answer::{WrittenAnswer, WrittenStatement};
use crate::endpoint::object::LONGEST;
use serde_json::{Deserializer, Map, Value};

/// What may stand between the parts of an object.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];
/// How often an object that is not the answer is looked through for its end.
const MOST_TRIES: usize = 256;

/// An answer of which more and more text arrives.
#[derive(Debug, Default)]
pub struct ArrivingAnswer {
    text: String,
    /// The byte up to which the text is read.
    at: usize,
    place: Place,
    tries: usize,
    read: WrittenAnswer,
}

/// Where in an answer its next byte is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Place {
    /// Before the list of statements.
    #[default]
    Outside,
    /// Before a value of the list.
    Before,
    /// In a value.
    Within(Open),
    /// Behind a value.
    Behind,
    /// Behind the list, or behind what no list has.
    Over,
}

/// A value that has begun.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Open {
    /// Its first byte.
    from: usize,
    /// Objects and lists in which the next byte is.
    depth: usize,
    /// The next byte is in a string.
    quoted: bool,
    /// The next byte stands for itself.
    escaped: bool,
}

/// What an object begins like.
enum Beginning {
    /// The list of statements, with the bytes before its first value.
    List(usize),
    /// Too little of it has come.
    Unknown,
    Other,
}

impl ArrivingAnswer {
    /// Takes in more text, and gives the statements that are complete with it.
    pub fn push(&mut self, text: &str) -> &[WrittenStatement] {
        let known = self.read.statements.len();
        if self.text.len() + text.len() > LONGEST {
            self.place = Place::Over;
        }
        if self.place != Place::Over {
            self.text.push_str(text);
            while self.step() {}
        }
        self.read.statements.get(known..).unwrap_or_default()
    }

    /// All statements that are complete.
    pub fn statements(&self) -> &[WrittenStatement] {
        &self.read.statements
    }

    /// How many values of the list could not be read as statements.
    pub fn unreadable(&self) -> u32 {
        self.read.unreadable
    }

    /// Reads on; false where more text is needed, or nothing follows.
    fn step(&mut self) -> bool {
        match self.place {
            Place::Outside => self.find_list(),
            Place::Before | Place::Behind => self.find_value(),
            Place::Within(value) => self.read_value(value),
            Place::Over => false,
        }
    }

    fn find_list(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(brace) = rest.find('{') else {
            self.at = self.text.len();
            return false;
        };
        self.at += brace;
        let object = rest.get(brace..).unwrap_or_default();
        match beginning(object) {
            Beginning::List(length) => {
                self.at += length;
                self.place = Place::Before;
                return true;
            }
            Beginning::Unknown => return false,
            Beginning::Other => {}
        }
        self.tries += 1;
        if self.tries > MOST_TRIES {
            self.place = Place::Over;
            return false;
        }
        let mut objects = Deserializer::from_str(object).into_iter::<Map<String, Value>>();
        match objects.next() {
            // Another object, and whatever is in it.
            Some(Ok(_)) => self.at += objects.byte_offset(),
            Some(Err(problem)) if problem.is_eof() => return false,
            // This brace belongs to the prose.
            _ => self.at += 1,
        }
        true
    }

    fn find_value(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let rest = rest.trim_start_matches(BLANKS);
        let Some(first) = rest.bytes().next() else {
            return false;
        };
        self.at = self.text.len() - rest.len();
        self.place = match (self.place, first) {
            (Place::Behind, b',') => {
                self.at += 1;
                Place::Before
            }
            (Place::Behind, _) | (_, b']') => Place::Over,
            _ => Place::Within(Open {
                from: self.at,
                depth: 0,
                quoted: false,
                escaped: false,
            }),
        };
        true
    }

    fn read_value(&mut self, mut value: Open) -> bool {
        while let Some(byte) = self.text.as_bytes().get(self.at).copied() {
            if let Some(behind) = value.ends_with(byte) {
                let end = self.at + usize::from(behind);
                let text = self.text.get(value.from..end).unwrap_or_default();
                self.at = end;
                self.place = match serde_json::from_str(text) {
                    Ok(value) => {
                        self.read.take(value);
                        Place::Behind
                    }
                    Err(_) => Place::Over,
                };
                return true;
            }
            self.at += 1;
        }
        self.place = Place::Within(value);
        false
    }
}

impl Open {
    /// Takes in the next byte. If the value ends there: whether the byte is part of it.
    fn ends_with(&mut self, byte: u8) -> Option<bool> {
        if self.quoted {
            let literal = std::mem::take(&mut self.escaped);
            match byte {
                _ if literal => {}
                b'\\' => self.escaped = true,
                b'"' => {
                    self.quoted = false;
                    return (self.depth == 0).then_some(true);
                }
                _ => {}
            }
            return None;
        }
        match byte {
            b'"' => self.quoted = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                return (self.depth == 0).then_some(true);
            }
            // A number or a word has no end of its own.
            b',' | b'}' | b']' if self.depth == 0 => return Some(false),
            _ => {}
        }
        None
    }
}

fn beginning(object: &str) -> Beginning {
    let mut rest = object;
    for part in ["{", "\"statements\"", ":", "["] {
        rest = rest.trim_start_matches(BLANKS);
        if let Some(after) = rest.strip_prefix(part) {
            rest = after;
        } else if part.starts_with(rest) {
            return Beginning::Unknown;
        } else {
            return Beginning::Other;
        }
    }
    Beginning::List(object.len() - rest.len())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::llm::{AnswerText, read_answer};
    use rand::{Rng, SeedableRng};

    const ONE: &str = r#"{"text": "A “bank” shall pay [1] {promptly}.", "cites": [{"clause": 1, "quote": "shall \"pay\" \\"}]}"#;
    const TWO: &str = r#"{"text":"银行应当报告é。","cites":[{"clause":2,"quote":"应当"},{"clause":1,"quote":"}]"}]}"#;

    fn arrived(text: &str, pieces: usize) -> ArrivingAnswer {
        let mut arriving = ArrivingAnswer::default();
        let characters: Vec<char> = text.chars().collect();
        let mut told = 0;
        for piece in characters.chunks(pieces.max(1)) {
            told += arriving.push(&piece.iter().collect::<String>()).len();
        }
        assert_eq!(told, arriving.statements().len());
        arriving
    }

    fn whole(text: &str) -> Option<WrittenAnswer> {
        let answer = AnswerText {
            text: text.to_owned(),
            finish: "stop".to_owned(),
        };
        read_answer(&answer).ok()
    }

    /// Wherever a readable answer is cut, its statements are those of the whole answer.
    #[test]
    fn the_pieces_of_an_answer_hold_its_statements() {
        for text in [
            r#"{"statements": []}"#.to_owned(),
            format!(r#"{{"statements":[{ONE}]}}"#),
            format!("{{ \"statements\" :\n[ {ONE} ,\t{TWO} ] }}"),
            format!(
                "```json\n{{\"statements\": [{TWO}, {ONE}]}}\n```\nI hope that {{this}} helps."
            ),
            format!(
                "See {{braces}}, {{\"x\": {{\"statements\": [1]}}}} and {{}}: {{\"statements\": [{ONE}]}}"
            ),
            format!(
                r#"<think>{{"a": "{{"}}</think>{{"statements":[{ONE}, "x", 12, null, [{TWO}], {{}}, {TWO}]}}"#
            ),
            format!(r#"{{"statements":[{}]}}"#, vec![ONE; 15].join(",")),
        ] {
            let expected = whole(&text).unwrap();
            for pieces in 1..=text.chars().count() {
                let arriving = arrived(&text, pieces);
                assert_eq!(
                    arriving.statements(),
                    expected.statements,
                    "{pieces}: {text}"
                );
                assert_eq!(
                    arriving.unreadable(),
                    expected.unreadable,
                    "{pieces}: {text}"
                );
            }
        }
    }

    /// A statement is told once its last byte has come, and not before.
    #[test]
    fn a_statement_is_read_when_it_is_complete() {
        let beginning = format!(r#"{{"statements": [{ONE}"#);
        let (last, first) = (beginning.len() - 1, &beginning[..beginning.len() - 1]);
        let mut arriving = ArrivingAnswer::default();
        assert!(arriving.push(first).is_empty());
        assert_eq!(arriving.push(&beginning[last..]).len(), 1);
        assert!(arriving.push(", ").is_empty());
        assert_eq!(arriving.push(TWO).len(), 1);
    }

    #[test]
    fn what_is_no_list_of_statements_gives_none() {
        let long = "x".repeat(LONGEST);
        for (text, statements) in [
            ("The bank shall pay.".to_owned(), 0),
            (format!(r#"{{"answer": [{ONE}]}}"#), 0),
            (format!(r#"{{"statements": {ONE}}}"#), 0),
            (format!(r#"{{"statements": [{ONE} {TWO}]}}"#), 1),
            (format!(r#"{{"statements": [, {ONE}]}}"#), 0),
            (
                format!(r#"{{"statements": [{ONE}, {{"text" "x"}}, {TWO}]}}"#),
                1,
            ),
            (format!("{long}{{\"statements\": [{ONE}]}}"), 0),
            (
                format!(
                    "{}{{\"statements\": [{ONE}]}}",
                    "{a}".repeat(MOST_TRIES + 1)
                ),
                0,
            ),
        ] {
            for pieces in [1, 7, text.len()] {
                let found = arrived(&text, pieces).statements().len();
                assert_eq!(
                    found,
                    statements,
                    "{pieces}: {}",
                    text.get(..60).unwrap_or(&text)
                );
            }
        }
    }

    /// Random lists are read alike however they are cut; what is whole has the statements of the whole answer.
    #[test]
    fn no_list_gives_more_than_its_whole() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(11);
        let values = [
            ONE,
            TWO,
            "1.5e3",
            "null",
            r#""x]}""#,
            r#"[{"a": "\\\""}]"#,
            r#"{"text": ""}"#,
            "{",
            "]",
            "\\",
            "é",
        ];
        let mut readable = 0;
        for _ in 0..4000 {
            // The last four are no values.
            let kinds = if rng.random_bool(0.7) {
                7
            } else {
                values.len()
            };
            let n = rng.random_range(0..6);
            let list: Vec<&str> = (0..n).map(|_| values[rng.random_range(0..kinds)]).collect();
            let between = if rng.random_bool(0.9) { ", " } else { " " };
            let text = format!("{{\"statements\": [{}]}}", list.join(between));
            let found = arrived(&text, 1);
            for pieces in [3, text.len()] {
                assert_eq!(
                    arrived(&text, pieces).statements(),
                    found.statements(),
                    "{text}"
                );
            }
            if serde_json::from_str::<Value>(&text).is_ok() {
                let expected = whole(&text).unwrap_or_default();
                readable += usize::from(!expected.statements.is_empty());
                assert_eq!(found.statements(), expected.statements, "{text}");
            }
        }
        assert!(readable > 1000, "{readable}");
    }
}
