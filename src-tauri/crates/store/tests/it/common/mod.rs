//! Shared by the tests of this crate: a small parsed document, and a workspace with a row in every table.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, dead_code)]

pub mod asked;
pub mod deployed;

use lexforge_domain::api::{AugmentReport, EvaluationView, Hashes};
use lexforge_domain::dataset::{LeakReport, ReviewPolicy, ReviewRecord, SplitCounts};
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, DocumentWarning, EngineCounts, ParsedDocument, ParsedPage,
    ParsedSection, ParsedSentence, ReadEngine,
};
use lexforge_domain::endpoint::{AskingState, Endpoint, EndpointSettings, KeySource};
use lexforge_domain::graph::{
    EdgeCounts, EdgeKind, GraphSettings, GraphStats, SentenceEdge, SimilarEntities,
};
use lexforge_domain::metrics::{Evaluation, QcaMetrics, SpaceAudit};
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType, Split};
use lexforge_domain::review::{Choice, Decision, Edit, Role, Subject};
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, Region, SentenceKind};
use lexforge_domain::{ActId, DatasetId, DocumentId, PersonId, QcaId, RunId, SentenceId, TermId};
use lexforge_store::{
    BuildRecord, DatasetItem, EmbeddingKind, NewAct, NewAsking, NewDataset, NewGraph, NewTerm,
    SentenceCandidate, StoredAnswer, Workspace, Writer, content_hash,
};

pub fn sentence(text: &str, page: u32, section: Option<usize>) -> ParsedSentence {
    ParsedSentence {
        text: text.to_owned(),
        complete: None,
        page,
        section,
        kind: SentenceKind::Rule,
        regions: vec![Region {
            page,
            x0: 72.0,
            y0: 100.0,
            x1: 500.0,
            y1: 112.5,
        }],
        start: 0,
        end: text.chars().count(),
        external_id: None,
    }
}

/// A document of two pages, three sections and these sentences, half of them on each page.
pub fn document(title: &str, texts: &[&str]) -> ParsedDocument {
    let half = texts.len().div_ceil(2);
    let page = |number, texts: &[&str]| ParsedPage {
        number,
        width: 595.0,
        height: 842.0,
        text: texts.join("\n"),
        engine: ReadEngine::Hayro,
        agreement: Some(0.999),
        scanned: false,
        differences: Vec::new(),
        removed: Vec::new(),
    };
    let section = |parent, level, label: &str, path: &str, page| ParsedSection {
        parent,
        level,
        label: label.to_owned(),
        title: String::new(),
        path: path.to_owned(),
        page,
    };
    ParsedDocument {
        title: title.to_owned(),
        format: DocumentFormat::Pdf,
        language: Language::En,
        metadata: DocumentMetadata::default(),
        pages: vec![page(1, &texts[..half]), page(2, &texts[half..])],
        sections: vec![
            section(None, 0, "Part I", "Part I", 1),
            section(Some(0), 1, "Article 1", "Part I › Article 1", 1),
            section(Some(0), 1, "Article 2", "Part I › Article 2", 2),
        ],
        sentences: texts
            .iter()
            .enumerate()
            .map(|(i, text)| {
                if i < half {
                    sentence(text, 1, Some(1))
                } else {
                    sentence(text, 2, Some(2))
                }
            })
            .collect(),
        engines: EngineCounts {
            hayro: 2,
            pdf_extract: 0,
            ocr: 0,
        },
        tables: Vec::new(),
        reader_agreement: Some(0.999),
        scanned_pages: 0,
        warnings: vec![DocumentWarning {
            code: "readers_differ".to_owned(),
            page: Some(2),
            message: "two words".to_owned(),
        }],
    }
}

pub fn rulebook() -> ParsedDocument {
    document(
        "Rulebook",
        &[
            "A bank shall hold own funds of at least 8 percent of its risk exposure.",
            "Own funds means the sum of core capital and additional capital.",
            "A broker must not lend client money to a related party.",
            "商业银行应当建立资本充足率管理制度。",
        ],
    )
}

pub fn new_term(text: &str, score: f64) -> NewTerm {
    NewTerm::of(TermCandidate {
        normal: text.to_lowercase(),
        score,
        count: 2,
        ..TermCandidate::new(text, FoundBy::Phrase, Language::En)
    })
}

pub fn draft(question: &str, anchor: SentenceId) -> QcaDraft {
    QcaDraft {
        question: question.to_owned(),
        choices: vec!["8 percent".to_owned(), "9 percent".to_owned()],
        origins: vec![
            ChoiceOrigin::Anchor,
            ChoiceOrigin::Edit {
                edit: "number".to_owned(),
                sentence: anchor,
            },
        ],
        ..QcaDraft::new(
            QcaLevel::Sentence,
            QuestionType::Obligation,
            anchor,
            QuestionSource::Offline,
        )
    }
}

