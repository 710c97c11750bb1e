//! The application's side of a job bundle.

use crate::error::Error;
use crate::events::{self, EventReader};
use lexforge_domain::protocol::{
    CONTROL_FILE, Control, EVENTS_FILE, Event, JOB_FILE, Job, JobEvent, JobFile, JobResult,
    LOCK_FILE, PROTOCOL_VERSION, RESULT_FILE, STARTING_FILE, STDERR_FILE,
};
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_files::inside;
use lexforge_files::lease::{self, Pace, Standing, TryLock, has_no_locks};
use serde::Serialize;
use std::fs::{File, TryLockError};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Largest `job.json` and `result.json` that is read, in bytes.
const LARGEST_DOCUMENT: u64 = 64 << 20;
/// Bytes of the end of a worker's standard error that are read.
const LAST_WORDS: u64 = 8192;
/// How long a worker that has let go of its job may take to end.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// Bytes of a claim that are read.
const CLAIM: u64 = 32;

/// What a bundle's worker is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BundleState {
    /// Somebody is starting a worker, and it has not said anything. What earlier workers said does not count.
    NotStarted,
    /// No worker has ever begun and none is being started: the process that was about to start one was ended.
    NeverStarted,
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
    /// It is unknown whether a worker holds the bundle, for example because the disk does not answer.
    Unknown {
        /// What the system says.
        reason: String,
    },
}

/// A job bundle: a folder that can be copied to other machines. It may come from another machine, so its content is
/// read and written only as regular files and never through a link.
#[derive(Clone, Debug)]
pub struct Bundle {
    folder: PathBuf,
    job: Job,
}

/// The right to start a worker on a bundle. It is held until this is dropped, and then by the worker that was started.
#[derive(Debug)]
pub struct Claim(pub(crate) File);

/// Makes a bundle for a job. If the folder does not exist, it is made. The inputs are added with
/// [`Bundle::write_jsonl`].
///
/// # Errors
/// [`Code::BundleInvalid`] if the folder already has a job, [`Code::ReadOnly`] or [`Code::DiskFull`] if it cannot be
/// written.
pub fn create(folder: &Path, job: &Job) -> Result<Bundle, Failure> {
    if std::fs::symlink_metadata(folder.join(JOB_FILE)).is_ok() {
        let reason = "there is another job in it already".to_owned();
        return Err(Error::Invalid {
            folder: folder.to_owned(),
            reason,
        }
        .into());
    }
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let file = JobFile {
        protocol_version: PROTOCOL_VERSION,
        job: job.clone(),
    };
    let text = serde_json::to_vec_pretty(&file).map_err(|e| Error::Invalid {
        folder: folder.to_owned(),
        reason: e.to_string(),
    })?;
    write_whole(folder, JOB_FILE, &text)?;
    Ok(Bundle {
        folder: folder.to_owned(),
        job: job.clone(),
    })
}

