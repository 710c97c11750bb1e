//! Jobs in Slurm's queue, on the target's side.
//!
//! Every attempt has a name of its own, which is looked up before anything is submitted: an answer of `sbatch` that was lost
//! is no reason to submit twice. A scheduler that does not answer says nothing about a job. Whatever Slurm forgets after some
//! minutes stands in the job's own files.

use super::batch::{PREFIX, batch_script};
use super::stored::Stored;
use crate::error::Error;
use crate::program::WorkerProgram;
use lexforge_domain::protocol::{Control, JobId, SlurmSettings, TargetState};
use lexforge_domain::{Code, Failure};
use lexforge_files::inside;
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Folder of a job with the batch script and a file an attempt, which holds Slurm's number.
const FOLDER: &str = "slurm";
/// Name of the batch script in it.
const SCRIPT: &str = "batch.sh";
/// A file in it that says that the user wants the job stopped: it is not put into the queue again.
const STOP: &str = "stop";
/// A job whose submission was not heard of may still be on its way for so long: before that it is not submitted again.
const SETTLES: Duration = Duration::from_secs(20);
/// How long an answer of the scheduler holds.
const HOLDS: Duration = Duration::from_secs(2);

/// What Slurm says of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    /// Its number, state and reason.
    Known(String, String, String),
    /// The scheduler answers and has no such job.
    Gone,
    /// The scheduler does not answer.
    Silent(String),
}

/// What was asked of the scheduler a moment ago.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    seen: Arc<Mutex<HashMap<String, (Instant, Seen)>>>,
}

impl Queue {
    /// Puts an attempt into the queue, once. The caller holds the job's claim.
    pub(crate) fn submit(
        &self,
        stored: &Stored,
        job: &JobId,
        attempt: &JobId,
        program: &WorkerProgram,
        models: &[PathBuf],
        settings: &SlurmSettings,
    ) -> Result<(), Failure> {
        let folder = folder_of(stored, job)?;
        // An earlier attempt that is in the queue still is the attempt.
        if let Some((earlier, number)) = newest(&folder)
            && earlier != attempt.as_str()
            && let Some(number) = number
        {
            match look(&number, Some(&earlier)) {
                Seen::Known(_, state, _) if is_alive(&state) => return Ok(()),
                Seen::Silent(why) => return Err(silent(&why)),
                Seen::Known(..) | Seen::Gone => {}
            }
        }
        let record = folder.join(attempt.as_str());
        match std::fs::read_to_string(&record) {
            Ok(number) if !number.trim().is_empty() => return Ok(()),
            // It was begun, and what became of it was not heard.
            Ok(_) => {
                if self.found(&folder, attempt)? {
                    return Ok(());
                }
                if is_young(&record) {
                    return Err(silent("the answer to its submission was lost"));
                }
                keep(&record, "")?;
            }
            Err(_) => {
                let file = std::fs::File::create_new(&record).map_err(Error::io(&record))?;
                file.sync_all().map_err(Error::io(&record))?;
            }
        }
        // What was wanted of an earlier attempt is not wanted of this one.
        match std::fs::remove_file(folder.join(STOP)) {
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(Error::io(&folder)(e).into()),
            _ => {}
        }
        let text = batch_script(&folder, attempt, program.path(), models, settings);
        let path = folder.join(SCRIPT);
        std::fs::write(&path, text).map_err(Error::io(&path))?;
        let submitted = run(Command::new("sbatch").arg("--parsable").arg(&path));
        match submitted {
            Ok(said) => {
                let number = said.trim().split(';').next().unwrap_or_default().to_owned();
                keep(&record, &number)
            }
            Err(why) => {
                // Whether it was accepted nevertheless is asked before anything is said.
                if self.found(&folder, attempt)? {
                    return Ok(());
                }
                if is_unclear(&why) {
                    // A scheduler that comes back may take what it was sent before.
                    keep(&record, "")?;
                    return Err(silent(&why));
                }
                let _ = std::fs::remove_file(&record);
                Err(refused(&why))
            }
        }
    }

    /// Whether an attempt whose number is not known is in the queue or has run.
    fn found(&self, folder: &Path, attempt: &JobId) -> Result<bool, Failure> {
        if folder.join(format!("{attempt}.started")).exists() {
            return Ok(true);
        }
        match named(attempt.as_str()) {
            Seen::Known(number, ..) => {
                keep(&folder.join(attempt.as_str()), &number)?;
                Ok(true)
            }
            Seen::Gone => Ok(false),
            Seen::Silent(why) => Err(silent(&why)),
        }
    }

    /// A wish was told to a job's worker.
    pub(crate) fn told(&self, stored: &Stored, job: &JobId, wish: Control) {
        let Ok(folder) = inside::folder(stored.root(), &format!("jobs/{job}/{FOLDER}")) else {
            return;
        };
        if wish != Control::Stop {
            return;
        }
        // Where it cannot be written the job is put into the queue again at its time limit; the word itself acts.
        let _ = std::fs::write(folder.join(STOP), "");
        // One that waits has no worker that could hear the word.
        if let Some((attempt, Some(number))) = newest(&folder)
            && let Seen::Known(_, state, _) = look(&number, Some(&attempt))
            && state == "PENDING"
        {
            let _ = run(Command::new("scancel").arg(&number));
        }
    }