pub fn new_dataset(questions: &[QcaId]) -> NewDataset {
    let items: Vec<DatasetItem> = questions
        .iter()
        .enumerate()
        .map(|(i, &qca)| DatasetItem {
            qca,
            split: Split::ALL[i % 3],
            cluster: i as i64,
            answer_group: 0,
            json: format!("{{\"id\":{qca}}}"),
        })
        .collect();
    NewDataset {
        policy: ReviewPolicy::UnreviewedAutomatic,
        review: ReviewRecord::default(),
        hash: content_hash(&items),
        train: SplitCounts {
            sentence: 1,
            token: 0,
            anchors: 1,
        },
        dev: SplitCounts::default(),
        test: SplitCounts::default(),
        by_type: Default::default(),
        shortcuts: Vec::new(),
        flagged: false,
        split_unit: "section".to_owned(),
        shares: Some(Default::default()),
        cluster_kind: Default::default(),
        clusters: Default::default(),
        set_aside: 0,
        leak_check: LeakReport::default(),
        corpus_hash: "00".repeat(32),
        seed: u64::MAX,
        items,
    }
}

pub fn graph_stats() -> GraphStats {
    GraphStats {
        sentences: 4,
        entities: 2,
        edges: EdgeCounts::default(),
        encoder: "char-ngram LSA (128)".to_owned(),
        entity_low: 0.75,
        entity_high: 0.9,
        sentence_threshold: 0.9,
        anchors_sentence: 1,
        anchors_token: 0,
        isolated: 0,
        seconds: 0.1,
        peak_memory_mb: 10.0,
        ..GraphStats::default()
    }
}

/// The ids of the rows that [`fill`] inserted.
pub struct Filled {
    pub document: DocumentId,
    pub sentences: Vec<SentenceId>,
    pub terms: Vec<TermId>,
    pub questions: Vec<QcaId>,
    pub dataset: DatasetId,
    pub run: RunId,
}

/// Puts at least one row into every table.
pub fn fill(workspace: &Workspace) -> Filled {
    fill_with(workspace, 2_500_000)
}

/// Puts at least one row into every table; large values have this many bytes.
pub fn fill_with(workspace: &Workspace, bytes: usize) -> Filled {
    workspace
        .write("tester", |w| {
            let document = w.insert_document(&rulebook(), "rulebook.pdf", &vec![7; bytes])?;
            let sentences: Vec<SentenceId> =
                w.sentences(Some(document))?.iter().map(|s| s.id).collect();
            let terms = w.replace_terms(
                &[new_term("own funds", 3.0), new_term("client money", 5.0)],
                &[
                    (0, sentences[0], 17, 26),
                    (0, sentences[1], 0, 9),
                    (1, sentences[2], 23, 35),
                ],
                ReviewPolicy::UnreviewedAutomatic,
            )?;
            w.set_setting("theme", "dark")?;
            let ids: Vec<i64> = sentences.iter().map(|s| s.0).collect();
            w.put_embeddings(EmbeddingKind::Sentence, "lsa", &ids, 2, &[0.5; 8])?;
            w.insert_graph(&NewGraph {
                settings: &GraphSettings::default(),
                stats: &graph_stats(),
                corpus_hash: "corpus",
                parent: None,
                record: &BuildRecord {
                    documents: vec![document],
                    terms: 2,
                    ..BuildRecord::default()
                },
                similar: &[SimilarEntities {
                    a: terms[0],
                    b: terms[1],
                    cosine: 0.8,
                }],
                edges: &[SentenceEdge {
                    a: sentences[0],
                    b: sentences[1],
                    kind: EdgeKind::Lexical,
                    weight: 0.9,
                }],
                candidates: &[SentenceCandidate {
                    anchor: sentences[0],
                    candidate: sentences[1],
                    cosine: 0.95,
                }],
                kept: &[
                    ("sentences lsa".to_owned(), vec![7; bytes]),
                    ("terms lsa".to_owned(), Vec::new()),
                ],
            })?;
            let questions = w.replace_questions(
                &[
                    (
                        draft("How much must a bank hold?", sentences[0]),
                        Split::Train,
                    ),
                    (
                        draft("What must a broker not do?", sentences[2]),
                        Split::Test,
                    ),
                ],
                &AugmentReport {
                    source: "offline".to_owned(),
                    ..AugmentReport::default()
                },
            )?;
            let dataset = w.insert_dataset(&new_dataset(&questions))?;
            let run = w.insert_run(
                "sentence",
                "all-MiniLM-L6-v2",
                Some(dataset),
                "runs/1",
                "{}",
            )?;
            let view = evaluation(run, w.dataset(dataset)?);
            w.put_evaluation(run, &view)?;
            w.put_endpoint(&endpoint("firm"))?;
            let asking = w.begin_asking(&new_asking())?;
            w.insert_request(asking, &[1; 32])?;
            w.insert_answer(asking, &[1; 32], &answer("A bank holds own funds."))?;
            w.end_asking(asking, AskingState::Finished)?;
            Ok(Filled {
                document,
                sentences,
                terms,
                questions,
                dataset,
                run,
            })
        })
        .unwrap()
}

