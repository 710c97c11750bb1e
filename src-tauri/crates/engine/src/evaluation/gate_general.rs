//! General language for the gate: the file of pairs that was chosen for it, and what was measured on it.

use super::Evaluations;
use super::alike::{RESAMPLES, sharing_a_text};
use super::bench::check_general;
use super::scored_pairs::{bytes_of, scored_pairs};
use super::texts::dot;
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::workspace::{DEFAULT_SEED, Result, Watcher, io_failure, tell};
use lexforge_domain::api::{GateRequest, Hashes, ScoredPair, Stage};
use lexforge_domain::gate::{GeneralBounds, GeneralMeasured, GeneralSet};
use lexforge_domain::{Code, Failure, RunId};
use lexforge_evaluate::correlation::spearman;
use lexforge_evaluate::gate::{GeneralChange, general_changes};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The setting that holds the file of pairs.
const SET: &str = "gate.general";
/// The setting that holds what was measured.
const MEASURED: &str = "gate.general.measured";

/// What the gate measures where it is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measures {
    /// General language on the file that was chosen, too.
    All,
    /// Measure the attacks, and general language on pairs that were given with the request. On the file chosen in the
    /// settings nothing is measured now: a separate job does this, which shows its progress and can be stopped.
    Given,
    /// Nothing.
    Nothing,
}

/// What was measured of an adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    /// SHA-256 of the base model, hexadecimal.
    base: String,
    /// SHA-256 of the adapter, hexadecimal.
    adapter: String,
    /// The figures without bounds, which depend on the level of the rule.
    measured: GeneralMeasured,
    /// Quantiles of the change over resamples of the pairs. `None` if an earlier version of the program measured the
    /// run. Then the gate cannot decide by this measurement, and the run is measured again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<f64>>,
    /// The groups of pairs that share no sentence.
    #[serde(default)]
    units: u32,
}

/// General language of a run as the gate takes it: the figures, and the change with its bounds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct General {
    pub(super) measured: GeneralMeasured,
    pub(super) change: GeneralChange,
}

impl General {
    /// The figures, with the bounds of their change at the rule's level. There are no bounds if there are too few units
    /// to compute them.
    fn of(measured: GeneralMeasured, changes: &[f64], units: u32, level: f64) -> Self {
        let change = GeneralChange::of(measured.change(), changes, level, measured.pairs, units);
        let bounds = GeneralBounds {
            low: change.change.low,
            high: change.change.high,
            level,
        };
        Self {
            measured: GeneralMeasured {
                bounds: (!changes.is_empty()).then_some(bounds),
                ..measured
            },
            change,
        }
    }
}

/// Correlations before and after a run, and the changes in resampled pairs.
struct Correlations {
    before: f64,
    after: f64,
    changes: Vec<f64>,
    units: u32,
}

