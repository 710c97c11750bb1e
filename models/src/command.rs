//! The worker's command line.

use crate::folder::ModelFolders;
use crate::jobs::attempt::Outcome;
use crate::jobs::job::exit_code;
use crate::jobs::{inspect, job, resident};
use crate::training::memory;
use crate::training::ranks::{Place, Together};
use crate::{Error, Result, device, platform, serving, shim};
use clap::{Args, Parser, Subcommand};
use lexforge_compute::remote::station;
use lexforge_compute::{WorkerProgram, local};
use lexforge_domain::protocol::{InspectResult, PROTOCOL_VERSION, WorkerVersion};
use lexforge_domain::{Code, Failure};
use lexforge_log::Pace;
use serde::Serialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use tracing::{info, warn};

/// Trains and runs models for Lexforge, one job bundle at a time.
#[derive(Debug, Parser)]
#[command(
    name = "lexforge-worker",
    disable_version_flag = true,
    args_conflicts_with_subcommands = true
)]
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
        /// Train with this many processes on this machine, one for each GPU. Leave it out under torchrun or srun, where
        /// each process reads its rank from the environment.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        ranks: Option<u16>,
        /// In a session of its own, so that the end of a login does not end it.
        #[arg(long, hide = true)]
        apart: bool,
    },
    /// Serve an application that is connected by ssh. Requests and answers about files, jobs and their events are sent
    /// in frames on standard input and output.
    Stdio {
        /// The folder on this machine.
        #[arg(long, value_name = "DIR")]
        folder: PathBuf,
    },
    /// Describe a model folder and what is missing in it.
    Inspect {
        /// The model's folder.
        folder: PathBuf,
        /// Settings of a training (JSON) whose memory is estimated.
        #[arg(long, value_name = "FILE")]
        plan: Option<PathBuf>,
        /// One JSON document on standard output.
        #[arg(long)]
        json: bool,
    },
    /// Make vectors of the texts that come on standard input, a line of JSON a request, until it ends.
    Resident(Box<resident::Settings>),
    /// Serve a model and its adapters on 127.0.0.1 with OpenAI's HTTP API; LEXFORGE_TOKEN holds the bearer token.
    Serve(Box<serving::Settings>),
}

impl Command {
    /// Its word on the command line.
    fn name(&self) -> &'static str {
        match self.verb {
            Some(Verb::Run { .. }) => "run",
            Some(Verb::Stdio { .. }) => "stdio",
            Some(Verb::Inspect { .. }) => "inspect",
            Some(Verb::Resident(_)) => "resident",
            Some(Verb::Serve(_)) => "serve",
            None => "version",
        }
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let command = Command::parse();
    let _log = lexforge_log::begin_for_parent("lexforge-worker", Pace::Behind);
    let (use_case, began) = (command.name(), Instant::now());
    info!(use_case, "begins");
    let ended = obey(command);
    info!(use_case, ms = began.elapsed().as_millis(), "ends");
    shim::end_without_destructors();
    ended
}

fn obey(command: Command) -> ExitCode {
    if let Some(Verb::Stdio { folder }) = &command.verb {
        return stdio(folder);
    }
    // Before anything else asks libtorch about CUDA.
    device::prepare();
    match command.verb {
        Some(Verb::Run {
            bundle,
            models,
            ranks,
            apart,
        }) => {
            if apart {
                local::leave_session();
            }
            run(&bundle, &models, ranks.unwrap_or(1).into())
        }
        Some(Verb::Stdio { folder }) => stdio(&folder),
        Some(Verb::Inspect { folder, plan, json }) => match inspected(&folder, plan.as_deref()) {
            Ok(result) if json => print_json(&result),
            Ok(result) => {
                print_inspection(&result);
                ExitCode::SUCCESS
            }
            Err(error) => fail(&error.into_failure()),
        },
        Some(Verb::Serve(settings)) => match serving::serve(&settings) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error.into_failure()),
        },
        Some(Verb::Resident(settings)) => match resident::stay(&settings) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error.into_failure()),
        },
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

/// Answers on this process's streams; jobs are run by this program.
fn stdio(folder: &Path) -> ExitCode {
    let program = match std::env::current_exe() {
        Ok(path) => WorkerProgram::at(path),
        Err(error) => {
            eprintln!("error: the worker does not know its own path: {error}");
            return ExitCode::FAILURE;
        }
    };
    let (input, out) = (std::io::stdin().lock(), std::io::stdout());
    match station::serve(folder, program, env!("CARGO_PKG_VERSION"), input, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => fail(&failure),
    }
}

