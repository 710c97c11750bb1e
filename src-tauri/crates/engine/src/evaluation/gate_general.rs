//! General language for the gate: the file of pairs that was chosen for it, and what was measured on it.

use super::Evaluations;
use super::bench::check_general;
use super::scored_pairs::{bytes_of, scored_pairs};
use super::texts::dot;
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::workspace::{Result, Watcher, io_failure};
use lexforge_domain::api::{GateRequest, Hashes, ScoredPair, Stage};
use lexforge_domain::gate::{GeneralMeasured, GeneralSet};
use lexforge_domain::{Code, Failure, RunId};
use lexforge_evaluate::correlation::spearman;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
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
    /// Attacks, and general language on pairs that were given with the request. The file that was chosen is measured by
    /// a job of its own, which shows how far it is and can be stopped.
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
    measured: GeneralMeasured,
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
    /// When the file cannot be read, or its pairs measure nothing.
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
        let [before, after] = self.general_correlations(run, &pairs, watcher)?;
        let measured = GeneralMeasured {
            file: name.into_owned(),
            sha256,
            pairs: pairs.len() as u32,
            before,
            after,
        };
        let [base, adapter] = self.hashes_of(run)?;
        let kept = Kept {
            base,
            adapter,
            measured: measured.clone(),
        };
        self.workspace.store.write(&self.workspace.actor, |w| {
            let known: Vec<Kept> = w.json_setting(MEASURED)?.unwrap_or_default();
            let all = serde_json::json!(together(known, kept)).to_string();
            w.set_setting(MEASURED, &all)
        })?;
        Ok(measured)
    }

    /// General language before and after a run of these hashes, on the pairs of the request or on the file that was
    /// chosen. `None` if there is neither, or if it would have to be measured and that is not wanted.
    pub(super) fn general_of(
        &self,
        request: &GateRequest,
        of: &Hashes,
        measures: Measures,
        watcher: &dyn Watcher,
    ) -> Result<Option<GeneralMeasured>> {
        let (run, given) = (request.run, &request.general);
        if measures != Measures::Nothing && !given.is_empty() {
            let [before, after] = self.general_correlations(run, given, watcher)?;
            return Ok(Some(GeneralMeasured {
                file: String::new(),
                sha256: String::new(),
                pairs: given.len() as u32,
                before,
                after,
            }));
        }
        let Some(set) = self.gate_general()? else {
            return Ok(None);
        };
        let known: Option<Vec<Kept>> = self.workspace.store.read(|r| r.json_setting(MEASURED))?;
        match found(known.unwrap_or_default(), of, &set) {
            Some(measured) => Ok(Some(measured)),
            None if measures == Measures::All => self.measure_general(run, watcher).map(Some),
            None => Ok(None),
        }
    }

    /// The hashes of a run's base and of its adapter.
    fn hashes_of(&self, run: RunId) -> Result<[String; 2]> {
        let runs = Runs::of(self.workspace);
        let job = train_job(&runs.bundle(run)?)?;
        let adapter = runs.train_result(run)?.adapter_sha256;
        Ok([job.model.sha256, adapter.to_string()])
    }

    /// Spearman's rank correlation of cosines with people's scores: of a run's base, and of the run.
    fn general_correlations(
        &self,
        run: RunId,
        pairs: &[ScoredPair],
        watcher: &dyn Watcher,
    ) -> Result<[f64; 2]> {
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
        let correlation = |adapter: Option<&Path>| -> Result<f64> {
            let vectors = Models::of(self.workspace)
                .embed_texts(&base, adapter, &texts, Stage::Evaluate, watcher)?
                .0;
            let cosines: Vec<f64> = (0..pairs.len())
                .map(|i| dot(vectors.row(2 * i), vectors.row(2 * i + 1)))
                .collect();
            spearman(&cosines, &scores).ok_or_else(|| {
                not_compared("the pairs of general language are too few, or all scored alike")
            })
        };
        Ok([correlation(None)?, correlation(Some(&adapter))?])
    }
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

