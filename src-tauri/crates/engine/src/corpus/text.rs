//! The text stages on a plain text, without a workspace.

use crate::workspace::Result;
use lexforge_domain::Failure;
use lexforge_domain::reference::CrossReference;
use lexforge_domain::term::{Definition, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind, TextSpan};
pub use lexforge_ingest::references::PassageReference;
use lexforge_ingest::{definitions, segment as segmenter, terms as extractor};
use lexforge_text::language;

pub fn detect(text: &str) -> Language {
    language::detect(text)
}

/// The sentences of a text, with offsets in Unicode scalar values.
pub fn segment(text: &str, language: Language) -> Vec<TextSpan> {
    segmenter::segment(text, language)
}

/// The definitions in a text, with offsets in Unicode scalar values.
pub fn definitions(text: &str, language: Language) -> Vec<Definition> {
    definitions::find(text, language)
}

/// The references in a text, with offsets in Unicode scalar values.
pub fn references(text: &str, language: Language) -> Vec<CrossReference> {
    lexforge_ingest::references::find(text, language)
}

/// Finds the references in a corpus file (one passage on each line), and the passages that they name. The second value
/// is the number of lines that are not passages.
///
/// # Errors
/// When no line is a passage.
pub fn corpus_references(
    file: &str,
    content: &str,
    language: Option<Language>,
) -> Result<(Vec<PassageReference>, usize)> {
    lexforge_ingest::references::in_corpus(content.as_bytes(), language)
        .map_err(|e| Failure::from(e).in_file(file))
}

/// The best `most` term candidates of a text, best first.
pub fn terms(text: &str, language: Language, most: usize) -> Vec<TermCandidate> {
    let spans = segmenter::segment(text, language);
    let sentences: Vec<(SentenceKind, &str)> = spans
        .iter()
        .map(|s| (SentenceKind::Rule, s.text.as_str()))
        .collect();
    let defined = definitions::find_all(sentences.iter().copied(), language);
    extractor::candidates(&sentences, &defined, language, most)
}
