//! Which patterns a sentence gets, by its language and its script.

use super::patterns::Patterns;
use super::{chinese, english};
use crate::validate::foreign_script;
use lexforge_domain::text::Language;
use lexforge_text::{is_hangul, is_kana};

/// A text is foreign if more than one in this many of its characters is kana or hangul.
const FOREIGN: usize = 10;

/// The patterns for a sentence. `None` if it is neither English nor Chinese, whatever its document's language is.
pub(crate) fn patterns(language: Language, text: &str) -> Option<&'static Patterns> {
    let patterns = match language {
        Language::En => &english::PATTERNS,
        Language::Zh => &chinese::PATTERNS,
        Language::Ko | Language::Other => return None,
    };
    // Japanese and Korean texts that were taken for Chinese have their own letters among the characters.
    let own = |c: &char| is_kana(*c) || is_hangul(*c);
    let foreign = text.chars().filter(own).count() * FOREIGN > text.chars().count();
    (!foreign && !foreign_script(text, language)).then_some(patterns)
}