    /// What a job is doing, by its files and by the queue.
    pub(crate) fn reconciled(
        &self,
        stored: &Stored,
        job: &JobId,
        by_files: TargetState,
    ) -> TargetState {
        let Ok(folder) = inside::folder(stored.root(), &format!("jobs/{job}/{FOLDER}")) else {
            return by_files;
        };
        let Some((attempt, number)) = newest(&folder) else {
            return by_files;
        };
        // What a file says for good needs no queue.
        if by_files == TargetState::Finished {
            return by_files;
        }
        let seen = self.recent(&attempt, number.as_deref());
        reconcile(
            by_files,
            seen,
            folder.join(format!("{attempt}.started")).exists(),
        )
    }

    fn recent(&self, attempt: &str, number: Option<&str>) -> Seen {
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((when, seen)) = all.get(attempt)
            && when.elapsed() < HOLDS
        {
            return seen.clone();
        }
        let seen = match number {
            Some(number) => look(number, Some(attempt)),
            None => named(attempt),
        };
        all.insert(attempt.to_owned(), (Instant::now(), seen.clone()));
        seen
    }
}

/// Files and queue together. The queue says whether anybody may still write; the files say how it ended.
fn reconcile(by_files: TargetState, seen: Seen, has_started: bool) -> TargetState {
    match seen {
        Seen::Silent(reason) => match by_files {
            TargetState::Running | TargetState::Paused => by_files,
            _ => TargetState::Unknown { reason },
        },
        Seen::Known(number, state, reason) if is_alive(&state) => match state.as_str() {
            "RUNNING" | "COMPLETING" | "STAGE_OUT" | "SIGNALING" | "STOPPED" => match by_files {
                TargetState::Running | TargetState::Paused => by_files,
                // On another node the lock may not be seen.
                _ if has_started => TargetState::Running,
                _ => TargetState::Starting,
            },
            _ => TargetState::Waiting { number, reason },
        },
        Seen::Known(..) | Seen::Gone => match by_files {
            // It left the queue before a worker said a word.
            TargetState::NotStarted | TargetState::Starting if has_started => TargetState::Died,
            TargetState::Starting => TargetState::NotStarted,
            other => other,
        },
    }
}

/// Whether a job in this state may go on by itself.
fn is_alive(state: &str) -> bool {
    !matches!(
        state,
        "COMPLETED"
            | "FAILED"
            | "CANCELLED"
            | "TIMEOUT"
            | "NODE_FAIL"
            | "OUT_OF_MEMORY"
            | "BOOT_FAIL"
            | "DEADLINE"
            | "PREEMPTED"
            | "REVOKED"
    )
}

fn folder_of(stored: &Stored, job: &JobId) -> Result<PathBuf, Failure> {
    Ok(inside::make_folder(stored.root(), &format!("jobs/{job}/{FOLDER}")).map_err(Error::from)?)
}

/// The attempt that was made last, with Slurm's number where it is known.
fn newest(folder: &Path) -> Option<(String, Option<String>)> {
    let mut found: Vec<(SystemTime, String)> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            JobId::try_from(name.clone()).ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, name))
        })
        .collect();
    found.sort();
    let (_, name) = found.pop()?;
    let number = std::fs::read_to_string(folder.join(&name)).ok()?;
    let number = number.trim().to_owned();
    Some((name, (!number.is_empty()).then_some(number)))
}

fn keep(record: &Path, number: &str) -> Result<(), Failure> {
    let write = || {
        let mut file = std::fs::File::create(record)?;
        file.write_all(number.as_bytes())?;
        file.sync_all()
    };
    Ok(write().map_err(Error::io(record))?)
}

/// What Slurm says of a number.
fn look(number: &str, attempt: Option<&str>) -> Seen {
    let asked = query(&["--jobs", number]);
    match asked {
        // A number that is forgotten is an error to squeue, and one that was given anew belongs to somebody else.
        Err(why) if why.contains("Invalid job id") => Seen::Gone,
        Err(why) => Seen::Silent(why),
        Ok(rows) => rows
            .into_iter()
            .find(|(_, name)| attempt.is_none_or(|attempt| *name == format!("{PREFIX}{attempt}")))
            .map_or(Seen::Gone, |(seen, _)| seen),
    }
}

/// What Slurm says of an attempt by its name.
fn named(attempt: &str) -> Seen {
    let name = format!("{PREFIX}{attempt}");
    match query(&["--name", &name]) {
        Err(why) => Seen::Silent(why),
        Ok(rows) => rows
            .into_iter()
            .find(|(_, found)| *found == name)
            .map_or(Seen::Gone, |(seen, _)| seen),
    }
}

