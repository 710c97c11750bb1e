//! `run`: the main job.

use crate::args::RunArgs;
use crate::corpus::{describe, parse_options};
use crate::figures;
use crate::graph::describe_graph;
use crate::output::{Outcome, Output, count, done};
use crate::reports::{describe_dataset, describe_questions, describe_terms};
use crate::terminal::Terminal;
use crate::training::{describe_run, request};
use lexforge_domain::api::MainJobReport;
use lexforge_engine::{Engine, GraphRequest, MainJobRequest};
use std::fmt::Write as _;

pub fn run(args: &RunArgs, out: &Output) -> Outcome {
    let watcher = Terminal::new(false);
    let request = MainJobRequest {
        files: args.files.clone(),
        parse: parse_options(&args.reading)?,
        graph: GraphRequest::default(),
        train: request(&args.recipe),
    };
    let report = watcher.finished(Engine::fill(&args.workspace, |engine| {
        engine.main_job(&request, &watcher)
    }))?;
    out.document(&report, || describe_job(&report));
    done()
}

fn describe_job(r: &MainJobReport) -> String {
    let mut text = describe(&r.import);
    let _ = write!(
        text,
        "\n{} pages, {} sentences",
        count(r.pages),
        count(r.sentences)
    );
    let _ = write!(text, "\n{}", describe_terms(&r.terms));
    let _ = write!(text, "\n{}", describe_graph(&r.graph));
    let _ = write!(text, "\n{}", describe_questions(&r.questions));
    if let Some(dataset) = &r.dataset {
        let _ = write!(text, "\n{}", describe_dataset(dataset));
    }
    if let Some(run) = &r.run {
        let _ = write!(text, "\n{}", describe_run(run));
    }
    if let Some(view) = &r.evaluation {
        let _ = write!(text, "\n{}", figures::describe(view));
    }
    if let Some(decoder) = &r.decoder {
        let _ = write!(text, "\n{}", describe_run(&decoder.run));
        if let Some(view) = &decoder.evaluation {
            let _ = write!(text, "\n{}", figures::describe(view));
        }
    }
    for s in &r.skipped {
        let _ = write!(
            text,
            "\nLeft out: {} [{}]\n  {}",
            s.message,
            s.code.tag(),
            crate::remedies::hint(s)
        );
    }
    if let (true, Some(report)) = (r.evaluation.is_none() || r.decoder.is_some(), &r.report) {
        let _ = write!(text, "\nReport of all of it: {report}");
    }
    let _ = write!(text, "\nAudit head: {}", r.audit_head);
    text
}
