//! Makes a small decoder from texts: its tokenizer, and all its weights from random ones. The product's worker has no
//! part of it; the demonstration model is made with it by tools/demo-model.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

mod bpe;
mod corpus;
mod pretrain;
mod report;
mod settings;
mod start;

use clap::Parser;
use lexforge_models::{device, shim};
use std::path::PathBuf;
use std::process::ExitCode;

/// Makes a small decoder from texts: its tokenizer, and all its weights from random ones.
#[derive(Debug, Parser)]
#[command(name = "lexforge-pretrain")]
struct Command {
    /// Folder of JSONL files whose lines are {"text", "source"} or {"question", "choices", "answer"}.
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// The model's folder, made when the training is done; started again, a broken-off one goes on.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Threads; 0 = all.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    settings: settings::Settings,
}

fn main() -> ExitCode {
    let command = Command::parse();
    // Before anything else asks libtorch about CUDA.
    device::prepare();
    let ended = obey(&command);
    shim::end_without_destructors();
    ended
}

fn obey(command: &Command) -> ExitCode {
    let report = match pretrain::pretrain(
        &command.corpus,
        &command.out,
        &command.settings,
        command.threads,
    ) {
        Ok(report) => report,
        Err(error) => {
            let failure = error.into_failure();
            eprintln!(
                "error[{}]: {failure}\nhint: {}",
                failure.code.tag(),
                failure.hint
            );
            return ExitCode::FAILURE;
        }
    };
    match serde_json::to_string(&report) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
