//! Tests of `conflicts`.

use super::*;
use lexforge_domain::api::{SimilarityCard, TermDefinition};
use lexforge_domain::review::Verdict;
use lexforge_domain::term::{FoundBy, Term, TermCandidate};
use lexforge_domain::{DocumentId, SentenceId, SimilarityId};

fn definition(document: i64, text: &str, differs: bool) -> TermDefinition {
    TermDefinition {
        text: text.to_owned(),
        sentence: SentenceId(document),
        document: DocumentId(document),
        document_title: format!("Act {document}"),
        section: String::new(),
        page: 1,
        boxes: Vec::new(),
        language: Language::En,
        differs,
    }
}

fn term(definitions: Vec<TermDefinition>) -> QueueItem {
    let found = TermCandidate::new("outsourcing", FoundBy::Defined, Language::En);
    QueueItem::Term(Box::new(TermCard {
        term: Term::proposed(&found),
        variants: Vec::new(),
        synonyms: Vec::new(),
        contexts: Vec::new(),
        documents: 2,
        definitions_differ: definitions.iter().any(|one| one.differs),
        definitions,
        confusables: Vec::new(),
        verdict: Verdict::default(),
        history: Vec::new(),
        blind: false,
        flags: Vec::new(),
    }))
}

#[test]
fn a_disputed_term_shows_what_the_acts_say_that_it_means() {
    let acts = vec![
        definition(1, "use of a third party", false),
        definition(2, "use of a service provider", true),
    ];
    for (item, shown) in [
        (term(acts.clone()), Some(acts.clone())),
        (term(acts[..1].to_vec()), Some(acts[..1].to_vec())),
        (term(Vec::new()), None),
    ] {
        let card = defined(&item);
        assert_eq!(
            card.as_ref().map(|card| card.definitions_differ),
            shown
                .as_ref()
                .map(|shown| shown.iter().any(|one| one.differs))
        );
        assert_eq!(card.map(|card| card.definitions), shown);
    }
}

#[test]
fn a_disputed_pair_of_sentences_has_no_definitions() {
    let item = QueueItem::Similarity(Box::new(SimilarityCard {
        id: SimilarityId(1),
        language: Language::En,
        one: "A firm reports.".to_owned(),
        one_context: None,
        other: "A firm may report.".to_owned(),
        other_context: None,
        verdict: Verdict::default(),
        history: Vec::new(),
        blind: false,
    }));
    assert_eq!(defined(&item), None);
}
