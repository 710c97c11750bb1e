//! The Chinese word segmenter, loaded once, and what its dictionary knows of a word.

use jieba_rs::{Jieba, Tag};
use std::sync::LazyLock;

static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// The frequencies of the dictionary were counted in texts of so many words.
const COUNTED: f64 = 60_101_967.0;

/// The words of a text with their parts of speech (ICTCLAS tags: `n` noun, `v` verb, `vn` verbal noun …).
pub(crate) fn tagged(text: &str) -> Vec<Tag<'_>> {
    JIEBA.tag(text, true)
}

/// Whether the dictionary has the word.
pub(crate) fn is_known(word: &str) -> bool {
    JIEBA.has_word(word)
}

/// How often the dictionary counted a word that it has, at least 1.
pub(crate) fn general_count(word: &str) -> usize {
    JIEBA.suggest_freq(word)
}

/// How frequent a word is in general language: its share of all words.
pub(crate) fn general_share(word: &str) -> f64 {
    general_count(word) as f64 / COUNTED
}

/// The part of speech of a word that the dictionary has.
pub(crate) fn tag_of(word: &str) -> Option<String> {
    let tags = JIEBA.tag(word, false);
    match tags.as_slice() {
        [one] if one.word == word && is_known(word) => Some(one.tag.to_owned()),
        _ => None,
    }
}
