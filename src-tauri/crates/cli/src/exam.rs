//! `exam`, `terms apart`, and the bench on both.

use crate::answering::write_file;
use crate::bench_words;
use crate::exam_args::{ApartAction, ExamAction, ExamArgs};
use crate::none_yet;
use crate::output::{Outcome, Output, count, done, in_full, interval, p_value, share};
use lexforge_domain::api::{
    Bounded, ExamFigures, ExamReport, ExamRow, ExamTable, TaskFigure, TaskTable, TermsTable,
};
use lexforge_domain::exam::ExamKind;
use lexforge_domain::metrics::TermFigures;
use lexforge_domain::statistics::PairedComparison;
use lexforge_domain::verdict::Verdict;
use lexforge_engine::{Engine, ExamRequest, Silent};
use std::fmt::Write as _;

/// How many left-out questions are shown with their reasons.
const SHOWN: usize = 10;

pub fn exam(args: &ExamArgs, out: &Output) -> Outcome {
    match &args.action {
        ExamAction::Import(args) => {
            let request = ExamRequest {
                files: args.files.clone(),
                name: args.name.clone(),
                subject: args.subject.clone(),
                seen: None,
            };
            if args.plan {
                let engine = Engine::open(&args.workspace)?;
                let report = engine.evaluation().look_at_exam(&request, &Silent)?;
                out.document(&report, || {
                    format!("{}\nNothing was imported (--plan).", imported(&report))
                });
                return done();
            }
            let engine = Engine::open_to_write(&args.workspace)?;
            let report = engine.evaluation().import_exam(&request, &Silent)?;
            out.document(&report, || imported(&report));
        }
        ExamAction::Passages {
            workspace,
            name,
            file,
        } => {
            let engine = Engine::open(workspace)?;
            let passages = engine.evaluation().exam_passages(name)?;
            let mut lines = String::new();
            for passage in &passages {
                let _ = writeln!(lines, "{}", serde_json::json!(passage));
            }
            write_file(file, Some(workspace), &lines)?;
            let report = serde_json::json!({ "passages": passages.len(), "file": file });
            out.document(&report, || {
                format!(
                    "{} passages are in {}. What is trained on them has seen this exam: measure it by another one.",
                    count(passages.len() as u64),
                    in_full(file)
                )
            });
        }
        ExamAction::List { workspace } => {
            let engine = Engine::open(workspace)?;
            out.rows(&engine.evaluation().exams()?, none_yet::EXAMS, line);
        }
        ExamAction::Remove { workspace, name } => {
            let engine = Engine::open(workspace)?;
            let row = engine.evaluation().remove_exam(name)?;
            out.document(&row, || format!("removed {}", line(&row)));
        }
    }
    done()
}

/// `terms apart`
pub fn apart(action: &ApartAction, out: &Output) -> Outcome {
    match action {
        ApartAction::Import {
            workspace,
            files,
            name,
        } => {
            let engine = Engine::open_to_write(workspace)?;
            let request = ExamRequest {
                files: files.clone(),
                name: name.clone(),
                ..ExamRequest::default()
            };
            let report = engine.evaluation().import_terms_apart(&request)?;
            out.document(&report, || imported(&report));
        }
        ApartAction::Export {
            workspace,
            file,
            dataset,
            set,
        } => {
            let engine = Engine::open(workspace)?;
            let pairs = match set {
                Some(name) => engine.evaluation().terms_apart(name)?.1,
                None => engine.evaluation().made_terms_apart(*dataset)?.1,
            };
            let mut lines = String::new();
            for pair in &pairs {
                let _ = writeln!(lines, "{}", serde_json::json!(pair));
            }
            write_file(file, Some(workspace), &lines)?;
            let report = serde_json::json!({ "pairs": pairs.len(), "file": file });
            out.document(&report, || {
                format!("{} pairs are in {}.", pairs.len(), in_full(file))
            });
        }
    }
    done()
}

