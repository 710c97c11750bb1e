//! `models`.

use crate::args::{ModelsAction, ModelsArgs};
use crate::export::export;
use crate::gate;
use crate::none_yet;
use crate::output::{Outcome, Output, count, counted, done};
use crate::remedies::described;
use crate::terminal::Terminal;
use crate::training::{describe_memory, figures};
use lexforge_domain::api::{BaseRow, TrainRequest};
use lexforge_domain::protocol::{AddWordsResult, InspectResult, Pooling, TextReading};
use lexforge_domain::shown::on_one_line;
use lexforge_engine::{Engine, base_models, embed_file, inspect_for, say_reading};
use std::fmt::Write as _;
use std::process::ExitCode;

pub fn models(args: &ModelsArgs, out: &Output) -> Outcome {
    match &args.action {
        ModelsAction::List { workspace } => {
            let rows = match workspace {
                Some(workspace) => Engine::open(workspace)?.models().base_models()?,
                None => base_models()?,
            };
            out.rows(&rows, none_yet::MODELS, describe_base);
            done()
        }
        ModelsAction::Inspect {
            model,
            figures: args,
        } => {
            let request = TrainRequest {
                base: Some(model.clone()),
                ..figures(args)
            };
            let m = inspect_for(&request)?;
            out.document(&m, || describe(&m));
            Ok(if m.problems.is_empty() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            })
        }
        ModelsAction::Reading(args) => {
            let m = say_reading(&args.folder, &args.said())?;
            out.document(&m, || describe(&m));
            done()
        }
        ModelsAction::AddWords {
            workspace,
            out: folder,
            base,
            most,
            pieces,
        } => {
            let engine = Engine::open(workspace)?;
            let watcher = Terminal::new(false);
            let (most, pieces) = (usize::from(*most), usize::from(*pieces));
            let base = base.as_deref();
            let made = watcher.finished(
                engine
                    .models()
                    .add_words(base, folder, most, pieces, &watcher),
            )?;
            out.document(&made, || describe_words(&made));
            done()
        }
        ModelsAction::Embed {
            model,
            input,
            out: output,
            adapter,
            side,
        } => {
            let watcher = Terminal::new(false);
            let result = watcher.finished(embed_file(
                model,
                adapter.as_deref(),
                (*side).into(),
                input,
                output,
                &watcher,
            ))?;
            out.document(&result, || {
                format!(
                    "{} rows of {} dimensions in {} ({:.1} s; {} inputs cut; unknown tokens {:.2} %)",
                    count(result.rows),
                    result.dim,
                    result.output,
                    result.seconds,
                    count(result.truncated),
                    result.unknown_rate * 100.0
                )
            });
            done()
        }
        ModelsAction::Activate(args) => gate::activate(args, out),
        ModelsAction::Active(args) => gate::active(&args.workspace, out),
        ModelsAction::Rollback(args) => gate::roll_back(&args.workspace, out),
        ModelsAction::Export(args) => export(args, out),
    }
}

/// A model folder with more words, as a person reads it.
fn describe_words(made: &AddWordsResult) -> String {
    let mut text = format!(
        "{} in {}, whose table of words has {} rows now:",
        counted(made.added.len() as u64, "term"),
        made.output,
        count(made.vocabulary)
    );
    for one in &made.added {
        let word = on_one_line(&one.word);
        let _ = write!(text, "\n  {word}: {} before", counted(one.pieces, "piece"));
    }
    text
}

fn describe_base(row: &BaseRow) -> String {
    let mut text = row.name.clone();
    if row.shipped {
        text.push_str(" (comes with Lexforge)");
    }
    match &row.problem {
        Some(problem) => {
            text.push_str(&described(problem, "  "));
        }
        None => {
            let kind = if row.decoder { "decoder" } else { "encoder" };
            let _ = write!(
                text,
                " · {kind} · {} · {} parameters",
                row.architecture,
                count(row.parameters)
            );
        }
    }
    if let Some(path) = &row.path {
        let _ = write!(text, "\n  {path}");
    }
    text
}

