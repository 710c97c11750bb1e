//! The checks of a target: one line for each, with its remedy.

use super::files::{InstallFiles, worker_files};
use super::gpu::{self, is_on_gpu};
use super::kept::target;
use super::rows::{Row, all, value};
use super::shells::{leave, new_shell_on};
use super::suits::{quota_of, version, wanted_glibc, wanted_system};
use crate::workspace::Result;
use lexforge_domain::api::{Check, Target};
use lexforge_domain::protocol::{PROTOCOL_VERSION, WorkerVersion};
use std::time::{SystemTime, UNIX_EPOCH};

/// The largest difference of two clocks, in seconds, that does no harm.
const CLOCKS: u64 = 300;
/// Space for a run beside the worker, in KiB.
const ROOM: u64 = 1 << 20;

/// Checks everything that a training on a target may need. If the target does not answer, this is one line of the
/// result and not an error.
///
/// # Errors
/// When there is no such target.
pub fn check_target(name: &str) -> Result<Vec<Check>> {
    let target = target(name)?;
    // Anew, since it is looked at whether the target can be reached and is still the same.
    let looked = new_shell_on(&target).and_then(|mut shell| {
        let rows = shell.look()?;
        let worker = match &target.worker {
            Some(id) => Some(shell.version(id)?),
            None => None,
        };
        leave(&target, shell);
        Ok((rows, worker))
    });
    Ok(match looked {
        Err(failure) => vec![Check::failed("reachability", failure)],
        Ok((rows, worker)) => {
            let local = worker_files(None, is_on_gpu(&target, &rows));
            lines(&target, &rows, worker, local)
        }
    })
}

fn found(check: &str, found: impl Into<String>) -> Check {
    Check::found(check, found)
}

fn missing(check: &str, found: impl Into<String>, remedy: impl Into<String>) -> Check {
    Check::missing(check, found, remedy.into())
}

type Worker = Option<std::result::Result<WorkerVersion, String>>;

fn lines(target: &Target, rows: &[Row], worker: Worker, local: Result<InstallFiles>) -> Vec<Check> {
    let value = |name: &str| value(rows, name);
    let mut lines = vec![found("reachability", "answers")];
    lines.push(system(value("system"), value("release")));
    lines.push(glibc(value("glibc"), &local));
    lines.push(folder(value("folder"), value("full"), value("unwritable")));
    lines.push(disk(
        value("disk"),
        needed(target, &local),
        value("filesystem"),
    ));
    if let Some((used, allowed)) = value("quota").and_then(quota_of) {
        lines.push(quota(used, allowed, needed(target, &local)));
    }
    let is_used = matches!(&worker, Some(Ok(version)) if version.devices.iter().any(|d| d.starts_with("cuda")));
    let is_for_cuda = local.as_ref().ok().map(InstallFiles::is_for_cuda);
    lines.extend(gpu::lines(target, rows, is_used, is_for_cuda));
    let gib = value("memory")
        .and_then(|kib| kib.parse::<f64>().ok())
        .map(|kib| kib / 1048576.0);
    lines.push(found(
        "processor",
        format!(
            "{} processors, {} of memory",
            value("processors").unwrap_or("an unknown number of"),
            gib.map_or("an unknown amount".to_owned(), |gib| format!(
                "{gib:.0} GiB"
            ))
        ),
    ));
    let tools = all(rows, "lacks");
    if !tools.is_empty() {
        lines.push(missing(
            "programs",
            format!("{} not there", tools.join(", ")),
            "Have GNU coreutils and awk installed on the target.",
        ));
    }
    lines.push(schedulers(
        target,
        value("slurm"),
        value("partitions"),
        value("pbs"),
    ));
    lines.push(clock(value("clock")));
    lines.extend(worker_lines(worker));
    lines
}

fn system(system: Option<&str>, release: Option<&str>) -> Check {
    let wanted = wanted_system();
    let shown = [system, release]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ");
    if system == Some(wanted.as_str()) {
        found("system", shown)
    } else {
        missing(
            "system",
            shown,
            format!("Choose a target with {wanted}: the worker here is built for it."),
        )
    }
}

fn glibc(there: Option<&str>, local: &Result<InstallFiles>) -> Check {
    let wanted = wanted_glibc(local.as_ref().ok());
    let has = there.and_then(version);
    let shown = there.unwrap_or("not known").to_owned();
    if has.is_some_and(|has| has >= wanted) {
        return found("glibc", shown);
    }
    missing(
        "glibc",
        shown,
        format!(
            "The worker needs glibc {}.{} or newer: choose a newer system, or have the worker run in a container there.",
            wanted.0, wanted.1
        ),
    )
}

