//! `models export`.

use crate::output::{Outcome, Output, count, done};
use crate::terminal::Terminal;
use clap::Args;
use lexforge_domain::RunId;
use lexforge_domain::api::{ExportRequest, ExportRow};
use lexforge_domain::decimals::fine;
use lexforge_domain::protocol::{ExportFormat, ExportType, ParityFigure, ParityMeasure};
use lexforge_engine::Engine;
use std::fmt::Write as _;
use std::path::PathBuf;

/// `models export`
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The run's number. Default: the newest that has finished.
    pub run: Option<RunId>,
    /// The format: merged (a Hugging Face folder), gguf (for llama.cpp and programs built on it) or peft (the adapter
    /// alone).
    #[arg(long, value_parser = export_format)]
    pub format: ExportFormat,
    /// The number type: f32, bf16 (the default) or f16 for merged; q8_0 (the default) or f16 for gguf.
    #[arg(long, value_parser = export_type)]
    pub dtype: Option<ExportType>,
    /// The folder to make. Default: one beside the workspace.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace an earlier export.
    #[arg(long)]
    pub replace: bool,
    /// The largest size of one file of merged weights, in MB.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub shard_mb: Option<u64>,
}

fn export_format(text: &str) -> Result<ExportFormat, String> {
    let found = ExportFormat::ALL
        .into_iter()
        .find(|format| format.tag() == text);
    found.ok_or_else(|| {
        format!(
            "choose among {}",
            ExportFormat::ALL.map(ExportFormat::tag).join(", ")
        )
    })
}

fn export_type(text: &str) -> Result<ExportType, String> {
    let found = ExportType::ALL
        .into_iter()
        .find(|dtype| dtype.tag() == text);
    found.ok_or_else(|| {
        format!(
            "choose among {}",
            ExportType::ALL.map(ExportType::tag).join(", ")
        )
    })
}

/// `models export`
pub fn export(args: &ExportArgs, out: &Output) -> Outcome {
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
    let made = watcher.finished(engine.training().export_run(&request, &watcher))?;
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
        None => text
            .push_str("\nThe adapter's files are copied as they are; there is nothing to compare."),
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
    let side = if figure.measure.higher_is_better() {
        "at least"
    } else {
        "at most"
    };
    let bound = figure
        .bound
        .map(|bound| format!(", {side} {bound}"))
        .unwrap_or_default();
    format!("{name}: {}{bound}", fine(figure.value))
}
