//! The export job. It writes a base model with an adapter in a form that other programs can load, and checks that this
//! form gives the same answers.
//!
//! The export has a temporary name until it is complete, was read back from its files and was compared ([`parity`]).
//! Weights are merged in fp32 and converted one tensor at a time ([`merge`]), so the whole model is never in memory.

pub mod card;
mod gguf_file;
mod making;
pub mod merge;
pub mod more_words;
pub mod output;
pub mod parity;
pub mod prompts;
pub mod quantized;
mod steps;
pub mod vectors;

use crate::adapters::adapter::Adapter;
use crate::data::Records;
use crate::folder::ModelFolders;
use crate::jobs::attempt::Outcome;
use crate::jobs::bundle::HeldBundle;
use crate::jobs::control::ControlFile;
use crate::jobs::events::EventLog;
use crate::jobs::progress::Progress;
use crate::{Error, Result, device, files};
use lexforge_domain::Code;
use lexforge_domain::protocol::{ExportJob, JobResult, ScoreItem};
use making::Making;
use std::path::{Path, PathBuf};
use std::time::Instant;
use steps::{Ended, Steps};

/// Runs an export job.
///
/// # Errors
/// If the base and the adapter do not fit each other, or cannot be written in the requested form.
/// [`Code::ExportDiffers`] if the export does not give the same answers. [`Code::DiskFull`]. In each case no file of
/// the export remains.
pub fn export(
    bundle: &HeldBundle,
    job: &ExportJob,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
) -> Result<Outcome> {
    let began = Instant::now();
    let output = bundle.path(&job.output)?;
    if output.exists() {
        return Err(Error::told_of(
            &output,
            Code::InvalidRequest,
            "Something stands already where the export is to be made.",
            "Choose another folder.",
        ));
    }
    let base = folders.find(&job.model)?;
    let adapter = Adapter::read(&bundle.path(&job.adapter)?)?;
    adapter.check_base(&job.model.name, &base)?;
    let given = match &job.prompts {
        Some(prompts) => {
            Records::<ScoreItem>::open(&bundle.path(prompts)?)?.collect::<Result<Vec<_>>>()?
        }
        None => Vec::new(),
    };
    let unfinished = Unfinished::at(&output)?;
    let mut steps = Steps {
        events,
        control,
        progress: Progress::new(events, began),
        stage: "export",
        done: 0,
        of: 0,
    };
    let making = Making {
        job,
        base: &base,
        adapter: &adapter,
        from: &bundle.path(&job.adapter)?,
        device: device::device(),
    };
    let made = making.all(&unfinished.0, given, &mut steps, began);
    match made {
        Ok(result) => {
            unfinished.keep(&output)?;
            Ok(Outcome::Finished(JobResult::Export(result)))
        }
        Err(Ended::Wish) => Ok(Outcome::Stopped { step: steps.done }),
        Err(Ended::Failure(error)) => Err(without_room(error, &output)),
    }
}

/// The error of a full disk in words that fit an export: there is no run to continue.
fn without_room(error: Error, output: &Path) -> Error {
    let failure = error.into_failure();
    if failure.code != Code::DiskFull {
        return failure.into();
    }
    let folder = output.parent().unwrap_or(output);
    Error::told_of(
        folder,
        Code::DiskFull,
        "The disk is full; the export was not finished, and nothing of it was left there.",
        "Free some space, or choose a folder on another disk, and export again.",
    )
}

/// The folder under its other name; it goes unless it is kept.
struct Unfinished(PathBuf);

impl Unfinished {
    fn at(output: &Path) -> Result<Self> {
        let path = files::unfinished(output);
        if path.exists() {
            // Of an attempt that was killed.
            std::fs::remove_dir_all(&path).map_err(Error::io(&path))?;
        }
        std::fs::create_dir_all(&path).map_err(Error::io(&path))?;
        Ok(Self(path))
    }

    fn keep(self, output: &Path) -> Result<()> {
        files::flush_folder(&self.0)?;
        std::fs::rename(&self.0, output).map_err(Error::io(output))?;
        match output.parent() {
            Some(parent) => files::flush_folder(parent),
            None => Ok(()),
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After `keep` there is nothing of this name.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
