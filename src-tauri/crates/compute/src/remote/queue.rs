//! Jobs in Slurm's queue, on the target's side.
//!
//! Every attempt has its own name, and this name is looked up before a job is submitted. So a lost answer of `sbatch`
//! does not lead to a second job. If the scheduler does not answer, the state of the job stays unknown. The job's own
//! files also contain the facts that Slurm forgets after some minutes.

use super::batch::{OUTPUT, batch_script, submission};
use super::limit;
use super::reconcile::{Facts, reconcile};
use super::slurm::{
    Listed, Seen, accounted, all_named, end_of, is_unclear, last_word, look, named, number_of, run,
    run_within,
};
use super::stored::Stored;
use crate::error::Error;
use crate::program::WorkerProgram;
use lexforge_domain::protocol::{Control, JobId, QueueEnd, SlurmSettings, TargetState};
use lexforge_domain::{Code, Failure};
use lexforge_files::inside;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Folder of a job with the batch script and a file an attempt, which holds Slurm's number.
const FOLDER: &str = "slurm";
/// Name of the batch script in it.
const SCRIPT: &str = "batch.sh";
/// A file in the folder that says that the user asked the job to stop: it is not put into the queue again.
const STOP: &str = "stop";
/// A job with an unknown submission may still be on its way for so long. During this time it is not submitted again.
const SETTLES: Duration = Duration::from_secs(20);
/// So far the clock of another machine may be ahead.
const AHEAD: Duration = Duration::from_secs(600);
/// A submission is ended after this time. `sbatch` itself tries for some minutes where the scheduler is busy.
const SUBMITS_WITHIN: Duration = Duration::from_secs(600);
/// How long an answer of the scheduler holds.
const HOLDS: Duration = Duration::from_secs(2);
/// Bytes of the end of a job's output that are read.
const LAST_WORDS: u64 = 1 << 16;

