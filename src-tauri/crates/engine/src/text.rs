//! The text stages on a plain text, without a workspace.

use lexforge_domain::term::{Definition, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind, TextSpan};
use lexforge_ingest::{language, segment as segmenter, terms as extractor};

/// The language of a text.
pub fn detect(text: &str) -> Language {
    language::detect(text)
}

/// The sentences of a text, with offsets in Unicode scalar values.
pub fn segment(text: &str, language: Language) -> Vec<TextSpan> {
    segmenter::segment(text, language)
}

/// The definitions in a text, with offsets in Unicode scalar values.
pub fn definitions(text: &str, language: Language) -> Vec<Definition> {
    lexforge_ingest::definitions::find(text, language)
}

/// The best `most` term candidates of a text, best first.
pub fn terms(text: &str, language: Language, most: usize) -> Vec<TermCandidate> {
    let spans = segmenter::segment(text, language);
    let sentences: Vec<(SentenceKind, &str)> = spans.iter().map(|s| (SentenceKind::Rule, s.text.as_str())).collect();
    extractor::candidates(&sentences, language, most)
}