impl Evaluations<'_> {
    /// The file of pairs of general language that was chosen for the gate.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn gate_general(&self) -> Result<Option<GeneralSet>> {
        Ok(self.workspace.store.read(|r| r.json_setting(SET))?)
    }

    /// Remembers a file of pairs of general language for the gate. From then on runs are measured on it where the rule
    /// has a floor.
    ///
    /// # Errors
    /// When the file cannot be read, or nothing can be measured with its pairs.
    pub fn keep_gate_general(&self, file: &Path) -> Result<GeneralSet> {
        let file = std::path::absolute(file).map_err(|error| io_failure(&error, file))?;
        let Some(path) = file.to_str() else {
            return Err(Failure::new(
                Code::FileUnreadable,
                format!("The name {} cannot be read as text.", file.display()),
                "Give the file or folder another name, then choose it again.",
            ));
        };
        let (pairs, sha256) = read(&file)?;
        check_general(&pairs)?;
        let set = GeneralSet {
            path: path.to_owned(),
            sha256,
            pairs: pairs.len() as u32,
        };
        let text = serde_json::json!(set).to_string();
        let actor = &self.workspace.actor;
        self.workspace
            .store
            .write(actor, |w| w.set_setting(SET, &text))?;
        Ok(set)
    }

    /// Measures general language before and after a run on the file that was chosen, and keeps the figures for the
    /// gate.
    ///
    /// # Errors
    /// When no file was chosen, or it is gone or has changed since. Also when the run has no adapter or its model is
    /// missing.
    pub fn measure_general(&self, run: RunId, watcher: &dyn Watcher) -> Result<GeneralMeasured> {
        Ok(self.measured_on_the_file(run, watcher)?.measured)
    }

    fn measured_on_the_file(&self, run: RunId, watcher: &dyn Watcher) -> Result<Kept> {
        let Some(set) = self.gate_general()? else {
            return Err(Failure::new(
                Code::StepMissing,
                "No file of pairs of general language was chosen for the gate.",
                "Choose one in the rule of the gate, then measure again.",
            ));
        };
        let file = PathBuf::from(&set.path);
        let (pairs, sha256) = read(&file)?;
        if sha256 != set.sha256 {
            return Err(Failure::invalid(
                format!(
                    "{} has changed since it was chosen for general language.",
                    set.path
                ),
                "Choose it again if it is meant as it is now. Runs that were measured on it before are then measured again.",
            ));
        }
        check_general(&pairs)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let found = self.general_correlations(run, &pairs, watcher)?;
        let measured = GeneralMeasured {
            file: name.into_owned(),
            sha256,
            pairs: pairs.len() as u32,
            before: found.before,
            after: found.after,
            bounds: None,
        };
        let [base, adapter] = self.hashes_of(run)?;
        let kept = Kept {
            base,
            adapter,
            measured,
            changes: Some(found.changes),
            units: found.units,
        };
        let put = kept.clone();
        self.workspace.store.write(&self.workspace.actor, |w| {
            let known: Vec<Kept> = w.json_setting(MEASURED)?.unwrap_or_default();
            let all = serde_json::json!(together(known, put)).to_string();
            w.set_setting(MEASURED, &all)
        })?;
        Ok(kept)
    }

    /// How well general language is kept: the figures before and after a run (`of` holds its hashes), with bounds at
    /// the confidence `level`. It is measured on the pairs of the request, or else on the chosen file. `None` if there
    /// are no pairs, or if a measurement would be needed and the caller does not want one.
    pub(super) fn general_of(
        &self,
        request: &GateRequest,
        of: &Hashes,
        level: f64,
        measures: Measures,
        watcher: &dyn Watcher,
    ) -> Result<Option<General>> {
        let (run, given) = (request.run, &request.general);
        if measures != Measures::Nothing && !given.is_empty() {
            let found = self.general_correlations(run, given, watcher)?;
            let measured = GeneralMeasured {
                file: String::new(),
                sha256: String::new(),
                pairs: given.len() as u32,
                before: found.before,
                after: found.after,
                bounds: None,
            };
            return Ok(Some(General::of(
                measured,
                &found.changes,
                found.units,
                level,
            )));
        }
        let Some(set) = self.gate_general()? else {
            return Ok(None);
        };
        let known: Option<Vec<Kept>> = self.workspace.store.read(|r| r.json_setting(MEASURED))?;
        let kept = match found(known.unwrap_or_default(), of, &set) {
            None if measures == Measures::All => Some(self.measured_on_the_file(run, watcher)?),
            found => found,
        };
        Ok(kept.map(|kept| {
            let changes = kept.changes.unwrap_or_default();
            General::of(kept.measured, &changes, kept.units, level)
        }))
    }

    /// The hashes of a run's base and of its adapter.
    fn hashes_of(&self, run: RunId) -> Result<[String; 2]> {
        let runs = Runs::of(self.workspace);
        let job = train_job(&runs.bundle(run)?)?;
        let adapter = runs.train_result(run)?.adapter_sha256;
        Ok([job.model.sha256, adapter.to_string()])
    }

    /// Spearman's rank correlation of cosines with people's scores: of a run's base, and of the run. Pairs that share a
    /// sentence are resampled together.
    fn general_correlations(
        &self,
        run: RunId,
        pairs: &[ScoredPair],
        watcher: &dyn Watcher,
    ) -> Result<Correlations> {
        let row = Runs::of(self.workspace).run(run)?;
        let job = train_job(&Runs::of(self.workspace).bundle(run)?)?;
        let adapter = Runs::of(self.workspace).adapter_dir(run)?;
        let base = BaseModel {
            sha256: job.model.sha256,
            ..Models::of(self.workspace).base(Some(&row.base))?
        };
        let texts: Vec<&str> = pairs
            .iter()
            .flat_map(|p| [p.a.as_str(), p.b.as_str()])
            .collect();
        let scores: Vec<f64> = pairs.iter().map(|p| p.score).collect();
        let cosines = |adapter: Option<&Path>| -> Result<Vec<f64>> {
            let vectors = Models::of(self.workspace)
                .embed_texts(&base, adapter, &texts, Stage::Evaluate, watcher)?
                .0;
            Ok((0..pairs.len())
                .map(|i| dot(vectors.row(2 * i), vectors.row(2 * i + 1)))
                .collect())
        };
        let (before, after) = (cosines(None)?, cosines(Some(&adapter))?);
        let correlation = |cosines: &[f64]| {
            spearman(cosines, &scores).ok_or_else(|| {
                not_compared("the pairs of general language are too few, or all scored alike")
            })
        };
        tell(watcher, Stage::Evaluate, "gate", 0, 1);
        let units = units_of(&texts);
        let changes = general_changes([&before, &after], &scores, &units, RESAMPLES, DEFAULT_SEED);
        tell(watcher, Stage::Evaluate, "gate", 1, 1);
        Ok(Correlations {
            before: correlation(&before)?,
            after: correlation(&after)?,
            changes,
            units: units.iter().collect::<HashSet<_>>().len() as u32,
        })
    }
}

