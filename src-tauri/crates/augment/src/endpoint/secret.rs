//! A key that no message shows and no answer brings back.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The text that replaces a secret.
pub(crate) const MARK: &str = "•••";
/// A shorter key is not looked for in messages.
const SHORTEST: usize = 4;
/// A shorter key is an ordinary word: answers keep it, and it is looked for in no other form.
const SHORTEST_IN_ANSWERS: usize = 8;
/// From this length on, the beginning of a key is cut out, too, and in whatever case.
const LONG: usize = 16;
/// A beginning that is cut out has at least so many characters.
const BEGINNING: usize = 12;

/// An endpoint's key, or a proxy's password. Neither `Debug` nor any message of this crate shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A key; the white space around it is no part of it.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key itself, for the header of a request.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(•••)")
    }
}

/// Removes secrets from the texts of an endpoint or a proxy, in all forms in which they may be repeated: plain, in
/// base64 (also as part of something longer, such as `Bearer KEY` or `user:password`), percent-encoded, in hexadecimal,
/// and escaped as in JSON. A secret of 4 to 7 characters is removed only from messages and only in its plain form. A
/// shorter secret is not removed.
#[derive(Default)]
pub(crate) struct Cut {
    forms: Vec<Form>,
}

struct Form {
    bytes: Vec<u8>,
    /// Bytes from its beginning that are enough.
    least: usize,
    /// In whatever case.
    any_case: bool,
    in_answers: bool,
}

impl Cut {
    /// For these secrets.
    pub(crate) fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut cut = Self::default();
        for secret in secrets {
            let text = secret.reveal();
            let length = text.chars().count();
            if length >= SHORTEST {
                cut.add(text, length >= LONG, length >= SHORTEST_IN_ANSWERS);
            }
            if length >= SHORTEST_IN_ANSWERS {
                cut.add_encoded(text);
            }
        }
        cut
    }

    fn add(&mut self, text: &str, any_case: bool, in_answers: bool) {
        let bytes = text.as_bytes().to_vec();
        let least = if bytes.len() >= LONG {
            BEGINNING.max(bytes.len() / 2)
        } else {
            bytes.len()
        };
        if !self.forms.iter().any(|form| form.bytes == bytes) {
            self.forms.push(Form {
                bytes,
                least,
                any_case,
                in_answers,
            });
        }
    }

    fn add_encoded(&mut self, text: &str) {
        for before in 0..3 {
            // Of a group of three bytes four characters are made: those that hold nothing but the secret.
            let bytes = [&vec![0; before], text.as_bytes()].concat();
            let (from, to) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
            for encoded in [
                STANDARD_NO_PAD.encode(&bytes),
                URL_SAFE_NO_PAD.encode(&bytes),
            ] {
                self.add(&encoded[from..to], false, true);
            }
        }
        self.add(&hex::encode(text), true, true);
        self.add(
            &utf8_percent_encode(text, NON_ALPHANUMERIC).to_string(),
            true,
            true,
        );
        self.add(
            &text
                .bytes()
                .map(|b| format!("%{b:02x}"))
                .collect::<String>(),
            true,
            true,
        );
        let escaped = serde_json::Value::from(text).to_string();
        self.add(escaped.trim_matches('"'), true, true);
    }

    /// A message without the secrets.
    pub(crate) fn out_of_message(&self, text: &str) -> String {
        self.from(text, |_| true)
    }

    /// An answer without the secrets.
    pub(crate) fn out_of_answer(&self, text: &str) -> String {
        self.from(text, |form| form.in_answers)
    }

    /// The beginning of an answer that is still arriving, without secrets. It ends before any text that could be the
    /// beginning of a secret. Also returns the number of bytes of `text` that it covers.
    pub(crate) fn settled_in_answer(&self, text: &str) -> (String, usize) {
        let forms: Vec<&Form> = self.forms.iter().filter(|form| form.in_answers).collect();
        let longest = forms.iter().map(|form| form.bytes.len()).max().unwrap_or(1);
        // Whether a secret begins at a byte is known once as much text as the longest one has come from there on.
        cut(&forms, text, (text.len() + 1).saturating_sub(longest))
    }

    fn from(&self, text: &str, counts: impl Fn(&Form) -> bool) -> String {
        let forms: Vec<&Form> = self.forms.iter().filter(|form| counts(form)).collect();
        cut(&forms, text, text.len()).0
    }
}

