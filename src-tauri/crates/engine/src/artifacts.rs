//! The folders beside a workspace's file: bundles of runs, adapters, and what is being worked on.
//!
//! A workspace may come from elsewhere with all of it. What it names is looked for in its own folders alone, and through no
//! link; whoever only looks makes nothing.

use crate::workspace::io_failure;
use crate::{Engine, Result};
use lexforge_compute::Bundle;
use lexforge_domain::protocol::TrainResult;
use lexforge_domain::{Code, Failure, Remedy, RunId, Sha256};
use lexforge_files::{Error, Leftovers, inside, remove_leftovers};
use sha2::Digest;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Folder of the bundles.
const BUNDLES: &str = "bundles";
/// Folder of the adapters.
const ADAPTERS: &str = "adapters";
/// The weights of an adapter, whose hash names it.
const WEIGHTS: &str = "adapter_model.safetensors";

/// What was removed since somebody asked.
static REMOVED: Mutex<Leftovers> = Mutex::new(Leftovers { folders: 0, files: 0, bytes: 0 });

/// What killed programs had left and was removed since this was asked for last: for whoever speaks to the user.
pub fn removed_leftovers() -> Leftovers {
    std::mem::take(&mut *REMOVED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes what killed programs left in a folder, and remembers it for [`removed_leftovers`].
pub(crate) fn clear(folder: &Path) -> Leftovers {
    let removed = remove_leftovers(folder);
    *REMOVED.lock().unwrap_or_else(PoisonError::into_inner) += removed;
    removed
}

/// A folder for one job, removed when it is dropped.
pub(crate) struct Scratch(lexforge_files::Scratch);

impl Scratch {
    pub(crate) fn new(parent: &Path, purpose: &str) -> Result<Self> {
        lexforge_files::Scratch::new(parent, purpose).map(Self).map_err(file_failure)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Gives what was made its own name.
    pub(crate) fn keep_as(self, target: &Path) -> Result<()> {
        self.0.keep_as(target).map_err(file_failure)
    }
}

impl Engine {
    /// Folder of the bundles that this workspace's jobs run in, made where it is not there.
    pub(crate) fn bundles_dir(&self) -> Result<PathBuf> {
        inside::make_folder(&self.store.artifacts_path(), BUNDLES).map_err(file_failure)
    }

    /// The bundle of a run; none where it was removed by hand.
    ///
    /// # Errors
    /// When there is no such run; when what the workspace names is no bundle of its own.
    pub(crate) fn bundle_of(&self, id: RunId) -> Result<Option<Bundle>> {
        let named = self.store.read(|r| r.run(id))?.bundle;
        let artifacts = std::path::absolute(self.store.artifacts_path())
            .map_err(|e| io_failure(&e, &self.store.artifacts_path()))?;
        // A path from the root is one of ours if it leads to where our bundles lie.
        let relative = Path::new(&named).strip_prefix(&artifacts).ok().and_then(Path::to_str).unwrap_or(&named);
        let known = relative.strip_prefix(BUNDLES).and_then(|rest| rest.strip_prefix('/'));
        if known.is_none_or(|name| name.contains('/')) {
            let told = Error::NotInside { folder: artifacts.join(BUNDLES), path: named };
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

    /// Folder of the adapter that a run made. Its weights are those that its name says.
    pub(crate) fn adapter_dir(&self, id: RunId) -> Result<PathBuf> {
        let result = self.train_result(id)?;
        let kept = format!("{ADAPTERS}/{}", result.adapter_sha256);
        match inside::folder(&self.store.artifacts_path(), &kept) {
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
        let artifacts = self.store.artifacts_path();
        let kept = format!("{ADAPTERS}/{}", result.adapter_sha256);
        match inside::folder(&artifacts, &kept) {
            Err(e) if e.is_absent() => {}
            other => return other.map_err(file_failure),
        }
        let from = inside::folder(bundle.folder(), &result.adapter).map_err(file_failure)?;
        let names = check_adapter(&from, &result.adapter_sha256)?;
        let target = inside::place(&artifacts, &kept).map_err(file_failure)?;
        // Copied aside and renamed, so that a folder with this name is always whole.
        // Aside in a folder of this call's own: window and follower may see a run finish at the same moment.
        let adapters = inside::make_folder(&artifacts, ADAPTERS).map_err(file_failure)?;
        let scratch = Scratch::new(&adapters, "adopt")?;
        for name in &names {
            let mut file = inside::open(&from, name).map_err(file_failure)?;
            let to = scratch.path().join(name);
            let mut copy = std::fs::File::create_new(&to).map_err(|e| io_failure(&e, &to))?;
            std::io::copy(&mut file, &mut copy).and_then(|_| copy.flush()).map_err(|e| io_failure(&e, &to))?;
        }
        if let Err(failure) = scratch.keep_as(&target)
            && !target.is_dir()
        {
            return Err(failure);
        }
        Ok(target)
    }

    /// Removes what killed programs left in this workspace's places; the chain tells it.
    pub(crate) fn clear_leftovers(&self) {
        let artifacts = self.store.artifacts_path();
        let beside = self.path().parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut removed = clear(beside);
        for name in [BUNDLES, ADAPTERS] {
            if let Ok(folder) = inside::folder(&artifacts, name) {
                removed += clear(&folder);
            }
        }
        clear(&std::env::temp_dir());
        if !removed.is_empty() {
            // A workspace that can only be read has nothing written into it; whoever asked is told in any case.
            let _ = self.store.write(&self.actor, |w| w.note("leftovers.remove", "workspace", Some(&removed.words())));
        }
    }
}

/// The files of an adapter's folder, whose weights must have this hash.
fn check_adapter(folder: &Path, sha256: &Sha256) -> Result<Vec<String>> {
    let names = inside::files(folder).map_err(file_failure)?;
    let mut file = inside::open(folder, WEIGHTS).map_err(file_failure)?;
    let mut digest = sha2::Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer).map_err(|e| io_failure(&e, &folder.join(WEIGHTS)))?;
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

/// What is wrong with a file, as a person reads it.
pub(crate) fn file_failure(error: Error) -> Failure {
    match error {
        Error::Io { path, source } => io_failure(&source, &path),
        other => other.refusal(),
    }
}
