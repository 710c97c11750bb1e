//! The folder for data that belongs to a user and to no workspace. Others can neither read it nor write in it.

use super::files::io_failure;
use super::result::Result;
use lexforge_compute::installed::writable_by_others;
use lexforge_domain::{Code, Failure, Remedy};
use std::fs::File;
use std::io;
use std::path::Path;
use tempfile::NamedTempFile;

/// Makes a folder in which only this user can write.
///
/// # Errors
/// Where the folder cannot be made, or other users can write in it.
pub(crate) fn own_folder(folder: &Path) -> Result<()> {
    make_private(folder).map_err(|e| io_failure(&e, folder))?;
    if writable_by_others(folder) {
        return Err(Failure::new(
            Code::ReadOnly,
            format!(
                "{} can be written by others; what is confirmed there would count for nothing.",
                folder.display()
            ),
            Remedy::KeepToYourself {
                path: folder.display().to_string(),
                mode: "700".to_owned(),
            },
        ));
    }
    Ok(())
}

/// Writes a file that only this user can read and write. If that fails, the file stays as it was.
///
/// # Errors
/// Where the file cannot be written.
pub(crate) fn write_own(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, bytes, File::sync_all).map_err(|e| io_failure(&e, path))
}

/// Writes a file as [`write_own`] does, but does not wait until it is on the disk. This is for data that may be lost in
/// a power failure.
///
/// # Errors
/// Where the file cannot be written.
pub(crate) fn write_own_at_leisure(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, bytes, |_| Ok(())).map_err(|e| io_failure(&e, path))
}

/// Stores a file of the user's own that is written only once. An existing file stays. The new file may be lost in a
/// power failure.
///
/// # Errors
/// Where the file cannot be written.
pub(crate) fn keep_own(path: &Path, bytes: &[u8]) -> Result<()> {
    let kept = whole(path, bytes).and_then(|file| match file.persist_noclobber(path) {
        Err(e) if e.error.kind() != io::ErrorKind::AlreadyExists => {
            // The disk knows no name that is given only once.
            e.file.persist(path).map(drop).map_err(|e| e.error)
        }
        _ => Ok(()),
    });
    kept.map_err(|e| io_failure(&e, path))
}

fn write(path: &Path, bytes: &[u8], kept: fn(&File) -> io::Result<()>) -> io::Result<()> {
    let file = whole(path, bytes)?;
    kept(file.as_file())?;
    file.persist(path).map(drop).map_err(|e| e.error)
}

/// Writes the bytes into a new file beside `path`. The name is random, so nobody can have put a file there before, and
/// only the owner can read the file. The file is deleted when the returned value is dropped, unless it was renamed to
/// `path` before.
fn whole(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let beside = path.parent().filter(|p| !p.as_os_str().is_empty());
    let mut file = tempfile::Builder::new()
        .prefix(".")
        .suffix(".new")
        .tempfile_in(beside.unwrap_or(Path::new(".")))?;
    io::Write::write_all(&mut file, bytes)?;
    Ok(file)
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_once_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        keep_own(&file, b"first").unwrap();
        keep_own(&file, b"second").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"first");
        write_own(&file, b"third").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"third");
        // No other file is left in the folder.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
