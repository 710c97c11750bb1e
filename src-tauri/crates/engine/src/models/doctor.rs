//! Checks what is installed and what is missing, and gives the command that installs it.

use super::base::{DEFAULT_ENCODER, MULTILINGUAL_ENCODER};
use super::inspect::inspect_model;
use super::shipped::Shipped;
use crate::workspace::{log_folder, log_view, own_folder};
use lexforge_compute::WorkerProgram;
use lexforge_domain::Failure;
use lexforge_domain::api::Check;
use lexforge_domain::grouped::grouped;
use lexforge_domain::protocol::PROTOCOL_VERSION;
use lexforge_ingest::Parser;
use lexforge_ingest::tesseract;

/// Look at everything that a use case may need.
pub fn doctor() -> Vec<Check> {
    let parser = Parser::locate();
    let place = |parser: &Parser| parser.program().display().to_string();
    let mut checks = vec![check(
        "parser",
        parser.as_ref().map(place).map_err(Clone::clone),
    )];
    if let Ok(parser) = parser {
        // If the system grants fewer restrictions, the check does not fail; it says which ones it grants.
        checks.push(check(
            "parser sandbox",
            parser.sandbox().map(|found| found.describe()),
        ));
    }
    let worker = WorkerProgram::locate();
    let pack = worker.as_ref().ok().and_then(WorkerProgram::libtorch);
    let pack = pack.map(|folder| folder.display().to_string());
    match worker.and_then(|worker| worker.version()) {
        Err(failure) => {
            checks.push(check("worker", Err(failure)));
            checks.push(Check::missing(
                "libtorch",
                "not known: the worker does not start",
                "Repair the worker first.",
            ));
        }
        Ok(version) => {
            let said = format!(
                "{} (protocol {})",
                version.version, version.protocol_version
            );
            checks.push(if version.protocol_version == PROTOCOL_VERSION {
                found("worker", said)
            } else {
                Check::missing("worker", said, "Install application and worker together.")
            });
            checks.push(found(
                "libtorch",
                match (pack, &version.libtorch_at) {
                    (Some(folder), _) => format!("{} (of the pack in {folder})", version.libtorch),
                    (None, Some(folder)) => format!("{} (from {folder})", version.libtorch),
                    (None, None) => format!("{} (beside the worker)", version.libtorch),
                },
            ));
            // A machine without CUDA is in order: the worker uses the CPU.
            let note = version
                .cuda_note
                .map(|n| format!(" ({n})"))
                .unwrap_or_default();
            checks.push(found(
                "devices",
                format!("{}{note}", version.devices.join(", ")),
            ));
            checks.push(check("encoder", model(DEFAULT_ENCODER)));
            // Without it everything works, but texts in other languages than English are compared by counting words.
            checks.push(match Shipped::Multilingual.is_there() {
                true => check("other languages", model(MULTILINGUAL_ENCODER)),
                false => found("other languages", NO_MULTILINGUAL),
            });
        }
    }
    checks.push(text_recognition());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    checks.push(found("processor", format!("{cores} cores")));
    checks.push(temp_folder());
    checks.push(check("logs", logs()));
    checks
}

/// The message if the encoder for other languages than English is missing.
const NO_MULTILINGUAL: &str = "no encoder: vectors of what is not English are counted (packages hold it, and in a checkout \
                               tools/setup fetches it)";

/// A model as it was found.
fn model(name: &str) -> Result<String, Failure> {
    inspect_model(name).and_then(|m| match m.problems.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(format!(
            "{} · {} parameters · {}",
            m.name,
            grouped(m.parameters),
            m.dtype
        )),
    })
}

/// A machine without Tesseract is in order: only scanned pages stay unread.
fn text_recognition() -> Check {
    let missing = "not installed: pages without a text layer are not read (Debian: apt-get install tesseract-ocr \
                   tesseract-ocr-chi-sim)";
    // It is started as for reading documents: within the limits of the parser program.
    let guard = Parser::locate().ok();
    let guard = guard.map(|parser| parser.program().to_path_buf());
    match tesseract::locate().map(|program| tesseract::describe(&program, guard)) {
        None => found("text recognition", missing),
        Some(Ok(what)) => found("text recognition", what),
        Some(Err(why)) => Check::missing(
            "text recognition",
            why,
            "Install Tesseract again, with its languages eng and chi_sim.",
        ),
    }
}

fn found(name: &str, found: impl Into<String>) -> Check {
    Check::found(name, found)
}

fn check(name: &str, outcome: Result<String, Failure>) -> Check {
    match outcome {
        Ok(what) => found(name, what),
        Err(failure) => Check::failed(name, failure),
    }
}

/// The place of the logs, and how much is written to them.
fn logs() -> Result<String, Failure> {
    let logs = log_view();
    own_folder(&log_folder())?;
    Ok(format!("{} · {}", logs.folder, logs.level.tag()))
}

/// Inspecting a model works in the folder for temporary files.
fn temp_folder() -> Check {
    let dir = std::env::temp_dir();
    let probe = dir.join(format!("lexforge-doctor-{}", std::process::id()));
    let outcome = std::fs::write(&probe, b"x").and_then(|()| std::fs::remove_file(&probe));
    match outcome {
        Ok(()) => found("temporary folder", dir.display().to_string()),
        Err(e) => Check::missing(
            "temporary folder",
            format!("{}: {e}", dir.display()),
            "Set TMPDIR to a folder that you may write.",
        ),
    }
}
