//! The application's side of a job bundle.

use crate::error::Error;
use crate::events::EventReader;
use lexforge_domain::protocol::{
    CHECKPOINTS_DIR, CONTROL_FILE, Control, EVENTS_FILE, Event, JOB_FILE, Job, JobEvent, JobFile, JobResult, LOCK_FILE,
    PROTOCOL_VERSION, RESULT_FILE, STDERR_FILE,
};
use lexforge_domain::{Code, Failure};
use serde::Serialize;
use std::fs::{File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Component, Path, PathBuf};

/// What a bundle's worker is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BundleState {
    /// No worker has begun.
    NotStarted,
    /// A worker holds it.
    Running,
    /// A worker holds it and waits for `resume`.
    Paused,
    /// The result is there.
    Finished,
    /// Stopped with a checkpoint.
    Stopped,
    /// The worker said why it failed.
    Failed(Failure),
    /// The worker ended without a word.
    Died,
}

/// A job bundle: a portable folder.
#[derive(Clone, Debug)]
pub struct Bundle {
    folder: PathBuf,
    job: Job,
}

/// Makes a bundle for a job. The folder is made where it does not exist; its inputs come with
/// [`Bundle::write_jsonl`] and [`Bundle::copy_folder`].
///
/// # Errors
/// [`Code::BundleInvalid`] where the folder has a job already, [`Code::ReadOnly`] or
/// [`Code::DiskFull`] where it cannot be written.
pub fn create(folder: &Path, job: &Job) -> Result<Bundle, Failure> {
    let path = folder.join(JOB_FILE);
    if path.exists() {
        let reason = "there is another job in it already".to_owned();
        return Err(Error::Invalid { folder: folder.to_owned(), reason }.into());
    }
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let file = JobFile { protocol_version: PROTOCOL_VERSION, job: job.clone() };
    let text = serde_json::to_vec_pretty(&file)
        .map_err(|e| Error::Invalid { folder: folder.to_owned(), reason: e.to_string() })?;
    write_whole(&path, &text)?;
    Ok(Bundle { folder: folder.to_owned(), job: job.clone() })
}

impl Bundle {
    /// Opens a bundle that was made before.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] where the folder is not one.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let invalid = |reason: String| Error::Invalid { folder: folder.to_owned(), reason };
        let text = std::fs::read(folder.join(JOB_FILE)).map_err(|e| invalid(format!("{JOB_FILE}: {e}")))?;
        let file: JobFile = serde_json::from_slice(&text).map_err(|e| invalid(format!("{JOB_FILE}: {e}")))?;
        Ok(Self { folder: folder.to_owned(), job: file.job })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is to be done.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// A file in the bundle.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] where the path is not inside it.
    pub fn path(&self, relative: &str) -> Result<PathBuf, Failure> {
        let path = Path::new(relative);
        if relative.is_empty() || !path.components().all(|part| matches!(part, Component::Normal(_))) {
            let reason = format!("{relative:?} is not a path inside the bundle");
            return Err(Error::Invalid { folder: self.folder.clone(), reason }.into());
        }
        Ok(self.folder.join(path))
    }

