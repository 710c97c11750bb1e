//! Checks that the file at an open workspace's path, and the log beside it, are still the ones that were opened.
//!
//! If the file was moved, deleted or replaced, SQLite would go on writing to the old file, and nobody would find the
//! result.

use crate::error::{Result, StoreError};
use crate::file_system::{FileId, beside};
use crate::migration;
use rusqlite::Connection;
use std::io::ErrorKind;
use std::path::Path;

/// File and log of an open workspace.
#[derive(Debug)]
pub(crate) struct Place {
    file: Option<FileId>,
    log: Option<FileId>,
}

impl Place {
    /// Identifies the file that `connection` has open at `path`.
    pub fn of(path: &Path, connection: &Connection) -> Result<Self> {
        // A read, so that the log is there.
        migration::check(connection)?;
        let log = beside(path, "-wal");
        Ok(Self {
            file: FileId::of(path)?,
            log: FileId::of(&log).ok().flatten(),
        })
    }

    /// Refuses to go on where file or log is another one; nothing was written since the last commit.
    pub fn still(&self, path: &Path) -> Result<()> {
        self.change(path).map_or(Ok(()), |what| {
            Err(StoreError::Moved(format!(
                "{what}; nothing of this step was written"
            )))
        })
    }

    /// After a commit: says where it went if the file was moved in that very moment.
    pub fn held(&self, path: &Path) -> Result<()> {
        let told = |what| {
            StoreError::Moved(format!(
                "{what}; the last change went to the file that was moved"
            ))
        };
        self.change(path).map_or(Ok(()), |what| Err(told(what)))
    }

    /// No file is at its path, so that nobody else can be using the log that was left there.
    pub fn is_gone(&self, path: &Path) -> bool {
        FileId::of(path).is_err_and(|e| e.kind() == ErrorKind::NotFound)
    }

    fn change(&self, path: &Path) -> Option<&'static str> {
        match FileId::of(path) {
            Err(_) => return Some("no file is at its path any more"),
            Ok(file) if file != self.file => return Some("another file is at its path"),
            Ok(_) => {}
        }
        match FileId::of(&beside(path, "-wal")) {
            Err(_) if self.log.is_some() => Some("its write-ahead log is not at its path any more"),
            Ok(log) if self.log.is_some() && log != self.log => {
                Some("another write-ahead log is beside it")
            }
            _ => None,
        }
    }
}
