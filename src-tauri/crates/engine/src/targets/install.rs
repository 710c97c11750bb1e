//! Putting worker and libtorch on a target, and removing what lies there.

use super::connected::{connect, worker_of};
use super::kept::{hashes, keep, target};
use super::shells::{leave, shell_on};
use crate::workspace::{Result, Watcher, cancelled, io_failure, tell};
use lexforge_compute::remote::LocalFile;
use lexforge_compute::remote::setup::{LIBTORCH_FOLDER, WORKER_FILE};
use lexforge_compute::remote::transfer::Removed;
use lexforge_compute::{WorkerProgram, installed};
use lexforge_domain::api::{Cleaned, Installed, Stage, Target};
use lexforge_domain::{Code, Failure, Remedy};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Variable that names libtorch's folder.
const LIBTORCH_ENV: &str = "LIBTORCH";

/// The files that are installed on a target: the worker, and libtorch's files.
#[derive(Clone, Debug, Default)]
pub(crate) struct InstallFiles {
    /// Each file with its path there and its place here.
    pub(crate) files: Vec<(String, PathBuf, u64)>,
    /// The newest glibc that the worker asks for.
    pub(crate) glibc: (u32, u32),
}

impl InstallFiles {
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, _, bytes)| bytes).sum()
    }
}

/// The worker of this machine and its libtorch; for a target that computes on a GPU that of the pack that is used here.
pub(crate) fn worker_files(libtorch: Option<&Path>, on_gpu: bool) -> Result<InstallFiles> {
    let worker = WorkerProgram::locate()?;
    let pack = worker.libtorch().filter(|_| on_gpu);
    let folder = libtorch_folder(&worker, libtorch, pack)?;
    let size = |path: &Path| {
        std::fs::metadata(path)
            .map(|m| m.len())
            .map_err(|e| io_failure(&e, path))
    };
    let mut files = vec![(
        WORKER_FILE.to_owned(),
        worker.path().to_owned(),
        size(worker.path())?,
    )];
    let entries = std::fs::read_dir(&folder).map_err(|e| io_failure(&e, &folder))?;
    for entry in entries.flatten() {
        let (path, name) = (
            entry.path(),
            entry.file_name().to_string_lossy().into_owned(),
        );
        if path.is_file() && name.contains(".so") {
            files.push((
                format!("{LIBTORCH_FOLDER}/{name}"),
                path.clone(),
                size(&path)?,
            ));
        }
    }
    files.sort();
    Ok(InstallFiles {
        glibc: newest_glibc(worker.path())?,
        files,
    })
}

/// Whether a target computes on a GPU, by what it says of itself: it has one, or its queue is asked for some.
pub(super) fn is_on_gpu(target: &Target, rows: &[(String, String)]) -> bool {
    let asked = target
        .slurm
        .as_ref()
        .is_some_and(|slurm| !slurm.gres.is_empty());
    asked
        || rows
            .iter()
            .any(|(row, value)| row == "gpu" && !value.is_empty())
}

fn libtorch_folder(
    worker: &WorkerProgram,
    named: Option<&Path>,
    pack: Option<&Path>,
) -> Result<PathBuf> {
    let beside = installed::folder_of_program(worker.path()).unwrap_or_else(|| PathBuf::from("."));
    let named_lib = |folder: &Path| vec![folder.join("lib"), folder.to_owned()];
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .filter(|v| !v.is_empty())
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    let candidates = match named {
        Some(folder) => named_lib(folder),
        None => {
            let of_variable = std::env::var_os(LIBTORCH_ENV).filter(|v| !v.is_empty());
            let mut all = of_variable.map_or(Vec::new(), |v| named_lib(Path::new(&v)));
            all.extend(pack.map(Path::to_owned));
            all.push(beside.join(LIBTORCH_FOLDER));
            all.push(beside.join("../lib/lexforge"));
            all.extend(cache.map(|cache| cache.join("lexforge/libtorch/lib")));
            all
        }
    };
    let found = candidates
        .iter()
        .find(|folder| folder.join("libtorch_cpu.so").is_file());
    found.cloned().ok_or_else(|| {
        let looked: Vec<String> = candidates.iter().map(|c| c.display().to_string()).collect();
        Failure::new(
            Code::WorkerMissing,
            format!(
                "libtorch for the target was not found; looked in: {}.",
                looked.join(", ")
            ),
            Remedy::SetUpWorker,
        )
    })
}

