//! A candidate for a term when it is first found. Only two things are known about it: its text, which is also its
//! normal form, and how often it occurs.

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
