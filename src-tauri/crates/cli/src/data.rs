//! `terms`, `augment`, `qca`, `dataset`.

use crate::args::{TermsAction, TermsArgs};
use crate::dataset_args::{DatasetAction, DatasetArgs, QcaAction, QcaArgs};
use crate::exam;
use crate::none_yet;
use crate::output::{Outcome, Output, count, done};
use crate::power_text;
use crate::reports::describe_dataset;
use crate::term_extract;
use crate::terminal::Terminal;
use lexforge_domain::api::{DatasetExportRequest, RejectedDraftRow, RejectedFilter, TermFilter};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::review::SubjectKind;
use lexforge_domain::statistics::Power;
use lexforge_engine::Engine;
use serde::Serialize;
use std::fmt::Write as _;

pub fn terms(args: &TermsArgs, out: &Output) -> Outcome {
    match &args.action {
        TermsAction::Extract(args) => return term_extract::extract(args, out),
        TermsAction::Confusables(args) => return term_extract::confusables(args, out),
        TermsAction::Apart { action } => return exam::apart(action, out),
        TermsAction::Rejected(ws) => return term_extract::rejected(&ws.workspace, out),
        TermsAction::Schemas { action } => return term_extract::schemas(action, out),
        TermsAction::List {
            workspace,
            query,
            status,
            class,
            limit,
        } => {
            let engine = Engine::open(workspace)?;
            let filter = TermFilter {
                query: query.clone(),
                status: *status,
                class: class.clone(),
                limit: *limit,
                ..TermFilter::default()
            };
            let mut terms = engine.terms().terms(&filter)?.rows;
            // A term without a class of the schema is listed under how it was found.
            terms
                .iter_mut()
                .filter(|t| t.class.is_empty())
                .for_each(|t| t.class = t.found.tag().to_owned());
            out.rows(&terms, none_yet::TERMS, |t| {
                let definition = t
                    .definition
                    .as_deref()
                    .map(|d| format!("  = {d}"))
                    .unwrap_or_default();
                let into = t
                    .merged_into
                    .map(|id| format!(" into {id}"))
                    .unwrap_or_default();
                let status = format!("{}{into}", t.status.tag());
                format!(
                    "{:>6}  {:<12} {status:<12} {:>5}×  {}{definition}",
                    t.id, t.class, t.mentions, t.text
                )
            });
        }
        TermsAction::Review(action) => return crate::review::terms(action, out),
        TermsAction::Glossary(action) => return crate::glossary::run(action, out),
        TermsAction::Agreement { workspace, pairs } => {
            let kind = if *pairs {
                SubjectKind::Pair
            } else {
                SubjectKind::Term
            };
            return crate::agreement::show(workspace, kind, out);
        }
    }
    done()
}

pub fn qca(args: &QcaArgs, out: &Output) -> Outcome {
    let ws = match &args.action {
        QcaAction::Export(ws) => ws,
        QcaAction::Rejected {
            workspace,
            reason,
            level,
            offset,
            limit,
        } => {
            let level = level.map(Into::into);
            let filter = RejectedFilter {
                reason: reason.clone(),
                level,
                offset: *offset,
                limit: *limit,
            };
            let found = Engine::open(workspace)?
                .writing()
                .rejected_drafts(&filter)?;
            let shown = found.rows.len() as u64;
            out.rows(&found.rows, none_yet::DRAFTS, describe_rejected);
            if shown < found.total {
                crate::output::tell(&format!(
                    "{} of {}; more with --offset and --limit.",
                    count(shown),
                    count(found.total)
                ));
            }
            return done();
        }
        QcaAction::Review(action) => return crate::review::questions(action, out),
        QcaAction::Agreement(ws) => {
            return crate::agreement::show(&ws.workspace, SubjectKind::Question, out);
        }
    };
    let rows = Engine::open(&ws.workspace)?
        .training()
        .exported_questions()?;
    out.rows(&rows, none_yet::QUESTIONS, |exported| {
        let question = &exported.row.question;
        let d = &question.draft;
        let mut text = format!("{:>6}  {}", question.id, d.question);
        write_choices(&mut text, &d.choices, d.answer);
        if let Some(note) = &exported.row.note {
            let _ = write!(text, "\n        Note: {note}");
        }
        text
    });
    done()
}

