//! The encoders that come with the product, and which of them serves which language.

use super::base::{BaseModel, MULTILINGUAL_ENCODER};
use super::bases::folder_of;
use super::encoders::{ahead_label, minilm_label, suits_minilm};
use lexforge_domain::text::Language;

/// An encoder that comes with the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shipped {
    /// all-MiniLM-L6-v2, for English.
    MiniLm,
    /// multilingual-e5-small in four bits, for every language but English. Its files may be missing: in a source
    /// checkout that could not fetch them, or in a package of an earlier version. Then vectors are made by counting
    /// words instead.
    Multilingual,
}

/// The languages that are told apart.
const LANGUAGES: [Language; 4] = [Language::En, Language::Zh, Language::Ko, Language::Other];

impl Shipped {
    /// All of them.
    pub(crate) const ALL: [Self; 2] = [Self::MiniLm, Self::Multilingual];

    /// The one that serves a language.
    pub(crate) fn of_language(language: Language) -> Self {
        match suits_minilm(language) {
            true => Self::MiniLm,
            false => Self::Multilingual,
        }
    }

    /// The one whose vectors are kept under this name.
    pub(crate) fn of_label(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.label() == label)
    }

    /// The languages that it serves.
    pub(crate) fn languages(self) -> impl Iterator<Item = Language> {
        LANGUAGES
            .into_iter()
            .filter(move |language| Self::of_language(*language) == self)
    }

    pub(crate) fn base(self) -> BaseModel {
        BaseModel::named(match self {
            Self::MiniLm => None,
            Self::Multilingual => Some(MULTILINGUAL_ENCODER),
        })
    }

    /// The name that is recorded with its vectors.
    pub(crate) fn label(self) -> String {
        match self {
            Self::MiniLm => minilm_label(),
            Self::Multilingual => format!("{MULTILINGUAL_ENCODER} (mean, prompts)"),
        }
    }

    /// The name under which its vectors of sentences are kept that no graph has.
    pub(crate) fn ahead_label(self) -> String {
        match self {
            Self::MiniLm => ahead_label(),
            Self::Multilingual => format!("{} ahead of the graph", self.label()),
        }
    }

    /// Whether the encoder is installed. The default encoder counts as installed, and it is an error later if it is
    /// missing. If the other encoder is missing, words and vectors made by counting are used instead.
    pub(crate) fn is_there(self) -> bool {
        match self {
            Self::MiniLm => true,
            Self::Multilingual => folder_of(&self.base()).is_some(),
        }
    }

    /// Whether a question in one language finds what is said in another.
    pub(crate) fn reads_across(self) -> bool {
        self == Self::Multilingual
    }

    /// Whether this encoder gives even unrelated texts a high cosine. Then only the distance of a cosine above the
    /// others is informative. Measured on 600 everyday questions about Chinese statutes and 4,966 articles: the mean
    /// cosine is .845, and the median of each question's best cosine is .916.
    pub(crate) fn cosines_lie_high(self) -> bool {
        self == Self::Multilingual
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_one_encoder_and_each_encoder_its_own_names() {
        for (language, encoder) in [
            (Language::En, Shipped::MiniLm),
            (Language::Zh, Shipped::Multilingual),
            (Language::Ko, Shipped::Multilingual),
            (Language::Other, Shipped::Multilingual),
        ] {
            assert_eq!(Shipped::of_language(language), encoder);
            assert!(encoder.languages().any(|one| one == language));
        }
        for encoder in Shipped::ALL {
            assert_eq!(Shipped::of_label(&encoder.label()), Some(encoder));
            assert_eq!(Shipped::of_label(&encoder.ahead_label()), None);
        }
        assert_eq!(Shipped::of_label("char-ngram LSA (128, zh)"), None);
    }
}
