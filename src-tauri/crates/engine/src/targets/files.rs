//! The files of this machine that are installed on a target: the worker and its libtorch.

use super::glibc::newest_glibc;
use crate::workspace::{Result, io_failure};
use lexforge_compute::remote::setup::{LIBTORCH_FOLDER, WORKER_FILE};
use lexforge_compute::{WorkerProgram, installed};
use lexforge_domain::{Code, Failure, Remedy};
use std::path::{Path, PathBuf};

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

    /// Whether libtorch's half for CUDA is among them.
    pub(crate) fn is_for_cuda(&self) -> bool {
        let cuda = format!("{LIBTORCH_FOLDER}/libtorch_cuda.so");
        self.files.iter().any(|(path, ..)| *path == cuda)
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
        glibc: newest_glibc(worker.path()).map_err(|e| io_failure(&e, worker.path()))?,
        files,
    })
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