/// The folder on the target; `full` and `unwritable` name it where it takes nothing.
fn folder(there: Option<&str>, full: Option<&str>, unwritable: Option<&str>) -> Check {
    match (there, full) {
        (Some(folder), _) => found("folder", folder),
        (None, Some(folder)) => missing(
            "folder",
            format!("{folder}: its disk or its quota is full"),
            "Free some space on the target, or change it to a folder where there is more room.",
        ),
        (None, None) => missing(
            "folder",
            format!("{} cannot be written", unwritable.unwrap_or("the folder")),
            "Change the target: name a folder that this user may write to there.",
        ),
    }
}

/// KiB that a run needs there, with the worker where it is not there yet.
fn needed(target: &Target, local: &Result<InstallFiles>) -> u64 {
    ROOM + match local {
        Ok(files) if target.worker.is_none() => files.bytes() / 1024,
        _ => 0,
    }
}

fn gib(kib: u64) -> f64 {
    kib as f64 / 1048576.0
}

fn quota(used: u64, allowed: u64, needed: u64) -> Check {
    let shown = format!("{:.1} of {:.1} GiB used", gib(used), gib(allowed));
    if allowed.saturating_sub(used) >= needed {
        return found("quota", shown);
    }
    missing(
        "quota",
        shown,
        format!(
            "{:.1} GiB are needed: remove what you do not need there, or change the target to a folder where you may keep more.",
            gib(needed)
        ),
    )
}

fn disk(free: Option<&str>, needed: u64, kind: Option<&str>) -> Check {
    let Some(free) = free.and_then(|kib| kib.parse::<u64>().ok()) else {
        return missing(
            "disk",
            "not known",
            "Look at the free space on the target by hand.",
        );
    };
    let shown = format!(
        "{:.1} GiB free{}",
        gib(free),
        kind.map(|k| format!(", {k}")).unwrap_or_default()
    );
    if free >= needed {
        found("disk", shown)
    } else {
        missing(
            "disk",
            shown,
            format!(
                "{:.1} GiB are needed: free some space, or change the target to a folder on a larger disk.",
                gib(needed)
            ),
        )
    }
}

fn schedulers(
    target: &Target,
    slurm: Option<&str>,
    partitions: Option<&str>,
    pbs: Option<&str>,
) -> Check {
    match (slurm, &target.slurm) {
        (Some(slurm), wanted) => {
            let offered = partitions.unwrap_or_default().trim_end_matches(';');
            let partition = wanted
                .as_ref()
                .map(|s| s.partition.as_str())
                .unwrap_or_default();
            let names = offered
                .split(';')
                .filter_map(|p| p.split_whitespace().next());
            let there = names
                .into_iter()
                .any(|name| name.trim_end_matches('*') == partition);
            let shown = format!("{slurm}: {offered}");
            if offered.is_empty() && wanted.is_some() {
                return missing(
                    "schedulers",
                    format!("{slurm} is installed, and its controller does not answer"),
                    "Wait until the scheduler answers; what is in its queue goes on.",
                );
            }
            if !partition.is_empty() && !there {
                return missing(
                    "schedulers",
                    format!("{shown}; there is no partition {partition}"),
                    "Change the target: name a partition that there is.",
                );
            }
            found("schedulers", shown)
        }
        (None, Some(_)) => missing(
            "schedulers",
            "Slurm is not there",
            "Add the target as one without a queue, or choose the login node of the cluster.",
        ),
        (None, None) => found(
            "schedulers",
            pbs.map_or("none", |_| "PBS, which is not used"),
        ),
    }
}

fn clock(there: Option<&str>) -> Check {
    let here = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs());
    let Some(there) = there.and_then(|seconds| seconds.parse::<u64>().ok()) else {
        return missing(
            "clock",
            "not known",
            "Look at the clock of the target by hand.",
        );
    };
    let apart = here.abs_diff(there);
    if apart <= CLOCKS {
        found("clock", format!("{apart} s from here"))
    } else {
        missing(
            "clock",
            format!("{apart} s from here"),
            "Have the clock set by a time server on both machines: times in the record would be wrong.",
        )
    }
}

fn worker_lines(worker: Worker) -> Vec<Check> {
    let install = "Install the worker on the target.";
    match worker {
        None => vec![missing("worker", "not installed", install)],
        Some(Err(why)) => vec![missing(
            "worker",
            format!("does not start: {why}"),
            "Install the worker on the target again; where it says that a version of GLIBC is missing, the system is too old.",
        )],
        Some(Ok(version)) => {
            let shown = format!(
                "{} (protocol {})",
                version.version, version.protocol_version
            );
            let note = version
                .cuda_note
                .map(|n| format!(" ({n})"))
                .unwrap_or_default();
            vec![
                if version.protocol_version == PROTOCOL_VERSION {
                    found("worker", shown)
                } else {
                    missing(
                        "worker",
                        format!("{shown}; the application speaks {PROTOCOL_VERSION}"),
                        "Install the worker on the target again.",
                    )
                },
                found("libtorch", version.libtorch),
                found("devices", format!("{}{note}", version.devices.join(", "))),
            ]
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