fn imported(report: &ExamReport) -> String {
    let mut text = String::new();
    for warning in &report.warnings {
        let _ = writeln!(text, "! {warning}");
    }
    for one in report.rejected.iter().take(SHOWN) {
        let _ = writeln!(text, "! {}, line {}: {}", one.file, one.line, one.reason);
    }
    let more = report.left_out.saturating_sub(SHOWN as u64);
    if more > 0 {
        let _ = writeln!(text, "! … and {} more that were left out", count(more));
    }
    let _ = write!(
        text,
        "{}{}; {} read, {} left out",
        line(&report.exam),
        if report.unchanged {
            " (already there)"
        } else {
            ""
        },
        count(report.read),
        count(report.left_out)
    );
    text
}

fn line(row: &ExamRow) -> String {
    let what = match row.kind {
        ExamKind::Questions => "questions",
        ExamKind::Terms => "pairs of contexts",
        ExamKind::Pairs => "pairs of texts",
        ExamKind::Similarity => "scored pairs of texts",
        ExamKind::Classes => "texts",
    };
    let several = match row.several {
        0 => String::new(),
        several => format!(", {} with several right answers", count(several)),
    };
    let subjects = match row.subjects.len() {
        0 | 1 => String::new(),
        many if row.kind == ExamKind::Classes => format!(", {many} classes"),
        many => format!(", {many} subjects"),
    };
    format!(
        "{}: {} {what}{several}{subjects}",
        row.name,
        count(row.questions)
    )
}

/// The table of an exam as a person reads it.
pub fn exam_table(table: &ExamTable) -> String {
    let drawn = match table.sample {
        Some(sample) => format!(
            " of {}, up to {} a subject drawn by seed {}",
            table.of, sample.each, sample.seed
        ),
        None => String::new(),
    };
    let mut text = format!(
        "{}: {} questions{drawn} in {} clusters ({})",
        table.exam, table.n, table.clusters, table.unit
    );
    for row in &table.systems {
        let _ = write!(
            text,
            "\n  {:<27} {:<12}{}",
            row.system,
            row.scorer,
            figures(&row.figures)
        );
        if let Some(one) = &row.against {
            text.push_str(&against(one));
        }
        if let Some(several) = &row.several {
            let _ = write!(
                text,
                "\n      several right: {}, by choice {}",
                figures(several),
                interval(several.by_choice, several.by_choice_ci95)
            );
        }
        let groups = [&row.by_subject, &row.by_kind];
        for (name, found) in groups.into_iter().filter(|g| g.len() > 1).flatten() {
            let _ = write!(text, "\n      {name}: {}", figures(found));
        }
        for (what, n) in [
            ("longer than it can read", row.too_long),
            ("without a choice in what it wrote", row.unparseable),
        ] {
            if n > 0 {
                let _ = write!(text, "\n      {n} {what}: they count as wrong");
            }
        }
    }
    rest(&mut text, &table.missing, &table.notes);
    text
}

/// The difference of a system from the baseline, as it stands behind its figures.
pub fn against(one: &PairedComparison) -> String {
    let d = &one.comparison.difference;
    format!(
        "  {} against {}: {}, corrected {}: {}",
        interval(d.value, [d.low, d.high]),
        one.comparison.against,
        p_value(one.comparison.p_value),
        p_value(one.p_holm),
        bench_words::shows(Verdict::corrected(one))
    )
}

fn figures(f: &ExamFigures) -> String {
    format!(
        "{} (chance {}, n {})",
        interval(f.accuracy, f.ci95),
        share(f.chance),
        f.n
    )
}

/// The table of terms in contexts as a person reads it.
pub fn terms_table(table: &TermsTable) -> String {
    let mut text = format!(
        "{}: {} pairs of {} terms ({})\n  {:<27} {:<24}{:<24}cosine gap",
        table.set, table.n, table.clusters, table.unit, "", "pairwise accuracy", "macro F1"
    );
    let line = |f: &TermFigures| {
        format!(
            "{:<24}{:<24}{}",
            interval(f.pairwise_accuracy, f.pairwise_accuracy_ci95),
            interval(f.macro_f1, f.macro_f1_ci95),
            // A system whose scores are no cosines has no gap.
            match f.mean_cosine_gap_ci95 {
                [0.0, 0.0] => "–".to_owned(),
                bounds => interval(f.mean_cosine_gap, bounds),
            }
        )
    };
    for row in &table.systems {
        let _ = write!(text, "\n  {:<27} {}", row.system, line(&row.figures));
        for (act, found) in row.by_act.iter().filter(|_| row.by_act.len() > 1) {
            let _ = write!(
                text,
                "\n      {act}: {} (n {}, {} terms)",
                interval(found.pairwise_accuracy, found.pairwise_accuracy_ci95),
                found.n,
                found.clusters
            );
        }
    }
    rest(&mut text, &table.missing, &table.notes);
    text
}

