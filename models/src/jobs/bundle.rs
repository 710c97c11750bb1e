//! The worker's side of a job bundle. It takes the lock (or a lease if the file system has no locks), reads the job,
//! and allows only paths inside the folder.

use crate::files;
use crate::platform::leave_at_once;
use crate::{Error, Result};
use lexforge_domain::protocol::{
    JOB_FILE, Job, JobFile, JobResult, LOCK_FILE, PROTOCOL_VERSION, RESULT_FILE,
};
use lexforge_domain::{Code, Sha256};
use lexforge_files::inside;
use lexforge_files::lease::{Lease, Lost, Pace, TryLock, has_no_locks};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Largest `job.json` and `result.json` that is read, in bytes.
const LARGEST_DOCUMENT: u64 = 64 << 20;

/// Exit status of a worker that has lost its bundle to another one; who starts workers in a queue tries again then.
const BUNDLE_LOST: i32 = 3;

/// A bundle whose lock this process holds until the value is dropped.
pub struct HeldBundle {
    folder: PathBuf,
    /// What to do.
    pub job: Job,
    /// SHA-256 of `job.json`.
    pub job_sha256: Sha256,
    _lock: File,
    lease: Option<Lease>,
}

impl HeldBundle {
    /// Takes the bundle's lock and reads its job.
    ///
    /// # Errors
    /// [`Code::BundleLocked`] if another worker has the lock. [`Code::BundleInvalid`] if `job.json` is missing or
    /// damaged. [`Code::WorkerIncompatible`] if the job has another protocol version.
    pub fn take(folder: &Path) -> Result<Self> {
        Self::take_by(folder, LOCK_FILE)
    }

    /// Takes the bundle with a lock of another name. Each rank of one training has its own lock.
    ///
    /// # Errors
    /// As [`HeldBundle::take`].
    pub(crate) fn take_by(folder: &Path, lock: &str) -> Result<Self> {
        Self::take_with(folder, lock, File::try_lock, Pace::default())
    }

    fn take_with(folder: &Path, lock: &str, try_lock: TryLock, pace: Pace) -> Result<Self> {
        // The program that starts a worker may name the bundle by a link. Inside the bundle, links are not allowed.
        let folder = &match std::fs::symlink_metadata(folder) {
            Ok(meta) if meta.file_type().is_symlink() => {
                std::fs::canonicalize(folder).map_err(Error::io(folder))?
            }
            _ => folder.to_owned(),
        };
        let lock_path = folder.join(lock);
        let job_path = folder.join(JOB_FILE);
        if !job_path.is_file() {
            return Err(invalid(&job_path, "There is no job here.".into()));
        }
        // A bundle may come from elsewhere. Everything is looked at before anything is opened or written.
        inside::check(folder).map_err(refused)?;
        let name = lock;
        let lock = inside::open_to_lock(folder, name, true).map_err(refused)?;
        let mut lease = None;
        match patiently(&lock, try_lock) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(folder)),
            Err(TryLockError::Error(source)) if has_no_locks(&source) => {
                let taken = Lease::take(folder, name, pace, leave).map_err(refused)?;
                lease = Some(taken.ok_or_else(|| locked(folder))?);
            }
            Err(TryLockError::Error(source)) => {
                return Err(Error::Io {
                    path: lock_path,
                    source,
                });
            }
        }
        let bytes = inside::read(folder, JOB_FILE, LARGEST_DOCUMENT).map_err(refused)?;
        let job = read_job(&bytes)
            .map_err(|e| Error::from(e.into_failure().in_file(job_path.display().to_string())))?;
        Ok(Self {
            folder: folder.to_owned(),
            job,
            job_sha256: files::sha256(&bytes),
            _lock: lock,
            lease,
        })
    }

    /// The bundle's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a file or folder in the bundle. `relative` is the path that the job names.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] if it is absolute, leads outside, or contains a link.
    pub fn path(&self, relative: &str) -> Result<PathBuf> {
        inside::place(&self.folder, relative).map_err(refused)
    }

    /// The result, where an earlier attempt finished.
    pub fn result(&self) -> Option<JobResult> {
        let bytes = inside::read(&self.folder, RESULT_FILE, LARGEST_DOCUMENT).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Writes the result, either completely or not at all. If another worker has taken the lease meanwhile, this
    /// process ends instead.
    ///
    /// # Errors
    /// If a system call fails.
    pub fn finish(&self, result: &JobResult) -> Result<()> {
        if let Some(lease) = &self.lease
            && !lease.is_own().map_err(refused)?
        {
            leave(Lost::Taken);
        }
        let text = serde_json::to_vec_pretty(result).map_err(|e| Error::Shim(e.to_string()))?;
        files::write_atomically(&self.folder.join(RESULT_FILE), &text)
    }
}