impl Bundle {
    /// Opens a bundle that was made before.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] if the folder is not one.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let invalid = |reason: String| Error::Invalid {
            folder: folder.to_owned(),
            reason,
        };
        let text = inside::read(folder, JOB_FILE, LARGEST_DOCUMENT)
            .map_err(|e| invalid(format!("{JOB_FILE}: {e}")))?;
        let file: JobFile =
            serde_json::from_slice(&text).map_err(|e| invalid(format!("{JOB_FILE}: {e}")))?;
        Ok(Self {
            folder: folder.to_owned(),
            job: file.job,
        })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The job of the bundle.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// The path of a file or folder in the bundle. `relative` begins at the bundle's folder.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] if the path is not inside it, or a link is on the way.
    pub fn path(&self, relative: &str) -> Result<PathBuf, Failure> {
        let place = inside::place(&self.folder, relative).map_err(Error::from)?;
        match std::fs::symlink_metadata(&place) {
            Ok(meta) if meta.file_type().is_symlink() => {
                Err(Error::from(lexforge_files::Error::Link(place)).into())
            }
            _ => Ok(place),
        }
    }

    /// Opens a file of the bundle for reading.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] if the path is not inside it or names a link or a device; if it cannot be read.
    pub fn open_file(&self, relative: &str) -> Result<File, Failure> {
        Ok(inside::open(&self.folder, relative).map_err(Error::from)?)
    }

    /// Claims the right to start a worker. The claim holds as long as this process or the worker lives, and other
    /// programs can see it. It also tells them which events are older than this worker.
    ///
    /// # Errors
    /// [`Code::BundleLocked`] if another program is starting one.
    pub fn claim(&self) -> Result<Claim, Failure> {
        let mut file =
            inside::open_to_lock(&self.folder, STARTING_FILE, true).map_err(Error::from)?;
        let since = Instant::now();
        loop {
            match file.try_lock() {
                // A worker at its end releases the job's lock first. Its claim is released only when its process ends.
                Err(TryLockError::WouldBlock) if !self.held() && since.elapsed() < ENDS_WITHIN => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => return Err(Error::Locked.into()),
                // On a file system without locks, only the worker's own lease protects the bundle.
                Ok(()) | Err(TryLockError::Error(_)) => {
                    // A worker that a queue started, and that works already, keeps its number.
                    if !self.held() {
                        self.mark(&mut file);
                    }
                    return Ok(Claim(file));
                }
            }
        }
    }

    /// Writes into a claim which number the first event of its worker will have.
    fn mark(&self, claim: &mut File) {
        let newest = self.newest_event(|_| true, |_| true).unwrap_or_default();
        let first = newest.map_or(0, |event| event.seq.saturating_add(1));
        // All numbers have the same width, so that a new number overwrites the whole old number. A full disk is not
        // reported here: the old number stays, and the worker itself will report the full disk.
        let _ = claim.write_all(format!("{first:020}\n").as_bytes());
    }

    /// The number of the first event of the worker that was started last. `None` if nobody has claimed the bundle, or
    /// if an older version of the program claimed it.
    fn first_of_claim(&self) -> Option<u64> {
        let said = inside::read(&self.folder, STARTING_FILE, CLAIM).ok()?;
        String::from_utf8(said).ok()?.trim().parse().ok()
    }

    /// Writes an input with one JSON record in each line; returns their number.
    ///
    /// # Errors
    /// If the file of this input cannot be written.
    pub fn write_jsonl<T: Serialize>(
        &self,
        name: &str,
        records: impl IntoIterator<Item = T>,
    ) -> Result<u64, Failure> {
        let path = self.path(name)?;
        if let Some((folder, _)) = name.rsplit_once('/') {
            inside::make_folder(&self.folder, folder).map_err(Error::from)?;
        }
        let mut file = BufWriter::new(inside::create(&self.folder, name).map_err(Error::from)?);
        let mut count = 0;
        for record in records {
            let mut line = serde_json::to_vec(&record).map_err(|e| Error::Invalid {
                folder: self.folder.clone(),
                reason: e.to_string(),
            })?;
            line.push(b'\n');
            file.write_all(&line).map_err(Error::io(&path))?;
            count += 1;
        }
        file.flush().map_err(Error::io(&path))?;
        Ok(count)
    }

    /// Writes an additional small file into the bundle, completely or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_note(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        Ok(write_whole(&self.folder, name, bytes)?)
    }

    /// The content of a file that [`Bundle::write_note`] wrote; `None` if no file has this name.
    ///
    /// # Errors
    /// If the file is a link or cannot be read.
    pub fn note(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        match inside::read(&self.folder, name, LARGEST_DOCUMENT) {
            Err(e) if e.is_absent() => Ok(None),
            other => Ok(Some(other.map_err(Error::from)?)),
        }
    }

    /// Reads the events whose `seq` is larger than `after_seq`, or all events if it is `None`. If the last line is
    /// incomplete, it is ignored.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn events(&self, after_seq: Option<u64>) -> Result<Vec<JobEvent>, Failure> {
        Ok(match after_seq {
            None => self.event_reader().read()?,
            Some(after) => events::since(&self.folder, EVENTS_FILE, after)?,
        })
    }

    /// The newest event whose kind (such as `progress`) and content match. The file is read from its end, so a recent
    /// event is found at once, however long the run is.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn newest_event(
        &self,
        kind: impl Fn(&str) -> bool,
        wanted: impl Fn(&Event) -> bool,
    ) -> Result<Option<JobEvent>, Failure> {
        Ok(events::newest(&self.folder, EVENTS_FILE, kind, wanted)?)
    }

    /// A reader that follows the event file.
    pub(crate) fn event_reader(&self) -> EventReader {
        EventReader::new(&self.folder, EVENTS_FILE)
    }

    /// Writes a request of the user to the worker, such as pausing.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn control(&self, wish: Control) -> Result<(), Failure> {
        Ok(write_whole(
            &self.folder,
            CONTROL_FILE,
            wish.word().as_bytes(),
        )?)
    }

    /// Takes back a wish that no worker has seen.
    pub(crate) fn clear_control(&self) -> Result<(), Error> {
        let path = self.folder.join(CONTROL_FILE);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::Io { path, source })
            }
            _ => Ok(()),
        }
    }

    /// The job's result. `None` as long as the bundle has no result.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] if the file is not a result. The message names the file and the field.
    pub fn result(&self) -> Result<Option<JobResult>, Failure> {
        let bytes = match inside::read(&self.folder, RESULT_FILE, LARGEST_DOCUMENT) {
            Err(e) if e.is_absent() => return Ok(None),
            other => other.map_err(Error::from)?,
        };
        let read = serde_json::from_slice(&bytes);
        Ok(Some(read.map_err(|e| Error::Unusable {
            file: self.folder.join(RESULT_FILE),
            reason: e.to_string(),
        })?))
    }

    /// Whether a worker holds the bundle. True also if this is unknown.
    pub fn held(&self) -> bool {
        self.standing() != Standing::Free
    }

    fn standing(&self) -> Standing {
        // Shared, so that two who look do not take each other for a worker.
        self.standing_by(LOCK_FILE, File::try_lock_shared, Pace::default())
    }

    /// By the lock of a file; where the file system has no locks, by a lease of the same name.
    fn standing_by(&self, name: &str, try_lock: TryLock, pace: Pace) -> Standing {
        let lock = match inside::open_to_lock(&self.folder, name, false) {
            Ok(lock) => lock,
            Err(lexforge_files::Error::Io { source, .. }) if is_no_answer(&source) => {
                return Standing::Unknown(source.to_string());
            }
            Err(_) => return Standing::Free, // no worker has ever begun
        };
        match try_lock(&lock) {
            // The lock is released at the end of this function, when the file is closed.
            Ok(()) => Standing::Free,
            Err(TryLockError::WouldBlock) => Standing::Held,
            Err(TryLockError::Error(e)) if has_no_locks(&e) => {
                lease::look(&self.folder, name, pace)
            }
            Err(TryLockError::Error(e)) => Standing::Unknown(e.to_string()),
        }
    }

    /// What the bundle's worker is doing. The lock says whether there is a worker, the last event says the rest.
    pub fn state(&self) -> BundleState {
        // The lock before the events: a worker that ends in between has then written its last event.
        let standing = self.standing();
        self.state_by(standing)
    }

    fn state_by(&self, standing: Standing) -> BundleState {
        let says = |kind: &str| !matches!(kind, "warning" | "metric");
        let last = self.newest_event(says, |_| true).unwrap_or_default();
        let first = self.first_of_claim();
        let is_older = |first: u64| last.as_ref().is_none_or(|last: &JobEvent| last.seq < first);
        if standing == Standing::Held {
            return match last.as_ref().map(|last| &last.event) {
                _ if first.is_some_and(is_older) => BundleState::NotStarted,
                Some(Event::Paused { .. }) => BundleState::Paused,
                _ => BundleState::Running,
            };
        }
        match (self.result(), standing) {
            (Ok(Some(_)), _) => return BundleState::Finished,
            // A disk that does not answer gives no result either.
            (_, Standing::Unknown(reason)) => return BundleState::Unknown { reason },
            (Err(failure), _) => return BundleState::Failed(failure),
            (Ok(None), _) => {}
        }
        // The worker holds its claim from before it is loaded until its process ends.
        let claimed = self.standing_by(STARTING_FILE, File::try_lock_shared, Pace::default());
        let lives = claimed == Standing::Held;
        if lives && first.is_none_or(is_older) {
            return BundleState::NotStarted;
        }
        match last.map(|last| last.event) {
            None => BundleState::NeverStarted,
            Some(Event::Stopped { .. }) => BundleState::Stopped,
            Some(Event::Failed {
                code,
                message,
                hint,
                remedy,
            }) => BundleState::Failed(failure_of(&code, &message, &hint, remedy)),
            // It took the lock after we had looked for it.
            Some(_) if lives => BundleState::Running,
            Some(_) => BundleState::Died,
        }
    }

    /// The last line of the worker's standard error that is not empty.
    pub fn last_words(&self) -> Option<String> {
        let text = self.standard_error();
        text.lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .map(str::to_owned)
    }

    /// The failure that the worker wrote to its standard error (`error[code]: …`, `hint: …`), if there is one. The
    /// worker writes a failure there if it cannot write to the bundle.
    pub(crate) fn told_failure(&self) -> Option<Failure> {
        told_in(&self.standard_error())
    }

    /// The end of the worker's standard error.
    pub(crate) fn standard_error(&self) -> String {
        let Ok(mut file) = inside::open(&self.folder, STDERR_FILE) else {
            return String::new();
        };
        let length = file.metadata().map_or(0, |meta| meta.len());
        let mut bytes = Vec::new();
        let read = file
            .seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))
            .and_then(|_| file.take(LAST_WORDS).read_to_end(&mut bytes));
        if read.is_ok() {
            String::from_utf8_lossy(&bytes).into_owned()
        } else {
            String::new()
        }
    }
}

