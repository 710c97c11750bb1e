//! The bundles of runs and the adapters they made, in the folder beside the workspace.
//!
//! A workspace and its folder may have been made by somebody else. So a file that the workspace names is looked for
//! only in the workspace's own folders, and links are not followed. Functions that only read create nothing.

use super::Runs;
use crate::workspace::{ADAPTERS, BUNDLES, Result, Scratch, file_failure, io_failure};
use lexforge_compute::Bundle;
use lexforge_domain::protocol::{Event, Job, JobResult, TrainJob, TrainResult};
use lexforge_domain::{Code, Failure, Remedy, RunId, Sha256};
use lexforge_files::{Error, inside};
use sha2::Digest;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The weights of an adapter, whose hash names it.
pub(super) const WEIGHTS: &str = "adapter_model.safetensors";

impl Runs<'_> {
    /// The bundle of a run. `None` if somebody removed it.
    ///
    /// # Errors
    /// When there is no such run, or the workspace names a place that is outside its own folder or is not a bundle.
    pub(crate) fn bundle_of(&self, id: RunId) -> Result<Option<Bundle>> {
        let named = self.workspace.store.read(|r| r.run(id))?.bundle;
        let artifacts = std::path::absolute(self.workspace.store.artifacts_path())
            .map_err(|e| io_failure(&e, &self.workspace.store.artifacts_path()))?;
        // A path from the root is accepted if it leads to the folder of the bundles.
        let relative = Path::new(&named)
            .strip_prefix(&artifacts)
            .ok()
            .and_then(Path::to_str)
            .unwrap_or(&named);
        let known = relative
            .strip_prefix(BUNDLES)
            .and_then(|rest| rest.strip_prefix('/'));
        if known.is_none_or(|name| name.contains('/')) {
            let told = Error::NotInside {
                folder: artifacts.join(BUNDLES),
                path: named,
            };
            return Err(told.refusal());
        }
        match inside::folder(&artifacts, relative) {
            Err(e) if e.is_absent() => Ok(None),
            Err(e) => Err(file_failure(e)),
            Ok(folder) => Bundle::open(&folder).map(Some),
        }
    }

    /// The bundle of a run.
    pub(crate) fn bundle(&self, id: RunId) -> Result<Bundle> {
        self.bundle_of(id)?.ok_or_else(|| {
            Failure::new(
                Code::BundleInvalid,
                format!("The bundle of run {id} is not there any more."),
                Remedy::PutArtifactsBack,
            )
        })
    }

    /// The result of a finished train job.
    pub(crate) fn train_result(&self, id: RunId) -> Result<TrainResult> {
        match self.bundle(id)?.result()? {
            Some(JobResult::Train(result)) => Ok(result),
            _ => Err(Failure::new(
                Code::StepMissing,
                format!("Run {id} has not finished."),
                Remedy::WaitOrResume,
            )),
        }
    }

    /// Folder of the adapter that a run made. Its weights are those that its name says.
    pub(crate) fn adapter_dir(&self, id: RunId) -> Result<PathBuf> {
        let result = self.train_result(id)?;
        let kept = format!("{ADAPTERS}/{}", result.adapter_sha256);
        match inside::folder(&self.workspace.store.artifacts_path(), &kept) {
            Err(e) if e.is_absent() => self.adopt(&self.bundle(id)?, &result),
            Err(e) => Err(file_failure(e)),
            Ok(folder) => {
                check_adapter(&folder, &result.adapter_sha256)?;
                Ok(folder)
            }
        }
    }

    /// Keep an adapter under the hash of its weights. Nothing is made before it is known to be what the result says.
    pub(crate) fn adopt(&self, bundle: &Bundle, result: &TrainResult) -> Result<PathBuf> {
        let artifacts = self.workspace.store.artifacts_path();
        let kept = format!("{ADAPTERS}/{}", result.adapter_sha256);
        match inside::folder(&artifacts, &kept) {
            Err(e) if e.is_absent() => {}
            other => return other.map_err(file_failure),
        }
        let from = inside::folder(bundle.folder(), &result.adapter).map_err(missing)?;
        drop(inside::open(&from, WEIGHTS).map_err(missing)?);
        self.keep_adapter(&from, &result.adapter_sha256, |_| true)
    }

    /// Keeps an adapter in a folder, with those files of the folder that belong to it.
    pub(super) fn keep_adapter(
        &self,
        from: &Path,
        sha256: &Sha256,
        belongs: impl Fn(&str) -> bool,
    ) -> Result<PathBuf> {
        let names = check_adapter(from, sha256)?;
        let artifacts = self.workspace.store.artifacts_path();
        let kept = format!("{ADAPTERS}/{sha256}");
        let target = inside::place(&artifacts, &kept).map_err(file_failure)?;
        // The files are copied into a scratch folder, which is then renamed. So a folder with this name is always
        // complete. Each call has its own scratch folder, because the window and another program may notice at the same
        // moment that a run has finished.
        let adapters = self.workspace.artifacts_folder(ADAPTERS)?;
        let scratch = Scratch::new(&adapters, "adopt")?;
        for name in names.iter().filter(|name| belongs(name)) {
            let mut file = inside::open(from, name).map_err(file_failure)?;
            let to = scratch.path().join(name);
            let mut copy = std::fs::File::create_new(&to).map_err(|e| io_failure(&e, &to))?;
            std::io::copy(&mut file, &mut copy)
                .and_then(|_| copy.flush())
                .map_err(|e| io_failure(&e, &to))?;
        }
        if let Err(failure) = scratch.keep_as(&target)
            && !target.is_dir()
        {
            return Err(failure);
        }
        Ok(target)
    }
}

