//! Labelled questions: where they come from, and what is certified on them.

use super::{BREACHES, Corpus, NOTIFY, ask};
use lexforge_domain::api::{
    AnswerVerdict, AnswerWay, CertificateGap, Inquiry, PairSource, SearchMode,
};
use lexforge_domain::{AnswerId, Code, Failure, RunId};
use lexforge_engine::{CalibrateRequest, Encoder, GraphRequest, Silent};

/// Rules of our own, and a question that names each.
fn rules(count: usize) -> Vec<(String, String)> {
    const ACTORS: [&str; 5] = ["depositary", "broker", "insurer", "trustee", "custodian"];
    const OBJECTS: [&str; 12] = [
        "ledger",
        "vault",
        "mandate",
        "prospectus",
        "premium",
        "covenant",
        "warrant",
        "dividend",
        "tariff",
        "escrow",
        "charter",
        "audit",
    ];
    (0..count)
        .map(|i| {
            let (actor, object) = (ACTORS[i % 5], OBJECTS[(i / 5) % 12]);
            (
                format!("The {actor} shall deposit each {object} with the registrar within {} days.", i + 2),
                format!("Within how many days shall the {actor} deposit each {object} with the registrar?"),
            )
        })
        .collect()
}

/// A workspace with the rules as the passages r0, r1 and so on.
fn corpus_of(rules: &[(String, String)]) -> Corpus {
    let corpus = Corpus::new();
    let jsonl: String = rules
        .iter()
        .enumerate()
        .map(|(i, (text, _))| {
            serde_json::json!({ "id": format!("r{i}"), "text": text }).to_string() + "\n"
        })
        .collect();
    corpus.add("rules.jsonl", jsonl.as_bytes(), None, None);
    corpus
}

fn lines(pairs: impl Iterator<Item = (String, String)>) -> String {
    pairs
        .map(|(question, passage)| {
            let passages: Vec<&str> = passage.split_whitespace().collect();
            serde_json::json!({ "question": question, "passage_ids": passages }).to_string() + "\n"
        })
        .collect()
}

#[test]
fn a_certificate_is_made_of_labels_and_void_when_a_document_comes() {
    let rules = rules(60);
    let corpus = corpus_of(&rules);
    let engine = corpus.engine();
    let answering = engine.answering();
    let first = ask(&engine, &rules[0].1);
    assert_eq!(
        (
            first.certificate.valid,
            first.certificate.reason,
            first.certificate.needed
        ),
        (false, Some(CertificateGap::NotMeasured), 59)
    );
    assert_eq!(
        answering
            .calibrate(&CalibrateRequest::default(), &Silent)
            .unwrap_err()
            .code,
        Code::TooLittleData
    );
    let labels = corpus.path.with_extension("labels");
    let labelled = |count: usize| {
        lines(rules.iter().take(count).enumerate().map(|(i, r)| {
            // One has slips in it, which are put right as Ask does.
            let question = match i {
                19 => {
                    r.1.replace("custodian", "custodan")
                        .replace("prospectus", "prospctus")
                }
                _ => r.1.clone(),
            };
            (question, format!("r{i}"))
        }))
    };
    assert!(labelled(20).contains("custodan deposit each prospctus"));
    std::fs::write(&labels, labelled(40)).unwrap();
    assert_eq!(answering.import_pairs(&labels).unwrap().imported, 40);
    let few = answering
        .calibrate(&CalibrateRequest::default(), &Silent)
        .unwrap();
    assert_eq!(
        (few.answerable, few.unanswerable),
        (40, 0),
        "one document cannot be left out"
    );
    assert_eq!(
        (
            few.certificate.valid,
            few.certificate.reason,
            few.certificate.needed
        ),
        (false, Some(CertificateGap::TooFewLabels), 19)
    );
    std::fs::write(&labels, labelled(60)).unwrap();
    let report = answering.import_pairs(&labels).unwrap();
    assert_eq!(
        (report.imported, report.unchanged, report.pairs),
        (20, 40, 60)
    );
    let made = answering
        .calibrate(&CalibrateRequest::default(), &Silent)
        .unwrap();
    assert!(made.certificate.valid, "{made:#?}");
    assert_eq!(
        (made.certificate.n, made.certificate.wrong),
        (60, 0),
        "{made:#?}"
    );

    // Nothing is drawn: who measures the same labels again gets the same.
    let again = answering
        .calibrate(&CalibrateRequest::default(), &Silent)
        .unwrap();
    assert_eq!(again.threshold.to_bits(), made.threshold.to_bits());
    assert_eq!(
        (again.certificate.n, again.certificate.wrong, again.auc),
        (made.certificate.n, made.certificate.wrong, made.auc)
    );

    let held = ask(&engine, &rules[1].1);
    assert!(held.certificate.valid && held.found, "{held:#?}");
    assert_eq!(held.threshold.to_bits(), made.threshold.to_bits());
    // A question that goes on from it was not measured.
    let further = Inquiry {
        question: "And for the insurer?".to_owned(),
        after: held.id,
        ..Inquiry::default()
    };
    let further = answering.ask(&further).unwrap().certificate;
    assert_eq!(
        (further.valid, further.reason),
        (false, Some(CertificateGap::GoesOn))
    );
    assert!(
        engine
            .answering()
            .current_certificate(&AnswerWay::Extractive, None)
            .unwrap()
            .valid
    );

    corpus.add("breaches.md", BREACHES.as_bytes(), None, None);
    let void = ask(&engine, &rules[1].1);
    assert_eq!(
        (void.certificate.valid, void.certificate.reason),
        (false, Some(CertificateGap::CorpusChanged))
    );
    assert_eq!(
        void.threshold.to_bits(),
        first.threshold.to_bits(),
        "the product's own threshold again"
    );
    // The stored answer stays as it was given.
    let kept = engine.answering().kept_answer(held.id.unwrap()).unwrap();
    assert!(kept.certificate.valid);
    for (alpha, confidence) in [(0.0, 0.95), (0.05, 1.0), (f64::NAN, 0.95), (0.05, -1.0)] {
        let failure = answering
            .calibrate(
                &CalibrateRequest {
                    alpha,
                    confidence,
                    ..CalibrateRequest::default()
                },
                &Silent,
            )
            .unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
    }
}

