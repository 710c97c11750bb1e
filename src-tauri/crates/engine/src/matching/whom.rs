//! Whom the rules of a document bind, sentence by sentence.

use crate::answering::beside_the_rules;
use lexforge_augment::{Addressee, Surroundings, addressee, names_public_board};
use lexforge_domain::api::MatchAddressee;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::Language;

/// Between the parts of a section's path.
const BETWEEN: &str = " › ";

/// Reads the rules of a document in their order.
pub(super) struct Whom {
    language: Language,
    /// The document names a board that is a public body.
    public_board: bool,
    /// The article of the rule before, and whom that one binds.
    before: Option<(String, Addressee)>,
}

impl Whom {
    /// For the sentences of a document.
    pub fn of(sentences: &[Sentence], language: Language) -> Self {
        Self {
            language,
            public_board: sentences.iter().any(|s| names_public_board(&s.text)),
            before: None,
        }
    }

    /// Whom the next sentence binds. One that demands nothing binds nobody, and leaves whom "it" means.
    pub fn binds(
        &mut self,
        text: &str,
        section: &str,
        headings: &[&str],
        demands: bool,
    ) -> MatchAddressee {
        if beside_the_rules(section) {
            return MatchAddressee::Recital;
        }
        if !demands {
            return MatchAddressee::Nobody;
        }
        let article = article(section);
        let before = self
            .before
            .take()
            .filter(|(of, _)| *of == article)
            .map(|(_, whom)| whom);
        let around = Surroundings {
            headings,
            before,
            public_board: self.public_board,
        };
        let found = addressee(text, self.language, &around);
        self.before = Some((article, found));
        match found {
            Addressee::Public => MatchAddressee::Public,
            Addressee::Other => MatchAddressee::Firm,
            Addressee::Nobody => MatchAddressee::Nobody,
        }
    }
}

/// The path down to the article, or the whole path if it has no article.
fn article(section: &str) -> String {
    let parts: Vec<&str> = section.split(BETWEEN).collect();
    let end = parts.iter().position(|part| {
        part.starts_with("Article ") || part.starts_with('第') && part.contains('条')
    });
    parts[..end.map_or(parts.len(), |at| at + 1)].join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_classed_by_place_and_by_what_stands_before() {
        let mut whom = Whom::of(&[], Language::En);
        for (text, section, demands, expected) in [
            (
                "Banks should be safe.",
                "Recitals › (3)",
                true,
                MatchAddressee::Recital,
            ),
            (
                "The bank should not be asked twice.",
                "5 › 5.2 › Summary of responses to the consultation",
                true,
                MatchAddressee::Recital,
            ),
            (
                "The competent authority shall answer.",
                "Chapter I › Article 2 › 1",
                true,
                MatchAddressee::Public,
            ),
            (
                "Banks are large.",
                "Chapter I › Article 2 › 1",
                false,
                MatchAddressee::Nobody,
            ),
            (
                "It shall give reasons.",
                "Chapter I › Article 2 › 2",
                true,
                MatchAddressee::Public,
            ),
            (
                "It shall give reasons.",
                "Chapter I › Article 3 › 1",
                true,
                MatchAddressee::Nobody,
            ),
            (
                "The bank shall answer.",
                "Chapter I › Article 3 › 2",
                true,
                MatchAddressee::Firm,
            ),
        ] {
            let found = whom.binds(text, section, &[], demands);
            assert_eq!(found, expected, "{text} {section}");
        }
    }
}
