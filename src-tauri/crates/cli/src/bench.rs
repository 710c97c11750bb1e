//! `bench`.

use crate::output::{Outcome, Output, done, interval, p_value, share};
use crate::terminal::Terminal;
use clap::Args;
use lexforge_domain::DatasetId;
use lexforge_domain::api::BenchTable;
use lexforge_engine::{BenchRequest, Engine};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Confused terms that a person is shown of each system.
const CONFUSED_SHOWN: usize = 3;

/// `bench`
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The snapshot's number; none = the newest.
    #[arg(long)]
    pub dataset: Option<DatasetId>,
    /// The systems, separated by commas: tfidf, lsa, bm25, "base NAME", "eol NAME", "run NUMBER"; none = all that are there.
    #[arg(long, value_delimiter = ',')]
    pub systems: Vec<String>,
    /// The system that the others are compared with; none = the first untouched base model.
    #[arg(long)]
    pub baseline: Option<String>,
}

/// `bench`
pub fn bench(args: &BenchArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let watcher = Terminal::new(false);
    let request = BenchRequest {
        dataset: args.dataset,
        systems: args.systems.clone(),
        baseline: args.baseline.clone(),
    };
    let table = engine.evaluation().bench(&request, &watcher);
    watcher.finish();
    let table = table?;
    out.document(&table, || shown(&table));
    done()
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
