//! `bench`.

use crate::bench_args::BenchArgs;
use crate::exam::{exam_table, terms_table};
use crate::output::{Outcome, Output, done, interval, p_value, share};
use crate::terminal::Terminal;
use lexforge_domain::api::{AttackTable, BenchTable, ExamSample};
use lexforge_engine::{BenchRequest, Engine, ExamBenchRequest, TermsBenchRequest};
use std::fmt::Write as _;

/// Confused terms that a person is shown of each system.
const CONFUSED_SHOWN: usize = 3;

/// `bench`
pub fn bench(args: &BenchArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let watcher = Terminal::new(false);
    if let Some(exam) = &args.exam {
        let request = ExamBenchRequest {
            exam: exam.clone(),
            sample: args.sample.map(|each| ExamSample {
                each,
                seed: args.seed,
            }),
            systems: args.systems.clone(),
            baseline: args.baseline.clone(),
        };
        let table = engine.evaluation().bench_exam(&request, &watcher);
        watcher.finish();
        let table = table?;
        out.document(&table, || exam_table(&table));
        return done();
    }
    if let Some(set) = &args.terms {
        let request = TermsBenchRequest {
            set: set.clone(),
            dataset: args.dataset,
            systems: args.systems.clone(),
        };
        let table = engine.evaluation().bench_terms(&request, &watcher);
        watcher.finish();
        let table = table?;
        out.document(&table, || terms_table(&table));
        return done();
    }
    let request = BenchRequest {
        dataset: args.dataset,
        systems: args.systems.clone(),
        baseline: args.baseline.clone(),
    };
    if args.attack {
        let table = engine.evaluation().bench_attacked(&request, &watcher);
        watcher.finish();
        let table = table?;
        out.document(&table, || under_attack(&table));
        return done();
    }
    let table = engine.evaluation().bench(&request, &watcher);
    watcher.finish();
    let table = table?;
    out.document(&table, || shown(&table));
    done()
}

fn under_attack(table: &AttackTable) -> String {
    let counts: Vec<String> = table
        .attacked
        .iter()
        .map(|(attack, n)| format!("{} {n}", attack.tag()))
        .collect();
    let mut text = format!(
        "{} test questions under attack: {} · snapshot {}",
        table.n,
        counts.join(", "),
        table.dataset
    );
    for row in &table.rows {
        let (one, d) = (&row.accuracy, &row.accuracy.comparison.difference);
        let _ = write!(
            text,
            "\n  {:<28}{:<12}{:<13}{:<15}{} → {}  {} corrected {}, n {}",
            row.system,
            row.scorer,
            row.attack.tag(),
            if row.keeps_the_sense {
                "sense kept"
            } else {
                "sense changed"
            },
            share(one.comparison.before),
            share(one.comparison.after),
            interval(d.value, [d.low, d.high]),
            p_value(one.p_holm),
            row.n,
        );
        if let Some(gap) = &row.gap {
            let _ = write!(text, "  gap {} → {}", share(gap.before), share(gap.after));
        }
    }
    for one in &table.missing {
        let _ = write!(text, "\n  missing: {}: {}", one.system, one.failure.message);
    }
    for note in &table.notes {
        let _ = write!(text, "\n  note: {note}");
    }
    text
}

fn shown(table: &BenchTable) -> String {
    let mut text = format!(
        "{} test questions in {} clusters ({}) · snapshot {}",
        table.n, table.clusters, table.unit, table.dataset
    );
    for row in &table.systems {
        let _ = write!(
            text,
            "\n  {:<28}{:<12}{}  macro F1 {}",
            row.system,
            row.scorer,
            interval(row.figures.accuracy, row.figures.ci95),
            share(row.figures.f1)
        );
        if let Some(one) = &row.against {
            let d = &one.comparison.difference;
            let _ = write!(
                text,
                "  {} against {}: {}, corrected {}",
                interval(d.value, [d.low, d.high]),
                one.comparison.against,
                p_value(one.comparison.p_value),
                p_value(one.p_holm)
            );
        }
        for pair in row.confused.iter().take(CONFUSED_SHOWN) {
            let _ = write!(
                text,
                "\n      {} taken for {}: {}",
                pair.gold, pair.predicted, pair.n
            );
        }
    }
    for one in &table.missing {
        let _ = write!(text, "\n  missing: {}: {}", one.system, one.failure.message);
    }
    if let Some(power) = &table.power {
        let more: Vec<String> = power
            .more_clusters
            .iter()
            .map(|(points, more)| format!("{points}: {more}"))
            .collect();
        let _ = write!(
            text,
            "\n  These questions show a difference of {:.1} points or more; further clusters for points {}",
            100.0 * power.smallest_difference,
            more.join(", ")
        );
    }
    for note in &table.notes {
        let _ = write!(text, "\n  note: {note}");
    }
    text
}
