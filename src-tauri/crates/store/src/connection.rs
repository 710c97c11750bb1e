//! Connections to a workspace's file, with the settings that every connection of the product has.

use crate::error::{Result, StoreError};
use crate::file_system::{FileId, beside};
use crate::key::{Key, give};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long a writer waits for another process before it gives up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// A connection that reads and writes.
pub(crate) fn connect(path: &Path, key: Option<&Key>) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    prepared(Connection::open_with_flags(path, flags)?, key)
}

/// A connection to a file that must not be written, or whose folder must not. It creates no files beside it.
pub(crate) fn connect_read_only(path: &Path, key: Option<&Key>) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if std::fs::metadata(beside(path, "-wal")).is_ok_and(|meta| meta.len() > 0) {
        // A part of the workspace is in the log: it is read with it, or not at all.
        return prepared(Connection::open_with_flags(path, flags)?, key);
    }
    // A file without a log is not being written by any program. So SQLite may open it as a file that never changes, and
    // does not create the files through which readers and writers coordinate.
    connect_without_log(path, key)
}

/// A connection that reads the file alone, whatever lies beside it.
fn connect_without_log(path: &Path, key: Option<&Key>) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let uri = immutable_uri(path)
        .ok_or_else(|| StoreError::ReadOnly("its path is not UTF-8".to_owned()))?;
    let connection = Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?;
    prepared(connection, key)
}

/// Whether the file is a database that this key opens. Only the beginning of the file is read, and not the log beside
/// it.
///
/// # Errors
/// Where the file cannot be read.
pub(crate) fn begins_well(path: &Path, key: Option<&Key>) -> Result<bool> {
    let read = |connection: Connection| {
        let counted = connection.query_row("PRAGMA schema_version", [], |row| row.get::<_, i64>(0));
        counted.map_err(StoreError::from)
    };
    match connect_without_log(path, key).and_then(read) {
        Ok(_) => Ok(true),
        Err(StoreError::NotAWorkspace(_)) => Ok(false),
        Err(other) => Err(other),
    }
}

fn prepared(connection: Connection, key: Option<&Key>) -> Result<Connection> {
    give(key, &connection)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Sorting needs no file in a folder that may be full or readable by others.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", -32_768)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    // A commit has reached the disk when it returns: a power cut loses nothing that was reported done.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

fn immutable_uri(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let mut uri = "file:".to_owned();
    let text = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'/' | b':' | b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                uri.push(byte.into())
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    Some(uri)
}

/// The outer state of a file that is only read. If it changes, somebody else wrote the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    file: Option<FileId>,
    bytes: u64,
    changed: Option<SystemTime>,
    log_bytes: u64,
}

impl Look {
    /// A part of the workspace is in the log beside the file.
    pub(crate) fn has_log(&self) -> bool {
        self.log_bytes > 0
    }

    /// The look of the file at `path` now.
    pub fn at(path: &Path) -> Result<Self> {
        let meta = std::fs::metadata(path)?;
        Ok(Self {
            file: FileId::of(path)?,
            bytes: meta.len(),
            changed: meta.modified().ok(),
            log_bytes: std::fs::metadata(beside(path, "-wal")).map_or(0, |log| log.len()),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn any_name_can_be_opened_without_a_log() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["plain", "a b?c#d%20.lexforge", "法规.lexforge"] {
            let path = folder.path().join(name);
            Connection::open(&path)
                .unwrap()
                .execute_batch("CREATE TABLE t (x)")
                .unwrap();
            let count = connect_read_only(&path, None).unwrap().query_row(
                "SELECT count(*) FROM t",
                [],
                |row| row.get(0),
            );
            assert_eq!(count, Ok(0), "{name}");
        }
    }
}