    /// Writes an input with one JSON record a line; gives their number.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write_jsonl<T: Serialize>(&self, name: &str, records: impl IntoIterator<Item = T>) -> Result<u64, Failure> {
        let path = self.path(name)?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        let mut file = BufWriter::new(File::create(&path).map_err(Error::io(&path))?);
        let mut count = 0;
        for record in records {
            let mut line = serde_json::to_vec(&record)
                .map_err(|e| Error::Invalid { folder: self.folder.clone(), reason: e.to_string() })?;
            line.push(b'\n');
            file.write_all(&line).map_err(Error::io(&path))?;
            count += 1;
        }
        file.flush().map_err(Error::io(&path))?;
        Ok(count)
    }

    /// Copies the plain files of a folder (an adapter) into the bundle.
    ///
    /// # Errors
    /// Where one cannot be read or written.
    pub fn copy_folder(&self, from: &Path, name: &str) -> Result<(), Failure> {
        let target = self.path(name)?;
        std::fs::create_dir_all(&target).map_err(Error::io(&target))?;
        for entry in std::fs::read_dir(from).map_err(Error::io(from))? {
            let entry = entry.map_err(Error::io(from))?;
            let path = entry.path();
            if path.is_file() {
                std::fs::copy(&path, target.join(entry.file_name())).map_err(Error::io(&path))?;
            }
        }
        Ok(())
    }

    /// Events after a number (all without one); a torn last line is ignored.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn events(&self, after_seq: Option<u64>) -> Result<Vec<JobEvent>, Failure> {
        let mut events = self.event_reader().read()?;
        events.retain(|event| after_seq.is_none_or(|after| event.seq > after));
        Ok(events)
    }

    /// A reader that follows the event file.
    pub fn event_reader(&self) -> EventReader {
        EventReader::new(&self.folder.join(EVENTS_FILE))
    }

    /// Tells the worker what the user wants.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn control(&self, wish: Control) -> Result<(), Failure> {
        Ok(write_whole(&self.folder.join(CONTROL_FILE), wish.word().as_bytes())?)
    }

    /// Takes back a wish that no worker has seen.
    pub(crate) fn clear_control(&self) -> Result<(), Error> {
        let path = self.folder.join(CONTROL_FILE);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(Error::Io { path, source }),
            _ => Ok(()),
        }
    }

    /// The result, once it is there.
    pub fn result(&self) -> Option<JobResult> {
        serde_json::from_slice(&std::fs::read(self.folder.join(RESULT_FILE)).ok()?).ok()
    }

    /// Whether there is a checkpoint to go on from.
    pub fn has_checkpoint(&self) -> bool {
        std::fs::read_dir(self.folder.join(CHECKPOINTS_DIR)).is_ok_and(|entries| {
            entries.flatten().any(|entry| entry.path().join(lexforge_domain::protocol::MANIFEST_FILE).is_file())
        })
    }

    /// Whether a worker holds the bundle.
    pub fn held(&self) -> bool {
        let Ok(lock) = File::options().write(true).open(self.folder.join(LOCK_FILE)) else {
            return false; // no worker has ever begun
        };
        // Shared, so that two who look do not take each other for a worker.
        match lock.try_lock_shared() {
            // The lock goes with the handle, at the end of this function.
            Ok(()) | Err(TryLockError::Error(_)) => false,
            Err(TryLockError::WouldBlock) => true,
        }
    }

    /// What the bundle's worker is doing: the lock says whether there is one, the last event says the
    /// rest.
    pub fn state(&self) -> BundleState {
        // The lock before the events: a worker that ends in between has then written its last event.
        let held = self.held();
        let events = self.event_reader().read().unwrap_or_default();
        let last = events.iter().rev().find(|e| !matches!(e.event, Event::Warning { .. } | Event::Metric { .. }));
        if held {
            return match last.map(|e| &e.event) {
                Some(Event::Paused { .. }) => BundleState::Paused,
                _ => BundleState::Running,
            };
        }
        if self.result().is_some() {
            return BundleState::Finished;
        }
        match last.map(|e| &e.event) {
            None => BundleState::NotStarted,
            Some(Event::Stopped { .. }) => BundleState::Stopped,
            Some(Event::Failed { code, message, hint }) => BundleState::Failed(failure_of(code, message, hint)),
            Some(_) => BundleState::Died,
        }
    }

    /// The last line of the worker's standard error that is not empty.
    pub fn last_words(&self) -> Option<String> {
        let text = self.standard_error();
        text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
    }

    /// The failure that the worker told on its standard error (`error[code]: …`, `hint: …`), as it does
    /// where it cannot write to the bundle.
    pub(crate) fn told_failure(&self) -> Option<Failure> {
        told_in(&self.standard_error())
    }

    /// The end of the worker's standard error.
    pub(crate) fn standard_error(&self) -> String {
        let bytes = std::fs::read(self.folder.join(STDERR_FILE)).unwrap_or_default();
        String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(8192)..]).into_owned()
    }
}