#[test]
fn each_index_keeps_its_certificate() {
    let rules = rules(60);
    let corpus = corpus_of(&rules);
    let engine = corpus.engine();
    engine.terms().extract_terms(&Silent).unwrap();
    let by_counting = GraphRequest {
        encoder: Encoder::Lsa,
        ..GraphRequest::default()
    };
    engine.graph().build_graph(&by_counting, &Silent).unwrap();
    let answering = engine.answering();
    let labels = corpus.path.with_extension("labels");
    let named = rules
        .iter()
        .enumerate()
        .map(|(i, r)| (r.1.clone(), format!("r{i}")));
    std::fs::write(&labels, lines(named)).unwrap();
    answering.import_pairs(&labels).unwrap();
    let measured = |mode| {
        answering
            .calibrate(
                &CalibrateRequest {
                    mode,
                    ..CalibrateRequest::default()
                },
                &Silent,
            )
            .unwrap()
    };
    let both = measured(None);
    assert_eq!(both.index.mode, SearchMode::Hybrid);
    assert!(both.certificate.valid, "{both:#?}");
    let words = measured(Some(SearchMode::Lexical));
    assert!(words.certificate.valid, "{words:#?}");
    // Measured last or not: each has its own.
    let answer = ask(&engine, &rules[1].1);
    assert!(answer.certificate.valid, "{answer:#?}");
    assert_eq!(answer.certificate.made, both.certificate.made);
    assert_eq!(answer.threshold.to_bits(), both.threshold.to_bits());
}

