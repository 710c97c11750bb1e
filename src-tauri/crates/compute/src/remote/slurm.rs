//! Reads what Slurm says about jobs.

use super::batch::PREFIX;
use super::deadline::Deadline;
use lexforge_domain::protocol::{QueueEnd, QueuePlace};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A program of Slurm's answers within this time, or reports that the scheduler is silent.
const ANSWERS_WITHIN: Duration = Duration::from_secs(90);

/// The state of a job that is being taken off its machine.
pub(super) const COMPLETING: &str = "COMPLETING";

/// A job in the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) number: String,
    pub(super) state: String,
    pub(super) reason: String,
    /// Since when it is in the queue, in seconds since 1970.
    pub(super) since: Option<u64>,
    /// When it started, or when Slurm expects to start it, in seconds since 1970.
    pub(super) starts: Option<u64>,
    /// The partition; several with commas between them where the job may start in any of them.
    pub(super) partition: String,
    /// Where it stands in the queue, once that was asked.
    pub(super) place: Option<QueuePlace>,
}

impl Listed {
    /// Whether it may go on by itself.
    pub(super) fn is_alive(&self) -> bool {
        !matches!(
            self.state.as_str(),
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

    /// Whether it waits for its turn.
    pub(super) fn is_waiting(&self) -> bool {
        self.is_alive() && !self.is_at_work()
    }

    /// Whether it has a node.
    pub(super) fn is_at_work(&self) -> bool {
        matches!(
            self.state.as_str(),
            "RUNNING" | "COMPLETING" | "STAGE_OUT" | "SIGNALING" | "STOPPED"
        )
    }
}

/// The state of a job according to Slurm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It knows the job.
    Known(Listed),
    /// The scheduler answers and has no such job.
    Gone,
    /// The scheduler does not answer.
    Silent(String),
}

/// The state of the job with this number according to Slurm.
pub(super) fn look(number: &str, attempt: &str) -> Seen {
    match query(&["--jobs", number]) {
        // For a forgotten number squeue reports an error. A number that was given again belongs to another job.
        Err(why) if why.contains("Invalid job id") => Seen::Gone,
        Err(why) => Seen::Silent(why),
        Ok(rows) => of(attempt, rows),
    }
}

/// The state of an attempt according to Slurm, looked up by its name.
pub(super) fn named(attempt: &str) -> Seen {
    match all_named(&[attempt.to_owned()]) {
        Err(why) => Seen::Silent(why),
        Ok(rows) => of(attempt, rows),
    }
}

/// The jobs of these attempts, each with its attempt.
pub(super) fn all_named(attempts: &[String]) -> Result<Vec<(String, Listed)>, String> {
    let names: Vec<String> = attempts.iter().map(|a| format!("{PREFIX}{a}")).collect();
    query(&["--name", &names.join(",")])
}

/// The job of an attempt. If an answer of `sbatch` was lost, there may be two jobs: one trains or waits, and the other
/// one ended at once. Then the one that trains or waits is taken.
fn of(attempt: &str, rows: Vec<(String, Listed)>) -> Seen {
    let ours = rows.into_iter().filter(|(name, _)| name == attempt);
    let found = ours.map(|(_, job)| job).max_by_key(|job| {
        let (alive, at_work) = (job.is_alive(), job.is_at_work());
        (at_work, alive)
    });
    found.map_or(Seen::Gone, Seen::Known)
}

fn query(which: &[&str]) -> Result<Vec<(String, Listed)>, String> {
    let mut command = Command::new("squeue");
    command.env("SLURM_TIME_FORMAT", "%s");
    command.args([
        "--noheader",
        "--states=all",
        "--format=%i|%T|%j|%V|%S|%P|%r",
    ]);
    let said = run(command.args(which))?;
    said.lines()
        .filter_map(|line| row(line).transpose())
        .collect()
}

/// The attempt and its job, read from a line of `squeue`. `None` for the job of somebody else, and for a line that is
/// not about a job; some clusters print such a line first.
fn row(line: &str) -> Result<Option<(String, Listed)>, String> {
    let parts: Vec<&str> = line.trim().splitn(7, '|').collect();
    let [number, state, name, since, starts, partition, reason] = parts[..] else {
        // Our own job may be the one whose line was cut: what is in the queue is not known then.
        let is_job = !parts[0].is_empty() && parts[0].bytes().all(|b| b.is_ascii_digit());
        return if is_job {
            Err(CUT.to_owned())
        } else {
            Ok(None)
        };
    };
    let Some(attempt) = name.strip_prefix(PREFIX) else {
        return Ok(None);
    };
    let job = Listed {
        number: number.to_owned(),
        state: state.to_owned(),
        reason: reason.to_owned(),
        since: since.parse().ok(),
        // Without an estimate Slurm writes N/A.
        starts: starts.parse().ok(),
        partition: partition.to_owned(),
        place: None,
    };
    Ok(Some((attempt.to_owned(), job)))
}

/// The number in what `sbatch` prints (`7`, `7;cluster`). Some clusters print other lines before it. `None` if there is
/// no number; the job is then looked for by its name.
pub(super) fn number_of(said: &str) -> Option<String> {
    said.lines().rev().find_map(|line| {
        let number = line.trim().split(';').next()?;
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| number.to_owned())
    })
}

