//! References from clause to clause: they are found in a text ([`find`]), and resolved to the clause that they name
//! ([`Resolver`]), in the same document or in another one of the corpus.
//!
//! Finding knows how laws cite each other in English ("point (a) of Article 6(1) of Regulation (EU) No 575/2013", "COBS
//! Rule 17.1.3", "§ 21.11(b)"), Chinese ("《商业银行法》第十条、第十一条", "前款") and Korean ("「은행법」
//! 제3조제1항"). Resolving knows the labels of all clauses and the names of the acts (instruments) that they belong to.

mod chinese;
mod counting;
mod english;
mod instrument;
mod korean;
mod labels;
mod names;
mod passages;
mod resolve;
mod stages;

pub use passages::{PassageReference, in_corpus};
pub use resolve::{Clause, Instrument, Resolver};

use crate::numbering::label;
use lexforge_domain::reference::CrossReference;
use lexforge_domain::text::Language;

/// The references in a text in order of occurrence; `start..end` counts Unicode scalar values. The text's own label at
/// its beginning ("Article 5 Scope") is not a reference.
pub fn find(text: &str, language: Language) -> Vec<CrossReference> {
    let mut found = match language {
        Language::Zh => chinese::find(text),
        Language::Ko => korean::find(text),
        Language::En | Language::Other => english::find(text),
    };
    if found.is_empty() {
        return found;
    }
    found.sort_by_key(|f| (f.start, f.end));
    let beginning: Vec<char> = text.chars().take(120).collect();
    if let Some(own) = label(&beginning, false) {
        let past = own.len.min(beginning.len());
        // `GEN 5.2.3 outlines …` looks like a label but is a sentence.
        if !beginning.get(past).is_some_and(|c| c.is_lowercase()) {
            let past: usize = beginning[..past].iter().map(|c| c.len_utf8()).sum();
            found.retain(|f| f.end > past || f.start >= past);
        }
    }
    // From bytes to scalar values, in one pass.
    let (mut byte, mut scalar) = (0, 0);
    for reference in &mut found {
        scalar += text[byte..reference.start].chars().count();
        byte = reference.start;
        reference.text = text[reference.start..reference.end].to_owned();
        let length = reference.text.chars().count();
        reference.start = scalar;
        reference.end = scalar + length;
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
