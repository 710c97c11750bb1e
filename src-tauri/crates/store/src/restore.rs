//! Replaces a workspace by a copy. The earlier workspace, with all its files, is kept under another name.

use crate::error::{Result, StoreError};
use crate::file_system::{beside, folder_of, locked_against_others, sync_folder};
use crate::key::{Key, salt_of};
use crate::log_check::alone_with;
use crate::open_here::is_open_here;
use crate::rights::take_over_if_allowed;
use crate::workspace::{Workspace, artifacts_of, target_of};
use lexforge_domain::{Code, Failure};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The endings of the names of all files that belong to a workspace. They must always be moved together. If a log
/// stayed behind and another file then got the old name, SQLite would apply the log to that file.
const BELONGINGS: [&str; 5] = ["-wal", "-shm", "-journal", ".artifacts", ""];

impl Workspace {
    /// Puts a complete copy of this workspace at `target`, with the folder `models` for its model files, if one is
    /// given. If something is at the target already, it is moved to `aside` with its log and its model files. If
    /// `aside` is `None`, the target must be free. Returns whether something was moved.
    ///
    /// # Errors
    /// `Exists`; `LogForeign`; `Busy` if another program has the target open; `DiskFull`. The target is unchanged then.
    pub fn restore_to(
        &self,
        target: &Path,
        models: Option<&Path>,
        aside: Option<&Path>,
    ) -> Result<bool> {
        self.put_in_place(target, models, aside)
            .map_err(|e| e.at(target))
    }

    fn put_in_place(
        &self,
        target: &Path,
        models: Option<&Path>,
        aside: Option<&Path>,
    ) -> Result<bool> {
        let target = match target_of(target) {
            Err(StoreError::Missing) => target.to_owned(),
            other => other?,
        };
        if aside.is_none() {
            refuse_to_replace(&target)?;
        }
        // Nobody may open the workspace while its files change places.
        let _alone = hold(&target, self.key())?;
        let whole = beside(&target, &format!(".{}.restored", std::process::id()));
        self.copy_to(&whole)?;
        if target.is_file() {
            // The people who could use the earlier workspace can use the new one.
            take_over_if_allowed(&target, &whole);
        }
        let mut moved = Moved::default();
        let done = place(&target, &whole, models, aside, &mut moved);
        if done.is_err() {
            moved.back();
            let _ = fs::remove_file(&whole);
        }
        done?;
        Ok(!moved.0.is_empty())
    }
}

fn refuse_to_replace(target: &Path) -> Result<()> {
    for ending in ["", ".artifacts"] {
        let there = beside(target, ending);
        if fs::symlink_metadata(&there).is_ok() {
            return Err(StoreError::Exists.at(&there));
        }
    }
    for ending in ["-wal", "-journal"] {
        let log = beside(target, ending);
        if fs::symlink_metadata(&log).is_ok() {
            return Err(StoreError::LogForeign(log));
        }
    }
    Ok(())
}

/// What keeps others out of a file: the only connection to it, or a lock of the system.
type Held = (Option<Connection>, Option<File>);

/// Keeps other programs out of the file at `target` as long as the returned value exists. The value is empty if there
/// is no file that must be protected. An encrypted file is opened if `key` is its own key; otherwise the file is only
/// locked.
fn hold(target: &Path, key: Option<&Key>) -> Result<Held> {
    let busy = || {
        StoreError::Refused(
            Failure::new(
                Code::WorkspaceBusy,
                "Another program has the workspace open.",
                "Close it there, and restore it then; nothing was changed.",
            )
            .in_file(target.display().to_string()),
        )
    };
    // SQLite takes the log beside an empty file away.
    if !fs::metadata(target).is_ok_and(|meta| meta.is_file() && meta.len() > 0) {
        return Ok(Held::default());
    }
    let salt = salt_of(target).ok().flatten();
    let key = key.filter(|key| salt == Some(key.salt()));
    if salt.is_some() && key.is_none() {
        // Its passphrase may be lost, which is a reason to restore a copy. SQLite cannot open it then.
        if is_open_here(target) {
            return Err(busy());
        }
        return match locked_against_others(target) {
            Ok(None) => Err(busy()),
            Ok(lock) => Ok((None, lock)),
            // Who may not write it has it open nowhere to write.
            Err(e) if e.kind() == ErrorKind::PermissionDenied => Ok(Held::default()),
            Err(e) => Err(e.into()),
        };
    }
    // A damaged file is a reason to restore a copy, so it need not be readable.
    let connection = match alone_with(target, key) {
        Ok(None) | Err(StoreError::Busy) => return Err(busy()),
        Ok(Some(connection)) => connection,
        Err(_) => return Ok(Held::default()),
    };
    match connection
        .execute_batch("BEGIN EXCLUSIVE")
        .map_err(StoreError::from)
    {
        Err(StoreError::Busy) => Err(busy()),
        _ => Ok((Some(connection), None)),
    }
}

fn place(
    target: &Path,
    whole: &Path,
    models: Option<&Path>,
    aside: Option<&Path>,
    moved: &mut Moved,
) -> Result<()> {
    if let Some(aside) = aside {
        for ending in BELONGINGS {
            moved.rename(&beside(target, ending), &beside(aside, ending))?;
        }
    }
    if let Some(models) = models {
        fs::rename(models, artifacts_of(target))?;
        let before = aside.map(artifacts_of).filter(|before| before.is_dir());
        if let Some(before) = before {
            take_over_if_allowed(&before, &artifacts_of(target));
        }
    }
    let named = fs::hard_link(whole, target);
    let named = match named {
        Err(e) if e.kind() != ErrorKind::AlreadyExists => fs::rename(whole, target),
        other => other,
    };
    if let (Err(_), Some(models)) = (&named, models) {
        // Back where the caller has it.
        let _ = fs::rename(artifacts_of(target), models);
    }
    named?;
    let _ = fs::remove_file(whole);
    let _ = sync_folder(folder_of(target));
    // An empty log, which the look whether anybody else has the file open made.
    if let Some(log) = aside.map(|aside| beside(aside, "-wal"))
        && fs::metadata(&log).is_ok_and(|meta| meta.len() == 0)
    {
        let _ = fs::remove_file(&log);
    }
    Ok(())
}

/// Renames that can be taken back.
#[derive(Default)]
struct Moved(Vec<(PathBuf, PathBuf)>);

impl Moved {
    fn rename(&mut self, from: &Path, to: &Path) -> Result<()> {
        if fs::symlink_metadata(from).is_err() {
            return Ok(());
        }
        if fs::symlink_metadata(to).is_ok() {
            return Err(StoreError::Exists.at(to));
        }
        fs::rename(from, to)?;
        self.0.push((from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn back(&self) {
        for (from, to) in self.0.iter().rev() {
            let _ = fs::rename(to, from);
        }
    }
}