/// The end of a job according to the cluster's accounting, if the cluster has one.
pub(super) fn accounted(number: &str, attempt: &str) -> Option<QueueEnd> {
    let mut command = Command::new("sacct");
    command.args([
        "--allocations",
        "--noheader",
        "--parsable2",
        "--format=State,JobName",
        "--jobs",
        number,
    ]);
    let name = format!("{PREFIX}{attempt}");
    let said = run(&mut command).ok()?;
    let mut rows = said.lines().filter_map(|line| line.trim().split_once('|'));
    let (state, _) = rows.rfind(|(_, found)| *found == name)?;
    match end_of(state)? {
        QueueEnd::Cancelled { by } => Some(QueueEnd::Cancelled { by: user(by) }),
        other => Some(other),
    }
}

/// The name of a user's number.
fn user(number: String) -> String {
    if number.is_empty() {
        return number;
    }
    let name = run(Command::new("id").args(["-nu", &number]));
    name.map_or(number, |name| name.trim().to_owned())
}

/// What the name of a last state means: `TIMEOUT`, `CANCELLED by 1000`. `None` = the files of the job say more.
pub(super) fn end_of(state: &str) -> Option<QueueEnd> {
    let mut words = state.split_whitespace();
    Some(match words.next()?.trim_end_matches('+') {
        "CANCELLED" | "REVOKED" => QueueEnd::Cancelled {
            by: words.nth(1).unwrap_or_default().to_owned(),
        },
        "TIMEOUT" | "DEADLINE" => QueueEnd::TimeLimit,
        "PREEMPTED" => QueueEnd::Preempted,
        "NODE_FAIL" | "BOOT_FAIL" => QueueEnd::NodeFailed,
        "OUT_OF_MEMORY" => QueueEnd::OutOfMemory,
        _ => return None,
    })
}

/// The last reason that a job's own output gives for its end. Slurm and the batch script write it there, and it stays
/// when the queue has forgotten the job.
pub(super) fn last_word(output: &str, number: &str) -> Option<QueueEnd> {
    let mut end = None;
    for line in output.lines() {
        if let Some((_, said)) = line.split_once(&format!("lexforge-job {number} ")) {
            end = match said.trim() {
                "limit" => Some(QueueEnd::TimeLimit),
                "preempted" => Some(QueueEnd::Preempted),
                "stuck" => Some(QueueEnd::NoProgress),
                _ => None,
            };
        } else if line.contains(&format!("*** JOB {number} ON ")) && line.contains(" CANCELLED AT ")
        {
            end = match line.split_once(" DUE TO ").map(|(_, why)| why) {
                Some(why) if why.starts_with("PREEMPTION") => Some(QueueEnd::Preempted),
                Some(why) if why.starts_with("TIME LIMIT") => Some(QueueEnd::TimeLimit),
                Some(why) if why.starts_with("NODE FAILURE") => Some(QueueEnd::NodeFailed),
                // The batch script said why, if it was the one that asked for it.
                Some(why) if why.starts_with("JOB REQUEUE") => end.or(Some(QueueEnd::Requeued)),
                Some(_) => end,
                None => Some(QueueEnd::Cancelled { by: String::new() }),
            };
        } else if line.contains(&format!("StepId={number}.")) && line.contains("oom") {
            end = Some(QueueEnd::OutOfMemory);
        }
    }
    end
}

/// Runs a program of Slurm; its standard output, or its complaint.
pub(super) fn run(command: &mut Command) -> Result<String, String> {
    run_within(command, ANSWERS_WITHIN)
}

/// Runs a program as [`run`] does. If it hangs, it is ended after this time, with all that it started.
pub(super) fn run_within(command: &mut Command, within: Duration) -> Result<String, String> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let output = command
        .spawn()
        .and_then(|child| {
            let deadline = Deadline::of_group(child.id(), within);
            let output = child.wait_with_output();
            drop(deadline);
            output
        })
        .map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code().is_none() {
        return Err(ENDED.to_owned());
    }
    let line = said
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty());
    Err(line.unwrap_or(MUTE).to_owned())
}

/// The message about a program that was ended by a signal. Login nodes end programs that use too much memory or time in
/// this way. The program may have done its work before it was ended.
const ENDED: &str = "the program was ended from outside";
/// The message about a program that failed and did not say why.
const MUTE: &str = "it failed without a word";
/// The message about an answer of which a part is missing.
const CUT: &str = "a part of its answer is missing";

/// Whether an error of `sbatch` leaves open if it accepted the job.
pub(super) fn is_unclear(why: &str) -> bool {
    let has = |part: &str| why.contains(part);
    has("timed out")
        || why == ENDED
        || why == MUTE
        || has("Unable to contact")
        || has("Zero Bytes")
        || has("Communication connection")
        || has("Transport endpoint")
        || has("Message receive failure")
        || has("Message send failure")
        || has("Connection reset")
        || has("Broken pipe")
}

#[cfg(test)]
mod tests;
