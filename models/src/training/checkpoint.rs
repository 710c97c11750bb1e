//! Checkpoints that are either complete or do not exist.
//!
//! A checkpoint is written under a temporary name. Its files and its folder are flushed, and its manifest of hashes is
//! written last. Only then does it get its final name. The newest complete checkpoint is the one with the last stage
//! and step. The last two checkpoints and the best one are kept.

use crate::adapters::adapter;
use crate::files::{flush_folder, sha256, write_flushed};
use crate::jobs::events::EventLog;
use crate::tensors::{self, NamedTensors};
use crate::training::loss_scale::LossScale;
use crate::{Error, Result};
use lexforge_domain::plain::is_plain_name;
use lexforge_domain::protocol::{CHECKPOINTS_DIR, CheckpointManifest, MANIFEST_FILE, StageResult};
use lexforge_domain::{Code, Sha256};
use lexforge_files::{inside, name_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tch::Tensor;

const STATE_FILE: &str = "state.json";
const TENSORS_FILE: &str = "training_state.safetensors";
/// The files of the adapter.
const ADAPTER: [&str; 3] = [
    adapter::SIDECAR_FILE,
    adapter::WEIGHTS_FILE,
    adapter::CONFIG_FILE,
];
const GENERATOR: &str = "generator";
/// The ending of the name of an incomplete checkpoint.
const PART: &str = ".part";
/// Largest manifest that is read, in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;
/// The largest file of a checkpoint that is read, in bytes. If all weights are trained, the state of the training is
/// three times as large as the weights.
const LARGEST_FILE: u64 = tensors::LARGEST;
/// Checkpoints kept besides the best.
const KEPT: usize = 2;

/// A place in a training: a stage, and the optimiser steps of the whole job made so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// Number of the stage, from 0.
    pub stage: usize,
    /// Steps of the whole job.
    pub step: u64,
}

impl Mark {
    fn folder(self) -> String {
        format!("stage-{}-step-{:07}", self.stage + 1, self.step)
    }

    fn from_folder(name: &str) -> Option<Self> {
        let (stage, step) = name.strip_prefix("stage-")?.split_once("-step-")?;
        Some(Self {
            stage: stage.parse::<usize>().ok()?.checked_sub(1)?,
            step: step.parse().ok()?,
        })
    }
}

/// The state of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainState {
    /// Number of the stage, from 0.
    pub stage: usize,
    /// The results of the earlier stages.
    pub done: Vec<StageResult>,
    /// Optimiser steps done in the whole job. The position in the data follows from this number, because the seed
    /// determines the order of every epoch.
    pub step: u64,
    /// Steps before the first of this stage.
    pub from: u64,
    /// Threads; the sums depend on it.
    pub threads: usize,
    /// Version of libtorch, for the same reason.
    pub libtorch: String,
    /// Training loss of every step of this stage so far.
    pub losses: Vec<f32>,
    /// Held-out loss before the first step of this stage.
    pub dev_loss_before: Option<f32>,
    /// The step at which the dev items were last looked at.
    pub looked_at: Option<u64>,
    /// The best step of this stage by held-out loss.
    pub best: Option<Best>,
    /// Looks since then.
    pub looks_since_best: usize,
    /// The held-out loss no longer falls: the stage is over.
    pub ended_early: bool,
    /// The factor of the loss.
    #[serde(default)]
    pub loss_scale: LossScale,
    /// Tokens that went through the model.
    pub tokens: u64,
    /// Seconds of all attempts so far.
    pub seconds: f64,
    /// Peak memory of all attempts so far, in MiB.
    pub peak_memory_mb: f64,
}

impl TrainState {
    /// The stage and the step that the training has reached.
    pub fn mark(&self) -> Mark {
        Mark {
            stage: self.stage,
            step: self.step,
        }
    }

    /// Records the held-out loss of this step, and returns whether it is a finite number. A loss that is not a number
    /// is never recorded as the best: no later loss would be better, and a checkpoint with it could not be read again.
    pub fn hear(&mut self, dev_loss: f32, patience: Option<usize>, steps: u64) -> bool {
        let (step, made) = (self.step, self.step - self.from);
        let is_number = dev_loss.is_finite();
        if made == 0 {
            self.dev_loss_before = is_number.then_some(dev_loss);
        } else if is_number && self.best.is_none_or(|best| dev_loss < best.dev_loss) {
            self.best = Some(Best { step, dev_loss });
            self.looks_since_best = 0;
        } else {
            self.looks_since_best += 1;
            self.ended_early =
                patience.is_some_and(|most| self.looks_since_best >= most) && made < steps;
        }
        is_number
    }
}

/// The best step so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// Step.
    pub step: u64,
    /// Its held-out loss.
    pub dev_loss: f32,
}

/// A checkpoint that was read.
pub struct Checkpoint {
    /// Its folder's path in the bundle.
    pub path: String,
    /// The state of the training.
    pub state: TrainState,
    /// The adapter's weights.
    pub adapter: NamedTensors,
    /// The optimiser's state.
    pub optimizer: NamedTensors,
    /// The generator's state.
    pub generator: Tensor,
}

