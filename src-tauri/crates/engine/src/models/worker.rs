//! One job of the worker, from its bundle to its result.

use crate::workspace::{Result, Scratch, cancelled, file_failure, io_failure, make_dir};
use lexforge_compute::{WorkerProgram, bundle, local};
use lexforge_domain::protocol::{Job, JobEvent, JobResult};
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_files::inside;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Folder of an adapter in a job's bundle.
pub(crate) const ADAPTER_DIR: &str = "adapter";

/// Run a job in a bundle of its own and wait for its result.
pub(crate) fn run_job(
    scratch: &Scratch,
    job: &Job,
    inputs: &[(&str, Vec<serde_json::Value>)],
    models: &[PathBuf],
    on_event: &mut dyn FnMut(&JobEvent),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<JobResult> {
    let program = WorkerProgram::locate()?;
    let bundle = bundle::create(scratch.path(), job)?;
    for (name, lines) in inputs {
        bundle.write_jsonl(name, lines)?;
    }
    let result = local::run_to_end(&program, &bundle, models, on_event, is_cancelled)
        .map_err(without_run)?;
    if is_cancelled() {
        return Err(cancelled("Nothing was changed."));
    }
    Ok(result)
}

/// The failure of a job that is not a training run. Its bundle is removed, so the message must not offer to resume it.
fn without_run(failure: Failure) -> Failure {
    if failure.code == Code::Cancelled {
        cancelled("Nothing was changed.")
    } else {
        failure
    }
}

/// Copies the files of an adapter (two of PEFT, and one that only this program writes). Links to files are followed.
/// If the user named the source, such links are usual, because Hugging Face stores models in this way. Every other
/// source was made by this program and checked before.
pub(crate) fn copy_adapter(from: &Path, to: &Path) -> Result<()> {
    make_dir(to)?;
    for entry in std::fs::read_dir(from).map_err(|e| io_failure(&e, from))? {
        let entry = entry.map_err(|e| io_failure(&e, from))?;
        if entry.path().is_file() {
            let target = to.join(entry.file_name());
            std::fs::copy(entry.path(), &target).map_err(|e| io_failure(&e, &target))?;
        }
    }
    Ok(())
}

/// The lines of the file that a job gave as its result.
pub(crate) fn result_lines<T: DeserializeOwned>(scratch: &Scratch, output: &str) -> Result<Vec<T>> {
    let path = inside::place(scratch.path(), output).map_err(file_failure)?;
    let text = std::fs::read_to_string(&path).map_err(|e| io_failure(&e, &path))?;
    text.lines()
        .map(serde_json::from_str)
        .collect::<std::result::Result<_, _>>()
        .map_err(|_| wrong_result())
}

pub(crate) fn wrong_result() -> Failure {
    Failure::new(
        Code::WorkerIncompatible,
        "The worker's result is not of the form that was asked for.",
        Remedy::InstallSameVersion,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_job_that_was_cancelled_nothing_is_to_be_resumed() {
        let stopped = Failure::new(Code::Cancelled, "It was stopped.", "Resume the run.");
        let told = without_run(stopped);
        assert_eq!(told.code, Code::Cancelled);
        assert!(told.hint.starts_with("Nothing was changed."), "{told}");
        let other = Failure::new(Code::WorkerDied, "It died.", "Look at its log.");
        assert_eq!(without_run(other.clone()), other);
    }
}