/// How a folder says that texts become vectors.
fn describe_reading(reading: &TextReading) -> String {
    let tokens = match reading.pooling {
        Pooling::Mean => "the mean of its tokens",
        Pooling::Cls => "its first token",
        Pooling::Last => "its last token",
        Pooling::Max => "the largest of each number of its tokens",
        Pooling::MeanSqrt => "the sum of its tokens over the root of their number",
        Pooling::WeightedMean => "the mean of its tokens, later ones counting more",
    };
    let mut dense = String::new();
    for layer in &reading.dense {
        let _ = write!(
            dense,
            ", through a dense layer from {} to {} numbers ({})",
            layer.inputs,
            layer.outputs,
            layer.function.tag()
        );
    }
    let length = if reading.normalize {
        ", scaled to unit length"
    } else {
        ""
    };
    let mut text = format!(
        "The vector of a text is {tokens}{dense}{length}; texts are cut after {} tokens.",
        count(reading.max_length as u64)
    );
    if reading.causal {
        text.push_str(" A token sees what comes before it alone.");
    }
    for (prompt, what) in [
        (&reading.question, "questions"),
        (&reading.passage, "passages"),
    ] {
        if !prompt.is_empty() {
            let _ = write!(text, " Before {what} stands {prompt:?}.");
        }
    }
    text
}

fn describe(m: &InspectResult) -> String {
    // Leave out values that could not be read, because "0 layers" would be wrong. A problem listed below says what is
    // missing.
    let sized = |n: u64, text: String| (n > 0).then_some(text);
    let parts = [
        Some(m.name.clone()),
        sized(
            m.layers,
            if m.decoder { "decoder" } else { "encoder" }.to_owned(),
        ),
        Some(m.architecture.clone()).filter(|name| !name.is_empty()),
        sized(m.parameters, format!("{} parameters", count(m.parameters))),
        sized(m.layers, format!("{} layers", m.layers)),
        sized(m.hidden_size, format!("hidden {}", m.hidden_size)),
        sized(m.vocabulary, format!("vocabulary {}", count(m.vocabulary))),
        sized(
            m.max_positions,
            format!("at most {} tokens", m.max_positions),
        ),
        Some(m.dtype.clone()).filter(|dtype| !dtype.is_empty()),
        sized(m.bytes, format!("{} MB", m.bytes >> 20)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let mut text = format!("{}\n{}", parts.join(" · "), m.sha256);
    if let Some(reading) = &m.reading {
        let _ = write!(text, "\n{}", describe_reading(reading));
        if m.reading_assumed && m.decoder {
            text.push_str(" In the graph its last token counts, since no file of the folder says how it makes vectors.");
        }
        if m.reading_assumed && !m.decoder {
            text.push_str(
                "\n! No file of the folder says so; many encoders were made for another reading. Look at where it was published; if that \
                 names the first token (CLS) or words before questions, say it: lexforge models reading DIR --pooling cls --question TEXT.",
            );
        }
    }
    if m.decoder && !m.chat_template {
        text.push_str("\nIt has no chat template: questions are put to it as plain lines.");
    }
    if let Some(memory) = &m.memory {
        let _ = write!(text, "\n{}", describe_memory(memory));
    }
    for p in &m.problems {
        text.push_str(&described(p, ""));
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A folder without weights has no parameters that could be counted, and one of an unknown architecture no layers.
    #[test]
    fn what_could_not_be_read_is_no_zero() {
        let folder = |layers: u64, architecture: &str| -> InspectResult {
            serde_json::from_value(json!({
                "name": "own", "sha256": "ab", "architecture": architecture, "parameters": 0, "layers": layers,
                "hidden_size": 64 * layers, "vocabulary": 30_522, "max_positions": 0, "dtype": "", "bytes": 0,
                "problems": [], "decoder": false
            }))
            .unwrap()
        };
        let first = |m: &InspectResult| describe(m).lines().next().unwrap().to_owned();
        assert_eq!(
            first(&folder(6, "bert")),
            "own · encoder · bert · 6 layers · hidden 384 · vocabulary 30,522"
        );
        assert_eq!(first(&folder(0, "")), "own · vocabulary 30,522");
    }

    #[test]
    fn whoever_names_a_plain_decoder_is_told_what_the_graph_takes() {
        let told = |decoder: bool, assumed: bool| {
            let model: InspectResult = serde_json::from_value(json!({
                "name": "own", "sha256": "ab", "architecture": "qwen3", "parameters": 9, "layers": 2, "hidden_size": 8,
                "vocabulary": 12, "max_positions": 32, "dtype": "F32", "bytes": 0, "problems": [], "decoder": decoder,
                "reading_assumed": assumed, "reading": TextReading::default()
            }))
            .unwrap();
            describe(&model).contains("In the graph its last token counts")
        };
        assert!(told(true, true));
        assert!(!told(true, false) && !told(false, true) && !told(false, false));
    }
}
