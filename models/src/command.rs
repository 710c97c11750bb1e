//! The worker's command line.

use crate::folder::ModelFolders;
use crate::job::{Outcome, exit_code};
use crate::{device, inspect, job, pretrain, shim};
use clap::{Args, Parser, Subcommand};
use lexforge_domain::Failure;
use lexforge_domain::protocol::{InspectResult, PROTOCOL_VERSION, WorkerVersion};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Trains and runs models for Lexforge, one job bundle at a time.
#[derive(Debug, Parser)]
#[command(name = "lexforge-worker", disable_version_flag = true, args_conflicts_with_subcommands = true)]
struct Command {
    #[command(flatten)]
    version: VersionArguments,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Args, Debug)]
struct VersionArguments {
    /// Print version, protocol, libtorch and devices.
    #[arg(long, short = 'V')]
    version: bool,
    /// One JSON document on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run the job of a bundle, or go on with it from its newest checkpoint.
    Run {
        /// The bundle's folder.
        bundle: PathBuf,
        /// A folder that holds model folders; searched before the usual ones. May be repeated.
        #[arg(long = "models", value_name = "DIR")]
        models: Vec<PathBuf>,
    },
    /// Describe a model folder and what is missing in it.
    Inspect {
        /// The model's folder.
        folder: PathBuf,
        /// One JSON document on standard output.
        #[arg(long)]
        json: bool,
    },
    /// Make a small decoder from texts: its tokenizer, and all its weights from random ones.
    Pretrain {
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
        settings: Box<pretrain::Settings>,
    },
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let command = Command::parse();
    // Before anything else asks libtorch about CUDA.
    device::prepare();
    match command.verb {
        Some(Verb::Run { bundle, models }) => run(&bundle, &models),
        Some(Verb::Inspect { folder, json }) => match inspect::inspect(&folder) {
            Ok(result) if json => print_json(&result),
            Ok(result) => {
                print_inspection(&result);
                ExitCode::SUCCESS
            }
            Err(error) => fail(&error.into_failure()),
        },
        Some(Verb::Pretrain { corpus, out, threads, settings }) => {
            match pretrain::pretrain(&corpus, &out, &settings, threads) {
                Ok(report) => print_json(&report),
                Err(error) => fail(&error.into_failure()),
            }
        }
        None if command.version.version => {
            let version = version();
            if command.version.json {
                return print_json(&version);
            }
            println!(
                "lexforge-worker {} (protocol {}, libtorch {})",
                version.version, version.protocol_version, version.libtorch
            );
            println!("devices: {}", version.devices.join(", "));
            if let Some(note) = version.cuda_note {
                println!("{note}");
            }
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("error: nothing to do\nhint: lexforge-worker --help lists the commands.");
            ExitCode::from(2)
        }
    }
}

fn run(bundle: &std::path::Path, models: &[PathBuf]) -> ExitCode {
    match job::run(bundle, &ModelFolders::usual(models)) {
        Ok(Outcome::Finished(result)) => print_json(&result),
        Ok(Outcome::Stopped { step }) => {
            eprintln!("stopped at step {step}; run the bundle again to go on");
            ExitCode::SUCCESS
        }
        Err(failure) => fail(&failure),
    }
}

fn version() -> WorkerVersion {
    WorkerVersion {
        version: env!("CARGO_PKG_VERSION").into(),
        protocol_version: PROTOCOL_VERSION,
        libtorch: shim::libtorch_version(),
        devices: device::names(),
        cuda_note: device::cuda_note(),
    }
}

fn print_json<T: Serialize>(value: &T) -> ExitCode {
    match serde_json::to_string(value) {
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

fn fail(failure: &Failure) -> ExitCode {
    // The application reads this back where a failure could not be written to the bundle.
    eprintln!("error[{}]: {failure}\nhint: {}", failure.code.tag(), failure.hint);
    ExitCode::from(exit_code(failure))
}

fn print_inspection(result: &InspectResult) {
    println!("{} ({})", result.name, if result.architecture.is_empty() { "unsupported" } else { &result.architecture });
    println!("  parameters    {}", result.parameters);
    println!("  layers        {}, hidden size {}", result.layers, result.hidden_size);
    println!("  vocabulary    {}", result.vocabulary);
    println!("  longest input {} tokens", result.max_positions);
    println!("  weights       {} in {} bytes", result.dtype, result.bytes);
    println!("  content       {}", result.sha256);
    for problem in &result.problems {
        println!("  problem: {problem}\n    hint: {}", problem.hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Command::command().debug_assert();
        let parsed =
            Command::try_parse_from(["lexforge-worker", "run", "b", "--models", "x", "--models", "y"]).unwrap();
        assert!(matches!(parsed.verb, Some(Verb::Run { models, .. }) if models.len() == 2));
        let parsed = Command::try_parse_from(["lexforge-worker", "--version", "--json"]).unwrap();
        assert!(parsed.version.version && parsed.version.json && parsed.verb.is_none());
    }
}