/// What was measured of an adapter on the file as it was chosen.
fn found(known: Vec<Kept>, of: &Hashes, set: &GeneralSet) -> Option<GeneralMeasured> {
    let is_it = |kept: &Kept| {
        (&kept.base, &kept.adapter, &kept.measured.sha256) == (&of.base, &of.adapter, &set.sha256)
    };
    known.into_iter().find(is_it).map(|kept| kept.measured)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::workspace::Silent;
    use lexforge_domain::api::GateAgainst;
    use std::collections::BTreeMap;

    fn hashes(base: &str, adapter: &str) -> Hashes {
        Hashes {
            documents: BTreeMap::new(),
            corpus: String::new(),
            dataset: String::new(),
            base: base.to_owned(),
            adapter: adapter.to_owned(),
            audit_head: String::new(),
        }
    }

    fn kept(base: &str, adapter: &str, sha256: &str, after: f64) -> Kept {
        Kept {
            base: base.to_owned(),
            adapter: adapter.to_owned(),
            measured: GeneralMeasured {
                file: "pairs.csv".to_owned(),
                sha256: sha256.to_owned(),
                pairs: 30,
                before: 0.8,
                after,
            },
        }
    }

    /// The run has no files in this workspace, and the file that was chosen is gone, too.
    #[test]
    fn what_was_measured_counts_without_the_files_and_nothing_else_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let evaluation = engine.evaluation();
        let request = GateRequest {
            run: RunId(1),
            against: GateAgainst::Active,
            policy: None,
            general: Vec::new(),
        };
        let of = |adapter: &str, measures| {
            let of = hashes("b", adapter);
            let found = evaluation.general_of(&request, &of, measures, &Silent);
            found.map(|found| found.map(|measured| measured.after))
        };
        // No file was chosen.
        assert_eq!(of("one", Measures::All).unwrap(), None);
        let set = GeneralSet {
            path: folder.path().join("gone.csv").display().to_string(),
            sha256: "s".to_owned(),
            pairs: 30,
        };
        let workspace = engine.workspace();
        workspace
            .set_setting(SET, &serde_json::json!(set).to_string())
            .unwrap();
        let all = serde_json::json!([kept("b", "one", "s", 0.7)]).to_string();
        workspace.set_setting(MEASURED, &all).unwrap();
        for measures in [Measures::All, Measures::Given, Measures::Nothing] {
            assert_eq!(of("one", measures).unwrap(), Some(0.7), "{measures:?}");
        }
        for measures in [Measures::Given, Measures::Nothing] {
            assert_eq!(of("two", measures).unwrap(), None, "{measures:?}");
        }
        assert!(of("two", Measures::All).is_err(), "the file is gone");
    }

    #[test]
    fn a_file_of_any_size_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.csv");
        let file = std::fs::File::create(&path).unwrap();
        file.set_len((16 << 20) + 1).unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let refused = engine.evaluation().keep_gate_general(&path).err().unwrap();
        assert_eq!(refused.code, Code::TooLarge);
    }

    #[test]
    fn figures_hold_for_one_adapter_and_for_the_file_as_it_was_chosen() {
        let mut all = Vec::new();
        for new in [
            kept("b", "one", "old", 0.7),
            kept("b", "one", "new", 0.6),
            kept("b", "two", "new", 0.5),
            // Measured again.
            kept("b", "one", "new", 0.65),
        ] {
            all = together(all, new);
        }
        assert_eq!(all.len(), 3);
        let of = |base: &str, adapter: &str, sha256: &str| {
            let set = GeneralSet {
                path: "/pairs.csv".to_owned(),
                sha256: sha256.to_owned(),
                pairs: 30,
            };
            found(all.clone(), &hashes(base, adapter), &set).map(|of| of.after)
        };
        assert_eq!(of("b", "one", "old"), Some(0.7));
        assert_eq!(of("b", "one", "new"), Some(0.65));
        assert_eq!(of("b", "two", "new"), Some(0.5));
        for (base, adapter, sha256) in [("c", "one", "new"), ("b", "two", "old")] {
            assert_eq!(of(base, adapter, sha256), None);
        }
    }
}
