//! `report`.

use crate::output::{Outcome, Output, done};
use crate::report_args::ReportArgs;
use crate::terminal::Terminal;
use lexforge_domain::RunId;
use lexforge_domain::api::{GateRequest, PaperWritten};
use lexforge_engine::{BenchRequest, Engine, PaperHow};

pub fn report(args: &ReportArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let evaluation = engine.evaluation();
    let named = |run: Option<RunId>| run.map_or_else(|| evaluation.newest_of_snapshot(), Ok);
    let watcher = Terminal::new(false);
    let how = PaperHow {
        attack: args.attack,
        language: args.language.into(),
    };
    let written = if let Some(systems) = &args.compare {
        let request = BenchRequest {
            dataset: args.dataset,
            systems: systems.iter().map(|name| system(name)).collect(),
            baseline: args.baseline.as_deref().map(system),
            ..BenchRequest::default()
        };
        evaluation.comparison_paper(&request, how, &watcher)
    } else if let Some(run) = args.gate {
        let request = GateRequest {
            run: named(run)?,
            against: args.against.unwrap_or_default(),
            policy: None,
            general: Vec::new(),
        };
        evaluation.decision_paper(&request, how.language, &watcher)
    } else if let Some(run) = args.card {
        evaluation.model_card(named(run)?, how, None, &watcher)
    } else if args.drift {
        evaluation.drift_paper(how.language, None, &watcher)
    } else {
        evaluation.report_anew(args.run, &watcher)
    };
    watcher.finish();
    let written = written?;
    out.document(&written, || said(&written));
    done()
}

/// A bare number is a run.
fn system(name: &str) -> String {
    match name.trim().parse::<u64>() {
        Ok(run) => format!("run {run}"),
        Err(_) => name.to_owned(),
    }
}

fn said(written: &PaperWritten) -> String {
    match &written.data {
        Some(data) => format!("Page: {}\nThe same as data: {data}", written.page),
        None => format!("Report: {}", written.page),
    }
}
