//! `ask`, `pairs`, `calibrate`.

use crate::answering_args::{AskArgs, CalibrateArgs, PairsAction, PairsArgs, Verdict};
use crate::corpus::file_failure;
use crate::output::{Outcome, Output, count, done};
use crate::terminal::Terminal;
use lexforge_domain::api::{
    Answer, AnswerNote, AnswerVerdict, Certificate, CertificateGap, Citation, Inquiry, Pair,
};
use lexforge_domain::{Code, Failure};
use lexforge_engine::Engine;
use std::fmt::Write as _;
use std::path::Path;

/// `ask`
pub fn ask(args: &AskArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let answering = engine.answering();
    if args.history {
        out.rows(&answering.answers()?, |row| {
            let what = if row.found {
                format!("{} citations", row.citations)
            } else {
                "not in these documents".to_owned()
            };
            let verdict = row
                .verdict
                .map(|v| format!(" · {}", v.tag()))
                .unwrap_or_default();
            format!(
                "{:>5}  {}  {}  {what}{verdict}",
                row.id, row.asked, row.question
            )
        });
        return done();
    }
    if let Some(id) = args.again {
        if let Some(verdict) = args.verdict {
            let row = answering.judge_answer(id, verdict.into())?;
            out.document(&row, || {
                format!(
                    "Kept: answer {id} is {}.",
                    AnswerVerdict::from(verdict).tag()
                )
            });
            return done();
        }
        let answer = answering.kept_answer(id)?;
        out.document(&answer, || describe(&answer));
        return done();
    }
    if let (Some(batch), Some(file)) = (&args.batch, &args.out) {
        let watcher = Terminal::new(false);
        let report = answering.ask_batch(batch, file, &watcher);
        watcher.finish();
        let report = report?;
        out.document(&report, || {
            format!(
                "{}: {} answered, {} not in these documents, {} without a question. The answers are in {}.",
                many(report.questions, "question"),
                count(report.answered),
                count(report.refused),
                many(report.empty, "row"),
                report.out
            )
        });
        return done();
    }
    let encoder = args.encoder.prepared(&engine, args.mode.map(Into::into))?;
    let answer = answering.ask(&Inquiry {
        question: args.question.clone().unwrap_or_default(),
        mode: args.mode.map(Into::into),
        as_of: args.as_of.clone(),
        encoder,
    })?;
    out.document(&answer, || describe(&answer));
    done()
}

impl From<Verdict> for AnswerVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Right => Self::Right,
            Verdict::Wrong => Self::Wrong,
            Verdict::Incomplete => Self::Incomplete,
            Verdict::ShouldHaveRefused => Self::ShouldHaveRefused,
        }
    }
}

/// An answer as a person reads it.
fn describe(answer: &Answer) -> String {
    let mut text = String::new();
    if let Some(premise) = &answer.premise {
        let _ = writeln!(
            text,
            "The question takes for granted that “{}”. Citation {} says otherwise.\n",
            premise.assumed,
            premise.citation + 1
        );
    }
    if answer.found {
        for statement in &answer.statements {
            let cited: Vec<String> = statement
                .citations
                .iter()
                .map(|i| format!("[{}]", i + 1))
                .collect();
            let mark = if statement.kept {
                ""
            } else {
                "(no support found) "
            };
            let _ = writeln!(text, "{mark}{} {}\n", statement.text, cited.join(""));
        }
        for (i, citation) in answer.citations.iter().enumerate() {
            let _ = writeln!(text, "[{}] {}", i + 1, place(citation));
        }
    } else {
        let _ = writeln!(
            text,
            "Not in these documents. The best clause fits with {:.2}, the threshold is {:.2}.",
            answer.probability, answer.threshold
        );
        if !answer.passages.is_empty() {
            let _ = writeln!(text, "The nearest clauses:");
        }
        for clause in &answer.passages {
            let _ = writeln!(
                text,
                "  {:.2}  {}\n        {}",
                clause.score,
                place(&clause.place),
                clause.text
            );
        }
    }
    for term in &answer.terms {
        let differ = if term.differ { " (acts differ)" } else { "" };
        for definition in &term.definitions {
            let _ = writeln!(
                text,
                "\n{}{differ}: {} ({}, page {})",
                term.name, definition.text, definition.title, definition.page
            );
        }
    }
    for note in &answer.notes {
        let _ = writeln!(text, "\n{}", told(note));
    }
    let _ = write!(text, "\n{}", certificate(&answer.certificate));
    text
}

/// A count with its noun.
pub fn many(n: u64, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {noun}{s}", count(n))
}

fn place(citation: &Citation) -> String {
    let section = if citation.section.is_empty() {
        String::new()
    } else {
        format!(", {}", citation.section)
    };
    let newer = citation
        .superseded_by
        .map(|id| format!(" (document {id} is a newer version)"))
        .unwrap_or_default();
    format!("{}{section}, page {}{newer}", citation.title, citation.page)
}

fn told(note: &AnswerNote) -> String {
    match note {
        AnswerNote::OtherLanguage { question, documents } => format!(
            "The question is in another language ({}) than the documents ({}).",
            question.tag(),
            documents.tag()
        ),
        AnswerNote::WordsOnly => {
            "Only words were searched: there are no vectors, which find other wordings. Building the sentence graph makes them."
                .to_owned()
        }
        AnswerNote::QuestionCut { words } => {
            format!("The question is too long to be searched whole: {words} of its words were left out.")
        }
        AnswerNote::OlderVersionsLeftOut { documents } => {
            format!("{documents} older versions of documents were left out.")
        }
        AnswerNote::NotYetInForce { documents } => {
            format!("{documents} documents that do not apply on that day were left out.")
        }
    }
}

