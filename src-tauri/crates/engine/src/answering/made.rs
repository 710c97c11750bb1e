//! Sentences and answers made for the tests of this module.

use lexforge_domain::api::{Answer, AnswerIndex, Certificate, Citation, Statement};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{DocumentId, SentenceId};

/// A sentence of a kind, without a section and without a place on its page.
pub fn sentence(kind: SentenceKind, text: &str) -> Sentence {
    Sentence::alone(SentenceId(1), DocumentId(1), kind, text)
}

/// An answer made of these statements, each with its own citation. Without statements it has found nothing.
pub fn answer(said: &[&str], probability: f64) -> Answer {
    let quote = |text: &&str| Citation {
        document: DocumentId(1),
        title: "Harbour rules".to_owned(),
        language: Language::En,
        page: 1,
        section: String::new(),
        boxes: Vec::new(),
        quote: (*text).to_owned(),
        sentence: SentenceId(1),
        external_id: None,
        superseded_by: None,
        out_of_force: None,
    };
    let statement = |(at, text): (usize, &&str)| Statement {
        text: (*text).to_owned(),
        citations: vec![at],
        kept: true,
        reason: None,
        marks: Vec::new(),
    };
    Answer {
        id: None,
        asked: String::new(),
        question: String::new(),
        found: !said.is_empty(),
        answer: said.join("\n"),
        statements: said.iter().enumerate().map(statement).collect(),
        citations: said.iter().map(quote).collect(),
        passages: Vec::new(),
        parts: Vec::new(),
        premise: None,
        terms: Vec::new(),
        refers: Vec::new(),
        notes: Vec::new(),
        probability,
        threshold: 0.6,
        certificate: Certificate {
            alpha: 0.05,
            confidence: 0.95,
            n: 0,
            wrong: 0,
            answered_share: None,
            valid: false,
            reason: None,
            needed: 59,
            made: None,
            writer: None,
        },
        model: "extractive".to_owned(),
        adapter: None,
        written: None,
        index: AnswerIndex::default(),
        corpus_hash: String::new(),
        documents: 1,
        as_of: String::new(),
        audit_entry: None,
    }
}
