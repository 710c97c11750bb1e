//! Defined terms: an answer has none that the rule has not.

use super::binding::{Binding, Compared, Difference};
use crate::words::contains_words;

/// Adds defined terms that came in.
pub(super) fn compare(compared: &Compared<'_>, found: &mut Vec<Difference>) {
    let given = format!("{} {}", compared.anchor, compared.place);
    for term in compared.terms.iter().filter(|t| t.chars().count() > 1) {
        if contains_words(compared.answer, term)
            && !contains_words(&given, term)
            && !contains_words(compared.asked, term)
            // A longer term of the rule may have it inside: its words are there.
            && !inside_known(compared, term)
        {
            let gone = compared
                .terms
                .iter()
                .find(|t| contains_words(&given, t) && !contains_words(compared.answer, t));
            found.push(Difference::new(
                Binding::Term,
                gone.copied().unwrap_or_default(),
                *term,
            ));
        }
    }
}

/// Whether all mentions of a term in the answer are inside a longer term that the rule has too.
fn inside_known(compared: &Compared<'_>, term: &str) -> bool {
    compared.terms.iter().any(|longer| {
        longer.len() > term.len()
            && contains_words(longer, term)
            && contains_words(compared.anchor, longer)
    })
}
