//! Jobs in Slurm's queue, on the target's side.
//!
//! Every attempt has its own name, and this name is looked up before a job is submitted. So a lost answer of `sbatch`
//! does not lead to a second job. If the scheduler does not answer, the state of the job stays unknown. The job's own
//! files also contain the facts that Slurm forgets after some minutes.

use super::attempts::{
    attempts, is_young, is_younger, keep, make_newest, newest, number_in, started,
};
use super::batch::{OUTPUT, batch_script, submission};
use super::limit;
use super::place::place;
use super::reconcile::{Facts, reconcile};
use super::slurm::{
    COMPLETING, Listed, Seen, accounted, all_named, end_of, is_unclear, last_word, look, named,
    number_of, run, run_within,
};
use super::stored::Stored;
use crate::bundle::Bundle;
use crate::error::Error;
use crate::program::WorkerProgram;
use lexforge_domain::protocol::{
    Control, EVENTS_FILE, JobId, QueueEnd, QueuePlace, SlurmSettings, TargetState, is_held,
};
use lexforge_domain::{Code, Failure};
use lexforge_files::inside;
use std::collections::HashMap;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Folder of a job with the batch script and a file an attempt, which holds Slurm's number.
const FOLDER: &str = "slurm";
/// Name of the batch script in it.
const SCRIPT: &str = "batch.sh";
/// A file in the folder that says that the user asked the job to stop: it is not put into the queue again.
const STOP: &str = "stop";
/// A submission is ended after this time. `sbatch` itself tries for some minutes where the scheduler is busy.
const SUBMITS_WITHIN: Duration = Duration::from_secs(600);
/// How long an answer of the scheduler holds.
const HOLDS: Duration = Duration::from_secs(2);
/// A worker counts as alive if its newest event is not older than this. A live worker writes an event every few
/// seconds. But network disks show an event later, and a busy disk may stop a worker for minutes. The engine waits
/// equally long before it reports a silent worker.
const SPEAKS_WITHIN: Duration = Duration::from_secs(300);
/// How long a place in the queue holds. To list a whole partition costs a large cluster more than to look for one job.
const PLACE_HOLDS: Duration = Duration::from_secs(60);
/// Bytes of the end of a job's output that are read.
const LAST_WORDS: u64 = 1 << 16;

/// The last replies of the scheduler, kept for a moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    seen: Arc<Mutex<HashMap<String, (Instant, Seen)>>>,
    places: Arc<Mutex<Places>>,
}

/// By job: its place in the queue, and when it was asked for.
type Places = HashMap<String, (Instant, Option<QueuePlace>)>;

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
                    // When the scheduler answers again, it may still accept the job that it was sent. A full disk
                    // does not change that.
                    let _ = keep(&record, "");
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

    /// Passes a stop or a resume on to the queue, after it was written for the job's worker. This is needed because a
    /// job that waits in the queue has no worker that could read it.
    pub(crate) fn told(&self, stored: &Stored, job: &JobId, wish: Control) -> Result<(), Failure> {
        let Ok(folder) = inside::folder(stored.root(), &format!("jobs/{job}/{FOLDER}")) else {
            return Ok(());
        };
        match wish {
            // With this the job ends at once where it starts, and is not put into the queue again.
            Control::Stop => {
                let stop = folder.join(STOP);
                std::fs::write(&stop, "").map_err(Error::io(&stop))?;
            }
            Control::Resume => {}
            _ => return Ok(()),
        }
        let bundle = stored.bundle(job)?;
        if wish == Control::Stop && bundle.as_ref().is_some_and(Bundle::held) {
            return Ok(());
        }
        let speaks = bundle.is_some_and(|bundle| speaks(bundle.folder()));
        let Some((attempt, number)) = newest(&folder) else {
            return Ok(());
        };
        let seen = match &number {
            Some(number) => look(number, &attempt),
            None => named(&attempt),
        };
        let told = match (wish, seen) {
            (Control::Resume, Seen::Known(job)) if job.is_waiting() && is_held(&job.reason) => {
                let mut release = Command::new("scontrol");
                release.args(["release", &job.number]);
                run(&mut release).map(drop).map_err(|why| unreleased(&why))
            }
            (Control::Resume, _) => return Ok(()),
            (_, seen) => {
                let may_come = number.is_none() && is_young(&folder.join(&attempt));
                taking_out(seen, speaks, may_come)
                    .and_then(|words| match words {
                        Some(words) => run(Command::new("scancel").args(words)).map(drop),
                        None => Ok(()),
                    })
                    .map_err(|why| untold(&why))
            }
        };
        // What was seen a moment ago is of before.
        self.all_seen()
            .retain(|asked, _| !asked.starts_with(&attempt));
        told
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

    fn all_places(&self) -> std::sync::MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where a job stands that waits. Slurm is asked by one at a time, and without a lock, since that may take seconds:
    /// others go on with what was known before.
    fn place_of(
        &self,
        job: &Listed,
        ask: impl FnOnce(&str, &str) -> Option<QueuePlace>,
    ) -> Option<QueuePlace> {
        {
            let mut all = self.all_places();
            let (when, known) = all.get(&job.number).cloned().unzip();
            let known = known.flatten();
            if when.is_some_and(|when| when.elapsed() < PLACE_HOLDS) {
                return known;
            }
            all.insert(job.number.clone(), (Instant::now(), known));
        }
        let found = ask(&job.number, &job.partition);
        let now = (Instant::now(), found.clone());
        self.all_places().insert(job.number.clone(), now);
        found
    }

    /// What Slurm has said of an attempt lately, with its place where it waits.
    fn recent(&self, attempt: &str, number: Option<&str>, has_started: bool) -> Seen {
        let mut seen = self.listed(attempt, number, has_started);
        if let Seen::Known(job) = &mut seen
            && job.is_waiting()
        {
            job.place = self.place_of(job, place);
        }
        seen
    }

    fn listed(&self, attempt: &str, number: Option<&str>, has_started: bool) -> Seen {
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

/// Whether a job's worker has written an event a moment ago.
fn speaks(bundle: &Path) -> bool {
    is_younger(&bundle.join(EVENTS_FILE), SPEAKS_WITHIN)
}

/// The arguments with which `scancel` takes a job out of the queue, for a job whose worker is not seen to hold the
/// bundle's lock. `None` if there is no such job in the queue. With `speaks`, the worker wrote an event a moment ago.
/// With `may_come`, the answer to the submission was lost a moment ago, so the job may still appear.
fn taking_out(seen: Seen, speaks: bool, may_come: bool) -> Result<Option<Vec<String>>, String> {
    match seen {
        Seen::Known(job) if job.state == COMPLETING || !job.is_alive() => Ok(None),
        // The worker is on a node whose locks are not seen here: its batch script passes this on.
        Seen::Known(job) if job.is_at_work() && speaks => {
            let words = ["--batch", "--signal=TERM"].map(str::to_owned);
            Ok(Some([&words[..], &[job.number]].concat()))
        }
        // It waits. Or Slurm lists it as running, and no process of it is left: then it never ends by itself.
        Seen::Known(job) => Ok(Some(vec![job.number])),
        Seen::Gone if may_come => Err("the answer to its submission was lost".to_owned()),
        Seen::Gone => Ok(None),
        Seen::Silent(why) => Err(why),
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
        if job.state == COMPLETING {
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

fn unreleased(why: &str) -> Failure {
    Failure::new(
        Code::TargetUnready,
        format!("Slurm holds the job, and did not release it: {why}."),
        "Ask those who run the cluster to release it. Or stop the run and resume it: it is submitted anew then.",
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