/// A text without the secrets that begin before byte `end`, and where its rest begins.
fn cut(forms: &[&Form], text: &str, end: usize) -> (String, usize) {
    let mut out = String::with_capacity(text.len());
    let (mut at, mut kept) = (0, 0);
    while at < end {
        let longest = forms
            .iter()
            .filter_map(|form| form.found_at(&text.as_bytes()[at..]))
            .max();
        let Some(length) = longest else {
            at += 1;
            continue;
        };
        // A form begins with the first byte of a character.
        out.push_str(text.get(kept..at).unwrap_or_default());
        out.push_str(MARK);
        at += length;
        while !text.is_char_boundary(at) {
            at += 1;
        }
        kept = at;
    }
    // The end may be in the middle of a character.
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    out.push_str(text.get(kept..at).unwrap_or_default());
    (out, at)
}

impl Form {
    /// Bytes at the beginning of a text that are this form, or enough of its beginning.
    fn found_at(&self, text: &[u8]) -> Option<usize> {
        let same = |(a, b): &(&u8, &u8)| a == b || (self.any_case && a.eq_ignore_ascii_case(b));
        let length = self.bytes.iter().zip(text).take_while(same).count();
        (length >= self.least).then_some(length)
    }
}

impl std::fmt::Debug for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cut({} forms)", self.forms.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;

    const KEY: &str = "sk-test+0123/456789=abcdef";

    #[test]
    fn an_echoed_key_is_cut_out_in_every_usual_form() {
        let cut = Cut::new([&Secret::new(KEY), &Secret::new("pass word\"1")]);
        let check = |text: &str, expected: &str| {
            assert_eq!(cut.out_of_answer(text), expected, "{text}");
            assert_eq!(cut.out_of_message(text), expected, "{text}");
        };
        check(&format!("bad key {KEY}."), "bad key •••.");
        check(&format!("Bearer {KEY}, 条{KEY}款"), "Bearer •••, 条•••款");
        check(&KEY.to_uppercase(), "•••");
        check(&format!("{}…", &KEY[..16]), "•••…");
        check(&hex::encode(KEY).to_uppercase(), "•••");
        check("sk%2Dtest%2B0123%2F456789%3Dabcdef", "•••");
        check("sk%2dtest%2b0123%2f456789%3dabcdef", "•••");
        check(
            "it was pass word\"1, or pass word\\\"1",
            "it was •••, or •••",
        );
        check("the word of the test", "the word of the test");
        for echoed in [
            KEY.to_owned(),
            format!("Bearer {KEY}"),
            format!("user:{KEY}"),
            format!("a{KEY}bc"),
        ] {
            for encoded in [STANDARD.encode(&echoed), URL_SAFE_NO_PAD.encode(&echoed)] {
                let left = cut.out_of_answer(&encoded);
                assert!(left.contains(MARK) && left.len() < 24, "{echoed}: {left}");
            }
        }
    }

    /// However an answer comes in pieces, no piece shows what the whole answer does not.
    #[test]
    fn an_answer_in_pieces_shows_no_key_either() {
        let cut = Cut::new([&Secret::new(KEY)]);
        let coded = STANDARD.encode(KEY);
        let answer = format!(
            "第1条 {KEY}, {}; {coded} 条 {}",
            KEY.to_uppercase(),
            &KEY[..9]
        );
        for size in 1..=answer.len() {
            let (mut come, mut passed, mut shown) = (String::new(), 0, String::new());
            let mut piece = String::new();
            for (n, character) in answer.chars().enumerate() {
                piece.push(character);
                if (n + 1) % size > 0 {
                    continue;
                }
                come.push_str(&std::mem::take(&mut piece));
                let (settled, taken) = cut.settled_in_answer(&come[passed..]);
                passed += taken;
                shown.push_str(&settled);
            }
            come.push_str(&piece);
            shown.push_str(&cut.out_of_answer(&come[passed..]));
            assert_eq!(shown, cut.out_of_answer(&answer), "{size}");
        }
        assert_eq!(Cut::default().settled_in_answer("条").0, "条");
    }

    #[test]
    fn a_key_that_is_a_word_leaves_answers_as_they_are() {
        let cut = Cut::new([&Secret::new("EMPTY"), &Secret::new("abc")]);
        assert_eq!(
            cut.out_of_answer("EMPTY lists stay empty."),
            "EMPTY lists stay empty."
        );
        assert_eq!(cut.out_of_message("bad key EMPTY, abc"), "bad key •••, abc");
        assert_eq!(Cut::default().out_of_message("as it is"), "as it is");
    }
}
