//! Making a workspace's file under another name and giving it its own when it is complete, checked and on the disk.

use crate::error::{Result, StoreError};
use crate::file_system::{FileId, beside, folder_of, sync_folder};
use crate::key::{Key, give};
use crate::log_check::fault;
use crate::migration;
use crate::rights::{make_file, take_over};
use lexforge_domain::{Code, Failure};
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What SQLite keeps beside a file. Left by another file of this name, it would be applied to the new one.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Makes `target` by calling `make` with another name in the same folder; `make` leaves a closed file under that name.
/// Nothing is overwritten. If making fails, no file is left under either name.
///
/// # Errors
/// `Exists`; `LogForeign` where the log of an earlier file of this name is there; what `make` returns; `Damaged` where
/// the new file does not hold what it should; `DiskFull`.
pub(crate) fn under_temporary_name(
    target: &Path,
    key: Option<&Key>,
    make: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    if std::fs::symlink_metadata(target).is_ok() {
        return Err(StoreError::Exists);
    }
    for ending in ["-wal", "-journal"] {
        let log = beside(target, ending);
        if std::fs::symlink_metadata(&log).is_ok() {
            return Err(StoreError::LogForeign(log));
        }
    }
    let temporary = Temporary::beside(target)?;
    temporary.fill(key, make)?;
    // A hard link fails if the name is taken, while a rename would overwrite. But some file systems have no hard links.
    match std::fs::hard_link(&temporary.0, target) {
        Err(e) if e.kind() != ErrorKind::AlreadyExists => std::fs::rename(&temporary.0, target)?,
        other => other?,
    }
    // The file has its name now. If the folder cannot be flushed to the disk, this is not undone.
    let _ = sync_folder(folder_of(target));
    Ok(())
}

/// Replaces `target` by a complete new file in one step. If this program is killed, either the old file or the new one
/// is there. `make` writes the new file under another name in the same folder and closes it. `let_go` is called just
/// before the replacement, so that the caller can close the old file. The new file gets the owner, group and rights of
/// the old one. `old` identifies the file that was at `target` at the beginning.
///
/// # Errors
/// As [`under_temporary_name`]. Also if another file is at `target` meanwhile, or if the new file cannot be given the
/// same owner, group and rights. The file at `target` is unchanged then.
pub(crate) fn in_the_place_of(
    target: &Path,
    old: Option<FileId>,
    key: Option<&Key>,
    make: impl FnOnce(&Path) -> Result<()>,
    let_go: impl FnOnce(),
) -> Result<()> {
    let temporary = Temporary::beside(target)?;
    take_over(target, &temporary.0)?;
    temporary.fill(key, make)?;
    let_go();
    if !FileId::of(target).is_ok_and(|now| now == old) {
        return Err(StoreError::Refused(
            Failure::new(
                Code::WorkspaceMoved,
                "Another file took the workspace's place while it was being written anew.",
                "Look which of the two you want, and try again; the file that is there now was not changed.",
            )
            .in_file(target.display().to_string()),
        ));
    }
    std::fs::rename(&temporary.0, target)?;
    // The file has its name now. If the folder cannot be flushed to the disk, this is not undone.
    let _ = sync_folder(folder_of(target));
    Ok(())
}

/// The file under its other name, removed with everything beside it when it goes.
struct Temporary(PathBuf);

impl Temporary {
    fn beside(target: &Path) -> Result<Self> {
        let temporary = Self(beside(target, &format!(".{}.new", std::process::id())));
        drop(make_file(&temporary.0)?);
        Ok(temporary)
    }

    /// Has the file made, reads it again, and waits until it is on the disk.
    fn fill(&self, key: Option<&Key>, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let made = make(&self.0).and_then(|()| check(&self.0, key));
        // Some faults of a full disk are told by other names.
        made.map_err(|e| {
            if is_full(&self.0) {
                StoreError::DiskFull
            } else {
                e
            }
        })?;
        File::open(&self.0)?.sync_all()?;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        for ending in COMPANIONS.into_iter().chain([""]) {
            // A missing file needs no removal.
            let _ = std::fs::remove_file(beside(&self.0, ending));
        }
    }
}

/// Opens the closed file again and reads all of it: a workspace that lacks nothing and needs no log.
fn check(path: &Path, key: Option<&Key>) -> Result<()> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    give(key, &connection)?;
    if std::fs::metadata(beside(path, "-wal")).is_ok_and(|meta| meta.len() > 0) {
        return Err(StoreError::Damaged(
            "a part of it is still in its log".to_owned(),
        ));
    }
    migration::check(&connection)?;
    // Each page has the tag that this key makes. SQLite would not read the free ones.
    if key.is_some()
        && let Some(fault) = connection
            .prepare("PRAGMA cipher_integrity_check")?
            .query_map([], |row| row.get(0))?
            .next()
    {
        return Err(StoreError::Damaged(fault?));
    }
    match fault(&connection)? {
        Some(fault) => Err(StoreError::Damaged(fault)),
        None => Ok(()),
    }
}

/// Whether nothing more can be written beside this file.
fn is_full(path: &Path) -> bool {
    let probe = beside(path, "-probe");
    let written = std::fs::write(&probe, [0; 4096]);
    let _ = std::fs::remove_file(&probe);
    written.is_err_and(|e| matches!(e.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_that_came_meanwhile_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("w");
        let whole = |path: &Path| {
            let mut connection = Connection::open(path)?;
            connection.pragma_update(None, "application_id", migration::APPLICATION_ID)?;
            let change = connection.transaction()?;
            migration::migrate(&change)?;
            change.commit()?;
            Ok(())
        };
        std::fs::write(&target, "the old one").unwrap();
        let old = FileId::of(&target).unwrap();
        for gone in [false, true] {
            let restored = || {
                std::fs::rename(&target, folder.path().join("aside")).unwrap();
                if !gone {
                    std::fs::write(&target, "a restored one").unwrap();
                }
            };
            let failure = in_the_place_of(&target, old, None, whole, restored).unwrap_err();
            assert_eq!(Failure::from(failure).code, Code::WorkspaceMoved);
            if !gone {
                assert_eq!(std::fs::read(&target).unwrap(), b"a restored one");
            }
        }
        std::fs::rename(folder.path().join("aside"), &target).unwrap();
        in_the_place_of(&target, FileId::of(&target).unwrap(), None, whole, || ()).unwrap();
        assert!(std::fs::read(&target).unwrap().starts_with(b"SQLite"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
