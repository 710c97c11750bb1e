//! `graph`.

mod described;
mod exported;

pub use described::describe_graph;

use crate::answering::write_file;
use crate::graph_args::{GraphAction, GraphArgs, GraphFormat, encoder_of};
use crate::none_yet;
use crate::output::{Outcome, Output, count, done, in_full, print};
use crate::terminal::Terminal;
use described::{describe_build, describe_calibration, describe_report, describe_shown};
use exported::{graphml, jsonl};
use lexforge_domain::graph::GraphSettings;
use lexforge_engine::{Engine, GraphRequest, ShownCentre};

/// `graph`
pub fn run(args: &GraphArgs, out: &Output) -> Outcome {
    match &args.action {
        GraphAction::Build {
            workspace,
            encoders,
            adapters,
            settings,
        } => {
            let request = GraphRequest {
                encoder: encoder_of(encoders, adapters)?,
                settings: settings.over(GraphSettings::default()),
            };
            let engine = Engine::open_to_write(workspace)?;
            let watcher = Terminal::new(false);
            let stats = watcher.finished(engine.graph().build_graph(&request, &watcher))?;
            out.document(&stats, || describe_graph(&stats));
        }
        GraphAction::Update(ws) => {
            let engine = Engine::open_to_write(&ws.workspace)?;
            let watcher = Terminal::new(false);
            let build = watcher.finished(engine.graph().update_graph(&watcher))?;
            out.document(&build, || {
                format!(
                    "{}\n{}",
                    describe_build(&build),
                    describe_graph(&build.stats)
                )
            });
        }
        GraphAction::Stats(ws) => {
            let report = Engine::open(&ws.workspace)?.graph().graph_report()?;
            out.document(&report, || describe_report(&report));
        }
        GraphAction::List(ws) => out.rows(
            &Engine::open(&ws.workspace)?.graph().graph_builds()?,
            none_yet::GRAPHS,
            describe_build,
        ),
        GraphAction::Calibrate {
            workspace,
            settings,
        } => {
            let engine = Engine::open(workspace)?;
            let newest = engine
                .graph()
                .graph_builds()?
                .into_iter()
                .next()
                .map(|b| b.settings)
                .unwrap_or_default();
            let asked = settings.over(newest);
            let calibration = engine.graph().graph_calibration(Some(&asked))?;
            out.document(&calibration, || describe_calibration(&calibration));
        }
        GraphAction::Show {
            workspace,
            term,
            sentence,
            limit,
        } => {
            let centre = match sentence {
                Some(id) => ShownCentre::Sentence(*id),
                None => ShownCentre::Term(term.clone().unwrap_or_default()),
            };
            let shown = Engine::open(workspace)?
                .graph()
                .graph_show(&centre, *limit)?;
            out.document(&shown, || describe_shown(&shown));
        }
        GraphAction::Export {
            workspace,
            format,
            out: file,
        } => {
            let (nodes, edges) = Engine::open(workspace)?.graph().graph_export()?;
            let text = match format {
                GraphFormat::Jsonl => jsonl(&nodes, &edges),
                GraphFormat::Graphml => graphml(&nodes, &edges),
            };
            match file {
                None => print(text.trim_end()),
                Some(path) => {
                    write_file(path, Some(workspace), &text)?;
                    let report = serde_json::json!({"file": path, "nodes": nodes.len(), "edges": edges.len()});
                    out.document(&report, || {
                        let (nodes, edges) = (count(nodes.len() as u64), count(edges.len() as u64));
                        format!("{nodes} nodes and {edges} edges in {}", in_full(path))
                    });
                }
            }
        }
        GraphAction::Classify {
            workspace,
            document,
            class,
        } => {
            let engine = Engine::open(workspace)?;
            engine.graph().set_document_class(*document, class)?;
            let classes = engine.graph().document_classes()?;
            out.document(&classes, || {
                let lines: Vec<String> = classes
                    .iter()
                    .map(|(id, class)| format!("{id:>6}  {class}"))
                    .collect();
                if lines.is_empty() {
                    "No document has a class.".to_owned()
                } else {
                    lines.join("\n")
                }
            });
        }
    }
    done()
}