/// The newest version of glibc whose symbols a program names.
fn newest_glibc(program: &Path) -> Result<(u32, u32)> {
    const MARK: &[u8] = b"GLIBC_";
    let unreadable = |e| io_failure(&e, program);
    let mut file = std::fs::File::open(program).map_err(unreadable)?;
    let (mut newest, mut kept, mut buffer) = ((0, 0), Vec::new(), vec![0; 1 << 20]);
    loop {
        let n = file.read(&mut buffer).map_err(unreadable)?;
        if n == 0 {
            return Ok(newest);
        }
        kept.extend_from_slice(&buffer[..n]);
        let ends = kept.len().saturating_sub(32);
        let mut at = 0;
        // Symbols begin with a letter that is rare in code, so that few places are looked at closely.
        while let Some(step) = kept[at..ends].iter().position(|&b| b == MARK[0]) {
            at += step;
            if kept[at..].starts_with(MARK) {
                let text: String = kept[at + MARK.len()..at + 32]
                    .iter()
                    .take_while(|b| b.is_ascii_digit() || **b == b'.')
                    .map(|&b| char::from(b))
                    .collect();
                let mut parts = text.split('.').map_while(|part| part.parse().ok());
                if let (Some(major), Some(minor)) = (parts.next(), parts.next()) {
                    newest = newest.max((major, minor));
                }
            }
            at += 1;
        }
        kept.drain(..ends);
    }
}

/// Reports how many MiB of how many were transferred to a target or from it. Ends the transfer if the caller has
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
/// When there is no such target, it does not answer or refuses; when worker or libtorch is not here.
pub fn install_on(name: &str, libtorch: Option<&Path>, watcher: &dyn Watcher) -> Result<Installed> {
    let target = target(name)?;
    let began = Instant::now();
    let mut shell = shell_on(&target)?;
    let on_gpu = is_on_gpu(&target, &shell.look()?);
    let found = worker_files(libtorch, on_gpu)?;
    let mut known = hashes();
    let files: Vec<LocalFile> = found
        .files
        .iter()
        .map(|(path, place, _)| known.local_file(place, path))
        .collect::<Result<_>>()?;
    known.keep();
    let (worker, sent) =
        shell.install(&files, &mut |done, of| under_way(watcher, name, done, of))?;
    // The worker is accepted only after it has reported its version.
    if let Err(why) = shell.version(&worker)? {
        return Err(Failure::new(
            Code::TargetUnready,
            format!("The worker was put on {name} and does not start there: {why}."),
            "Check the target: an older system or another processor is told there.",
        ));
    }
    leave(&target, shell);
    set_worker(&target, Some(worker.clone()))?;
    Ok(Installed {
        target: target.name,
        worker,
        bytes: found.bytes(),
        sent,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Notes which worker is on a target. Whoever changed it meanwhile to another place or folder has none there yet.
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

/// Removes files from a target on which no worker is working.
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

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::TargetPlace;
    use lexforge_domain::protocol::{JobId, SlurmSettings};

    #[test]
    fn a_gpu_that_is_seen_or_asked_for_gets_its_libtorch() {
        let target = |gres: Option<&str>| Target {
            name: "box".to_owned(),
            id: JobId::of_bytes([0; 16]),
            place: TargetPlace::Here,
            folder: String::new(),
            slurm: gres.map(|gres| SlurmSettings {
                gres: gres.to_owned(),
                ..SlurmSettings::default()
            }),
            worker: None,
            added: String::new(),
            price: None,
        };
        let row = |row: &str, value: &str| (row.to_owned(), value.to_owned());
        let seen = [row("system", "Linux"), row("gpu", "H100")];
        let none = [row("system", "Linux"), row("gpu", "")];
        assert!(is_on_gpu(&target(None), &seen));
        assert!(!is_on_gpu(&target(None), &none));
        assert!(!is_on_gpu(&target(Some("")), &none));
        // A login node seldom has one.
        assert!(is_on_gpu(&target(Some("gpu:1")), &none));
    }
}
