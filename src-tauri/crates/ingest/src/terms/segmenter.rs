//! The Chinese word segmenter, loaded once.

use jieba_rs::{Jieba, Tag};
use std::collections::HashSet;
use std::sync::LazyLock;

static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// The words of a text with their parts of speech (ICTCLAS tags: `n` noun, `v` verb, `vn` verbal noun …).
pub(crate) fn tagged(text: &str) -> Vec<Tag<'_>> {
    JIEBA.tag(text, true)
}

/// The scalar offsets at which words end, with 0.
pub(crate) fn word_ends(text: &str) -> HashSet<u32> {
    let mut at = 0;
    let ends = JIEBA.cut(text, true).into_iter().map(|token| {
        at += token.word.chars().count() as u32;
        at
    });
    let mut ends: HashSet<u32> = ends.collect();
    ends.insert(0);
    ends
}
