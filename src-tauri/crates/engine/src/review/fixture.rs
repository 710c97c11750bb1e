//! Shared by the tests of the review: a workspace with made-up terms, pairs and questions.

use crate::Engine;
use lexforge_domain::api::{AugmentReport, NewDecision};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, EngineCounts, ParsedDocument, ParsedPage, ParsedSection,
    ParsedSentence, ReadEngine,
};
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType, Split};
use lexforge_domain::review::{Choice, Edit, Subject};
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{QcaId, SentenceId, TermId};
use lexforge_store::{ConfusablePair, NewTerm};
use std::path::Path;

/// A workspace for the tests.
pub(crate) struct Fixture {
    _folder: tempfile::TempDir,
    pub(crate) engine: Engine,
    pub(crate) terms: Vec<TermId>,
    pub(crate) questions: Vec<QcaId>,
}

/// A document of these sentences, a page and a section.
pub(crate) fn document(texts: &[String]) -> ParsedDocument {
    let mut start = 0;
    let sentences = texts
        .iter()
        .map(|text| {
            let end = start + text.chars().count();
            let sentence = ParsedSentence {
                text: text.clone(),
                complete: None,
                page: 3,
                section: Some(0),
                kind: SentenceKind::Rule,
                regions: Vec::new(),
                start,
                end,
                external_id: None,
            };
            start = end + 1;
            sentence
        })
        .collect();
    ParsedDocument {
        title: "Rules on duties".to_owned(),
        format: DocumentFormat::Text,
        language: Language::En,
        metadata: DocumentMetadata::default(),
        pages: vec![ParsedPage {
            number: 3,
            width: 0.0,
            height: 0.0,
            text: texts.join("\n"),
            engine: ReadEngine::Plain,
            agreement: None,
            scanned: false,
            differences: Vec::new(),
            removed: Vec::new(),
        }],
        sections: vec![ParsedSection {
            parent: None,
            level: 0,
            label: "Article 1".to_owned(),
            title: String::new(),
            path: "Article 1".to_owned(),
            page: 3,
        }],
        sentences,
        engines: EngineCounts::default(),
        tables: Vec::new(),
        reader_agreement: None,
        scanned_pages: 0,
        warnings: Vec::new(),
    }
}

impl Fixture {
    /// So many terms, each mentioned once, with a question about each sentence and pairs of neighbours.
    pub(crate) fn of(terms: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("rules.lexforge")).unwrap();
        let texts: Vec<String> = (0..terms)
            .map(|i| format!("Each duty {i} holder shall keep record {i}."))
            .collect();
        let (ids, questions) = engine
            .workspace()
            .store
            .write("tester", |w| {
                let document = w.insert_document(&document(&texts), "rules.txt", b"rules")?;
                let sentences: Vec<SentenceId> =
                    w.sentences(Some(document))?.iter().map(|s| s.id).collect();
                let new: Vec<NewTerm> = (0..terms).map(|i| new_term(i, terms)).collect();
                let mentions: Vec<(usize, SentenceId, u32, u32)> = sentences
                    .iter()
                    .enumerate()
                    .map(|(i, s)| (i, *s, 5, 5 + format!("duty {i}").len() as u32))
                    .collect();
                let ids = w.replace_terms(&new, &mentions, ReviewPolicy::UnreviewedAutomatic)?;
                let near = |pair: &[TermId]| ConfusablePair {
                    a: pair[0],
                    b: pair[1],
                    cosine: Some(0.8),
                    spelling: 0.9,
                    score: 0.85,
                    place: 1,
                };
                w.replace_confusables(&ids.windows(2).map(near).collect::<Vec<_>>())?;
                let drafts: Vec<(QcaDraft, Split)> = sentences
                    .iter()
                    .enumerate()
                    .map(|(i, s)| (draft(i, *s, ids[i]), Split::ALL[i % 3]))
                    .collect();
                let questions = w.replace_questions(&drafts, &AugmentReport::default())?;
                Ok((ids, questions))
            })
            .unwrap();
        engine.review().act_as("Reviewer 1").unwrap();
        Self {
            _folder: folder,
            engine,
            terms: ids,
            questions,
        }
    }

    /// Another program on the same workspace, at which this person is at work.
    pub(crate) fn other(&self, name: &str) -> Engine {
        open_as(self.engine.workspace().path(), name)
    }

    pub(crate) fn term(&self, i: usize) -> Subject {
        Subject::term(self.terms[i])
    }
}

/// A workspace opened by this person.
pub(crate) fn open_as(path: &Path, name: &str) -> Engine {
    let engine = Engine::open(path).unwrap();
    engine.review().act_as(name).unwrap();
    engine
}

/// A decision without further changes.
pub(crate) fn plain(subject: Subject, choice: Choice) -> NewDecision {
    NewDecision {
        subjects: vec![subject],
        choice,
        edit: Edit::default(),
        reason: String::new(),
        adjudicates: false,
    }
}

fn new_term(i: usize, of: usize) -> NewTerm {
    NewTerm::of(TermCandidate {
        score: (of - i) as f64,
        ..TermCandidate::new(format!("duty {i}"), FoundBy::Phrase, Language::En)
    })
}

fn draft(i: usize, anchor: SentenceId, term: TermId) -> QcaDraft {
    QcaDraft {
        question: format!("Who shall keep record {i}?"),
        choices: vec![format!("duty {i}"), "somebody else".to_owned()],
        origins: vec![
            ChoiceOrigin::Anchor,
            ChoiceOrigin::Edit {
                edit: "term".to_owned(),
                sentence: anchor,
            },
        ],
        anchor_term: Some(term),
        ..QcaDraft::new(
            QcaLevel::Token,
            QuestionType::Term,
            anchor,
            QuestionSource::Offline,
        )
    }
}
