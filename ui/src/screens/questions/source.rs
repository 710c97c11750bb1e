//! Who wrote a question, in words.

use crate::i18n::t;
use lexforge_domain::qca::QuestionSource;

/// Who wrote a question, in a word.
pub fn source(source: QuestionSource) -> String {
    match source {
        QuestionSource::Offline => t("source.offline"),
        QuestionSource::Llm => t("source.llm"),
    }
}
