//! An answer, a labelled question, a triplet and two sentences that are scored, as they are kept.

use super::Filled;
use lexforge_domain::api::{
    Answer, AnswerIndex, Certificate, CertificateGap, Citation, NewTriplet, Pair, PairSource,
    SimilarityDraw, SimilarityPair, SimilarityPlace, Statement, TripletMaker, TripletOrigin,
};
use lexforge_domain::qca::Split;
use lexforge_domain::text::Language;
use std::collections::BTreeMap;

/// An answer that quotes the first sentence.
pub fn answer(filled: &Filled) -> Answer {
    let quote = "A bank shall hold own funds of at least 8 percent of its risk exposure.";
    Answer {
        id: None,
        asked: "2026-07-01T00:00:00Z".to_owned(),
        question: "How much own funds shall a bank hold?".to_owned(),
        found: true,
        answer: quote.to_owned(),
        parts: Vec::new(),
        statements: vec![Statement {
            text: quote.to_owned(),
            citations: vec![0],
            kept: true,
            reason: None,
            marks: vec![(2, 6)],
        }],
        citations: vec![Citation {
            document: filled.document,
            title: "Rulebook".to_owned(),
            language: Language::En,
            page: 1,
            section: "Part I › Article 1".to_owned(),
            boxes: Vec::new(),
            quote: quote.to_owned(),
            sentence: filled.sentences[0],
            external_id: None,
            superseded_by: None,
            out_of_force: None,
        }],
        passages: Vec::new(),
        premise: None,
        terms: Vec::new(),
        refers: Vec::new(),
        notes: Vec::new(),
        probability: 0.75,
        threshold: 0.5,
        certificate: Certificate {
            alpha: 0.05,
            confidence: 0.95,
            n: 0,
            wrong: 0,
            answered_share: None,
            valid: false,
            reason: Some(CertificateGap::NotMeasured),
            needed: 59,
            made: None,
            writer: None,
        },
        model: "extractive".to_owned(),
        adapter: None,
        written: None,
        index: AnswerIndex::default(),
        corpus_hash: "00".repeat(32),
        documents: 1,
        as_of: "2026-07-01".to_owned(),
        audit_entry: None,
    }
}

/// A labelled question that the first sentence answers.
pub fn pair(name: &str, filled: &Filled) -> Pair {
    Pair {
        id: name.to_owned(),
        question: "How much own funds shall a bank hold?".to_owned(),
        passage_ids: vec![filled.sentences[0].to_string()],
        answer: Some("8 percent".to_owned()),
        source: PairSource::Verdict,
    }
}

/// Two sentences that are scored, and how they were drawn.
pub fn similarity(filled: &Filled) -> (SimilarityDraw, SimilarityPair) {
    let place = |sentence| SimilarityPlace {
        sentence,
        document: filled.document,
        title: "Rules".to_owned(),
        section: "1".to_owned(),
        page: 1,
    };
    let draw = SimilarityDraw {
        encoder: "an encoder".to_owned(),
        encoder_sha256: "00".repeat(32),
        language: Language::En,
        seed: 1,
        sentences: 2,
        left_out: BTreeMap::new(),
        most_of_a_sentence: 2,
        wanted: 1,
        drawn: 1,
        within: 1,
        strata: Vec::new(),
    };
    let pair = SimilarityPair {
        language: Language::En,
        one: "A bank shall hold own funds.".to_owned(),
        other: "A broker must not hold client money.".to_owned(),
        one_place: place(filled.sentences[0]),
        other_place: place(filled.sentences[1]),
        cosine: 0.5,
        stratum: 2,
    };
    (draw, pair)
}

pub fn triplet(modal: &str, filled: &Filled) -> NewTriplet {
    NewTriplet {
        sentence: Some(filled.sentences[0]),
        language: Language::En,
        source: "A bank shall hold own funds.".to_owned(),
        positive: "A bank must hold own funds.".to_owned(),
        negative: format!("A bank {modal} not hold own funds."),
        shift: "rule_based.force".to_owned(),
        origin: TripletOrigin {
            by: TripletMaker::Offline,
            negative: "modal".to_owned(),
            removed: "shall".to_owned(),
            added: modal.to_owned(),
            positive: vec!["same_force".to_owned()],
            note: String::new(),
        },
        margin: None,
        split: Split::Train,
        group: 1,
        cluster: 1,
        reason: None,
    }
}
