//! The Chinese word segmenter, loaded once.

use jieba_rs::{Jieba, Tag};
use std::sync::LazyLock;

static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// The words of a text with their parts of speech (ICTCLAS tags: `n` noun, `v` verb, `vn` verbal noun …).
pub(crate) fn tagged(text: &str) -> Vec<Tag<'_>> {
    JIEBA.tag(text, true)
}
