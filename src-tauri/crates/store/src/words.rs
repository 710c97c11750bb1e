//! The words under which a text is found.
//!
//! In Latin and other scripts with spaces these are lower-cased words, without stop words and with digits; English
//! words are stemmed (Snowball). In Chinese, Japanese and Korean these are overlapping pairs of characters, because
//! these scripts have no spaces and a default tokenizer would take a whole run of characters as one word.

use rust_stemmers::{Algorithm, Stemmer};
use std::cell::RefCell;
use std::collections::HashMap;

/// For which purpose a text is segmented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// A text that is to be found. The last character of a run of CJK characters also becomes a word by itself. So a
    /// word begins at every character, and a prefix search for a single character finds all of its places.
    Document,
    /// To find others.
    Query,
}

thread_local! {
    /// Each thread has its own segmenter, which remembers stems. So a word is stemmed once and not once for each
    /// document.
    static SEGMENTER: RefCell<Segmenter> = RefCell::default();
}

/// Hands each word of `text` to `found`, in order. `found` must not segment another text.
pub(crate) fn each_word(text: &str, side: Side, found: impl FnMut(&str)) {
    SEGMENTER.with_borrow_mut(|segmenter| segmenter.each(text, side, found));
}

/// The words of a query, in order.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, Side::Query, |word| words.push(word.to_owned()));
    words
}

/// Cuts texts into words; keeps the stems that it has seen.
struct Segmenter {
    stemmer: Stemmer,
    /// Word as written in lower case → its stem; empty for a stop word.
    stems: HashMap<String, String>,
    word: String,
    run: Vec<char>,
}

impl Default for Segmenter {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            stems: STOP_WORDS
                .iter()
                .map(|w| ((*w).to_owned(), String::new()))
                .collect(),
            word: String::new(),
            run: Vec::new(),
        }
    }
}

/// Stems kept before they are forgotten: more than a corpus of regulations has words.
const MOST_STEMS: usize = 1 << 18;

impl Segmenter {
    /// Hands each word of `text` to `found`, in order.
    fn each(&mut self, text: &str, side: Side, mut found: impl FnMut(&str)) {
        for c in text.chars() {
            let c = half_width(c);
            if c.is_ascii_alphanumeric() {
                self.end_run(side, &mut found);
                self.word.push(c.to_ascii_lowercase());
            } else if is_cjk(c) {
                self.end_word(&mut found);
                self.run.push(c);
            } else if c.is_alphanumeric() {
                self.end_run(side, &mut found);
                self.word.extend(c.to_lowercase());
            } else if matches!(c, '\'' | '\u{2019}') && !self.word.is_empty() {
                self.word.push('\'');
            } else {
                self.end_run(side, &mut found);
                self.end_word(&mut found);
            }
        }
        self.end_run(side, &mut found);
        self.end_word(&mut found);
    }

    fn end_word(&mut self, found: &mut impl FnMut(&str)) {
        if self.word.is_empty() {
            return;
        }
        match self.stems.get(&self.word) {
            Some(stem) if stem.is_empty() => {}
            Some(stem) => found(stem),
            None => {
                if self.stems.len() >= MOST_STEMS {
                    self.stems.retain(|_, stem| stem.is_empty());
                }
                let stem = self
                    .stemmer
                    .stem(self.word.trim_end_matches('\''))
                    .replace('\'', "");
                if !stem.is_empty() {
                    found(&stem);
                }
                self.stems.insert(self.word.clone(), stem);
            }
        }
        self.word.clear();
    }

    fn end_run(&mut self, side: Side, found: &mut impl FnMut(&str)) {
        let Some(&last) = self.run.last() else { return };
        let mut buffer = String::with_capacity(8);
        for pair in self.run.windows(2) {
            buffer.clear();
            buffer.extend(pair);
            found(&buffer);
        }
        if side == Side::Document || self.run.len() == 1 {
            buffer.clear();
            buffer.push(last);
            found(&buffer);
        }
        self.run.clear();
    }
}

/// A full-width form (U+FF01 to U+FF5E) as its ASCII character.
fn half_width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

/// Han, Kana and Hangul.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3005}' | '\u{3007}' | '\u{3040}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}')
}

/// English function words. They occur in most sentences and do not help to find one. Modal verbs and `not` are missing
/// from this list, because they decide what a rule demands.
const STOP_WORDS: [&str; 64] = [
    "a", "about", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "did", "do",
    "does", "for", "from", "had", "has", "have", "having", "he", "her", "here", "his", "how", "i",
    "if", "in", "into", "is", "it", "its", "me", "my", "of", "on", "or", "our", "she", "so",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "was", "we", "were", "what", "when", "where", "which", "who", "with", "you",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(side: Side, text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        each_word(text, side, |word| found.push(word.to_owned()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn english_is_stemmed_and_digits_are_kept() {
        check(
            Side::Query,
            "Institutions shall report exposures",
            &["institut", "shall", "report", "exposur"],
        );
        check(
            Side::Query,
            "Regulation (EU) 2016/679, Art. 5(1)",
            &["regul", "eu", "2016", "679", "art", "5", "1"],
        );
        check(
            Side::Query,
            "the firm\u{2019}s Shari'a board",
            &["firm", "sharia", "board"],
        );
        check(Side::Query, "of the and", &[]);
        check(Side::Query, "", &[]);
    }

    #[test]
    fn cjk_runs_are_overlapping_bigrams() {
        check(Side::Query, "商业银行", &["商业", "业银", "银行"]);
        check(Side::Document, "商业银行", &["商业", "业银", "银行", "行"]);
        check(Side::Query, "银", &["银"]);
        check(Side::Query, "第12条 资本", &["第", "12", "条", "资本"]);
        check(Side::Query, "은행법 개정", &["은행", "행법", "개정"]);
        check(Side::Query, "ＡＢＣ１２", &["abc12"]);
        check(
            Side::Query,
            "资本adequacy比率",
            &["资本", "adequaci", "比率"],
        );
    }

    #[test]
    fn other_scripts_are_words() {
        check(
            Side::Query,
            "Verhältnismäßigkeit Банк",
            &["verhältnismäßigkeit", "банк"],
        );
    }
}
