//! Which cut of a text into tokens each measure takes, by the language of the right answers.

use lexforge_domain::text::Language;
use lexforge_text::language::detect;
use lexforge_text::{tokens, words};

/// How BLEU cuts texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BleuCut {
    /// WMT's `mteval-v13a`.
    ThirteenA,
    /// Each Chinese character by itself.
    Chinese,
    /// Every character by itself.
    Characters,
}

impl BleuCut {
    /// The name in sacrebleu's signature.
    pub fn name(self) -> &'static str {
        match self {
            Self::ThirteenA => "13a",
            Self::Chinese => "zh",
            Self::Characters => "char",
        }
    }

    /// Chinese by characters, other scripts that are written without blanks too, the rest by words.
    pub(super) fn fitting(language: Language, unspaced: bool) -> Self {
        match (language, unspaced) {
            (Language::Zh, _) => Self::Chinese,
            (_, true) => Self::Characters,
            (_, false) => Self::ThirteenA,
        }
    }

    pub(super) fn cut(self, text: &str) -> Vec<String> {
        match self {
            Self::ThirteenA => tokens::thirteen_a(text),
            Self::Chinese => tokens::chinese(text),
            Self::Characters => tokens::characters(text),
        }
    }
}

/// The language of an answer: that of the right ones.
pub fn language_of(right: &[&str]) -> Language {
    match right {
        [one] => detect(one),
        several => detect(&several.join("\n")),
    }
}

/// How ROUGE and METEOR cut the texts of one answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordCut {
    language: Language,
    unspaced: bool,
}

impl WordCut {
    pub(super) fn new(language: Language, unspaced: bool) -> Self {
        let unspaced = unspaced || language == Language::Zh;
        Self { language, unspaced }
    }

    /// Words for ROUGE. The rule of rouge-score knows only the letters `a` to `z`. Texts in other languages are split
    /// into the product's words. For a text with only the letters `a` to `z`, both give the same words.
    pub(super) fn rouge(self, text: &str) -> Vec<String> {
        match self.language {
            _ if self.unspaced => tokens::characters(text),
            Language::En => tokens::rouge_words(text),
            _ => words(text),
        }
    }

    pub(super) fn meteor(self, text: &str) -> Vec<String> {
        if self.unspaced {
            tokens::characters(text)
        } else {
            tokens::words_and_marks(text)
        }
    }
}
