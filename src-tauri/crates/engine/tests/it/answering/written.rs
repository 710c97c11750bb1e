//! Ways to an answer, two answers beside each other, and answers as a document.

use super::{BREACHES, Corpus, NOTIFY, ask};
use lexforge_domain::Code;
use lexforge_domain::api::{AnswerBatch, AnswerWay, Inquiry, Preferred};
use lexforge_engine::Silent;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read::read;

#[test]
fn the_clauses_need_nobody_and_nothing_leaves() {
    let corpus = Corpus::of(&[("breaches.md", BREACHES)]);
    let engine = corpus.engine();
    let answering = engine.answering();
    let inquiry = |way: AnswerWay| Inquiry {
        question: NOTIFY.to_owned(),
        way,
        ..Inquiry::default()
    };
    let plan = answering.plan_answer(&inquiry(AnswerWay::Extractive));
    assert_eq!(plan.unwrap(), None);
    let ways = answering.answer_ways().unwrap();
    // Which decoders lie on this machine is the machine's own affair.
    let (on_disk, ways): (Vec<AnswerWay>, Vec<AnswerWay>) = ways
        .into_iter()
        .map(|row| row.way)
        .partition(|way| matches!(way, AnswerWay::Base { .. }));
    assert_eq!(ways, [AnswerWay::Extractive]);
    let nameless = AnswerWay::Base { model: None };
    assert!(!on_disk.contains(&nameless), "{on_disk:?}");
    let name = |name: &str| AnswerWay::Endpoint {
        name: Some(name.to_owned()),
    };
    for (way, code) in [
        (name("nobody"), Code::NotFound),
        (AnswerWay::Endpoint { name: None }, Code::NotFound),
        (AnswerWay::Adapter { run: None }, Code::StepMissing),
    ] {
        let failure = answering.ask(&inquiry(way.clone())).unwrap_err();
        assert_eq!(failure.code, code, "{way:?}");
    }
    assert!(answering.answers().unwrap().is_empty());
}

#[test]
fn which_answer_is_better_is_kept() {
    let corpus = Corpus::of(&[("breaches.md", BREACHES)]);
    let engine = corpus.engine();
    let ids: Vec<_> = [NOTIFY, NOTIFY, "Who shall approve the training plan?"]
        .map(|question| ask(&engine, question).id.unwrap())
        .to_vec();
    let answering = engine.answering();
    let prefer =
        |a: usize, b: usize| answering.prefer_answer(ids[a], ids[b], Preferred::Second, true);
    let kept = prefer(0, 1).unwrap();
    assert_eq!((kept.first, kept.second), (ids[0], ids[1]));
    for (a, b) in [(0, 0), (0, 2)] {
        assert_eq!(prefer(a, b).unwrap_err().code, Code::InvalidRequest);
    }
    let preferences = corpus.store.read(|r| r.preferences()).unwrap();
    assert_eq!(preferences, [kept]);
    assert!(engine.workspace().audit_verify().unwrap().ok);
}

#[test]
fn answers_become_a_document_that_can_be_read() {
    let corpus = Corpus::of(&[("breaches.md", BREACHES)]);
    let engine = corpus.engine();
    let folder = tempfile::tempdir().unwrap();
    let (questions, out) = (
        folder.path().join("questions.csv"),
        folder.path().join("answers.DOCX"),
    );
    let rows = format!("question\n{NOTIFY}\n\"How do I <cook> & eat rice?\"\n");
    std::fs::write(&questions, rows).unwrap();
    let batch = AnswerBatch {
        questions: questions.display().to_string(),
        out: out.display().to_string(),
        ..AnswerBatch::default()
    };
    let report = engine.answering().ask_batch(&batch, &Silent).unwrap();
    assert_eq!((report.answered, report.refused), (1, 1));
    let bytes = std::fs::read(&out).unwrap();
    let options = ParseOptions::default();
    let parsed = read("answers.docx", bytes, &options, &mut |_, _| {}).unwrap();
    let text: Vec<&str> = parsed.sentences.iter().map(|s| s.text.as_str()).collect();
    // A statement and the number of its citation are read as two sentences.
    let text = text.join(" ");
    for expected in [
        NOTIFY,
        "within 72 hours. [1]",
        "Article 2",
        "page 1",
        "Verdict",
        "Audit entry 3",
        "How do I <cook> & eat rice?",
        "Not in these documents.",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