/// The checkpoints of one job in its bundle.
pub struct Checkpoints {
    folder: PathBuf,
    job_sha256: Sha256,
}

impl Checkpoints {
    /// The checkpoints of a bundle.
    pub fn new(bundle: &Path, job_sha256: &Sha256) -> Self {
        Self {
            folder: bundle.join(CHECKPOINTS_DIR),
            job_sha256: job_sha256.clone(),
        }
    }

    /// The path in the bundle of a checkpoint.
    pub fn path(mark: Mark) -> String {
        format!("{CHECKPOINTS_DIR}/{}", mark.folder())
    }

    /// Writes a checkpoint (`stage` is the stage's name) and then removes the checkpoints that are no longer kept.
    ///
    /// # Errors
    /// If a system call fails. The earlier checkpoints then stay.
    pub fn save(
        &self,
        state: &TrainState,
        stage: &str,
        adapter: &BTreeMap<&'static str, Vec<u8>>,
        mut optimizer: NamedTensors,
        generator: Tensor,
    ) -> Result<String> {
        let name = state.mark().folder();
        let part = self.folder.join(format!(".{name}{PART}"));
        remove(&part)?;
        std::fs::create_dir_all(&part).map_err(Error::io(&part))?;
        optimizer.insert(GENERATOR.into(), generator);
        let own = [
            (TENSORS_FILE, tensors::to_bytes(&optimizer)?),
            (STATE_FILE, json(state)?),
        ];
        let contents: BTreeMap<&str, &[u8]> = adapter
            .iter()
            .map(|(name, bytes)| (*name, bytes.as_slice()))
            .chain(own.iter().map(|(name, bytes)| (*name, bytes.as_slice())))
            .collect();
        let mut hashes = BTreeMap::new();
        for (file, bytes) in contents {
            write_flushed(&part.join(file), bytes)?;
            hashes.insert(file.to_owned(), sha256(bytes));
        }
        flush_folder(&part)?;
        let manifest = CheckpointManifest {
            stage: stage.to_owned(),
            stage_number: state.stage,
            step: state.step,
            job_sha256: self.job_sha256.clone(),
            files: hashes,
        };
        write_flushed(&part.join(MANIFEST_FILE), &json(&manifest)?)?;
        flush_folder(&part)?;
        let target = self.folder.join(&name);
        // A damaged one of the same step may stand there.
        remove(&target)?;
        std::fs::rename(&part, &target).map_err(Error::io(&target))?;
        flush_folder(&self.folder)?;
        let best = state.best.map(|best| Mark {
            stage: state.stage,
            step: best.step,
        });
        self.prune(state.mark(), best)?;
        Ok(Self::path(state.mark()))
    }

    /// The newest complete checkpoint of this job; damaged ones are skipped with a warning.
    ///
    /// # Errors
    /// If the warning cannot be written.
    pub fn newest(&self, events: &EventLog) -> Result<Option<Checkpoint>> {
        self.remove_unfinished(events)?;
        for mark in self.marks().into_iter().rev() {
            let path = self.folder.join(mark.folder());
            match self.manifest(&path) {
                Ok(None) => continue, // without a manifest it is no checkpoint
                Ok(Some(_)) => match self.read(mark) {
                    Ok(checkpoint) => return Ok(Some(checkpoint)),
                    Err(error) => warn(events, &path, &error)?,
                },
                Err(error) => warn(events, &path, &error)?,
            }
        }
        Ok(None)
    }

