//! Finds pages whose letters and words are those of no language. Two readers may agree on such a text layer.

use super::{CHINESE, ENGLISH, Quality, Token, Vocabulary, tokens};
use crate::reader::{RawPage, letter_pairs};
use lexforge_text::{is_han, is_set_solid};
use std::collections::{HashMap, HashSet};

/// The number of letters that is enough to tell whether a page is written in a language.
const ENOUGH: f64 = 200.0;
/// Below this share of function words a page is looked at more closely.
const FUNCTION_WORDS: f64 = 0.12;
/// If the share of letters in words is below this, the page is not in any language. Of 1,438 pages of regulations and
/// reports the lowest share was .50, on a page of names and figures.
const IN_WORDS: f64 = 0.45;
/// If fewer of a page's pairs of letters are common ones, the page is not in any language. Of 1,053 pages of regulations
/// and reports the lowest share was .48, on a page of abbreviations; the next was .61. With their letters exchanged the
/// same pages had .16 (at most .32), and with vowels for vowels .29 (nine of ten at most .37). Texts in nine other European
/// languages had .48 to .78.
const COMMON_PAIRS: f64 = 0.4;
/// The same for Chinese characters. Of 387 Chinese pages the lowest share was .58. With each character exchanged for the
/// one that stands a number of places later in Unicode the highest was .14. Traditional and Japanese texts have fewer of
/// the characters that count as common, so the limit is near the latter.
const COMMON_IDEOGRAPHS: f64 = 0.2;

/// Why a page seems to be in no language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Strange {
    /// This share of its pairs of letters is common in a language.
    Pairs(f64),
    /// This share of its Chinese characters is common in Chinese.
    Ideographs(f64),
    /// This share of its letters is in words.
    Words(f64),
}

/// For each page that seems to be in no language: why. `None` for all other pages. What letters and characters a page
/// has is compared with what is common in a language, whatever the document's other pages have, since a font whose
/// table is broken is often broken on all pages. Then words are counted: a word counts if it belongs to a known language
/// or occurs on another page of the document. To occur on the same page again is not enough.
pub(crate) fn in_no_language(pages: &[&RawPage]) -> Vec<Option<Strange>> {
    let (english, chinese) = function_words();
    let suspects: Vec<bool> = pages
        .iter()
        .map(|page| function_share(page, &english, &chinese) < FUNCTION_WORDS)
        .collect();
    if !suspects.contains(&true) {
        return vec![None; pages.len()];
    }
    let elsewhere = said_twice(pages);
    let strange = |(page, suspect): (&&RawPage, bool)| {
        let tokens = suspect.then(|| tokens(page))?;
        let few_words = || {
            let quality = Quality::of(page, &elsewhere);
            (quality.letters >= ENOUGH && quality.share() < IN_WORDS)
                .then(|| Strange::Words(quality.share()))
        };
        let few_pairs = letter_pairs::share(words_of(&tokens), ENOUGH as usize)
            .filter(|share| *share < COMMON_PAIRS)
            .map(Strange::Pairs);
        few_pairs
            .or_else(|| few_common(&tokens, &chinese))
            .or_else(few_words)
    };
    pages.iter().zip(suspects).map(strange).collect()
}

fn words_of(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.as_str()),
        Token::Ideographs(_) => None,
    })
}

/// Whether too few of a page's Chinese characters are common ones. Kana do not count.
fn few_common(tokens: &[Token], chinese: &HashSet<char>) -> Option<Strange> {
    let (mut all, mut common) = (0.0, 0.0);
    for token in tokens {
        if let Token::Ideographs(run) = token {
            let ideographs = || run.iter().filter(|c| is_han(**c));
            all += ideographs().count() as f64;
            common += ideographs().filter(|c| chinese.contains(c)).count() as f64;
        }
    }
    (all >= ENOUGH && common < COMMON_IDEOGRAPHS * all).then(|| Strange::Ideographs(common / all))
}

fn function_words() -> (HashSet<&'static str>, HashSet<char>) {
    let ideographs = CHINESE.chars().filter(|c| is_set_solid(*c));
    (ENGLISH.split_whitespace().collect(), ideographs.collect())
}

/// The share of a page's letters that are in function words or common ideographs. It is cheap to compute. A page with a
/// high share is in a real language and need not be examined further.
fn function_share(page: &RawPage, english: &HashSet<&str>, chinese: &HashSet<char>) -> f64 {
    let (mut letters, mut known) = (0usize, 0usize);
    let mut word = String::new();
    let mut end = 0.0;
    let close = |word: &mut String, known: &mut usize| {
        if english.contains(word.as_str()) {
            *known += word.len();
        }
        word.clear();
    };
    for glyph in &page.glyphs {
        let apart = glyph.x < end - glyph.size || glyph.x > end + 0.17 * glyph.size;
        end = glyph.x + glyph.advance;
        let is_letter = glyph.ch.is_ascii_alphabetic();
        if apart || !is_letter {
            close(&mut word, &mut known);
        }
        letters += usize::from(glyph.ch.is_alphabetic());
        if is_letter {
            word.push(glyph.ch.to_ascii_lowercase());
        } else if chinese.contains(&glyph.ch) {
            known += 1;
        }
    }
    close(&mut word, &mut known);
    known as f64 / letters.max(1) as f64
}

/// The words that more than one page has, and those of the languages.
fn said_twice(pages: &[&RawPage]) -> Vocabulary {
    fn count<K: std::hash::Hash + Eq>(seen: &mut HashMap<K, (usize, bool)>, key: K, page: usize) {
        let (first, again) = seen.entry(key).or_insert((page, false));
        *again |= *first != page;
    }
    fn again<K>(seen: HashMap<K, (usize, bool)>) -> impl Iterator<Item = K> {
        seen.into_iter()
            .filter(|(_, (_, again))| *again)
            .map(|(key, _)| key)
    }
    let (mut words, mut pairs) = (HashMap::new(), HashMap::new());
    for (number, page) in pages.iter().enumerate() {
        for token in tokens(page) {
            match token {
                Token::Word(word) => count(&mut words, word.to_lowercase(), number),
                Token::Ideographs(run) => run
                    .windows(2)
                    .for_each(|w| count(&mut pairs, (w[0], w[1]), number)),
            }
        }
    }
    let mut vocabulary = Vocabulary::of([]);
    vocabulary.words.extend(again(words));
    vocabulary.pairs.extend(again(pairs));
    vocabulary
}
