//! How fast systems were scored on this machine: learned from each part of a bench, and kept in a file of the user.
//!
//! The file is not in the workspace, because the same workspace is slower on another machine. It holds hashes of models
//! and times, and nothing of a text. If it is lost or cannot be written, only the estimates are missing.

use crate::workspace::{own_folder, user_folder, write_own};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file's name.
const NAME: &str = "bench-pace.json";
/// Systems whose pace is kept; the one that was measured longest ago is dropped first.
const MOST_SYSTEMS: usize = 200;
/// Measurements that are kept of a system; the oldest is dropped first.
const MOST_SAMPLES: usize = 8;
/// With so many measurements, their own spread is the range of an estimate.
const ENOUGH: usize = 3;
/// With fewer measurements of earlier benches, an estimate goes from half to twice: the machine may have been busier.
const BEFORE: f64 = 2.0;
/// The same for measurements of the bench that is running.
const NOW: f64 = 1.5;

/// Seconds, a year, that no measurement takes. A damaged file could have any number.
const LONGEST: f64 = 366.0 * 86_400.0;

/// One measurement: the questions were scored together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sample {
    /// Questions.
    pub(super) n: u64,
    /// Seconds until the first of them was scored: loading the model.
    pub(super) start: f64,
    /// Seconds after that.
    pub(super) seconds: f64,
}

impl Sample {
    fn is_sound(&self) -> bool {
        let time = |seconds: f64| (0.0..LONGEST).contains(&seconds);
        self.n > 0 && time(self.start) && time(self.seconds) && self.start + self.seconds > 0.0
    }

    /// The seconds that `n` questions take at this pace, if the model is loaded for every `at_once` of them.
    fn expects(&self, n: u64, at_once: u64) -> f64 {
        let starts = n.div_ceil(at_once.max(1)) as f64;
        starts * self.start + n as f64 * self.seconds / self.n as f64
    }
}

/// The content of the file: each system with its measurements, the one measured last at the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Kept(Vec<(String, Vec<Sample>)>);

impl Kept {
    fn of(&self, system: &str) -> &[Sample] {
        let found = self.0.iter().find(|(known, _)| known == system);
        found.map_or(&[], |(_, samples)| samples)
    }

    fn add(&mut self, system: &str, sample: Sample) {
        let at = self.0.iter().position(|(known, _)| known == system);
        let mut samples = at.map_or_else(Vec::new, |at| self.0.remove(at).1);
        samples.push(sample);
        samples.drain(..samples.len().saturating_sub(MOST_SAMPLES));
        self.0.push((system.to_owned(), samples));
        self.0.drain(..self.0.len().saturating_sub(MOST_SYSTEMS));
    }
}

/// The paces of systems, those of earlier benches and those of this one.
pub(super) struct Paces {
    /// The folder of the file; `None` = nothing is kept.
    folder: Option<PathBuf>,
    before: Kept,
    now: Mutex<Kept>,
}

impl Paces {
    /// Those of the user who runs the program. Tests leave the user's own folder alone.
    pub(super) fn of_user() -> Self {
        Self::at((!cfg!(test)).then(user_folder))
    }

    fn at(folder: Option<PathBuf>) -> Self {
        Self {
            before: read(folder.as_ref()),
            folder,
            now: Mutex::default(),
        }
    }

    /// Whether a system was measured on this machine.
    pub(super) fn knows(&self, system: &str) -> bool {
        !self.before.of(system).is_empty() || !self.now().of(system).is_empty()
    }

    /// The least and the most seconds that `n` questions are expected to take. `None` if the system was never measured.
    /// If this bench has measured it, only that counts.
    pub(super) fn expects(&self, system: &str, n: u64, at_once: u64) -> Option<[f64; 2]> {
        let now = self.now();
        match now.of(system) {
            [] => between(self.before.of(system), BEFORE, n, at_once),
            samples => between(samples, NOW, n, at_once),
        }
    }

    /// Takes a measurement in, and keeps it.
    pub(super) fn add(&self, system: &str, sample: Sample) {
        if !sample.is_sound() {
            return;
        }
        self.now().add(system, sample);
        let Some(folder) = &self.folder else {
            return;
        };
        // Another program may have written it since. One of two that write at once may be lost.
        let mut kept = read(Some(folder));
        kept.add(system, sample);
        let text = serde_json::json!(kept).to_string();
        // Without the file only the estimates are missing.
        let _ = own_folder(folder).and_then(|()| write_own(&folder.join(NAME), text.as_bytes()));
    }