/// The last failure in a text of the form `error[code]: …`, `hint: …`.
pub(crate) fn told_in(text: &str) -> Option<Failure> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let at = lines.iter().rposition(|line| line.starts_with("error["))?;
    let (code, message) = lines[at].strip_prefix("error[")?.split_once("]: ")?;
    let hint = lines
        .get(at + 1)
        .and_then(|line| line.strip_prefix("hint: "))
        .unwrap_or_default();
    Some(failure_of(code, message, hint, None))
}

/// The failure that an event reports; an unknown code (of a newer worker) is [`Code::Internal`].
pub(crate) fn failure_of(
    code: &str,
    message: &str,
    hint: &str,
    remedy: Option<Box<Remedy>>,
) -> Failure {
    let code = serde_json::from_value(serde_json::Value::String(code.to_owned()))
        .unwrap_or(Code::Internal);
    Failure {
        remedy,
        ..Failure::new(code, message, hint)
    }
}

/// Whether an error says that the disk did not answer, and nothing of what lies there.
fn is_no_answer(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as K;
    const INPUT_OUTPUT: i32 = 5;
    matches!(
        error.kind(),
        K::StaleNetworkFileHandle
            | K::TimedOut
            | K::NotConnected
            | K::HostUnreachable
            | K::NetworkUnreachable
            | K::NetworkDown
    ) || (cfg!(unix) && error.raw_os_error() == Some(INPUT_OUTPUT))
}

/// Writes a file of the bundle under a temporary name first. So a reader never sees half of the file, and never an
/// empty file after a power failure. Two writers at the same time, even on two machines that share the folder, use
/// different temporary names.
fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let part = format!("{name}.{:016x}.part", rand::random::<u64>());
    let mut file = inside::create(folder, &part)?;
    let (part, path) = (folder.join(part), folder.join(name));
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(Error::io(&part))
        .and_then(|()| std::fs::rename(&part, &path).map_err(Error::io(&path)));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests;
