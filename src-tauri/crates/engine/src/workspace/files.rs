//! Files beside a workspace: their names, and what went wrong with them as a person reads it.

use super::result::Result;
use lexforge_domain::{Code, Failure};
use lexforge_files::Error;
use std::io::ErrorKind;
use std::path::Path;

/// A folder for one job, removed when it is dropped.
pub(crate) struct Scratch(lexforge_files::Scratch);

impl Scratch {
    pub(crate) fn new(parent: &Path, purpose: &str) -> Result<Self> {
        lexforge_files::Scratch::new(parent, purpose)
            .map(Self)
            .map_err(file_failure)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Gives what was made its own name.
    pub(crate) fn keep_as(self, target: &Path) -> Result<()> {
        self.0.keep_as(target).map_err(file_failure)
    }
}

/// File name without its extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Make a folder and those above it.
pub(crate) fn make_dir(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|e| io_failure(&e, dir))
}

/// How many bytes a file has.
pub(crate) fn file_size(path: &Path) -> Result<u64> {
    let about = std::fs::metadata(path).map_err(|e| io_failure(&e, path))?;
    Ok(about.len())
}

/// The fault of a file, in words for a person.
pub(crate) fn file_failure(error: Error) -> Failure {
    match error {
        Error::Io { path, source } => io_failure(&source, &path),
        other => other.refusal(),
    }
}

/// An operating-system error as a person reads it.
pub(crate) fn io_failure(error: &std::io::Error, path: &Path) -> Failure {
    let shown = path.display();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Failure::new(
            Code::DiskFull,
            format!("The disk is full; {shown} could not be written."),
            "Free some space and run the step again; what was done before is kept.",
        ),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Failure::new(
            Code::ReadOnly,
            format!("{shown} may not be used: {error}."),
            "Give yourself permission to read and write it, or choose a file and a folder of your own.",
        ),
        ErrorKind::AlreadyExists => Failure::invalid(
            format!("{shown} is there already."),
            "Choose another name, or remove that file.",
        ),
        ErrorKind::IsADirectory => Failure::new(
            Code::FileUnreadable,
            format!("{shown} is a folder, and a file is needed."),
            "Name a file.",
        ),
        ErrorKind::NotADirectory => Failure::new(
            Code::FileUnreadable,
            format!("{shown} cannot be used: a file stands where a folder is needed."),
            "Check the path and its spelling.",
        ),
        ErrorKind::NotFound => {
            // Nobody expects of a file that is to be written that it exists: what is missing then is its folder.
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
            let shown = folder.unwrap_or(path).display();
            Failure::new(
                Code::FileUnreadable,
                format!("{shown} does not exist."),
                "Check the path and its spelling.",
            )
        }
        _ => Failure::new(
            Code::FileUnreadable,
            format!("{shown} cannot be used: {error}."),
            "Check the file and its folder, then run the step again.",
        ),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_hinders_is_said_for_reading_as_for_writing() {
        for (kind, code, said) in [
            (ErrorKind::IsADirectory, Code::FileUnreadable, "is a folder"),
            (
                ErrorKind::NotADirectory,
                Code::FileUnreadable,
                "a folder is needed",
            ),
            (
                ErrorKind::PermissionDenied,
                Code::ReadOnly,
                "may not be used",
            ),
            (ErrorKind::NotFound, Code::FileUnreadable, "does not exist"),
            (ErrorKind::StorageFull, Code::DiskFull, "disk is full"),
        ] {
            let told = io_failure(&kind.into(), Path::new("rules/a.csv"));
            assert_eq!(told.code, code, "{kind:?}");
            assert!(told.message.contains(said), "{told}");
            assert!(
                told.message.starts_with("rules") || code == Code::DiskFull,
                "{told}"
            );
            assert!(!told.hint.is_empty(), "{kind:?}");
        }
    }

    #[test]
    fn of_a_file_whose_folder_is_missing_the_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (missing, file) = (folder.path().join("reports"), folder.path().join("a.csv"));
        for (path, named) in [(missing.join("a.csv"), &missing), (file.clone(), &file)] {
            let told = io_failure(&ErrorKind::NotFound.into(), &path);
            assert_eq!(told.message, format!("{} does not exist.", named.display()));
        }
        let told = io_failure(&ErrorKind::NotFound.into(), Path::new("a.csv"));
        assert_eq!(told.message, "a.csv does not exist.");
    }

    #[test]
    fn what_is_there_already_is_said_without_the_systems_words() {
        let told = io_failure(&ErrorKind::AlreadyExists.into(), Path::new("support.zip"));
        assert_eq!(told.code, Code::InvalidRequest);
        assert_eq!(told.message, "support.zip is there already.");
        assert!(told.hint.contains("another name"), "{told}");
    }
}