fn query(which: &[&str]) -> Result<Vec<(Seen, String)>, String> {
    let mut command = Command::new("squeue");
    command.args(["--noheader", "--states=all", "--format=%i|%T|%j|%r"]);
    let said = run(command.args(which))?;
    let row = |line: &str| {
        let mut parts = line.trim().splitn(4, '|').map(str::to_owned);
        let (number, state, name, reason) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        Some((Seen::Known(number, state, reason), name))
    };
    Ok(said.lines().filter_map(row).collect())
}

/// Runs a program of Slurm; its standard output, or its complaint.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty());
    Err(line.unwrap_or("it failed without a word").to_owned())
}

/// Whether a record was written so short a time ago that what it is of may be on its way. A clock that runs ahead elsewhere
/// makes it young.
fn is_young(record: &Path) -> bool {
    let written = std::fs::metadata(record).and_then(|meta| meta.modified());
    written.is_ok_and(|when| when.elapsed().map_or(true, |age| age < SETTLES))
}

/// Whether a complaint of `sbatch` leaves it open if the job was taken.
fn is_unclear(why: &str) -> bool {
    let has = |part: &str| why.contains(part);
    has("timed out")
        || has("Unable to contact")
        || has("Zero Bytes")
        || has("Communication connection")
        || has("Transport endpoint")
}

fn silent(why: &str) -> Failure {
    Failure::new(
        Code::TargetUnreachable,
        format!(
            "Slurm does not answer, so that it is not known whether the job is in its queue: {why}."
        ),
        "Nothing was submitted twice. Try again once the scheduler answers.",
    )
}

fn refused(why: &str) -> Failure {
    let hint = if why.contains("partition") {
        "Name a partition that there is (sinfo lists them), and a time limit that it allows."
    } else if why.contains("account") {
        "Name the account that your jobs are charged to (sacctmgr show associations lists them)."
    } else {
        "Change what the target is told about the queue, and start the run again."
    };
    Failure::new(
        Code::TargetUnready,
        format!("Slurm does not take the job: {why}."),
        hint,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sbatch_says_may_leave_it_open_whether_a_job_was_taken() {
        let said = "sbatch: error: Batch job submission failed: ";
        for (why, expected) in [
            ("Socket timed out on send/recv operation", true),
            ("Unable to contact slurm controller (connect failure)", true),
            ("Zero Bytes were transmitted or received", true),
            ("Invalid partition name specified", false),
            ("Requested node configuration is not available", false),
        ] {
            assert_eq!(is_unclear(&format!("{said}{why}")), expected, "{why}");
        }
    }

    #[test]
    fn what_may_be_on_its_way_is_not_sent_again() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("attempt");
        assert!(!is_young(&record));
        keep(&record, "").unwrap();
        assert!(is_young(&record));
        let before = SystemTime::now() - SETTLES - Duration::from_secs(1);
        let file = std::fs::File::options().write(true).open(&record).unwrap();
        file.set_modified(before).unwrap();
        assert!(!is_young(&record));
    }

    #[test]
    fn files_and_queue_are_reconciled() {
        let known = |state: &str| Seen::Known("7".into(), state.into(), "Priority".into());
        let waiting = TargetState::Waiting {
            number: "7".into(),
            reason: "Priority".into(),
        };
        let check = |by_files: TargetState, seen: Seen, started: bool, expected: TargetState| {
            assert_eq!(
                reconcile(by_files.clone(), seen.clone(), started),
                expected,
                "{by_files:?} {seen:?} {started}"
            );
        };
        let silent = Seen::Silent("no answer".into());
        let unknown = TargetState::Unknown {
            reason: "no answer".into(),
        };
        check(
            TargetState::NotStarted,
            silent.clone(),
            false,
            unknown.clone(),
        );
        check(TargetState::Died, silent.clone(), true, unknown);
        check(TargetState::Running, silent, true, TargetState::Running);
        check(
            TargetState::NotStarted,
            known("PENDING"),
            false,
            waiting.clone(),
        );
        // Put back into the queue: what the files say is of before.
        check(TargetState::Stopped, known("PENDING"), true, waiting);
        check(
            TargetState::NotStarted,
            known("RUNNING"),
            false,
            TargetState::Starting,
        );
        check(
            TargetState::Died,
            known("RUNNING"),
            true,
            TargetState::Running,
        );
        check(
            TargetState::Paused,
            known("RUNNING"),
            true,
            TargetState::Paused,
        );
        check(
            TargetState::Stopped,
            known("TIMEOUT"),
            true,
            TargetState::Stopped,
        );
        check(
            TargetState::Died,
            known("NODE_FAIL"),
            true,
            TargetState::Died,
        );
        check(
            TargetState::NotStarted,
            known("CANCELLED"),
            false,
            TargetState::NotStarted,
        );
        check(TargetState::NotStarted, Seen::Gone, true, TargetState::Died);
    }
}
