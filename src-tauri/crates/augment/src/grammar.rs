//! Which grammar a language has.

use crate::clause::Grammar;
use lexforge_domain::text::Language;

/// The grammar of a language. `None` if there is none for it.
pub(crate) fn grammar(language: Language) -> Option<&'static dyn Grammar> {
    match language {
        Language::En | Language::Other => Some(&crate::english::English),
        Language::Zh => Some(&crate::chinese::Chinese),
        Language::Ko => None,
    }
}
