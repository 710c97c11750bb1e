//! The checkpoints of a run, whose adapters can be looked at like those of whole runs.

use super::Runs;
use super::bundles::{WEIGHTS, check_adapter};
use super::placed::Placed;
use super::there::over_connection;
use crate::targets::under_way;
use crate::workspace::{ADAPTERS, Result, Watcher, file_failure, io_failure};
use lexforge_domain::api::RunRow;
use lexforge_domain::plain::is_plain_name;
use lexforge_domain::protocol::{CHECKPOINTS_DIR, CheckpointManifest, MANIFEST_FILE};
use lexforge_domain::{Code, Failure, RunId};
use lexforge_files::inside;
use std::path::PathBuf;

/// Largest manifest that is read, in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;
/// Files of a checkpoint that do not belong to its adapter.
const OF_TRAINING: [&str; 3] = ["state.json", "training_state.safetensors", MANIFEST_FILE];

/// Why no checkpoint comes any more.
fn cleaned(run: RunId, target: &str) -> Failure {
    Failure::new(
        Code::NotFound,
        format!(
            "The folder of run {run} is not on {target} any more: it was removed when that machine was cleaned, and the \
             checkpoints with it."
        ),
        "The adapter, the result and the log are here. Next time, have the checkpoints brought before the machine is \
         cleaned.",
    )
}

impl Runs<'_> {
    /// Fetches also the checkpoints of a run on another machine, not only its results. If its results are here already,
    /// the checkpoints are fetched now; otherwise they come with the results.
    ///
    /// # Errors
    /// When there is no such run, it ran on this machine, or its target does not answer or no longer has the run.
    pub fn bring_checkpoints(&self, id: RunId, watcher: &dyn Watcher) -> Result<RunRow> {
        self.run(id)?;
        let bundle = self.bundle(id)?;
        let Some(placed) = Placed::of(&bundle)? else {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("Run {id} was not sent to another machine."),
                "Its checkpoints are in its bundle already.",
            ));
        };
        placed.amend(&bundle, |known| known.checkpoints = true)?;
        if bundle.result()?.is_some() {
            let target = placed.target()?;
            let fetched = over_connection(
                &target,
                watcher,
                || Ok(()),
                |connection| {
                    let told = &mut |done, of| under_way(watcher, &target.name, done, of);
                    connection.fetch(&placed.job, true, &bundle, told)
                },
            );
            // The results are here, so nothing but a clean-up has taken the job away.
            if fetched.as_ref().is_err_and(|e| e.code == Code::NotFound) {
                placed.amend(&bundle, |known| known.cleaned = true)?;
                return Err(cleaned(id, &target.name));
            }
            fetched?;
        }
        self.run(id)
    }

    /// The names of the checkpoints of a run that are still there, in their order; none where its bundle was removed.
    pub(crate) fn checkpoints(&self, run: RunId) -> Result<Vec<String>> {
        let Some(bundle) = self.bundle_of(run)? else {
            return Ok(Vec::new());
        };
        let folder = match inside::folder(bundle.folder(), CHECKPOINTS_DIR) {
            Err(e) if e.is_absent() => return Ok(Vec::new()),
            other => other.map_err(file_failure)?,
        };
        let entries = std::fs::read_dir(&folder)
            .and_then(|all| all.collect::<std::io::Result<Vec<_>>>())
            .map_err(|e| io_failure(&e, &folder))?
            .into_iter();
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            // The names of checkpoints that are not complete begin with a dot.
            .filter(|name| !name.starts_with('.'))
            .filter(|name| inside::open(&folder, &format!("{name}/{MANIFEST_FILE}")).is_ok())
            .collect();
        names.sort_unstable();
        Ok(names)
    }

    /// The folder with the adapter of a checkpoint. The adapter is stored under the hash of its weights.
    ///
    /// # Errors
    /// When there is no such checkpoint (the message lists the existing ones), or it is damaged.
    pub(crate) fn checkpoint_dir(&self, run: RunId, name: &str) -> Result<PathBuf> {
        let names = self.checkpoints(run)?;
        if !is_plain_name(name) || !names.iter().any(|known| known == name) {
            let there = match names.is_empty() {
                true => "none is left".to_owned(),
                false => names.join(", "),
            };
            return Err(Failure::new(
                Code::NotFound,
                format!("Run {run} has no checkpoint {name}. Those that are there: {there}."),
                "Name one of them, or the run itself.",
            ));
        }
        let bundle = self.bundle(run)?;
        let path = format!("{CHECKPOINTS_DIR}/{name}");
        let from = inside::folder(bundle.folder(), &path).map_err(file_failure)?;
        let bytes = inside::read(&from, MANIFEST_FILE, LARGEST_MANIFEST).map_err(file_failure)?;
        let manifest: Option<CheckpointManifest> = serde_json::from_slice(&bytes).ok();
        let Some(sha256) = manifest.and_then(|mut manifest| manifest.files.remove(WEIGHTS)) else {
            return Err(Failure::new(
                Code::CheckpointInvalid,
                format!(
                    "The checkpoint {name} of run {run} does not say which weights are its own."
                ),
                "Name another one, or the run itself.",
            ));
        };
        let kept = format!("{ADAPTERS}/{sha256}");
        match inside::folder(&self.workspace.store.artifacts_path(), &kept) {
            Ok(folder) => {
                check_adapter(&folder, &sha256)?;
                Ok(folder)
            }
            Err(e) if e.is_absent() => {
                self.keep_adapter(&from, &sha256, |name| !OF_TRAINING.contains(&name))
            }
            Err(e) => Err(file_failure(e)),
        }
    }
}
