//! Putting worker and libtorch on a target, and removing what lies there.

use super::connected::{connect, worker_of};
use super::files::worker_files;
use super::gpu::is_on_gpu;
use super::kept::{hashes, keep, target};
use super::shells::{leave, shell_on};
use super::suits::{room_in, suits};
use crate::workspace::{Result, Watcher, cancelled, tell};
use lexforge_compute::remote::LocalFile;
use lexforge_compute::remote::transfer::Removed;
use lexforge_domain::api::{Cleaned, Installed, Stage, Target};
use lexforge_domain::{Code, Failure};
use std::path::Path;
use std::time::Instant;

/// Reports how many MiB of the total were transferred to a target or from it. Ends the transfer if the caller has
/// cancelled, because over a slow line it may take hours.
///
/// # Errors
/// [`Code::Cancelled`].
pub(crate) fn under_way(watcher: &dyn Watcher, target: &str, done: u64, of: u64) -> Result<()> {
    if watcher.cancelled() {
        return Err(cancelled("What has arrived is kept."));
    }
    let item = format!("{target} (MiB)");
    tell(watcher, Stage::Train, item, done >> 20, of >> 20);
    Ok(())
}

/// Puts the worker of this machine and its libtorch on a target. Files that are there already are not sent again.
///
/// # Errors
/// When there is no such target, it does not answer, or it refuses. When this machine has no worker or no libtorch.
/// When the worker cannot run on the target, or has no room there; nothing is sent then.
pub fn install_on(name: &str, libtorch: Option<&Path>, watcher: &dyn Watcher) -> Result<Installed> {
    let target = target(name)?;
    let began = Instant::now();
    // The files here are looked for while the target is connected to.
    let (shell, found) = std::thread::scope(|scope| {
        let files = scope.spawn(|| worker_files(libtorch, false));
        (shell_on(&target), files.join())
    });
    let mut shell = shell?;
    let rows = shell.suited()?;
    let on_gpu = is_on_gpu(&target, &rows);
    let found = match found {
        Ok(found) if !on_gpu => found?,
        _ => worker_files(libtorch, on_gpu)?,
    };
    suits(&target, &rows, &found)?;
    let mut known = hashes();
    let files: Vec<LocalFile> = found
        .files
        .iter()
        .map(|(path, place, _)| known.local_file(place, path))
        .collect::<Result<_>>()?;
    known.keep();
    let put = shell.install(&files, room_in(&rows), &mut |done, of| {
        under_way(watcher, name, done, of)
    })?;
    // The worker is accepted only after it has reported its version.
    if let Err(why) = put.worker {
        return Err(Failure::new(
            Code::TargetUnready,
            format!("The worker was put on {name} and does not start there: {why}."),
            "Check the target: an older system or another processor is told there.",
        ));
    }
    leave(&target, shell);
    set_worker(&target, Some(put.id.clone()))?;
    Ok(Installed {
        target: target.name,
        worker: put.id,
        bytes: found.bytes(),
        sent: put.sent,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Records which worker is on a target. If somebody has changed the target's host or folder meanwhile, nothing is
/// recorded, because there is no worker at the new place yet.
fn set_worker(of: &Target, worker: Option<String>) -> Result<()> {
    let now = target(&of.name)?;
    if (&now.id, &now.place, &now.folder) != (&of.id, &of.place, &of.folder) {
        return Ok(());
    }
    keep(&Target { worker, ..now })
}

/// What a clean-up removes in addition to finished jobs and models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleaning {
    /// The worker and everything that this program put into the folder.
    pub everything: bool,
    /// Jobs whose results nobody has fetched, or that can go on.
    pub discard: bool,
    /// Workers of other versions than the one that is used from here.
    pub old_workers: bool,
}

/// Removes files from a target, except files that a running worker uses.
///
/// # Errors
/// When there is no such target, or it does not answer. When everything or older workers should be removed, but jobs
/// are still there.
pub fn clean_target(name: &str, what: Cleaning) -> Result<Cleaned> {
    let target = target(name)?;
    // Without a worker nobody can say what is there. All of it can be removed nevertheless.
    let removed = match &target.worker {
        None if what.everything => Removed::default(),
        _ => connect(&target)?.clean(what.discard)?,
    };
    let Removed {
        jobs,
        kept,
        waiting,
        bytes,
    } = removed;
    let mut cleaned = Cleaned {
        target: name.to_owned(),
        jobs,
        kept,
        waiting,
        bytes,
        workers: 0,
    };
    if !what.everything && !what.old_workers {
        return Ok(cleaned);
    }
    if kept > 0 {
        return Err(Failure::new(
            Code::BundleLocked,
            format!("On {name} {kept} jobs are still worked on."),
            "Stop those runs first, or clean without removing a worker.",
        ));
    }
    if !what.everything {
        cleaned.workers = erase_old_workers(&target)?;
        return Ok(cleaned);
    }
    if waiting > 0 {
        return Err(Failure::new(
            Code::BundleLocked,
            format!(
                "On {name} lie {waiting} jobs whose results were not fetched, or which can go on."
            ),
            "Follow or resume those runs, or say that they may go.",
        ));
    }
    let mut shell = shell_on(&target)?;
    // Without a worker on the target it is not known whether a job is running.
    let jobs = shell.look()?.into_iter().any(|(row, _)| row == "jobs");
    if jobs && target.worker.is_none() {
        return Err(Failure::new(
            Code::BundleLocked,
            format!(
                "On {name} lie jobs, and without its worker nobody knows whether they are worked on."
            ),
            "Install the worker on the target first, then clean it.",
        ));
    }
    shell.erase_everything()?;
    set_worker(&target, None)?;
    Ok(cleaned)
}

/// Removes the workers that this target's own does not need; how many they were.
fn erase_old_workers(target: &Target) -> Result<u64> {
    let own = worker_of(target)?;
    let mut shell = shell_on(target)?;
    let mut erased = 0;
    for (row, version) in shell.look()? {
        if row == "version" && version != own {
            shell.erase(&version)?;
            erased += 1;
        }
    }
    Ok(erased)
}