/// An adapter that is gone is a fault of its bundle: the other runs are listed nevertheless.
fn missing(error: Error) -> Failure {
    if !error.is_absent() {
        return file_failure(error);
    }
    Failure::new(
        Code::BundleInvalid,
        format!("The adapter that the run made is not there any more: {error}."),
        Remedy::PutArtifactsBack,
    )
}

/// The files of an adapter's folder, whose weights must have this hash.
pub(super) fn check_adapter(folder: &Path, sha256: &Sha256) -> Result<Vec<String>> {
    let names = inside::files(folder).map_err(file_failure)?;
    let mut file = inside::open(folder, WEIGHTS).map_err(file_failure)?;
    let mut digest = sha2::Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file
            .read(&mut buffer)
            .map_err(|e| io_failure(&e, &folder.join(WEIGHTS)))?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
    }
    let found = Sha256::of_digest(digest.finalize());
    if found == *sha256 {
        return Ok(names);
    }
    Err(Failure::new(
        Code::BundleInvalid,
        format!(
            "The weights in {} are not those that the run's result names: their SHA-256 is {found}.",
            folder.display()
        ),
        "Nothing was taken over. The file was changed or damaged after the training: train again, or ask for the workspace \
         again.",
    ))
}

/// Device, threads and libtorch of a bundle's last attempt.
pub(crate) fn device_of(bundle: &Bundle) -> Result<String> {
    let mut device = String::new();
    for event in bundle.events(None)? {
        if let Event::Started {
            device: name,
            threads,
            libtorch,
            ..
        } = event.event
        {
            device = match threads {
                1 => format!("{name}, 1 thread, libtorch {libtorch}"),
                _ => format!("{name}, {threads} threads, libtorch {libtorch}"),
            };
        }
    }
    Ok(device)
}

/// Base model and snapshot of a bundle's train job.
pub(crate) fn train_job(bundle: &Bundle) -> Result<TrainJob> {
    match bundle.job() {
        Job::Train(job) => Ok(job.clone()),
        _ => Err(Failure::new(
            Code::BundleInvalid,
            "The bundle does not hold a training job.",
            Remedy::TrainAnew,
        )),
    }
}