/// The choices of a question, each on a line of its own; the right one is marked.
fn write_choices(text: &mut String, choices: &[String], right: usize) {
    for (i, choice) in choices.iter().enumerate() {
        let mark = if i == right { "✓" } else { "·" };
        let _ = write!(text, "\n        {mark} {choice}");
    }
}

/// A draft that was rejected, as a person reads it.
fn describe_rejected(row: &RejectedDraftRow) -> String {
    let d = &row.draft;
    let again = if d.attempt > 0 {
        format!(", asked anew {}×", d.attempt)
    } else {
        String::new()
    };
    let score = d.score.map(|s| format!(" {s} of 10")).unwrap_or_default();
    let mut text = format!(
        "{}{score} · {} level{again} · {} p. {}",
        d.reason,
        d.level.tag(),
        row.document_title,
        row.page
    );
    let _ = write!(
        text,
        "\n        anchor {}: {}",
        d.anchor_sentence, row.anchor_text
    );
    if !d.question.is_empty() {
        let _ = write!(text, "\n        {}", d.question);
    }
    write_choices(&mut text, &d.choices, d.answer);
    if !d.note.is_empty() {
        let _ = write!(text, "\n        » {}", d.note.replace('\n', " "));
    }
    text
}

/// A snapshot that was made, and what its test questions will be able to show.
#[derive(Serialize)]
struct Made {
    #[serde(flatten)]
    dataset: Dataset,
    power: Option<Power>,
}

pub fn dataset(args: &DatasetArgs, out: &Output) -> Outcome {
    match &args.action {
        DatasetAction::Freeze { workspace, policy } => {
            let engine = Engine::open_to_write(workspace)?;
            let dataset = engine
                .training()
                .freeze((*policy).into(), &Terminal::new(false))?;
            let made = Made {
                power: engine.training().power(dataset.id)?,
                dataset,
            };
            out.document(&made, || {
                let power = made.power.as_ref().map(power_text::before_a_run);
                describe_dataset(&made.dataset) + &power.unwrap_or_default()
            });
        }
        DatasetAction::Split { workspace, shares } => {
            let engine = Engine::open(workspace)?;
            if let Some(shares) = shares {
                engine.writing().set_split_shares(*shares)?;
            }
            let now = engine.writing().split_shares()?;
            out.document(&now, || {
                format!("Questions are written for training, development and test part in the shares {now}.")
            });
        }
        DatasetAction::List(ws) => {
            out.rows(
                &Engine::open(&ws.workspace)?.training().datasets()?,
                none_yet::SNAPSHOTS,
                describe_dataset,
            );
        }
        DatasetAction::Export {
            workspace,
            format,
            out: folder,
            dataset,
            without_choices,
            licence,
        } => {
            let request = DatasetExportRequest {
                dataset: *dataset,
                format: (*format).into(),
                without_choices: *without_choices,
                licence: licence.clone(),
                out: folder.display().to_string(),
            };
            let export = Engine::open(workspace)?
                .training()
                .export_dataset(&request)?;
            out.document(&export, || {
                let files: Vec<String> = export
                    .files
                    .iter()
                    .map(|(name, n)| format!("{name} {}", count(*n)))
                    .collect();
                format!(
                    "Snapshot {} as {} in {}: {}\n  {} · audit head {}",
                    export.dataset,
                    export.format.tag(),
                    export.folder,
                    files.join(", "),
                    export.hash,
                    export.audit_head
                )
            });
        }
    }
    done()
}
