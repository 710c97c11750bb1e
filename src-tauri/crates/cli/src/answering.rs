//! `ask`, `pairs`, `calibrate`.

use crate::answer_since::{Again, changed as told_changed, since as told_since};
use crate::answer_text::{certificate, describe, many};
use crate::answering_args::{AskArgs, CalibrateArgs, PairsAction, PairsArgs, Verdict};
use crate::asked::asked;
use crate::none_yet;
use crate::output::{Outcome, Output, count, done, in_full};
use crate::stands_for::stands_for;
use crate::terminal::Terminal;
use lexforge_domain::Failure;
use lexforge_domain::api::{
    AnswerBatch, AnswerVerdict, BatchReport, CalibrationReport, Inquiry, Pair, VerdictsReport,
};
use lexforge_engine::{CalibrateRequest, Engine, write_named};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// How many left-out lines are shown with their reasons.
const SHOWN: usize = 20;

pub fn ask(args: &AskArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let answering = engine.answering();
    if args.history {
        out.rows(&answering.answers()?, none_yet::ANSWERS, |row| {
            let what = if row.found {
                many(row.citations as u64, "citation")
            } else {
                "no answer".to_owned()
            };
            let verdict = row
                .verdict
                .map(|v| format!(" · {}", v.tag()))
                .unwrap_or_default();
            format!(
                "{:>5}  {}  {}  {what}{verdict}{}",
                row.id,
                row.asked,
                row.question,
                told_changed(row.changed)
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
        let since = answering.changed_since(id)?;
        let again = Again {
            answer: &answer,
            since: &since,
        };
        out.document(&again, || told_since(&since) + &describe(&answer));
        return done();
    }
    if let (Some(preferred), Some(between)) = (args.prefer, &args.between) {
        return crate::comparing::prefer(&engine, preferred, between, args.blind, out);
    }
    if let (Some(batch), Some(file)) = (&args.batch, &args.out) {
        let mut batch = AnswerBatch {
            questions: batch.display().to_string(),
            out: file.display().to_string(),
            mode: args.mode.map(Into::into),
            as_of: args.as_of.clone(),
            encoder: args.encoder.prepared(&engine, args.mode.map(Into::into))?,
            way: args.way.clone().unwrap_or_default(),
            consent: None,
        };
        let watcher = Terminal::new(false);
        if let Some(plan) = answering.plan_batch(&batch, &watcher)?
            && !plan.local
            && plan.prompts > 0
        {
            batch.consent = crate::endpoints::consent(&plan, args.yes);
        }
        let report = watcher.finished(answering.ask_batch(&batch, &watcher))?;
        out.document(&report, || {
            format!(
                "{}: {} answered, {} without an answer.{}{} The answers are in {}.{}",
                many(report.questions, "question"),
                count(report.answered),
                count(report.refused),
                empty(&report),
                sheet(&report),
                report.out,
                without_vectors(&report)
            )
        });
        return done();
    }
    if let Some(file) = &args.verdicts_from {
        let report = answering.import_verdicts(file)?;
        out.document(&report, || taken(&report));
        return done();
    }
    let encoder = args.encoder.prepared(&engine, args.mode.map(Into::into))?;
    let inquiry = Inquiry {
        question: args.question.clone().unwrap_or_default(),
        mode: args.mode.map(Into::into),
        as_of: args.as_of.clone(),
        encoder,
        rerank: args.rerank,
        after: args.after,
        way: args.way.clone().unwrap_or_default(),
        consent: None,
    };
    if let Some(pair) = &args.compare {
        return crate::comparing::compare(&engine, &inquiry, pair, args.blind, args.yes, out);
    }
    let answer = asked(&engine, inquiry, args.yes)?;
    out.document(&answer, || describe(&answer));
    done()
}

/// Which sheet of a workbook was read, and how many were not.
fn sheet(report: &BatchReport) -> String {
    match (&report.sheet, report.other_sheets) {
        (None, _) => String::new(),
        (Some(name), 0) => format!(" The questions are those of the sheet “{name}”."),
        (Some(name), others) => format!(
            " The questions are those of the sheet “{name}”; {} left alone.",
            many(others, "other sheet")
        ),
    }
}

/// How many sentences were looked for by their words alone, where there are some.
fn without_vectors(report: &BatchReport) -> String {
    match report.without_vectors {
        0 => String::new(),
        sentences => format!(
            " {} without a vector: what they say in other words can be missed. `lexforge vectors` or `lexforge graph update` makes the vectors.",
            many(sentences, "sentence")
        ),
    }
}

/// Rows that hold no question, where there are some.
fn empty(report: &BatchReport) -> String {
    match report.empty {
        0 => String::new(),
        rows => format!(" {} without a question.", many(rows, "row")),
    }
}

/// The result of taking in the verdicts of a table.
fn taken(report: &VerdictsReport) -> String {
    let mut text = String::new();
    for row in report.rejected.iter().take(SHOWN) {
        let _ = writeln!(text, "! row {}: {}", row.line, row.reason);
    }
    further(&mut text, report.rejected.len());
    let _ = write!(
        text,
        "{} kept, {} known already, {} without a verdict, {} left out",
        many(report.judged, "verdict"),
        count(report.unchanged),
        many(report.open, "answer"),
        count(report.rejected.len() as u64)
    );
    text
}

/// How many were left out beside those that are shown.
fn further(text: &mut String, left_out: usize) {
    let more = left_out.saturating_sub(SHOWN) as u64;
    if more > 0 {
        let _ = writeln!(
            text,
            "! … and {} more that were left out (--json names all)",
            count(more)
        );
    }
}

stands_for!(Verdict => AnswerVerdict: Right, Wrong, Incomplete, ShouldHaveRefused);

pub fn pairs(args: &PairsArgs, out: &Output) -> Outcome {
    match &args.action {
        PairsAction::Import { workspace, file } => {
            let engine = Engine::open_to_write(workspace)?;
            let report = engine.answering().import_pairs(file)?;
            out.document(&report, || {
                let mut text = String::new();
                for line in report.rejected.iter().take(SHOWN) {
                    let _ = writeln!(text, "! line {}: {}", line.line, line.reason);
                }
                further(&mut text, report.rejected.len());
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
            if report.imported + report.unchanged == 0 && !report.rejected.is_empty() {
                return Ok(ExitCode::FAILURE);
            }
        }
        PairsAction::List { workspace } => {
            let engine = Engine::open(workspace)?;
            let pairs = engine.answering().pairs()?;
            out.rows(&pairs, none_yet::PAIRS, |pair: &Pair| {
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
            write_file(file, Some(workspace), &lines)?;
            let report = serde_json::json!({ "pairs": pairs.len(), "file": file });
            out.document(&report, || {
                format!(
                    "{} labelled questions are in {}.",
                    pairs.len(),
                    in_full(file)
                )
            });
        }
    }
    done()
}

/// Writes a file that was named to be written. No workspace is written over.
pub fn write_file(path: &Path, workspace: Option<&Path>, text: &str) -> Result<(), Failure> {
    write_named(path, workspace, text.as_bytes())
}

/// Imports labelled questions, and reports what was left out.
pub fn bring_in(engine: &Engine, file: &Path) -> Result<(), Failure> {
    let report = engine.answering().import_pairs(file)?;
    for line in &report.rejected {
        crate::output::tell(&format!("! line {}: {}", line.line, line.reason));
    }
    Ok(())
}

pub fn calibrate(args: &CalibrateArgs, out: &Output) -> Outcome {
    let engine = Engine::open_to_write(&args.workspace)?;
    if let Some(file) = &args.labels {
        bring_in(&engine, file)?;
    }
    let mode = args.mode.map(Into::into);
    let encoder = args.encoder.prepared(&engine, mode)?;
    let mut request = CalibrateRequest {
        mode,
        encoder,
        alpha: args.alpha,
        confidence: args.confidence,
        way: args.way.clone().unwrap_or_default(),
        consent: None,
    };
    if let Some(plan) = engine.answering().plan_calibration(&request)?
        && !plan.local
        && plan.prompts > 0
    {
        request.consent = crate::endpoints::consent(&plan, args.yes);
    }
    let watcher = Terminal::new(false);
    let report = watcher.finished(engine.answering().calibrate(&request, &watcher))?;
    out.document(&report, || {
        let all = std::iter::once(&report).chain(&report.others);
        let several = !report.others.is_empty();
        let told: Vec<String> = all.map(|report| measured(report, several)).collect();
        told.join("\n\n")
    });
    done()
}

/// The result of measuring on the labelled questions of a language.
fn measured(report: &CalibrationReport, several: bool) -> String {
    let mut text = String::new();
    if several {
        let _ = writeln!(text, "Questions in {}:", report.language.tag());
    }
    let _ = write!(
        text,
        "{} with an answer, {} without one.",
        many(report.answerable, "question"),
        count(report.unanswerable)
    );
    if report.learned > 0 {
        let _ = write!(
            text,
            " {} more were left out: the encoder was tuned on them.",
            count(report.learned)
        );
    }
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
}
