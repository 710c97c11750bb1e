//! A candidate as it is found: nothing is known of it but its text, which is its own normal form, and how often it
//! stands there.

use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::Language;

pub(super) fn candidate(
    text: String,
    language: Language,
    found: FoundBy,
    score: f64,
    count: u32,
) -> TermCandidate {
    TermCandidate {
        score,
        count,
        ..TermCandidate::new(text, found, language)
    }
}
