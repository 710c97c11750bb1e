//! `eval`, `doctor`.

use crate::args::{DoctorArgs, EvalArgs};
use crate::none_yet;
use crate::output::{Outcome, Output, done, in_full, interval, p_value, share};
use crate::remedies;
use crate::terminal::Terminal;
use lexforge_domain::api::{Check, EvaluationView, RunState};
use lexforge_domain::metrics::{CurvePoint, Evaluation, QcaMetrics};
use lexforge_domain::{Code, Failure};
use lexforge_engine::{Engine, control_in_words, verdict_in_words};
use std::fmt::Write as _;
use std::process::ExitCode;

pub fn eval(args: &EvalArgs, out: &Output) -> Outcome {
    let engine = Engine::open_to_write(&args.workspace)?;
    let run = match args.run {
        Some(run) => run,
        None => engine
            .runs()
            .runs()?
            .into_iter()
            .find(|r| r.state == RunState::Finished)
            .map(|r| r.id)
            .ok_or_else(|| {
                Failure::new(
                    Code::StepMissing,
                    "There is no finished training run to evaluate.",
                    "Train first: lexforge train WORKSPACE.",
                )
            })?,
    };
    let watcher = Terminal::new(false);
    let view = watcher.finished(engine.evaluation().evaluate(run, &watcher))?;
    out.document(&json(&view), || describe(&view));
    done()
}

/// The figures under the names that others rely on.
fn json(view: &EvaluationView) -> serde_json::Value {
    let e = &view.evaluation;
    let accuracy = e.comparisons.iter().find(|c| c.measure == "accuracy");
    let terms = e.terms.map(|[_, after]| after);
    serde_json::json!({
        "qca": e.after,
        // These figures compare a term with its contexts (docs/methods.md, "Terminology in practice"). If the test part
        // has no such pairs, the fields are empty.
        "terms": {
            "macro_f1": terms.map(|t| t.macro_f1),
            "pairwise_accuracy": terms.map(|t| t.pairwise_accuracy),
            "mean_cosine_gap": terms.map(|t| t.mean_cosine_gap),
        },
        "terms_apart": e.terms.map(|[before, after]| serde_json::json!({ "before": before, "after": after })),
        "isotropy": { "before": e.space_before, "after": e.space_after },
        "baseline": { "name": e.base, "qca": e.before },
        "tfidf": e.tfidf,
        "p_value": accuracy.map(|c| c.p_value),
        "p_holm": accuracy.and_then(|c| c.p_holm),
        "comparisons": e.comparisons,
        "shortcuts": e.shortcuts,
        "scorer": e.scorer,
        "scorers": e.scorers,
        "too_long": e.too_long,
        "run": view.run,
        "dataset": view.dataset.hash,
        "report": view.report,
        "limits": e.limits,
    })
}

/// The verdict and the figures as a person reads them.
pub fn describe(view: &EvaluationView) -> String {
    let e = &view.evaluation;
    let verdict = verdict_in_words(view);
    let mut text = verdict.main + "\n";
    if let Some(gap) = &verdict.gap {
        let _ = writeln!(text, "  {gap}");
    }
    for caution in &verdict.cautions {
        let _ = writeln!(text, "  ! {caution}");
    }
    let _ = writeln!(
        text,
        "Test questions: {} in {} {} · {} scorer · run {} against {}",
        e.after.n,
        e.after.clusters,
        view.dataset.clusters_by().words().1,
        e.scorer,
        view.run,
        e.base
    );
    curves(&mut text, e);
    accuracies(&mut text, e);
    comparisons(&mut text, e);
    scorers(&mut text, e);
    if e.too_long > 0 {
        let _ = writeln!(
            text,
            "  {} questions are longer than the model's context: they count as wrong",
            e.too_long
        );
    }
    terms(&mut text, e);
    shortcuts(&mut text, e);
    let _ = writeln!(
        text,
        "  {} questions became right, {} became wrong",
        e.improved_total, e.worsened_total
    );
    for limit in &e.limits {
        let _ = writeln!(text, "  note: {limit}");
    }
    let _ = write!(text, "Report: {}", view.report);
    text
}

/// The losses at both ends of training.
fn curves(text: &mut String, e: &Evaluation) {
    let mut curve = |name: String, points: &[CurvePoint]| {
        if let (Some(first), Some(last)) = (points.first(), points.last()) {
            let _ = writeln!(
                text,
                "  {name}  {:.4} at step {} → {:.4} at step {}",
                first.loss, first.step, last.loss, last.step
            );
        }
    };
    if e.stages.len() > 1 {
        for stage in &e.stages {
            curve(format!("{}: training loss", stage.name), &stage.train);
            curve(format!("{}: held-out loss", stage.name), &stage.dev);
        }
    } else {
        curve("training loss".to_owned(), &e.train_curve);
        curve("held-out loss".to_owned(), &e.dev_curve);
    }
}