fn run(bundle: &Path, models: &[PathBuf], ranks: usize) -> ExitCode {
    let place = match ranks {
        1 => Place::of_environment().map(|place| (None, place)),
        _ => {
            let mut arguments: Vec<&OsStr> = vec!["run".as_ref(), bundle.as_ref()];
            models
                .iter()
                .for_each(|folder| arguments.extend(["--models".as_ref(), folder.as_os_str()]));
            Together::start(ranks, &arguments, bundle).map(|(others, place)| (Some(others), place))
        }
    };
    let (_others, place) = match place {
        Ok(place) => place,
        Err(error) => return fail(&error.into_failure()),
    };
    match job::run_at(bundle, &ModelFolders::usual(models), place) {
        Ok(Outcome::Finished(result)) => print_json(&result),
        Ok(Outcome::Followed { .. }) => ExitCode::SUCCESS,
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
        libtorch_at: platform::loaded_from("libtorch_cpu.so")
            .map(|folder| folder.display().to_string()),
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
    warn!(code = failure.code.tag(), "failed");
    // The application reads this back where a failure could not be written to the bundle.
    eprintln!(
        "error[{}]: {failure}\nhint: {}",
        failure.code.tag(),
        failure.hint
    );
    ExitCode::from(exit_code(failure))
}

/// A model folder, with the memory of a training on it where one is planned.
fn inspected(folder: &Path, plan: Option<&Path>) -> Result<InspectResult> {
    let mut result = inspect::inspect(folder)?;
    if let Some(path) = plan {
        let text = std::fs::read_to_string(path).map_err(Error::io(path))?;
        let settings = serde_json::from_str(&text).map_err(|e| {
            Error::told_of(
                path,
                Code::InvalidRequest,
                format!("The plan is no settings of a training: {e}."),
                "Give the object `settings` of a train job's job.json.",
            )
        })?;
        result.memory = Some(memory::estimate(folder, &settings)?);
    }
    Ok(result)
}

fn print_inspection(result: &InspectResult) {
    println!(
        "{} ({})",
        result.name,
        if result.architecture.is_empty() {
            "unsupported"
        } else {
            &result.architecture
        }
    );
    println!("  parameters    {}", result.parameters);
    println!(
        "  layers        {}, hidden size {}",
        result.layers, result.hidden_size
    );
    println!("  vocabulary    {}", result.vocabulary);
    println!("  longest input {} tokens", result.max_positions);
    println!("  weights       {} in {} bytes", result.dtype, result.bytes);
    println!("  content       {}", result.sha256);
    if let Some(reading) = &result.reading {
        println!(
            "  vectors       {} of at most {} tokens{}",
            reading.pooling.tag(),
            reading.max_length,
            if reading.normalize {
                ", unit length"
            } else {
                ""
            }
        );
        println!(
            "  prompts       {:?} before questions, {:?} before passages",
            reading.question, reading.passage
        );
    }
    if let Some(memory) = &result.memory {
        println!(
            "  training      about {:.0} MiB on {} (weights {:.0}, adapter {:.0}, largest step {:.0}, stage {})",
            memory.total_mb,
            memory.device,
            memory.weights_mb,
            memory.adapter_mb,
            memory.activations_mb,
            memory.stage
        );
        let free = memory
            .available_mb
            .map_or("not known".to_owned(), |free| format!("{free:.0} MiB"));
        println!(
            "  free          {free}{}",
            if memory.fits { "" } else { ": it does not fit" }
        );
        if let Some(advice) = &memory.advice {
            println!(
                "  advice        {} = {}: about {:.0} MiB",
                advice.setting, advice.value, advice.total_mb
            );
        }
    }
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
        let parsed = Command::try_parse_from([
            "lexforge-worker",
            "run",
            "b",
            "--models",
            "x",
            "--models",
            "y",
        ])
        .unwrap();
        assert!(
            matches!(parsed.verb, Some(Verb::Run { models, ranks: None, .. }) if models.len() == 2)
        );
        let parsed = Command::try_parse_from(["lexforge-worker", "--version", "--json"]).unwrap();
        assert!(parsed.version.version && parsed.version.json && parsed.verb.is_none());
    }
}