/// The table of an exam of pairs, of similarity or of texts with a class as a person reads it.
pub fn task_table(table: &TaskTable) -> String {
    let mut text = format!(
        "{}: {} items in {} clusters ({})",
        table.exam,
        count(table.n as u64),
        count(table.clusters as u64),
        table.unit
    );
    for row in &table.systems {
        let figures: Vec<String> = row.figures.iter().map(task_figure).collect();
        let _ = write!(
            text,
            "\n  {:<27} {} (n {})",
            row.system,
            figures.join("  "),
            row.n
        );
        if let Some(gain) = &row.against {
            // Systems are compared by the first figure.
            let measure = row.figures.first().map_or("", |one| one.measure.name());
            let _ = write!(
                text,
                "\n      difference in {measure}: {} against {}",
                bounded(&gain.difference),
                gain.against
            );
            if let Some(p) = gain.p_holm {
                let _ = write!(text, ", corrected {}", p_value(p));
                if let Some(bounds) = gain.difference.interval {
                    let verdict = Verdict::by(bounds, p);
                    let _ = write!(text, ": {}", bench_words::shows(verdict));
                }
            }
        }
    }
    rest(&mut text, &table.missing, &table.notes);
    text
}

/// `macro F1 .61 [.52, .70]`; of several runs with the smallest and the largest.
fn task_figure(figure: &TaskFigure) -> String {
    let name = figure.measure.name();
    let spread = match figure.by_run.as_slice() {
        [] => String::new(),
        runs => {
            let least = runs.iter().copied().fold(f64::INFINITY, f64::min);
            let most = runs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            format!(" (seeds {} to {})", share(least), share(most))
        }
    };
    format!("{name} {}{spread}", bounded(&figure.of))
}

fn bounded(of: &Bounded) -> String {
    match of.interval {
        Some(bounds) => interval(of.value, bounds),
        None => share(of.value),
    }
}

fn rest(text: &mut String, missing: &[lexforge_domain::api::BenchMissing], notes: &[String]) {
    text.push_str(&bench_words::missing(missing));
    for note in notes {
        let _ = write!(text, "\n  note: {note}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::{TaskGain, TaskLine, TaskMeasure};

    #[test]
    fn a_task_shows_figures_spread_over_seeds_and_difference() {
        let of = |value| Bounded {
            value,
            interval: Some([value - 0.05, value + 0.05]),
        };
        let figure = |measure, value, by_run: &[f64]| TaskFigure {
            measure,
            of: of(value),
            by_run: by_run.to_vec(),
        };
        let table = TaskTable {
            exam: "ferries".to_owned(),
            hash: "ab".to_owned(),
            kind: ExamKind::Pairs,
            unit: "pairs that share a text".to_owned(),
            n: 1_200,
            clusters: 300,
            baseline: Some("base minilm".to_owned()),
            systems: vec![TaskLine {
                system: "runs 3+4".to_owned(),
                runs: Some(2),
                n: 1_200,
                unread: 0,
                cut: 0,
                figures: vec![
                    figure(TaskMeasure::Auc, 0.8, &[0.81, 0.79]),
                    figure(TaskMeasure::AveragePrecision, 0.7, &[]),
                ],
                against: Some(TaskGain {
                    against: "base minilm".to_owned(),
                    difference: of(0.1),
                    p_value: Some(0.01),
                    p_holm: Some(0.02),
                    n: 1_200,
                }),
            }],
            missing: Vec::new(),
            notes: vec!["A note.".to_owned()],
        };
        let said = task_table(&table);
        for part in [
            "ferries: 1,200 items in 300 clusters",
            "AUC .800 [.750, .850] (seeds .790 to .810)",
            "average precision .700",
            "difference in AUC: .100 [.050, .150] against base minilm, corrected p .020: better",
            "note: A note.",
        ] {
            assert!(said.contains(part), "{said}");
        }
    }
}