    fn now(&self) -> MutexGuard<'_, Kept> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is kept. A file that cannot be read holds nothing.
fn read(folder: Option<&PathBuf>) -> Kept {
    let text = folder.and_then(|folder| std::fs::read_to_string(folder.join(NAME)).ok());
    let kept: Option<Kept> = text.and_then(|text| serde_json::from_str(&text).ok());
    let mut kept = kept.unwrap_or_default();
    for (_, samples) in &mut kept.0 {
        samples.retain(Sample::is_sound);
    }
    kept
}

/// The range of these measurements for `n` questions. A few of them say little: then it is wider by `factor`.
fn between(samples: &[Sample], factor: f64, n: u64, at_once: u64) -> Option<[f64; 2]> {
    let each = samples.iter().map(|sample| sample.expects(n, at_once));
    let least = each.clone().reduce(f64::min)?;
    let most = each.reduce(f64::max)?;
    Some(match samples.len() < ENOUGH {
        true => [least / factor, most * factor],
        false => [least, most],
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn sample(n: u64, start: f64, seconds: f64) -> Sample {
        Sample { n, start, seconds }
    }

    #[test]
    fn nothing_is_expected_of_what_was_never_measured() {
        let paces = Paces::at(None);
        assert!(!paces.knows("a"));
        assert_eq!(paces.expects("a", 10, 256), None);
        paces.add("a", sample(10, 2.0, 20.0));
        assert!(paces.knows("a") && !paces.knows("b"));
        assert_eq!(paces.expects("b", 10, 256), None);
    }

    #[test]
    fn a_few_measurements_give_a_wide_range_and_several_their_own() {
        let mut samples = vec![sample(100, 3.0, 50.0)];
        // Loading counts once for each part, and does not grow with the questions.
        assert_eq!(between(&samples, 2.0, 10, 256), Some([4.0, 16.0]));
        assert_eq!(between(&samples, 2.0, 512, 256), Some([131.0, 524.0]));
        samples.extend([sample(100, 3.0, 70.0), sample(10, 3.0, 6.0)]);
        assert_eq!(between(&samples, 2.0, 100, 256), Some([53.0, 73.0]));
        assert_eq!(between(&[], 2.0, 100, 256), None);
    }

    #[test]
    fn what_this_bench_has_measured_counts_more_than_earlier_benches() {
        let home = tempfile::tempdir().unwrap();
        let folder = Some(home.path().join("state"));
        let before = Paces::at(folder.clone());
        before.add("a", sample(10, 0.0, 10.0));
        let paces = Paces::at(folder);
        assert_eq!(paces.expects("a", 10, 256), Some([5.0, 20.0]));
        paces.add("a", sample(10, 0.0, 60.0));
        assert_eq!(paces.expects("a", 10, 256), Some([40.0, 90.0]));
    }

    #[test]
    fn a_file_of_nonsense_holds_nothing_and_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let at = || Paces::at(Some(home.path().to_path_buf()));
        let file = home.path().join(NAME);
        for text in [
            "",
            "{}",
            r#"[["a", [{"n": 0, "start": 1, "seconds": 1}]]]"#,
            r#"[["a", [{"n": 1, "start": -1, "seconds": 2}]]]"#,
            r#"[["a", [{"n": 1, "start": 1, "seconds": 1e308}]]]"#,
        ] {
            std::fs::write(&file, text).unwrap();
            assert!(!at().knows("a"), "{text}");
        }
        at().add("a", sample(1, 0.0, f64::NAN));
        assert!(!at().knows("a"));
        at().add("a", sample(1, 0.0, 1.0));
        assert!(at().knows("a"));
    }

    #[test]
    fn the_file_stays_small() {
        let mut kept = Kept::default();
        for i in 0..MOST_SYSTEMS + 5 {
            kept.add(&format!("system {i}"), sample(1, 0.0, 1.0));
        }
        assert_eq!(kept.0.len(), MOST_SYSTEMS);
        assert!(kept.of("system 4").is_empty() && !kept.of("system 5").is_empty());
        for i in 0..MOST_SAMPLES as u64 + 5 {
            kept.add("system 9", sample(i + 1, 0.0, 1.0));
        }
        assert_eq!(kept.of("system 9").len(), MOST_SAMPLES);
        assert_eq!(kept.of("system 9")[0].n, 6);
        // The one measured last is at the end.
        assert_eq!(kept.0.last().unwrap().0, "system 9");
    }
}