/// The last replies of the scheduler, kept for a moment.
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
        let record = folder.join(attempt.as_str());
        if number_in(&record).is_some() {
            return Ok(());
        }
        // An earlier attempt that is in the queue still is the attempt.
        if earlier_goes_on(&folder, attempt)? {
            return withdraw_stop(stored, job, &folder);
        }
        if record.exists() {
            // The submission was begun, but its outcome is unknown.
            if self.found(&folder, attempt)? {
                return Ok(());
            }
            if is_young(&record) {
                return Err(silent("the answer to its submission was lost"));
            }
            keep(&record, "")?;
        } else {
            limit::check(settings)?;
            let file = std::fs::File::create_new(&record).map_err(Error::io(&record))?;
            make_newest(&record, &file);
            file.sync_all().map_err(Error::io(&record))?;
        }
        // A request to stop an earlier attempt does not apply to this one.
        withdraw_stop(stored, job, &folder)?;
        let text = batch_script(&folder, attempt, program.path(), models, settings);
        let path = folder.join(SCRIPT);
        std::fs::write(&path, text).map_err(Error::io(&path))?;
        let submitted = run_within(&mut submission(&path), SUBMITS_WITHIN);
        match submitted {
            Ok(said) => {
                // It is in the queue. Where its number cannot be written (a full disk), it is looked for by its name.
                let _ = keep(&record, &number_of(&said).unwrap_or_default());
                Ok(())
            }
            Err(why) => {
                // Whether it was accepted nevertheless is asked before anything is said.
                if self.found(&folder, attempt)? {
                    return Ok(());
                }
                if is_unclear(&why) {
                    // When the scheduler answers again, it may still accept the job that it was sent.
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
        if started(folder, attempt.as_str()).exists() {
            return Ok(true);
        }
        match named(attempt.as_str()) {
            Seen::Known(job) => {
                let _ = keep(&folder.join(attempt.as_str()), &job.number);
                Ok(true)
            }
            Seen::Gone => Ok(false),
            Seen::Silent(why) => Err(silent(&why)),
        }
    }

    /// Called when a request was passed to a job's worker. A job that waits in the queue has no worker that could read
    /// it.
    pub(crate) fn told(&self, stored: &Stored, job: &JobId, wish: Control) -> Result<(), Failure> {
        let Ok(folder) = inside::folder(stored.root(), &format!("jobs/{job}/{FOLDER}")) else {
            return Ok(());
        };
        if wish != Control::Stop {
            return Ok(());
        }
        // With this the job ends at once where it starts, and is not put into the queue again.
        let stop = folder.join(STOP);
        std::fs::write(&stop, "").map_err(Error::io(&stop))?;
        if stored.bundle(job)?.is_some_and(|bundle| bundle.held()) {
            return Ok(());
        }
        let Some((attempt, number)) = newest(&folder) else {
            return Ok(());
        };
        let seen = match &number {
            Some(number) => look(number, &attempt),
            None => named(&attempt),
        };
        let told = match seen {
            Seen::Known(job) if job.is_waiting() => {
                run(Command::new("scancel").arg(&job.number)).map(drop)
            }
            Seen::Gone if number.is_none() && is_young(&folder.join(&attempt)) => {
                Err("the answer to its submission was lost".to_owned())
            }
            Seen::Silent(why) => Err(why),
            Seen::Known(_) | Seen::Gone => Ok(()),
        };
        // What was seen a moment ago is of before.
        self.all_seen()
            .retain(|asked, _| !asked.starts_with(&attempt));
        told.map_err(|why| untold(&why))
    }

    /// What a job is doing, by its files and by the queue.
    pub(crate) fn reconciled(
        &self,
        stored: &Stored,
        job: &JobId,
        by_files: impl Fn() -> Result<TargetState, Failure>,
    ) -> Result<TargetState, Failure> {
        let Ok(folder) = inside::folder(stored.root(), &format!("jobs/{job}/{FOLDER}")) else {
            return by_files();
        };
        let Some((attempt, number)) = newest(&folder) else {
            return by_files();
        };
        // If the files contain the final state, the queue is not asked.
        let finished = by_files()?;
        if finished == TargetState::Finished {
            return Ok(finished);
        }
        // Whether it has begun is read before the queue: a job that begins after that is seen there.
        let begun = started(&folder, &attempt);
        let has_started = begun.exists();
        let number = number.or_else(|| number_in(&begun));
        let seen = self.recent(&attempt, number.as_deref(), has_started);
        let is_stopped = folder.join(STOP).exists();
        let is_known = number.is_some();
        let end = end(&folder, &attempt, number, &seen);
        // A queue may show a job some seconds late, even one whose number is known.
        let may_come = !has_started && (!is_known || (!is_stopped && end.is_none()));
        let facts = Facts {
            has_started,
            is_on_its_way: may_come && is_young(&folder.join(&attempt)),
            is_stopped,
            end,
        };
        // The files are read after the queue: once a job has left the queue, it writes nothing more.
        Ok(reconcile(by_files()?, seen, facts))
    }

    fn all_seen(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Instant, Seen)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn recent(&self, attempt: &str, number: Option<&str>, has_started: bool) -> Seen {
        let mut all = self.all_seen();
        // A reply from before the job had its number, or before it began, is not valid for the time after.
        let asked = format!("{attempt} {} {has_started}", number.unwrap_or_default());
        if let Some((when, seen)) = all.get(&asked)
            && when.elapsed() < HOLDS
        {
            return seen.clone();
        }
        let seen = match number {
            Some(number) => look(number, attempt),
            None => named(attempt),
        };
        all.insert(asked, (Instant::now(), seen.clone()));
        seen
    }
}

/// Whether an attempt before this one is in the queue, whether its number is known or not.
fn earlier_goes_on(folder: &Path, attempt: &JobId) -> Result<bool, Failure> {
    let mut earlier: Vec<String> = attempts(folder).into_iter().map(|(_, name)| name).collect();
    earlier.retain(|name| name != attempt.as_str());
    if earlier.is_empty() {
        return Ok(false);
    }
    let jobs = all_named(&earlier).map_err(|why| silent(&why))?;
    if let Some((name, job)) = jobs.iter().find(|(_, job)| job.is_alive()) {
        if job.state == "COMPLETING" {
            return Err(leaving());
        }
        // Written last, it is the one that is looked at. On a full disk it is found by its name.
        let _ = keep(&folder.join(name), &job.number);
        return Ok(true);
    }
    // The answer to its submission was lost, or the queue does not show it yet.
    let may_come = |name: &String| {
        !started(folder, name).exists()
            && !jobs.iter().any(|(known, _)| known == name)
            && is_young(&folder.join(name))
    };
    if earlier.iter().any(may_come) {
        return Err(silent(
            "the submission before this one may still be on its way",
        ));
    }
    Ok(false)
}

/// Removes a request to stop an earlier attempt.
fn withdraw_stop(stored: &Stored, job: &JobId, folder: &Path) -> Result<(), Failure> {
    match std::fs::remove_file(folder.join(STOP)) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(Error::io(folder)(e).into()),
        _ => {}
    }
    if let Some(bundle) = stored.bundle(job)?
        && !bundle.held()
    {
        bundle.clear_control()?;
    }
    Ok(())
}

/// How Slurm ended an attempt, or why it put it back. Once it is known it is kept: Slurm forgets it.
fn end(folder: &Path, attempt: &str, number: Option<String>, seen: &Seen) -> Option<QueueEnd> {
    let kept = folder.join(format!("{attempt}.ended"));
    let number = match seen {
        Seen::Silent(_) => return None,
        Seen::Known(job) if job.is_alive() => {
            // An administrator can put back what had ended.
            let _ = std::fs::remove_file(&kept);
            let waits = job.is_waiting() && started(folder, attempt).exists();
            return waits.then(|| last_word(&output(folder), &job.number))?;
        }
        Seen::Known(job) => job.number.clone(),
        Seen::Gone => number?,
    };
    let known = std::fs::read(&kept).ok();
    if let Some(end) = known.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
        return Some(end);
    }
    let log = || last_word(&output(folder), &number);
    let found = match seen {
        Seen::Known(Listed { state, .. }) => match end_of(state) {
            // Who it was only the accounting knows.
            Some(QueueEnd::Cancelled { by }) => {
                accounted(&number, attempt).or(Some(QueueEnd::Cancelled { by }))
            }
            Some(end) => Some(end),
            None => log(),
        },
        _ => accounted(&number, attempt).or_else(log),
    }?;
    // If the file cannot be written, Slurm is asked again, as long as it still knows the job.
    let _ = std::fs::write(&kept, serde_json::json!(found).to_string());
    Some(found)
}