/// Two reviewers who decide, differ, take back, and take in what came with a packet.
pub fn review(workspace: &Workspace, filled: &Filled) {
    workspace
        .write("tester", |w| {
            let one = w.put_person(None, "Reviewer 1", Role::DomainExpert, 1)?;
            let two = w.put_person(None, "Reviewer 2", Role::ComplianceOfficer, 1)?;
            let decide = |w: &mut Writer, person: PersonId, subject, choice, edit: Edit| {
                let reason = "read twice";
                w.decide(&NewAct {
                    person,
                    subjects: &[subject],
                    choice,
                    edit: &edit,
                    reason,
                    adjudicates: false,
                })
            };
            let class = Edit {
                class: Some("capital".to_owned()),
                ..Edit::default()
            };
            decide(
                w,
                one.id,
                Subject::term(filled.terms[0]),
                Choice::Accept,
                class,
            )?;
            let taken_back = decide(
                w,
                two.id,
                Subject::term(filled.terms[0]),
                Choice::Reject,
                Edit::default(),
            )?;
            w.undo_act(two.id, taken_back)?;
            decide(
                w,
                one.id,
                Subject::pair(filled.terms[1], filled.terms[0]),
                Choice::Confusable,
                Edit::default(),
            )?;
            decide(
                w,
                one.id,
                Subject::question(filled.questions[0]),
                Choice::Accept,
                Edit::default(),
            )?;
            let subjects = [Subject::question(filled.questions[0])].into();
            let held = lexforge_store::PacketHeld {
                subjects,
                terms: [filled.terms[0]].into(),
            };
            w.insert_packet(&"ab".repeat(32), two.id, 1, Some(&held))?;
            let merged =
                w.merge_decisions(two.id, &"ab".repeat(32), &[claimed(filled.questions[0])])?;
            assert_eq!((merged.merged, merged.known, merged.conflicts), (1, 0, 1));
            Ok(())
        })
        .unwrap();
}

/// A decision as it comes back with a packet.
pub fn claimed(question: QcaId) -> Decision {
    Decision {
        uid: "0123456789abcdef".repeat(2),
        act: ActId(0),
        subject: Subject::question(question),
        person: PersonId(0),
        choice: Choice::Reject,
        edit: Edit::default(),
        reason: "two choices are right".to_owned(),
        made: "2026-01-01T00:00:00.000Z".to_owned(),
        adjudicates: false,
        packet: None,
        undone: false,
    }
}

pub fn endpoint(name: &str) -> Endpoint {
    Endpoint {
        name: name.to_owned(),
        url: "https://llm.example.internal/v1".to_owned(),
        model: "m".to_owned(),
        key: KeySource::KeyRing,
        settings: EndpointSettings::default(),
    }
}

pub fn new_asking() -> NewAsking {
    NewAsking {
        purpose: "questions".to_owned(),
        endpoint: "firm".to_owned(),
        host: "llm.example.internal".to_owned(),
        model: "m".to_owned(),
        consent: "{}".to_owned(),
    }
}

pub fn answer(text: &str) -> StoredAnswer {
    StoredAnswer {
        model: "m".to_owned(),
        text: text.to_owned(),
        finish: "stop".to_owned(),
        prompt_tokens: Some(100),
        completion_tokens: Some(7),
        cost: Some(0.5),
    }
}

pub fn evaluation(run: RunId, dataset: lexforge_domain::dataset::Dataset) -> EvaluationView {
    EvaluationView {
        run,
        created: "2025-01-01T00:00:00Z".to_owned(),
        report: "report.html".to_owned(),
        evaluation: Evaluation {
            scorer: "embedding".to_owned(),
            base: "all-MiniLM-L6-v2".to_owned(),
            before: QcaMetrics::default(),
            after: QcaMetrics::default(),
            comparisons: Vec::new(),
            scorers: vec![],
            too_long: 0,
            shortcuts: Vec::new(),
            tfidf: None,
            train_curve: Vec::new(),
            dev_curve: Vec::new(),
            stages: Vec::new(),
            terms: None,
            space_before: SpaceAudit::default(),
            space_after: SpaceAudit::default(),
            improved: Vec::new(),
            worsened: Vec::new(),
            improved_total: 0,
            worsened_total: 0,
            limits: vec!["one document".to_owned()],
        },
        hashes: Hashes::default(),
        dataset,
    }
}
