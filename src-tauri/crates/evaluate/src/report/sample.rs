//! A whole report's values, for tests: computed from pseudo-random scores of a fictional regulation's questions.

#![allow(clippy::unwrap_used)]

use super::{ReportInput, Training};
use crate::changed::{Change, changes};
use crate::item::ScoredItem;
use crate::{qca, significance, statistics};
use lexforge_domain::QcaId;
use lexforge_domain::api::{
    AugmentReport, DocumentRow, EvaluationView, QuestionRow, RunRow, TermsReport,
};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::gate::{GeneralBounds, GeneralMeasured};
use lexforge_domain::graph::GraphStats;
use lexforge_domain::metrics::{
    ChangedItem, CurvePoint, Evaluation, QcaMetrics, ShortcutRow, SpaceAudit, TermFigures,
};
use lexforge_domain::protocol::{TrainJob, TrainResult};
use lexforge_domain::qca::{QcaLevel, QuestionType};
use lexforge_domain::term::Term;
use lexforge_domain::{Code, Failure, RunId};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Owner of everything that a [`ReportInput`] borrows.
pub(super) struct Sample {
    pub(super) documents: Vec<DocumentRow>,
    pub(super) failed: Vec<Failure>,
    pub(super) terms: TermsReport,
    pub(super) term_sample: Vec<Term>,
    pub(super) graph: GraphStats,
    pub(super) questions: AugmentReport,
    pub(super) question_sample: Vec<QuestionRow>,
    pub(super) run: RunRow,
    pub(super) job: TrainJob,
    pub(super) result: TrainResult,
    pub(super) view: EvaluationView,
    pub(super) skipped: Vec<Failure>,
}

fn of<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn hash(of: &str) -> String {
    of.bytes()
        .cycle()
        .take(32)
        .enumerate()
        .map(|(i, b)| format!("{:02x}", b.wrapping_mul(i as u8 + 7)))
        .collect()
}

/// The choices of the questions that are shown: English and Chinese, and one that tries to be markup.
const QUESTIONS: [(&str, [&str; 4], &str); 4] = [
    (
        "What must a member institution do before it outsources a critical function?",
        [
            "A member institution shall notify the Supervisory Office at least sixty days before it outsources a critical function.",
            "A member institution may notify the Supervisory Office at least sixty days before it outsources a critical function.",
            "A member institution shall notify the Resolution Office at least sixty days before it outsources a critical function.",
            "A service provider shall notify the member institution at least ten days before it moves data to another place.",
        ],
        "outsourcing-rules.pdf, page 7, Part II › Article 12 › 2 › (a)",
    ),
    (
        "Which term belongs in the gap: “The ____ approves the annual limit for large exposures and reports it to the Office.”?",
        [
            "executive supervisor",
            "supervisor",
            "board of supervisors",
            "lead supervisor",
        ],
        "large-exposures.pdf, page 3, Article 4",
    ),
    (
        "商业银行对单一客户的大额风险暴露不得超过多少？",
        [
            "商业银行对单一客户的大额风险暴露不得超过一级资本净额的百分之十五。",
            "商业银行对单一客户的大额风险暴露不得超过一级资本净额的百分之十二。",
            "商业银行对同业单一客户的大额风险暴露不得超过一级资本净额的百分之二十五。",
            "商业银行应当对单一客户的大额风险暴露按季报告。",
        ],
        "风险暴露办法.pdf, page 2, 第二章 › 第八条",
    ),
    (
        "What does <b>\"material change\"</b> mean & where is it defined?",
        [
            "A change is material if it alters the risk profile by more than 5 % </td><script>alert(1)</script>.",
            "A change is material if it alters the risk profile by less than 5 %.",
            "A change is immaterial if it alters the risk profile by more than 5 %.",
            "A change is material if the service provider says so.",
        ],
        "outsourcing-rules.pdf, page 2, Article 1",
    ),
];

