//! `terms`, `augment`, `qca`, `dataset`.

use crate::args::{TermsAction, TermsArgs};
use crate::dataset_args::{DatasetAction, DatasetArgs, QcaAction, QcaArgs};
use crate::output::{Outcome, Output, count, done};
use crate::term_extract;
use crate::terminal::Terminal;
use lexforge_domain::api::{
    AugmentReport, DatasetExportRequest, RejectedDraftRow, RejectedFilter, TermFilter, TermsReport,
};
use lexforge_domain::dataset::{Dataset, SplitCounts};
use lexforge_domain::qca::QcaLevel;
use lexforge_domain::review::SubjectKind;
use lexforge_engine::Engine;
use std::fmt::Write as _;

/// `terms`
pub fn terms(args: &TermsArgs, out: &Output) -> Outcome {
    match &args.action {
        TermsAction::Extract(args) => return term_extract::extract(args, out),
        TermsAction::Confusables(args) => return term_extract::confusables(args, out),
        TermsAction::Rejected(ws) => return term_extract::rejected(&ws.workspace, out),
        TermsAction::Schemas { action } => return term_extract::schemas(action, out),
        TermsAction::List { workspace, query, status, class, limit } => {
            let engine = Engine::open(workspace)?;
            let filter = TermFilter {
                query: query.clone(),
                status: *status,
                class: class.clone(),
                limit: *limit,
                ..TermFilter::default()
            };
            let mut terms = engine.terms(&filter)?.rows;
            // A term without a class of the schema is listed under how it was found.
            terms.iter_mut().filter(|t| t.class.is_empty()).for_each(|t| t.class = t.found.tag().to_owned());
            out.rows(&terms, |t| {
                let definition = t.definition.as_deref().map(|d| format!("  = {d}")).unwrap_or_default();
                let into = t.merged_into.map(|id| format!(" into {id}")).unwrap_or_default();
                let status = format!("{}{into}", t.status.tag());
                format!("{:>6}  {:<12} {status:<12} {:>5}×  {}{definition}", t.id, t.class, t.mentions, t.text)
            });
        }
        TermsAction::Review(action) => return crate::review::terms(action, out),
        TermsAction::Glossary(action) => return crate::glossary::run(action, out),
        TermsAction::Agreement { workspace, pairs } => {
            let kind = if *pairs { SubjectKind::Pair } else { SubjectKind::Term };
            return crate::agreement::show(workspace, kind, out);
        }
    }
    done()
}

/// Terms as a person reads them.
pub fn describe_terms(r: &TermsReport) -> String {
    let mut text = format!(
        "{} terms, {} of them defined by the documents ({} definitions), {} mentions · policy {}",
        count(r.terms),
        count(r.defined),
        count(r.definitions),
        count(r.mentions),
        r.policy.label()
    );
    if !r.rejected.is_empty() {
        let parts: Vec<String> = r.rejected.iter().map(|(reason, n)| format!("{reason} {}", count(*n))).collect();
        let _ = write!(text, "\n  proposed and not taken: {} (lexforge terms rejected)", parts.join(", "));
    }
    if r.without_answer > 0 {
        let _ = write!(text, "\n  {} sentences without an answer", count(r.without_answer));
    }
    if r.flagged > 0 {
        let _ = write!(text, "\n  ! {} sentences speak to a language model; reviewers are warned", count(r.flagged));
    }
    if let Some(found) = &r.confusables {
        let _ = write!(text, "\n  {} pairs of terms that could be taken for each other", count(found.pairs));
        if let Some(reason) = &found.reason {
            let _ = write!(text, "; {} terms compared by spelling alone: {reason}", count(found.without_vectors));
        }
    }
    if let Some(asked) = &r.asked {
        text.push_str(&crate::endpoints::describe_counts(asked));
    }
    text
}

/// Questions as a person reads them.
pub fn describe_questions(r: &AugmentReport) -> String {
    let mut text = format!("Questions by the {}", r.source);
    for (level, splits) in &r.questions {
        let total: u64 = splits.values().sum();
        let parts: Vec<String> = splits.iter().map(|(split, n)| format!("{} {split}", count(*n))).collect();
        let _ = write!(text, "\n  {level} level: {} ({})", count(total), parts.join(", "));
    }
    for (what, reasons) in [("rejected", &r.rejected), ("no question for an anchor", &r.skipped)] {
        if !reasons.is_empty() {
            let parts: Vec<String> = reasons.iter().map(|(reason, n)| format!("{reason} {}", count(*n))).collect();
            let _ = write!(text, "\n  {what}: {}", parts.join(", "));
        }
    }
    if let Some(judged) = &r.judged {
        let _ = write!(
            text,
            "\n  judged by {} ({}): {} kept at {} or above, {} below, {} unreadable, {} not judged (lexforge qca rejected)",
            judged.model,
            judged.host,
            count(judged.kept),
            judged.threshold,
            count(judged.below),
            count(judged.unreadable),
            count(judged.unjudged)
        );
        text.push_str(&crate::endpoints::describe_counts(&judged.asked));
    }
    if r.reasked > 0 {
        let _ = write!(
            text,
            "\n  asked anew: {} answers, {} of them gave a question",
            count(r.reasked),
            count(r.recovered)
        );
    }
    if let Some(asked) = &r.asked {
        text.push_str(&crate::endpoints::describe_counts(asked));
        if r.questions.is_empty() {
            text.push_str("\n  No question was accepted; the questions that were there are unchanged.");
        }
    }
    text
}

