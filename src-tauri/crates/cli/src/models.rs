//! `models`.

use crate::args::{ExportArgs, ModelsAction, ModelsArgs};
use crate::output::{Outcome, Output, count, done};
use crate::terminal::Terminal;
use crate::training::{describe_memory, figures};
use lexforge_domain::api::{BaseRow, ExportRequest, ExportRow, TrainRequest};
use lexforge_domain::protocol::{ExportFormat, InspectResult, ParityFigure, ParityMeasure};
use lexforge_engine::{Engine, base_models, embed_file, inspect_for};
use std::fmt::Write as _;
use std::process::ExitCode;

/// `models`
pub fn models(args: &ModelsArgs, out: &Output) -> Outcome {
    match &args.action {
        ModelsAction::List { workspace } => {
            let rows = match workspace {
                Some(workspace) => Engine::open(workspace)?.base_models()?,
                None => base_models()?,
            };
            out.rows(&rows, describe_base);
            done()
        }
        ModelsAction::Inspect { model, figures: args } => {
            let request = TrainRequest { base: Some(model.clone()), ..figures(args) };
            let m = inspect_for(&request)?;
            out.document(&m, || describe(&m));
            Ok(if m.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        ModelsAction::Embed { model, input, out: output, adapter } => {
            let watcher = Terminal::new(false);
            let result = embed_file(model, adapter.as_deref(), input, output, &watcher);
            watcher.finish();
            let result = result?;
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
        ModelsAction::Export(args) => export(args, out),
    }
}

/// `models export`
fn export(args: &ExportArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let request = ExportRequest {
        run: args.run,
        format: args.format,
        dtype: args.dtype,
        folder: args.out.as_ref().map(|folder| folder.display().to_string()),
        replace: args.replace,
        shard_bytes: args.shard_mb.map(|mb| mb.saturating_mul(1_000_000)),
    };
    let watcher = Terminal::new(false);
    let made = engine.export_run(&request, &watcher);
    watcher.finish();
    let made = made?;
    out.document(&made, || describe_export(&made));
    done()
}

fn describe_export(made: &ExportRow) -> String {
    let result = &made.result;
    let kind = match result.format {
        ExportFormat::Peft => result.format.tag().to_owned(),
        _ => format!("{} {}", result.format.tag(), result.dtype.tag()),
    };
    let bytes: u64 = result.files.iter().map(|file| file.bytes).sum();
    let mut text = format!(
        "run {} as {kind} in {} ({} files, {} bytes, {:.1} s)",
        made.run,
        made.folder,
        result.files.len(),
        count(bytes),
        result.seconds
    );
    match &result.parity {
        None => text.push_str("\nThe adapter's files are copied as they are; there is nothing to compare."),
        Some(parity) => {
            let _ = write!(
                text,
                "\nRead back and compared on {} prompts ({} of them general ones) at {} positions; the same tokens for all.",
                parity.prompts,
                parity.own_prompts,
                count(parity.positions)
            );
            for figure in &parity.figures {
                let _ = write!(text, "\n  {}", describe_figure(figure));
            }
        }
    }
    for note in &result.notes {
        let _ = write!(text, "\n! {note}");
    }
    text
}

fn describe_figure(figure: &ParityFigure) -> String {
    let name = match figure.measure {
        ParityMeasure::LargestDifference => "largest difference",
        ParityMeasure::MeanKl => "mean KL (nats)",
        ParityMeasure::LargestKl => "largest KL (nats)",
        ParityMeasure::Agreement => "same likeliest token",
        ParityMeasure::LowestCosine => "lowest cosine",
        ParityMeasure::QuantizedBaseKl => "mean KL to the quantized base (nats)",
    };
    let side = if figure.measure.higher_is_better() { "at least" } else { "at most" };
    let bound = figure.bound.map(|bound| format!(", {side} {bound}")).unwrap_or_default();
    format!("{name}: {}{bound}", number(figure.value))
}

fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:.1e}") } else { format!("{value:.4}") }
}

fn describe_base(row: &BaseRow) -> String {
    let mut text = row.name.clone();
    if row.shipped {
        text.push_str(" (comes with Lexforge)");
    }
    match &row.problem {
        Some(problem) => {
            let _ = write!(text, "\n  ! {} [{}]\n    {}", problem.message, problem.code.tag(), problem.hint);
        }
        None => {
            let kind = if row.decoder { "decoder" } else { "encoder" };
            let _ = write!(text, " · {kind} · {} · {} parameters", row.architecture, count(row.parameters));
        }
    }
    if let Some(path) = &row.path {
        let _ = write!(text, "\n  {path}");
    }
    text
}

fn describe(m: &InspectResult) -> String {
    let mut text = format!(
        "{} · {} · {} · {} parameters · {} layers · hidden {} · vocabulary {} · at most {} tokens · {} · {} MB\n{}",
        m.name,
        if m.decoder { "decoder" } else { "encoder" },
        m.architecture,
        count(m.parameters),
        m.layers,
        m.hidden_size,
        count(m.vocabulary),
        m.max_positions,
        m.dtype,
        m.bytes >> 20,
        m.sha256
    );
    if m.decoder && !m.chat_template {
        text.push_str("\nIt has no chat template: questions are put to it as plain lines.");
    }
    if let Some(memory) = &m.memory {
        let _ = write!(text, "\n{}", describe_memory(memory));
    }
    for p in &m.problems {
        let _ = write!(text, "\n! {} [{}]\n  {}", p.message, p.code.tag(), p.hint);
    }
    text
}