/// The unit of each pair; the texts stand two by two. Pairs that share a text are one unit.
fn units_of(texts: &[&str]) -> Vec<i64> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut number = |text| {
        let next = numbers.len();
        *numbers.entry(text).or_insert(next)
    };
    let places: Vec<[usize; 2]> = texts
        .chunks_exact(2)
        .map(|two| [number(two[0]), number(two[1])])
        .collect();
    sharing_a_text(&places)
}

/// Refuses given pairs that measure nothing; none are given where the file that was chosen is meant.
pub(super) fn check_given(pairs: &[ScoredPair]) -> Result<()> {
    if pairs.is_empty() {
        return Ok(());
    }
    check_general(pairs)
}

/// Two models that cannot be compared, and why.
pub(super) fn not_compared(why: &str) -> Failure {
    Failure::invalid(
        format!("The two models cannot be compared: {why}."),
        "Compare models of one kind, on one snapshot.",
    )
}

/// The pairs of a file, and the file's SHA-256.
fn read(file: &Path) -> Result<(Vec<ScoredPair>, String)> {
    let bytes = bytes_of(file)?;
    Ok((scored_pairs(&bytes)?, hex::encode(Sha256::digest(&bytes))))
}

/// What is known, with a new measurement in the place of an older one of the same adapter on the same file.
fn together(known: Vec<Kept>, new: Kept) -> Vec<Kept> {
    let same = |old: &Kept| {
        (&old.base, &old.adapter, &old.measured.sha256)
            == (&new.base, &new.adapter, &new.measured.sha256)
    };
    let mut all: Vec<Kept> = known.into_iter().filter(|old| !same(old)).collect();
    all.push(new);
    all
}

/// What was measured of an adapter on the file as it was chosen, by a version that says how sure it is.
fn found(known: Vec<Kept>, of: &Hashes, set: &GeneralSet) -> Option<Kept> {
    let is_it = |kept: &Kept| {
        (&kept.base, &kept.adapter, &kept.measured.sha256) == (&of.base, &of.adapter, &set.sha256)
    };
    known
        .into_iter()
        // A version before this one did not keep how many groups there are, where they are too few.
        .find(|kept| {
            is_it(kept)
                && kept
                    .changes
                    .as_ref()
                    .is_some_and(|c| !c.is_empty() || kept.units > 0)
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
