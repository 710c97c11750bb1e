//! What measures, scorers, controls and units are called in words.

use super::markup::escape;
use lexforge_domain::dataset::ClusterKind;

/// A unit of inference in words, for one and for several, as markup.
pub(super) fn unit_words(unit: &str) -> (String, String) {
    let (one, several) = unit_plain(unit);
    (escape(&one), escape(&several))
}

/// As [`unit_words`], as plain text.
pub(super) fn unit_plain(unit: &str) -> (String, String) {
    match ClusterKind::from_tag(unit) {
        Some(kind) => (kind.words().0.to_owned(), kind.words().1.to_owned()),
        None => (unit.to_owned(), format!("{unit}s")),
    }
}

/// Name of a measure in words.
pub(super) fn measure_name(tag: &str) -> &str {
    match tag {
        "accuracy" => "Accuracy",
        "f1" => "Macro F1",
        "choice_cosine_gap" => "Cosine gap of the choices",
        other => other,
    }
}

/// Name of a scorer in words.
pub(super) fn scorer_name(tag: &str) -> &str {
    match tag {
        "likelihood" => "Likelihood",
        "per_byte" => "Likelihood per byte",
        "pmi" => "PMI",
        "generation" => "Generation",
        "embedding" => "Embedding",
        other => other,
    }
}

/// Name of a scorer within a sentence, as markup.
pub(super) fn scorer_within(tag: &str) -> String {
    escape(&scorer_name(tag).to_lowercase())
}

/// Name of a shortcut control in words.
pub(super) fn control_name(tag: &str) -> &str {
    match tag {
        "choices_only" => "Choices only",
        "choices_only_base" => "Choices only, base",
        "medoid" => "Most central choice",
        "longest_choice" => "Longest choice",
        "corpus_overlap" => "Most verbatim overlap",
        other => other,
    }
}