/// Scores of `clusters` anchors with three to seven questions each; `skill` is added to the right choice.
fn scored(clusters: i64, skill: f64, system: u64) -> Vec<ScoredItem> {
    let mut items = Vec::new();
    let noise = |a: u64, b: u64, s: u64| {
        let mut x = (a * 1_000_003 + b * 7_919 + s * 104_729 + 12_345)
            .wrapping_mul(6_364_136_223_846_793_005);
        x ^= x >> 29;
        (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64 / f64::from(1 << 24)
    };
    for cluster in 0..clusters {
        for k in 0..3 + cluster % 5 {
            let id = cluster * 10 + k;
            let answer = (id * 7 % 4) as usize;
            let of_cluster = noise(cluster as u64, 99, 0) * 0.3 - 0.15;
            let scores = (0..4)
                .map(|c| {
                    let own =
                        0.45 + 0.25 * noise(id as u64, c, 0) + 0.15 * noise(id as u64, c, system);
                    if c as usize == answer {
                        own + skill + of_cluster
                    } else {
                        own
                    }
                })
                .collect();
            let token = id % 3 == 0;
            let types = [
                QuestionType::Obligation,
                QuestionType::Definition,
                QuestionType::Threshold,
            ];
            items.push(ScoredItem {
                id: QcaId(id),
                cluster,
                level: if token {
                    QcaLevel::Token
                } else {
                    QcaLevel::Sentence
                },
                question_type: if token {
                    QuestionType::Term
                } else {
                    types[(id % 3) as usize]
                },
                answer,
                scores,
            });
        }
    }
    items
}

fn shown(change: &Change, items: &[ScoredItem]) -> ChangedItem {
    let item = &items[change.index];
    let (question, choices, place) = QUESTIONS[change.index / 2 % QUESTIONS.len()];
    let mut choices = choices.map(String::from).to_vec();
    choices.swap(0, item.answer);
    ChangedItem {
        id: item.id,
        level: item.level,
        question_type: item.question_type,
        question: question.to_owned(),
        choices,
        answer: item.answer,
        before: change.before,
        after: change.after,
        margin_before: change.margin_before,
        margin_after: change.margin_after,
        place: place.to_owned(),
    }
}

fn curve(steps: u64, from: f64, to: f64, noise: f64, every: u64) -> Vec<CurvePoint> {
    (1..=steps)
        .filter(|s| s % every == 0 || *s == 1)
        .map(|step| {
            let wave = ((step * 2_654_435_761) % 1000) as f64 / 1000.0 - 0.5;
            CurvePoint {
                step,
                loss: to + (from - to) * (-4.0 * step as f64 / steps as f64).exp() + noise * wave,
            }
        })
        .collect()
}

/// The figures of a run's answers, those about terms also by whether the right one was a wrong choice in training.
fn metrics(items: &[ScoredItem]) -> QcaMetrics {
    let of_terms = items.iter().filter(|item| item.level == QcaLevel::Token);
    let of_terms: Vec<ScoredItem> = of_terms.cloned().collect();
    let seen = |item: &ScoredItem| match item.id.0 % 2 {
        0 => "wrong_in_training",
        _ => "never_wrong_in_training",
    };
    QcaMetrics {
        by_term_seen: qca::groups(&of_terms, seen, 2000, 42),
        ..qca::metrics(items, 2000, 42)
    }
}

fn evaluation(clusters: i64, skill_before: f64, skill_after: f64) -> Evaluation {
    let (before, after) = (
        scored(clusters, skill_before, 1),
        scored(clusters, skill_after, 2),
    );
    let tfidf = scored(clusters, skill_before - 0.02, 3);
    let changes = changes(&before, &after).unwrap();
    let list = |c: &[Change]| c.iter().take(20).map(|c| shown(c, &before)).collect();
    let control = |name: &str, accuracy: f64| ShortcutRow {
        name: name.to_owned(),
        accuracy,
        chance: 0.25,
        n: before.len(),
        flagged: accuracy > 0.35,
    };
    let against = "base all-MiniLM-L6-v2";
    let mut comparisons =
        significance::compare(&before, &after, against, "anchor", 2000, 42).unwrap();
    statistics::correct(&mut comparisons);
    Evaluation {
        scorer: "embedding".to_owned(),
        base: "all-MiniLM-L6-v2".to_owned(),
        before: metrics(&before),
        after: metrics(&after),
        comparisons,
        scorers: vec![],
        too_long: 0,
        shortcuts: vec![
            control("choices_only", 0.312),
            control("medoid", 0.4471),
            control("longest_choice", 0.2812),
            control("corpus_overlap", 0.3309),
        ],
        tfidf: Some(qca::metrics(&tfidf, 2000, 42)),
        train_curve: curve(420, 2.1, 0.62, 0.5, 1),
        dev_curve: curve(420, 2.05, 0.81, 0.02, 30),
        stages: Vec::new(),
        terms: Some(
            [(0.6125, 0.0421), (0.791, 0.1653)].map(|(accuracy, gap)| TermFigures {
                macro_f1: accuracy,
                pairwise_accuracy: accuracy,
                mean_cosine_gap: gap,
                n: 80,
                clusters: 23,
                ..TermFigures::default()
            }),
        ),
        space_before: SpaceAudit {
            mean_pairwise_cosine: 0.2213,
            isoscore: 0.1871,
            n: 611,
            explained: Some([0.081, 0.141, 0.229, 0.341, 0.478, 0.632, 0.786, 0.914]),
            uniformity: Some(-2.914),
            uniformity_of: None,
            alignment: Some(0.874),
        },
        space_after: SpaceAudit {
            mean_pairwise_cosine: 0.1504,
            isoscore: 0.2412,
            n: 611,
            explained: Some([0.064, 0.116, 0.196, 0.303, 0.441, 0.603, 0.768, 0.905]),
            uniformity: Some(-3.102),
            uniformity_of: None,
            alignment: Some(0.611),
        },
        improved_total: changes.improved.len(),
        worsened_total: changes.worsened.len(),
        improved: list(&changes.improved),
        worsened: list(&changes.worsened),
        limits: vec!["All test questions come from two documents of one authority.".to_owned()],
    }
}

fn dataset() -> Dataset {
    of(json!({
        "id": 3, "hash": hash("dataset"), "created": "2026-03-05T14:02:11Z", "policy": "unreviewed_automatic",
        "train": {"sentence": 812, "token": 1040, "anchors": 402}, "dev": {"sentence": 130, "token": 171, "anchors": 68},
        "test": {"sentence": 401, "token": 522, "anchors": 201}, "split_unit": "document", "cluster_kind": "anchor", "set_aside": 7,
        "clusters": {"test": {"clusters": 61, "median": 4.5, "largest": 7, "largest_name": "Article 37, outsourcing-rules.pdf"}},
        "leak_check": {"compared": 9841, "removed": 14, "leaks": []}, "corpus_hash": hash("corpus"), "seed": 42
    }))
}

fn documents() -> Vec<DocumentRow> {
    of(json!([
        {"id": 1, "file": "outsourcing-rules.pdf", "title": "Rules on the outsourcing of critical functions", "format": "pdf",
         "language": "en", "pages": 14, "sentences": 402, "scanned_pages": 0, "engines": {"hayro": 14, "pdf-extract": 0, "ocr": 0},
         "reader_agreement": 0.99978, "warnings": [], "sha256": hash("a"), "bytes": 412_311, "imported": "2026-03-05T14:00:01Z"},
        {"id": 2, "file": "large-exposures.pdf", "title": "Regulation on large exposures", "format": "pdf",
         "language": "en", "pages": 88, "sentences": 2310, "scanned_pages": 2, "engines": {"hayro": 86, "pdf-extract": 0, "ocr": 0},
         "reader_agreement": 0.9712, "warnings": [
            {"code": "scanned_page", "page": 41, "message": "This page has no text layer and was not read."},
            {"code": "scanned_page", "page": 42, "message": "This page has no text layer and was not read."},
            {"code": "readers_differ", "page": 17, "message": "The two readers agree on 91.20 % of this page only."}],
         "sha256": hash("b"), "bytes": 2_412_311, "imported": "2026-03-05T14:00:05Z"},
        {"id": 3, "file": "风险暴露办法.pdf", "title": "商业银行大额风险暴露管理办法", "format": "pdf",
         "language": "zh", "pages": 9, "sentences": 188, "scanned_pages": 0, "engines": {"hayro": 9, "pdf-extract": 0, "ocr": 0},
         "reader_agreement": null, "warnings": [], "sha256": hash("c"), "bytes": 99_311, "imported": "2026-03-05T14:00:09Z"}
    ]))
}

fn term(text: &str, found: &str, mentions: u32, definition: Option<&str>) -> Term {
    of(
        json!({"id": 1, "text": text, "normal": text, "found": found, "status": "unreviewed", "score": 1.0,
        "mentions": mentions, "definition": definition, "definition_sentence": null, "definition_document": null, "language": "en"}),
    )
}

fn question_row(at: usize, level: &str, kind: &str) -> QuestionRow {
    let (question, choices, _) = QUESTIONS[at];
    of(
        json!({"id": 100 + at, "level": level, "type": kind, "question": question, "choices": choices, "answer": 0,
        "origins": [{"kind": "anchor"}], "rephrased": null, "anchor_sentence": 12, "anchor_term": null, "source": "offline",
        "status": "unreviewed", "split": "test", "anchor_text": choices[0], "document": 1,
        "document_title": "Rules on the outsourcing of critical functions", "page": 7, "section": "Part II › Article 12"}),
    )
}

/// A run on `clusters` anchors; the skills decide how the tuned model compares with its base.
pub(super) fn sample(clusters: i64, skill_before: f64, skill_after: f64) -> Sample {
    let dataset = dataset();
    let documents = documents();
    let hashes = of(json!({
        "documents": documents.iter().map(|d| (d.file.clone(), d.sha256.clone())).collect::<std::collections::BTreeMap<_, _>>(),
        "corpus": hash("corpus"), "dataset": hash("dataset"), "base": hash("base"), "adapter": hash("adapter"),
        "audit_head": hash("head")
    }));
    Sample {
        failed: vec![
            Failure::new(
                Code::PasswordRequired,
                "The file is locked with a password.",
                "Give the password, or save a copy of the file without one.",
            )
            .in_file("outsourcing-policy-2021.pdf"),
        ],
        terms: of(
            json!({"terms": 1204, "defined": 61, "mentions": 18_233, "policy": "unreviewed_automatic"}),
        ),
        term_sample: vec![
            term(
                "critical function",
                "defined",
                88,
                Some(
                    "a function whose interruption would materially impair the soundness of the member institution or the continuity of its services",
                ),
            ),
            term(
                "service provider",
                "defined",
                131,
                Some("a person who performs an outsourced function in whole or in part"),
            ),
            term(
                "大额风险暴露",
                "defined",
                42,
                Some("商业银行对单一客户或一组关联客户超过其一级资本净额百分之二点五的风险暴露"),
            ),
            term("exit plan", "phrase", 17, None),
            term("BCP", "abbreviation", 9, Some("business continuity plan")),
        ],
        graph: of(json!({
            "sentences": 2900, "entities": 1204,
            "edges": {"shared_entity": 812_331, "same_type": 190_210, "similar_entity": 4_802, "lexical": 911, "reference": 302},
            "encoder": "all-MiniLM-L6-v2 (mean)", "sentence_threshold": 0.71, "entity_low": 0.75, "entity_high": 0.9,
            "anchors_sentence": 1741, "anchors_token": 5202, "isolated": 12, "seconds": 1.84, "peak_memory_mb": 211.4
        })),
        questions: of(json!({
            "questions": {"sentence": {"train": 812, "dev": 130, "test": 401}, "token": {"train": 1040, "dev": 171, "test": 522}},
            "rejected": {"answer_in_question": 212, "choices_too_similar": 88, "near_duplicate": 31},
            "skipped": {"no_pattern": 901, "too_short": 310, "no_similar_term": 202},
            "source": "offline generator (patterns and minimal edits; no language model)"
        })),
        question_sample: vec![
            question_row(0, "sentence", "obligation"),
            question_row(1, "token", "term"),
        ],
        run: of(json!({
            "id": 4, "state": "finished", "recipe": "sentence stage (InfoNCE)", "base": "all-MiniLM-L6-v2", "dataset": 3,
            "stage": "sentence", "step": 420, "of": 420, "started": "2026-03-05T14:03:00Z", "best": 390,
            "adapter": hash("adapter"), "loss": 0.61, "eta_s": null, "failure": null, "evaluated": true
        })),
        job: of(json!({
            "model": {"name": "all-MiniLM-L6-v2", "sha256": hash("base")}, "train": "inputs/train.jsonl", "dev": "inputs/dev.jsonl",
            "settings": {
                "lora": {"r": 16, "alpha": 32.0, "dropout": 0.05, "targets": ["query", "key", "value", "dense"]},
                "stages": [{"objective": {"kind": "sentence", "temperature": 0.05, "in_batch": true, "pooling": "mean"},
                    "epochs": 3, "batch_size": 16, "learning_rate": 5e-5, "warmup_steps": 42, "weight_decay": 0.01,
                    "max_grad_norm": 1.0}],
                "max_length": 256, "seed": 42, "threads": 2
            },
            "checkpoint_every": 50, "evaluate_every": 30, "lineage":
            {"dataset": hash("dataset"), "corpus": hash("corpus"), "graph_date": "2026-03-05", "policy": "unreviewed (automatic)"}
        })),
        result: of(json!({
            "adapter": "adapter", "adapter_sha256": hash("adapter"), "steps": 420, "best_step": 390,
            "stages": [{"name": "sentence", "from": 0, "steps": 420, "items": 812, "best_step": 390, "first_loss": 1.88,
                "last_loss": 0.651, "dev_loss_before": 2.06, "dev_loss_best": 0.829, "stopped_early": false}],
            "trainable_parameters": 1_179_648,
            "peak_memory_mb": 611.2, "seconds": 245.0
        })),
        view: EvaluationView {
            run: RunId(4),
            created: "2026-03-05T14:20:31Z".to_owned(),
            report: "report.html".to_owned(),
            evaluation: evaluation(clusters, skill_before, skill_after),
            hashes,
            dataset,
        },
        skipped: vec![Failure::new(
            Code::LanguageUnsupported,
            "The documents are in Chinese; all-MiniLM-L6-v2 is English only.",
            "Add English documents, or choose a multilingual encoder as base.",
        )],
        documents,
    }
}

impl Sample {
    /// With an evaluation.
    pub(super) fn evaluated(&self) -> ReportInput<'_> {
        ReportInput {
            training: Some(Training {
                run: &self.run,
                job: Some(&self.job),
                result: Some(&self.result),
                device: "cpu, 2 threads, libtorch 2.11.0",
            }),
            evaluation: Some(&self.view),
            skipped: &[],
            ..self.prepared()
        }
    }

    /// Prepared, but not trained.
    pub(super) fn prepared(&self) -> ReportInput<'_> {
        ReportInput {
            workspace: "Outsourcing & exposures",
            created: "2026-03-05T14:20:31Z",
            version: "0.1.0",
            documents: &self.documents,
            failed: &self.failed,
            terms: Some(&self.terms),
            term_sample: &self.term_sample,
            graph: Some(&self.graph),
            questions: Some(&self.questions),
            question_sample: &self.question_sample,
            dataset: Some(&self.view.dataset),
            training: None,
            sweep: None,
            evaluation: None,
            decoder: None,
            skipped: &self.skipped,
            audit_head: &self.view.hashes.audit_head,
        }
    }
}

/// General language before and after a run.
pub(super) fn general() -> GeneralMeasured {
    GeneralMeasured {
        file: "pairs.csv".to_owned(),
        sha256: "pairs-hash".to_owned(),
        pairs: 1379,
        before: 0.812,
        after: 0.801,
        bounds: Some(GeneralBounds {
            low: -0.019,
            high: -0.003,
            level: 0.95,
        }),
    }
}
