//! Where an installation keeps the files of its programs, and where it keeps the files that belong to a user but to no
//! workspace.

use std::path::{Path, PathBuf};

/// Variable that names the folder of the user.
const STATE_ENV: &str = "LEXFORGE_STATE";

/// The folders in which model folders are looked for, in this order: beside the programs (as in our packages), then
/// where a system's package manager puts the files of a program. `programs` is the folder of the programs.
pub fn model_folders(programs: &Path) -> [PathBuf; 3] {
    let above = programs.join("..");
    [
        programs.join("models"),
        above.join("lib").join("lexforge").join("models"),
        above.join("Resources").join("models"),
    ]
}

/// The folder in which a program lies, through links: `/usr/bin` holds only a link to what a package installed.
pub fn folder_of_program(program: &Path) -> Option<PathBuf> {
    let itself = program.canonicalize().ok()?;
    itself.parent().map(Path::to_path_buf)
}

/// The folder of the user who runs the program: `LEXFORGE_STATE`, else `$XDG_STATE_HOME/lexforge`, else
/// `~/.local/state/lexforge`.
pub fn user_folder() -> PathBuf {
    let named = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let of_home = || Some(std::env::home_dir()?.join(".local/state/lexforge"));
    named(STATE_ENV)
        .or_else(|| Some(named("XDG_STATE_HOME")?.join("lexforge")))
        .or_else(of_home)
        // Without a home nothing can be kept: each use is then refused with the reason.
        .unwrap_or_default()
}

/// Whether others than its owner can write to a file or folder.
#[cfg(unix)]
pub fn writable_by_others(path: &Path) -> bool {
    std::fs::metadata(path)
        .is_ok_and(|meta| std::os::unix::fs::MetadataExt::mode(&meta) & 0o022 != 0)
}

/// Other systems have no such bits; their folders of a user are closed to others by default.
#[cfg(not(unix))]
pub fn writable_by_others(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_lie_beside_the_programs_first() {
        let [beside, library, resources] = model_folders(Path::new("/opt/lexforge"));
        assert_eq!(beside, Path::new("/opt/lexforge/models"));
        assert_eq!(library, Path::new("/opt/lexforge/../lib/lexforge/models"));
        assert_eq!(resources, Path::new("/opt/lexforge/../Resources/models"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_the_folder_of_the_installation() {
        let root = tempfile::tempdir().unwrap();
        let (programs, links) = (root.path().join("lib"), root.path().join("bin"));
        std::fs::create_dir_all(&programs).unwrap();
        std::fs::create_dir_all(&links).unwrap();
        std::fs::write(programs.join("worker"), "").unwrap();
        std::os::unix::fs::symlink("../lib/worker", links.join("worker")).unwrap();
        assert_eq!(
            folder_of_program(&links.join("worker")).unwrap(),
            programs.canonicalize().unwrap()
        );
        assert!(folder_of_program(&links.join("absent")).is_none());
    }
}