fn locked(folder: &Path) -> Error {
    Error::told_of(
        folder,
        Code::BundleLocked,
        "Another worker is already running this job.",
        "Follow that run, or stop it first.",
    )
}

/// Another worker has the bundle now, or may have it at any moment: nothing more is written to it.
fn leave(why: Lost) {
    match why {
        Lost::Taken => {
            eprintln!("error: another worker has taken over this job, and this one ends")
        }
        Lost::Silent => eprintln!(
            "error: the job's folder could not be written for too long, and this worker ends"
        ),
    }
    leave_at_once(BUNDLE_LOST)
}

/// Takes the lock and tries several times, because a program that checks whether a worker is running holds the lock for
/// an instant.
fn patiently(lock: &File, try_lock: TryLock) -> std::result::Result<(), TryLockError> {
    for _ in 0..20 {
        match try_lock(lock) {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(25)),
            other => return other,
        }
    }
    try_lock(lock)
}

fn read_job(bytes: &[u8]) -> Result<Job> {
    #[derive(serde::Deserialize)]
    struct Version {
        protocol_version: u32,
    }
    let unreadable = |e: serde_json::Error| {
        Error::told(
            Code::BundleInvalid,
            format!("The job cannot be read: {e}."),
            "Make the job again.",
        )
    };
    // The version first: a job of another version may not parse at all.
    let version: Version = serde_json::from_slice(bytes).map_err(unreadable)?;
    if version.protocol_version != PROTOCOL_VERSION {
        return Err(Error::told(
            Code::WorkerIncompatible,
            format!(
                "The job speaks protocol {}, this worker speaks {PROTOCOL_VERSION}.",
                version.protocol_version
            ),
            "Install the worker of the application's version.",
        ));
    }
    let file: JobFile = serde_json::from_slice(bytes).map_err(unreadable)?;
    Ok(file.job)
}

/// A file of the bundle that is not read or written.
fn refused(error: lexforge_files::Error) -> Error {
    match error {
        lexforge_files::Error::Io { path, source } => Error::Io { path, source },
        other => other.refusal().into(),
    }
}