/// `qca`
pub fn qca(args: &QcaArgs, out: &Output) -> Outcome {
    let ws = match &args.action {
        QcaAction::Export(ws) => ws,
        QcaAction::Rejected { workspace, reason, level, offset, limit } => {
            let level = level.map(Into::into);
            let filter = RejectedFilter { reason: reason.clone(), level, offset: *offset, limit: *limit };
            let found = Engine::open(workspace)?.rejected_drafts(&filter)?;
            let shown = found.rows.len() as u64;
            out.rows(&found.rows, describe_rejected);
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
        QcaAction::Agreement(ws) => return crate::agreement::show(&ws.workspace, SubjectKind::Question, out),
    };
    let rows = Engine::open(&ws.workspace)?.exported_questions()?;
    out.rows(&rows, |exported| {
        let question = &exported.row.question;
        let d = &question.draft;
        let mut text = format!("{:>6}  {}", question.id, d.question);
        for (i, choice) in d.choices.iter().enumerate() {
            let _ = write!(text, "\n        {} {choice}", if i == d.answer { "✓" } else { "·" });
        }
        text
    });
    done()
}

/// A draft that was turned down, as a person reads it.
fn describe_rejected(row: &RejectedDraftRow) -> String {
    let d = &row.draft;
    let again = if d.attempt > 0 { format!(", asked anew {}×", d.attempt) } else { String::new() };
    let score = d.score.map(|s| format!(" {s} of 10")).unwrap_or_default();
    let mut text =
        format!("{}{score} · {} level{again} · {} p. {}", d.reason, d.level.tag(), row.document_title, row.page);
    let _ = write!(text, "\n        anchor {}: {}", d.anchor_sentence, row.anchor_text);
    if !d.question.is_empty() {
        let _ = write!(text, "\n        {}", d.question);
    }
    for (i, choice) in d.choices.iter().enumerate() {
        let _ = write!(text, "\n        {} {choice}", if i == d.answer { "✓" } else { "·" });
    }
    if !d.note.is_empty() {
        let _ = write!(text, "\n        » {}", d.note.replace('\n', " "));
    }
    text
}

/// `dataset`
pub fn dataset(args: &DatasetArgs, out: &Output) -> Outcome {
    match &args.action {
        DatasetAction::Freeze { workspace, policy } => {
            let engine = Engine::open(workspace)?;
            let dataset = engine.freeze((*policy).into(), &Terminal::new(false))?;
            out.document(&dataset, || describe_dataset(&dataset));
        }
        DatasetAction::List(ws) => {
            out.rows(&Engine::open(&ws.workspace)?.datasets()?, describe_dataset);
        }
        DatasetAction::Export { workspace, format, out: folder, dataset, without_choices } => {
            let request = DatasetExportRequest {
                dataset: *dataset,
                format: (*format).into(),
                without_choices: *without_choices,
                out: folder.display().to_string(),
            };
            let export = Engine::open(workspace)?.export_dataset(&request)?;
            out.document(&export, || {
                let files: Vec<String> = export.files.iter().map(|(name, n)| format!("{name} {}", count(*n))).collect();
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

/// A snapshot as a person reads it.
pub fn describe_dataset(d: &Dataset) -> String {
    let part = |name: &str, c: &SplitCounts| {
        format!("{name} {} + {} ({} anchors)", count(c.sentence.into()), count(c.token.into()), count(c.anchors.into()))
    };
    let review = &d.review;
    let mut left_out = String::new();
    for (n, why) in [(review.not_admitted, "by the rule"), (review.terms_gone, "with terms that are gone")] {
        if n > 0 {
            let _ = write!(left_out, " · {} left out {why}", count(n));
        }
    }
    if let Some(agreement) = &review.agreement
        && let Some(alpha) = agreement.alpha.value
    {
        let _ = write!(left_out, " · α {alpha:.3} over {} questions", count(agreement.items));
    }
    let mut measured = String::new();
    for (level, types) in &d.by_type {
        let parts: Vec<String> = types.iter().map(|(kind, n)| format!("{kind} {}", count(u64::from(*n)))).collect();
        let _ = write!(measured, "\n  {level}: {}", parts.join(", "));
    }
    for level in [QcaLevel::Sentence, QcaLevel::Token] {
        let rows = d.shortcuts.iter().filter(|s| s.level == level).map(|s| &s.row);
        let parts: Vec<String> = rows
            .map(|r| {
                format!("{} {:.3}{} (chance {:.3})", r.name, r.accuracy, if r.flagged { " !" } else { "" }, r.chance)
            })
            .collect();
        if !parts.is_empty() {
            let _ = write!(measured, "\n  {} shortcuts: {}", level.tag(), parts.join(", "));
        }
    }
    if d.flagged {
        measured.push_str(
            "\n  ! The choices alone tell more than 10 points above chance: figures on this snapshot say less than they seem to.",
        );
    }
    for (part, c) in &d.clusters {
        let (one, several) = d.clusters_by().words();
        let _ = write!(
            measured,
            "\n  {part}: {} {}, {} questions in the middle one, {} in the largest ({})",
            count(c.clusters.into()),
            if c.clusters == 1 { one } else { several },
            c.median,
            count(c.largest.into()),
            c.largest_name
        );
    }
    if d.set_aside > 0 {
        let _ = write!(
            measured,
            "\n  {} sentences were set aside: nearly the same sentence stands in another part",
            count(d.set_aside)
        );
    }
    if let Some(old) = d.of_the_old_kind() {
        let _ = write!(measured, "\n  ! {old}");
    }
    format!(
        "Snapshot {} · {} · {} · {} · split by {} · {} left out by the leak check{left_out} · policy {} · {}{measured}",
        d.id,
        part("train", &d.train),
        part("dev", &d.dev),
        part("test", &d.test),
        d.split_unit,
        count(d.leak_check.removed),
        d.policy.label(),
        d.hash
    )
}