/// The table of base and tuned model, and their accuracies by level and by type of question.
fn accuracies(text: &mut String, e: &Evaluation) {
    let _ = writeln!(
        text,
        "  {:<24}{:<24}{:<24}macro P / R / F1",
        "", "accuracy", "gap of the choices"
    );
    let mut row = |name: &str, m: &QcaMetrics| {
        let _ = writeln!(
            text,
            "  {name:<24}{:<24}{:<24}{} / {} / {}",
            interval(m.accuracy, m.ci95),
            interval(m.choice_cosine_gap, m.gap_ci95),
            share(m.precision),
            share(m.recall),
            share(m.f1)
        );
    };
    row("base", &e.before);
    row("tuned", &e.after);
    if let Some(tfidf) = &e.tfidf {
        row("TF-IDF", tfidf);
    }
    let groups = [
        ("  ", " level", &e.before.by_level, &e.after.by_level),
        ("    ", "", &e.before.by_type, &e.after.by_type),
    ];
    for (indent, what, before, after) in groups {
        for (name, after) in after {
            let before = before.get(name).map_or(0.0, |b| b.accuracy);
            let _ = writeln!(
                text,
                "{indent}{name}{what}: {} → {} (n {})",
                share(before),
                share(after.accuracy),
                after.n
            );
        }
    }
}

/// By how much the tuned model differs, and how surely.
fn comparisons(text: &mut String, e: &Evaluation) {
    for c in &e.comparisons {
        let _ = writeln!(
            text,
            "  change of {}: {} · {}{} · {}, unit {}, {} resamples, against {}",
            c.measure,
            interval(c.difference.value, [c.difference.low, c.difference.high]),
            p_value(c.p_value),
            c.p_holm
                .map_or_else(String::new, |p| format!(", corrected {}", p_value(p))),
            c.test,
            c.unit,
            c.resamples,
            c.against
        );
    }
}

/// The accuracy by the scorers that do not decide.
fn scorers(text: &mut String, e: &Evaluation) {
    if !e.scorers.is_empty() {
        let _ = writeln!(
            text,
            "  {} decides; beside it, accuracy by the other scorers:",
            e.scorer
        );
    }
    for s in &e.scorers {
        let unreadable = match s.scorer.as_str() {
            "generation" => format!(
                " · {} → {} answers name no choice",
                s.unparseable_before, s.unparseable_after
            ),
            _ => String::new(),
        };
        let d = &s.comparison.difference;
        let _ = writeln!(
            text,
            "    {}: {} → {} · change {} · {}{unreadable}",
            s.scorer,
            share(s.before.accuracy),
            share(s.after.accuracy),
            interval(d.value, [d.low, d.high]),
            p_value(s.comparison.p_value)
        );
    }
}

/// How well terms are told apart in their contexts.
fn terms(text: &mut String, e: &Evaluation) {
    match &e.terms {
        Some([before, after]) => {
            let _ = writeln!(
                text,
                "  terms told apart: {} → {} of {} pairs of {} terms, gap {} → {}",
                interval(before.pairwise_accuracy, before.pairwise_accuracy_ci95),
                interval(after.pairwise_accuracy, after.pairwise_accuracy_ci95),
                after.n,
                after.clusters,
                interval(before.mean_cosine_gap, before.mean_cosine_gap_ci95),
                interval(after.mean_cosine_gap, after.mean_cosine_gap_ci95)
            );
        }
        None => text.push_str(
            "  terms told apart: not measured, since the test part holds no use of a term with its definition and another meaning\n",
        ),
    }
}

/// How well the questions can be answered without being read.
fn shortcuts(text: &mut String, e: &Evaluation) {
    for s in &e.shortcuts {
        let flag = if s.flagged {
            " · FLAGGED: more than 10 points above chance"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "  shortcut, {}: {} (chance {}, n {}){flag}",
            control_in_words(&s.name),
            share(s.accuracy),
            share(s.chance),
            s.n
        );
    }
}

pub fn doctor(args: &DoctorArgs, out: &Output) -> Outcome {
    if let Some(path) = &args.bundle {
        let parts = lexforge_engine::write_support(path)?;
        out.document(&parts, || {
            let mut text = format!("Written to {}:\n", in_full(path));
            for part in &parts {
                let _ = writeln!(text, "  {}  {} bytes", part.name, part.bytes);
            }
            text + "No text of a document, question, answer, path of a workspace or key is in it. Look through it before you send it."
        });
        return done();
    }
    let checks = remedies::of_checks(lexforge_engine::doctor());
    out.rows(&checks, none_yet::NOTHING, describe_check);
    Ok(if checks.iter().all(|c| c.ok) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A line of `doctor` as a person reads it.
pub fn describe_check(c: &Check) -> String {
    let mut text = format!(
        "{} {:<18} {}",
        if c.ok { "ok     " } else { "missing" },
        c.check,
        c.found
    );
    if !c.remedy.is_empty() {
        let _ = write!(text, "\n        {}", c.remedy);
    }
    text
}