/// The end of what Slurm and the batch script said.
fn output(folder: &Path) -> String {
    let Ok(mut file) = inside::open(folder, OUTPUT) else {
        return String::new();
    };
    let length = file.metadata().map_or(0, |meta| meta.len());
    let mut bytes = Vec::new();
    let read = file
        .seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))
        .and_then(|_| file.take(LAST_WORDS).read_to_end(&mut bytes));
    read.map_or_else(
        |_| String::new(),
        |_| String::from_utf8_lossy(&bytes).into_owned(),
    )
}

fn folder_of(stored: &Stored, job: &JobId) -> Result<PathBuf, Failure> {
    Ok(inside::make_folder(stored.root(), &format!("jobs/{job}/{FOLDER}")).map_err(Error::from)?)
}

/// What an attempt's batch script writes when it begins.
fn started(folder: &Path, attempt: &str) -> PathBuf {
    folder.join(format!("{attempt}.started"))
}

/// The attempts that were made, the last one last.
fn attempts(folder: &Path) -> Vec<(SystemTime, String)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(SystemTime, String)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            JobId::try_from(name.clone()).ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, name))
        })
        .collect();
    found.sort();
    found
}

/// The attempt that was made last, with Slurm's number where it is known.
fn newest(folder: &Path) -> Option<(String, Option<String>)> {
    let (_, name) = attempts(folder).pop()?;
    let number = number_in(&folder.join(&name));
    Some((name, number))
}

/// Slurm's number in a file that holds nothing else.
fn number_in(record: &Path) -> Option<String> {
    let number = std::fs::read_to_string(record).ok()?;
    let number = number.trim();
    (!number.is_empty()).then(|| number.to_owned())
}

fn keep(record: &Path, number: &str) -> Result<(), Failure> {
    let write = || {
        let mut file = std::fs::File::create(record)?;
        file.write_all(number.as_bytes())?;
        make_newest(record, &file);
        file.sync_all()
    };
    Ok(write().map_err(Error::io(record))?)
}

/// Gives a record a later time than all others have. Without this an attempt that was made after the clock was set back
/// would be taken for an old one. If the file system does not let times be set, the time of the clock stays.
fn make_newest(record: &Path, file: &std::fs::File) {
    let own = record.file_name().and_then(OsStr::to_str);
    let folder = record.parent().unwrap_or(record);
    let Ok(written) = file.metadata().and_then(|meta| meta.modified()) else {
        return;
    };
    let mut others = attempts(folder);
    others.retain(|(_, name)| Some(name.as_str()) != own);
    // Times of before the clock was set back are put before this one, in their order. A time that is ahead would make
    // this attempt look new for as long as the clock was set back.
    let is_ahead = |when: &SystemTime| when.duration_since(written).is_ok_and(|by| by > AHEAD);
    let ahead: Vec<&String> = others
        .iter()
        .filter(|(when, _)| is_ahead(when))
        .map(|(_, name)| name)
        .collect();
    for (seconds, name) in (1..).zip(ahead.into_iter().rev()) {
        let before = written.checked_sub(SETTLES + Duration::from_secs(seconds));
        if let Some(before) = before
            && let Ok(other) = std::fs::File::options().write(true).open(folder.join(name))
        {
            let _ = other.set_modified(before);
        }
    }
    let mut others = attempts(folder);
    others.retain(|(_, name)| Some(name.as_str()) != own);
    if let Some((latest, _)) = others.pop()
        && written <= latest
        && let Some(later) = latest.checked_add(Duration::from_secs(1))
    {
        let _ = file.set_modified(later);
    }
}

/// Whether a record is so new that its job may still be on its way to the queue. A record from the near future (another
/// machine's clock is ahead) counts as new. One from the far future was written before the clock was set back: if it
/// counted as new, nothing could be submitted until the clock had come so far.
fn is_young(record: &Path) -> bool {
    let written = std::fs::metadata(record).and_then(|meta| meta.modified());
    written.is_ok_and(|when| match when.elapsed() {
        Ok(age) => age < SETTLES,
        Err(ahead) => ahead.duration() <= AHEAD,
    })
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

/// The attempt before has ended, and its job is not quite out of the queue.
fn leaving() -> Failure {
    Failure::new(
        Code::TargetUnreachable,
        "The attempt before this one is just leaving Slurm's queue.",
        "Nothing was submitted twice. Try again in a moment.",
    )
}

fn untold(why: &str) -> Failure {
    Failure::new(
        Code::TargetUnready,
        format!(
            "The job may wait in Slurm's queue, and Slurm could not be told to take it out: {why}."
        ),
        "The wish is written down on the target: the job ends as soon as it starts, without training. Stop it again once the scheduler answers, so that it leaves the queue.",
    )
}

#[cfg(test)]
mod tests;