fn invalid(path: &Path, message: String) -> Error {
    Error::told_of(path, Code::BundleInvalid, message, "Make the job again.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::{InspectJob, ModelRef};

    fn job_text(version: u32) -> String {
        let job = Job::Inspect(InspectJob::of(ModelRef {
            name: "m".into(),
            sha256: String::new(),
        }));
        serde_json::to_string(&JobFile {
            protocol_version: version,
            job,
        })
        .unwrap()
    }

    #[test]
    fn one_worker_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(JOB_FILE), job_text(PROTOCOL_VERSION)).unwrap();
        let held = HeldBundle::take(folder.path()).unwrap();
        let failure = HeldBundle::take(folder.path())
            .err()
            .unwrap()
            .into_failure();
        assert_eq!(failure.code, Code::BundleLocked);
        drop(held);
        assert!(HeldBundle::take(folder.path()).is_ok());
    }

    /// As on a network disk whose server has no service for locks.
    fn no_locks(_: &File) -> std::result::Result<(), TryLockError> {
        Err(TryLockError::Error(std::io::ErrorKind::Unsupported.into()))
    }

    #[test]
    fn one_worker_at_a_time_where_there_are_no_locks() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(JOB_FILE), job_text(PROTOCOL_VERSION)).unwrap();
        let take = |name| HeldBundle::take_with(folder.path(), name, no_locks, Pace::default());
        let held = take(LOCK_FILE).unwrap();
        let failure = take(LOCK_FILE).err().unwrap().into_failure();
        assert_eq!(failure.code, Code::BundleLocked);
        // Each rank has a lease of its own.
        assert!(take("lock.rank-1").is_ok());
        // The holder writes its result.
        let result = r#"{"kind":"embed","output":"o","rows":1,"dim":1,"truncated":0,"unknown_rate":0.0,"peak_memory_mb":1.0,"seconds":1.0}"#;
        held.finish(&serde_json::from_str(result).unwrap()).unwrap();
        assert!(held.result().is_some());
        drop(held);
        assert!(take(LOCK_FILE).is_ok());
    }

    #[test]
    fn a_lock_that_cannot_be_asked_for_is_not_taken_for_free() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(JOB_FILE), job_text(PROTOCOL_VERSION)).unwrap();
        let stale: TryLock = |_| {
            Err(TryLockError::Error(
                std::io::ErrorKind::StaleNetworkFileHandle.into(),
            ))
        };
        assert!(HeldBundle::take_with(folder.path(), LOCK_FILE, stale, Pace::default()).is_err());
    }

    #[test]
    fn a_bundle_that_cannot_be_run_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let check = |text: Option<&str>, code: Code| {
            if let Some(text) = text {
                std::fs::write(folder.path().join(JOB_FILE), text).unwrap();
            }
            assert_eq!(
                HeldBundle::take(folder.path())
                    .err()
                    .unwrap()
                    .into_failure()
                    .code,
                code
            );
        };
        check(None, Code::BundleInvalid);
        check(Some("{"), Code::BundleInvalid);
        check(
            Some(&job_text(PROTOCOL_VERSION + 1)),
            Code::WorkerIncompatible,
        );
        let unknown =
            format!(r#"{{"protocol_version":{PROTOCOL_VERSION},"job":{{"kind":"dance"}}}}"#);
        check(Some(&unknown), Code::BundleInvalid);
    }

    #[test]
    fn paths_stay_inside() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(JOB_FILE), job_text(PROTOCOL_VERSION)).unwrap();
        let held = HeldBundle::take(folder.path()).unwrap();
        assert_eq!(
            held.path("inputs/a.jsonl").unwrap(),
            folder.path().join("inputs/a.jsonl")
        );
        for bad in [
            "",
            "../a",
            "/etc/passwd",
            "inputs/../../a",
            "inputs\\..\\a",
            "C:a",
            "a\0b",
        ] {
            assert!(held.path(bad).is_err(), "{bad}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_bundle_with_a_link_in_it_is_not_worked_on() {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join("bundle");
        std::fs::create_dir_all(folder.join("inputs")).unwrap();
        std::fs::write(folder.join(JOB_FILE), job_text(PROTOCOL_VERSION)).unwrap();
        let victim = all.path().join("victim");
        std::fs::write(&victim, "mine").unwrap();
        for (link, target) in [
            (LOCK_FILE, all.path().join("made")),
            ("inputs/train.jsonl", victim.clone()),
            ("events.jsonl", victim.clone()),
            ("inputs/zero", "/dev/zero".into()),
            ("checkpoints", all.path().to_owned()),
        ] {
            std::os::unix::fs::symlink(target, folder.join(link)).unwrap();
            let failure = HeldBundle::take(&folder).err().unwrap().into_failure();
            assert_eq!(failure.code, Code::BundleInvalid, "{link}");
            assert!(failure.message.contains("link"), "{failure}");
            std::fs::remove_file(folder.join(link)).unwrap();
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        assert!(!all.path().join("made").exists());
        // Named by a link it is the bundle that the link leads to.
        std::os::unix::fs::symlink(&folder, all.path().join("by-link")).unwrap();
        assert!(HeldBundle::take(&all.path().join("by-link")).is_ok());
    }
}