/// The last failure in a text of the form `error[code]: …`, `hint: …`.
pub(crate) fn told_in(text: &str) -> Option<Failure> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let at = lines.iter().rposition(|line| line.starts_with("error["))?;
    let (code, message) = lines[at].strip_prefix("error[")?.split_once("]: ")?;
    let hint = lines.get(at + 1).and_then(|line| line.strip_prefix("hint: ")).unwrap_or_default();
    Some(failure_of(code, message, hint))
}

/// The failure that an event tells; an unknown code (of a newer worker) is [`Code::Internal`].
pub(crate) fn failure_of(code: &str, message: &str, hint: &str) -> Failure {
    let code = serde_json::from_value(serde_json::Value::String(code.to_owned())).unwrap_or(Code::Internal);
    Failure::new(code, message, hint)
}

/// Writes a file through a temporary name, so that a reader never sees half of it.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let part = path.with_extension("part");
    std::fs::write(&part, bytes).map_err(Error::io(&part))?;
    std::fs::rename(&part, path).map_err(Error::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::{InspectJob, ModelRef};

    fn job() -> Job {
        Job::Inspect(InspectJob::of(ModelRef { name: "m".into(), sha256: String::new() }))
    }

    #[test]
    fn a_bundle_is_made_once_and_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let bundle = create(folder.path(), &job()).unwrap();
        assert_eq!(bundle.write_jsonl("inputs/a.jsonl", [1, 2, 3]).unwrap(), 3);
        assert_eq!(std::fs::read_to_string(bundle.path("inputs/a.jsonl").unwrap()).unwrap(), "1\n2\n3\n");
        assert_eq!(*Bundle::open(folder.path()).unwrap().job(), job());
        assert_eq!(create(folder.path(), &job()).unwrap_err().code, Code::BundleInvalid);
        assert!(bundle.path("../x").is_err());
        assert!(Bundle::open(&folder.path().join("absent")).is_err());
        bundle.control(Control::Stop).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join(CONTROL_FILE)).unwrap(), "stop");
        bundle.clear_control().unwrap();
        bundle.clear_control().unwrap();
    }

    #[test]
    fn the_state_follows_lock_events_and_result() {
        let folder = tempfile::tempdir().unwrap();
        let bundle = create(folder.path(), &job()).unwrap();
        assert_eq!(bundle.state(), BundleState::NotStarted);
        let events = folder.path().join(EVENTS_FILE);
        let lock = File::create(folder.path().join(LOCK_FILE)).unwrap();
        let check = |last: &str, held: bool, expected: BundleState| {
            let line = format!("{{\"attempt\":1,\"seq\":0,\"time\":0.0,{last}}}\n");
            std::fs::write(&events, line + "{\"attempt\":1,\"se").unwrap();
            if held {
                lock.lock().unwrap();
            }
            assert_eq!(bundle.state(), expected, "{last}");
            if held {
                lock.unlock().unwrap();
            }
        };
        check(r#""event":"paused","step":3"#, true, BundleState::Paused);
        check(r#""event":"paused","step":3"#, false, BundleState::Died);
        check(r#""event":"stopped","step":3"#, false, BundleState::Stopped);
        check(r#""event":"stopped","step":3"#, true, BundleState::Running);
        let failure = Failure::new(Code::OutOfMemory, "m", "h");
        let failed = r#""event":"failed","code":"out_of_memory","message":"m","hint":"h""#;
        check(failed, false, BundleState::Failed(failure));
        let result = r#"{"kind":"embed","output":"o","rows":1,"dim":1,"truncated":0,"unknown_rate":0.0,"peak_memory_mb":1.0,"seconds":1.0}"#;
        std::fs::write(folder.path().join(RESULT_FILE), result).unwrap();
        check(r#""event":"finished","seconds":1.0"#, false, BundleState::Finished);
    }
}
