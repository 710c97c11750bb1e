//! Facts about the program: its version, its folders, the licences of its parts, and the devices that its worker
//! computes on.

use crate::models::model_places;
use crate::workspace::{Result, user_folder};
use lexforge_compute::WorkerProgram;
use lexforge_compute::installed::folder_of_program;
use lexforge_domain::api::{About, AboutWorker};
use std::path::{Path, PathBuf};

/// A longer file is no list of licences.
const MOST: u64 = 32 << 20;

/// The description of the installed package, with the licences of all parts by others.
pub fn about() -> About {
    let program = std::env::current_exe().ok();
    let programs = program.as_deref().and_then(folder_of_program);
    of_folder(&programs.unwrap_or_default())
}

/// The worker of this program, its libtorch, and the devices that it can compute on.
///
/// # Errors
/// Where the worker is not found or does not start.
pub fn about_worker() -> Result<AboutWorker> {
    let worker = WorkerProgram::locate()?;
    let version = worker.version()?;
    Ok(AboutWorker {
        version: version.version,
        libtorch: version.libtorch,
        libtorch_at: version.libtorch_at,
        pack: worker.libtorch().map(|folder| folder.display().to_string()),
        devices: version.devices,
        cuda_note: version.cuda_note,
    })
}

/// Where the licences lie by the folder of the programs: beside them, or where Debian and Fedora keep such texts.
fn places(programs: &Path) -> [PathBuf; 2] {
    [
        programs.join("doc/LICENSES.txt"),
        programs.join("../../share/doc/lexforge/copyright"),
    ]
}

fn of_folder(programs: &Path) -> About {
    let read = |path: &PathBuf| {
        let short = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= MOST);
        let text = short
            .then(|| std::fs::read_to_string(path).ok())
            .flatten()?;
        Some((path.display().to_string(), text))
    };
    let places = places(programs);
    let found = places.iter().find_map(read);
    let expected = || places[0].display().to_string();
    let (licences_at, licences) = match found {
        Some((place, text)) => (place, Some(text)),
        None => (expected(), None),
    };
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        programs: programs.display().to_string(),
        data: user_folder().display().to_string(),
        models: model_places().iter().map(|folder| real(folder)).collect(),
        licences_at,
        licences,
    }
}

/// A folder as it is called without links.
fn real(folder: &Path) -> String {
    let real = folder.canonicalize();
    real.unwrap_or_else(|_| folder.to_path_buf())
        .display()
        .to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_read_where_a_package_keeps_them() {
        let root = tempfile::tempdir().unwrap();
        let programs = root.path().join("lib/lexforge");
        std::fs::create_dir_all(programs.join("doc")).unwrap();
        let none = of_folder(&programs);
        assert_eq!(none.licences, None);
        assert!(none.licences_at.ends_with("doc/LICENSES.txt"));
        assert_eq!(none.version, env!("CARGO_PKG_VERSION"));
        let shared = root.path().join("share/doc/lexforge");
        std::fs::create_dir_all(&shared).unwrap();
        std::fs::write(shared.join("copyright"), "of the system").unwrap();
        assert_eq!(
            of_folder(&programs).licences.as_deref(),
            Some("of the system")
        );
        std::fs::write(programs.join("doc/LICENSES.txt"), "beside").unwrap();
        assert_eq!(of_folder(&programs).licences.as_deref(), Some("beside"));
    }
}
