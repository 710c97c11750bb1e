//! The prompts that come with the product, a file a kind and language.

use lexforge_domain::api::PromptKind;
use lexforge_domain::text::Language;

/// The files of each kind in both languages.
macro_rules! files {
    ($($kind:ident = $name:literal,)+) => {
        [$(
            (PromptKind::$kind, Language::En, include_str!(concat!("../../prompts/", $name, ".en.txt"))),
            (PromptKind::$kind, Language::Zh, include_str!(concat!("../../prompts/", $name, ".zh.txt"))),
        )+]
    };
}

/// The files that come with the product.
pub(super) const SHIPPED: [(PromptKind, Language, &str); 26] = files![
    EntityExtraction = "entity-extraction",
    SentenceQca = "sentence-qca",
    TokenQca = "token-qca",
    MeaningQca = "meaning-qca",
    Paraphrase = "paraphrase",
    Translation = "translation",
    Judge = "judge",
    QueryGeneration = "query-generation",
    Answer = "answer",
    Triplet = "triplet",
    TripletJudge = "triplet-judge",
    AnswerMarks = "answer-marks",
    AnswerPair = "answer-pair",
];