fn certificate(c: &Certificate) -> String {
    let promise = format!(
        "wrong among answered ≤ {:.0} % with {:.0} % confidence",
        c.alpha * 100.0,
        c.confidence * 100.0
    );
    match c.reason {
        _ if c.valid => format!(
            "Certificate: {promise} (n = {}, {} wrong, answered {:.0} %).",
            c.n,
            c.wrong,
            c.answered_share.unwrap_or_default() * 100.0
        ),
        Some(CertificateGap::TooFewLabels) => {
            format!("No certificate yet: for “{promise}”, {} more labelled questions are missing.", c.needed)
        }
        Some(CertificateGap::TooManyWrong) => format!(
            "No certificate: at no threshold is “{promise}” borne out by the labelled questions (n = {}).",
            c.n
        ),
        Some(CertificateGap::CorpusChanged) => "The certificate is void: documents came since it was made.".to_owned(),
        Some(CertificateGap::EncoderChanged) => "The certificate is void: it was made for another encoder.".to_owned(),
        Some(CertificateGap::IndexChanged) => {
            "The certificate is void: clauses were searched in another way when it was made.".to_owned()
        }
        Some(CertificateGap::NotMeasured) | None => {
            "How often answers are wrong was not measured here; the threshold is the one that comes with the product."
                .to_owned()
        }
    }
}

/// `pairs`
pub fn pairs(args: &PairsArgs, out: &Output) -> Outcome {
    match &args.action {
        PairsAction::Import { workspace, file } => {
            let engine = Engine::open(workspace)?;
            let report = engine.answering().import_pairs(file)?;
            out.document(&report, || {
                let mut text = String::new();
                for line in &report.rejected {
                    let _ = writeln!(text, "! line {}: {}", line.line, line.reason);
                }
                let _ = write!(
                    text,
                    "{} imported, {} already there, {} left out; {} labelled questions now",
                    count(report.imported),
                    count(report.unchanged),
                    count(report.rejected.len() as u64),
                    count(report.pairs)
                );
                text
            });
        }
        PairsAction::List { workspace } => {
            let engine = Engine::open(workspace)?;
            out.rows(&engine.answering().pairs()?, |pair: &Pair| {
                let passages = if pair.passage_ids.is_empty() {
                    "nothing answers it".to_owned()
                } else {
                    pair.passage_ids.join(", ")
                };
                format!("{}  {}  ({passages})", pair.id, pair.question)
            });
        }
        PairsAction::Export { workspace, file } => {
            let engine = Engine::open(workspace)?;
            let pairs = engine.answering().pairs()?;
            let mut lines = String::new();
            for pair in &pairs {
                let line = serde_json::to_string(pair).unwrap_or_default();
                let _ = writeln!(lines, "{line}");
            }
            write_file(file, workspace, &lines)?;
            let report = serde_json::json!({ "pairs": pairs.len(), "file": file });
            out.document(&report, || {
                format!(
                    "{} labelled questions are in {}.",
                    pairs.len(),
                    file.display()
                )
            });
        }
    }
    done()
}

pub fn write_file(path: &Path, workspace: &Path, text: &str) -> Result<(), Failure> {
    if path.exists() && path.canonicalize().ok() == workspace.canonicalize().ok() {
        return Err(Failure::new(
            Code::InvalidRequest,
            "The file would be written over the workspace.",
            "Name another file.",
        ));
    }
    std::fs::write(path, text).map_err(|e| file_failure(path, &e))
}

/// Brings labelled questions in, and tells what was left out.
pub fn bring_in(engine: &Engine, file: &Path) -> Result<(), Failure> {
    let report = engine.answering().import_pairs(file)?;
    for line in &report.rejected {
        crate::output::tell(&format!("! line {}: {}", line.line, line.reason));
    }
    Ok(())
}

/// `calibrate`
pub fn calibrate(args: &CalibrateArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    if let Some(file) = &args.labels {
        bring_in(&engine, file)?;
    }
    let mode = args.mode.map(Into::into);
    let encoder = args.encoder.prepared(&engine, mode)?;
    let watcher = Terminal::new(false);
    let report = engine.answering().calibrate(
        mode,
        encoder.as_ref(),
        args.alpha,
        args.confidence,
        &watcher,
    );
    watcher.finish();
    let report = report?;
    out.document(&report, || {
        let mut text = format!(
            "{} with an answer, {} without one.",
            many(report.answerable, "question"),
            count(report.unanswerable)
        );
        if let Some(auc) = report.auc {
            let _ = write!(
                text,
                " They are told apart with an area under the curve of {auc:.3}."
            );
        }
        for document in &report.by_document {
            let _ = write!(
                text,
                "\n  {:.3}  {} (n = {})",
                document.auc, document.title, document.n
            );
        }
        if let Some(support) = report.support {
            let _ = write!(
                text,
                "\nOf {} answers {:.1} % of the cited clauses are right, and {:.1} % of the right clauses are cited.",
                count(support.n),
                support.precision * 100.0,
                support.recall * 100.0
            );
        }
        let _ = write!(
            text,
            "\nFrom now on nothing is answered below {:.2}.\n{}",
            report.threshold,
            certificate(&report.certificate)
        );
        text
    });
    done()
}