#[test]
fn verdicts_make_labelled_questions_and_take_them_back() {
    let corpus = Corpus::of(&[("breaches.md", BREACHES)]);
    let engine = corpus.engine();
    let answering = engine.answering();
    let answer = ask(&engine, NOTIFY);
    let id = answer.id.unwrap();
    assert!(answer.audit_entry.is_some());
    let judge = |id, verdict| answering.judge_answer(id, verdict).unwrap();

    assert_eq!(
        judge(id, AnswerVerdict::Right).verdict,
        Some(AnswerVerdict::Right)
    );
    let pairs = answering.pairs().unwrap();
    assert_eq!(pairs.len(), 1);
    assert_eq!(
        (pairs[0].question.as_str(), pairs[0].source),
        (NOTIFY, PairSource::Verdict)
    );
    let cited: Vec<String> = answer
        .citations
        .iter()
        .map(|c| format!("#{}", c.sentence))
        .collect();
    assert_eq!(pairs[0].passage_ids, cited);

    for verdict in [AnswerVerdict::Wrong, AnswerVerdict::Incomplete] {
        judge(id, AnswerVerdict::Right);
        assert_eq!(judge(id, verdict).verdict, Some(verdict));
        assert_eq!(answering.pairs().unwrap(), [], "{verdict:?}");
    }
    judge(id, AnswerVerdict::ShouldHaveRefused);
    let pairs = answering.pairs().unwrap();
    assert_eq!(pairs.len(), 1);
    assert!(pairs[0].passage_ids.is_empty());

    let refusal = ask(
        &engine,
        "Which taxes apply to imported bicycles with electric motors?",
    );
    assert!(!refusal.found);
    judge(refusal.id.unwrap(), AnswerVerdict::Right);
    assert_eq!(
        answering
            .pairs()
            .unwrap()
            .iter()
            .filter(|p| p.passage_ids.is_empty())
            .count(),
        2
    );
    judge(refusal.id.unwrap(), AnswerVerdict::Wrong);
    assert_eq!(answering.pairs().unwrap().len(), 1);

    let verdicts: Vec<_> = answering
        .answers()
        .unwrap()
        .into_iter()
        .map(|a| a.verdict)
        .collect();
    assert_eq!(
        verdicts,
        [
            Some(AnswerVerdict::Wrong),
            Some(AnswerVerdict::ShouldHaveRefused)
        ]
    );
    assert!(
        answering
            .judge_answer(AnswerId(99), AnswerVerdict::Right)
            .is_err()
    );
    assert!(engine.workspace().audit_verify().unwrap().ok);
}

#[test]
fn labels_that_cannot_be_used_are_told_by_their_line() {
    let corpus = Corpus::of(&[(
        "rules.jsonl",
        "{\"id\":\"r1\",\"text\":\"A bank shall keep a register.\"}\n",
    )]);
    let engine = corpus.engine();
    let file = corpus.path.with_extension("labels");
    let text = [
        r#"{"id":"q1","question":"Who shall keep a register?","passage_ids":["r1"]}"#,
        "",
        r#"{"question":"Who shall keep a register?","passage_ids":[]}"#,
        r#"{"question":"What is a fund?","passage_ids":["r9"]}"#,
        r#"{"question":"   ","passage_ids":["r1"]}"#,
        r#"{"question":"What is a fund?""#,
        r#"{"question":"Who shall  keep a register?","passage_ids":["r1"]}"#,
        r#"{"question":"What is a fund?","passage_ids":[]}"#,
    ]
    .join("\n");
    std::fs::write(&file, text).unwrap();
    let report = engine.answering().import_pairs(&file).unwrap();
    assert_eq!(
        (report.imported, report.unchanged, report.pairs),
        (2, 1, 2),
        "{report:#?}"
    );
    let told: Vec<(usize, &str)> = report
        .rejected
        .iter()
        .map(|r| (r.line, r.reason.split([',', ':', '.']).next().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            (3, "It contradicts an earlier label"),
            (4, "There is no passage r9 in this workspace"),
            (5, "The question is empty"),
            (6, "It is not a labelled question"),
        ]
    );
}

#[test]
fn a_cross_encoder_that_is_not_there_is_told() {
    let rules = rules(60);
    let corpus = corpus_of(&rules);
    let engine = corpus.engine();
    let answering = engine.answering();
    let run = RunId(9);
    assert_eq!(answering.rerankers().unwrap(), []);
    assert_eq!(answering.use_rerank(None).unwrap(), []);
    let not_found = |failure: Failure| assert_eq!(failure.code, Code::NotFound);
    not_found(answering.use_rerank(Some(run)).unwrap_err());
    not_found(answering.measure_rerank(run, &Silent).unwrap_err());
    let named = Inquiry {
        question: rules[0].1.clone(),
        rerank: Some(run),
        ..Inquiry::default()
    };
    not_found(answering.ask(&named).unwrap_err());
    // None of this has changed anything.
    let answer = ask(&engine, &rules[0].1);
    assert_eq!(answer.index.rerank, None);
    assert!(engine.workspace().audit_verify().unwrap().ok);
}