    /// The bytes of an adapter's files in a checkpoint, checked against the manifest.
    ///
    /// # Errors
    /// [`Code::CheckpointInvalid`] if it is damaged.
    pub(crate) fn adapter_of(&self, mark: Mark) -> Result<BTreeMap<&'static str, Vec<u8>>> {
        let mut files = self.checked_files(mark, |name| ADAPTER.contains(&name))?;
        let mut contents = BTreeMap::new();
        for name in [adapter::SIDECAR_FILE, adapter::WEIGHTS_FILE] {
            let bytes = files.remove(name);
            contents.insert(
                name,
                bytes.ok_or_else(|| invalid(format!("has no {name}")))?,
            );
        }
        // The differences of all weights are not an adapter of PEFT, and have no configuration file.
        contents.extend(
            files
                .remove(adapter::CONFIG_FILE)
                .map(|bytes| (adapter::CONFIG_FILE, bytes)),
        );
        Ok(contents)
    }

    /// The adapter's weights in a checkpoint.
    ///
    /// # Errors
    /// [`Code::CheckpointInvalid`] if it is damaged.
    pub fn weights_of(&self, mark: Mark) -> Result<NamedTensors> {
        let files = self.checked_files(mark, |name| name == adapter::WEIGHTS_FILE)?;
        let bytes = files
            .get(adapter::WEIGHTS_FILE)
            .ok_or_else(|| invalid("has no weights".into()))?;
        tensors::from_bytes(bytes, invalid)
    }

    fn read(&self, mark: Mark) -> Result<Checkpoint> {
        let files = self.checked_files(mark, |_| true)?;
        let file = |name: &str| {
            files
                .get(name)
                .ok_or_else(|| invalid(format!("has no {name}")))
        };
        let state: TrainState = serde_json::from_slice(file(STATE_FILE)?)
            .map_err(|e| invalid(format!("has a damaged {STATE_FILE}: {e}")))?;
        let mut optimizer = tensors::from_bytes(file(TENSORS_FILE)?, invalid)?;
        let generator = optimizer
            .remove(GENERATOR)
            .ok_or_else(|| invalid("has no generator state".into()))?;
        let adapter = tensors::from_bytes(file(adapter::WEIGHTS_FILE)?, invalid)?;
        Ok(Checkpoint {
            path: Self::path(mark),
            state,
            adapter,
            optimizer,
            generator,
        })
    }

    /// The files of a checkpoint that `wanted` selects by their names. Each is checked against the manifest. Other
    /// files are not read: the state of a training can be many gigabytes.
    fn checked_files(
        &self,
        mark: Mark,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<String, Vec<u8>>> {
        let folder = self.folder.join(mark.folder());
        let manifest = self
            .manifest(&folder)?
            .ok_or_else(|| invalid("has no manifest".into()))?;
        let mut files = BTreeMap::new();
        for (name, hash) in manifest.files.into_iter().filter(|(name, _)| wanted(name)) {
            let bytes = inside::read(&folder, &name, LARGEST_FILE)
                .map_err(|e| invalid(format!("has no readable {name}: {e}")))?;
            if sha256(&bytes) != hash {
                return Err(invalid(format!(
                    "has a {name} that is not the one that was written"
                )));
            }
            files.insert(name, bytes);
        }
        Ok(files)
    }

    fn manifest(&self, folder: &Path) -> Result<Option<CheckpointManifest>> {
        let bytes = match inside::read(folder, MANIFEST_FILE, LARGEST_MANIFEST) {
            Err(e) if e.is_absent() => return Ok(None),
            other => other.map_err(|e| invalid(format!("has no readable manifest: {e}")))?,
        };
        let manifest: CheckpointManifest = serde_json::from_slice(&bytes)
            .map_err(|e| invalid(format!("has a damaged manifest: {e}")))?;
        if !manifest.files.keys().all(|name| is_plain_name(name)) {
            return Err(invalid("has a manifest that names files outside it".into()));
        }
        if manifest.job_sha256 != self.job_sha256 {
            return Err(invalid("belongs to another job".into()));
        }
        Ok(Some(manifest))
    }

    /// Removes the unfinished files of attempts that were killed. No other process writes here while this worker holds
    /// the bundle.
    fn remove_unfinished(&self, events: &EventLog) -> Result<()> {
        let unfinished = |name: &str| {
            name.strip_prefix('.')
                .and_then(|n| n.strip_suffix(PART))
                .is_some_and(|n| Mark::from_folder(n).is_some())
        };
        let mut removed = 0;
        for entry in std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
        {
            if entry.file_name().to_str().is_some_and(unfinished) {
                remove(&entry.path())?;
                removed += 1;
            }
        }
        match removed {
            0 => Ok(()),
            n => events.warn(
                "leftovers_removed",
                format!("{n} half-written checkpoints of a killed attempt were removed."),
            ),
        }
    }

    /// Marks whose folders are there, the earliest first.
    fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| Mark::from_folder(entry.file_name().to_str()?))
            .collect();
        marks.sort_unstable();
        marks
    }

    /// Removes the checkpoints that are no longer kept. Only checkpoints up to the step of `now` are counted and
    /// removed. Checkpoints with later steps must be damaged, because otherwise the training would have continued from
    /// one of them.
    fn prune(&self, now: Mark, best: Option<Mark>) -> Result<()> {
        let mut marks = self.marks();
        marks.retain(|mark| *mark <= now);
        for mark in &marks[..marks.len().saturating_sub(KEPT)] {
            if Some(*mark) != best {
                remove(&self.folder.join(mark.folder()))?;
            }
        }
        Ok(())
    }
}

/// Removes a checkpoint's folder, its manifest first. If the removal is interrupted, the remaining files have no
/// manifest, so they are not taken for a damaged checkpoint.
fn remove(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let manifest = folder.join(MANIFEST_FILE);
    if manifest.exists() {
        std::fs::remove_file(&manifest).map_err(Error::io(&manifest))?;
    }
    std::fs::remove_dir_all(folder).map_err(Error::io(folder))
}

fn json<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    serde_json::to_vec_pretty(value).map_err(|e| Error::Shim(e.to_string()))
}

fn warn(events: &EventLog, folder: &Path, error: &Error) -> Result<()> {
    let name = name_of(folder);
    events.warn(
        &Code::CheckpointInvalid.tag(),
        format!("{name} is passed over. {error}"),
    )
}

fn invalid(what: String) -> Error {
    Error::told(
        Code::CheckpointInvalid,
        format!("The checkpoint {what}."),
        "Nothing needs to be done: the run goes on from the one before.",
    )
}

#[cfg(test)]
mod tests;
