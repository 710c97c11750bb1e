//! An answer for tests.

use lexforge_domain::api::{
    Answer, AnswerIndex, Certificate, Citation, Clause, Statement, Unsupported,
};
use lexforge_domain::text::Language;
use lexforge_domain::{AnswerId, DocumentId, SentenceId};

pub fn certificate() -> Certificate {
    Certificate {
        alpha: 0.05,
        confidence: 0.95,
        n: 142,
        wrong: 2,
        answered_share: Some(0.81),
        valid: true,
        reason: None,
        needed: 0,
        made: None,
        writer: None,
    }
}

fn citation(section: &str, quote: &str) -> Citation {
    Citation {
        document: DocumentId(1),
        title: "GDPR".to_owned(),
        language: Language::En,
        page: 52,
        section: section.to_owned(),
        boxes: Vec::new(),
        quote: quote.to_owned(),
        sentence: SentenceId(7),
        external_id: None,
        superseded_by: None,
        out_of_force: None,
    }
}

/// An answer with one supported statement and one that is not.
pub fn answer() -> Answer {
    let said = |text: &str, at: usize, reason: Option<Unsupported>| Statement {
        text: text.to_owned(),
        citations: vec![at],
        kept: reason.is_none(),
        reason,
        marks: Vec::new(),
    };
    let first = citation("Article 33 › 1", "not later than 72 hours");
    Answer {
        id: Some(AnswerId(3)),
        asked: "2026-11-21T07:44:10Z".to_owned(),
        question: "When must a breach be notified?".to_owned(),
        found: true,
        answer: "Notify within 72 hours.".to_owned(),
        statements: vec![
            said("Notify within 72 hours.", 0, None),
            said("Notify in English.", 1, Some(Unsupported::LittleSupport)),
        ],
        citations: vec![first.clone(), citation("Article 34", "in clear language")],
        passages: vec![Clause {
            place: first,
            text: "The controller shall notify not later than 72 hours.".to_owned(),
            score: 0.71,
            marks: Vec::new(),
            lacks: Vec::new(),
        }],
        parts: Vec::new(),
        premise: None,
        terms: Vec::new(),
        refers: Vec::new(),
        notes: Vec::new(),
        probability: 0.71,
        threshold: 0.52,
        certificate: certificate(),
        model: "extractive".to_owned(),
        adapter: None,
        written: None,
        index: AnswerIndex::default(),
        corpus_hash: String::new(),
        documents: 46,
        as_of: "2026-11-21".to_owned(),
        audit_entry: None,
    }
}
