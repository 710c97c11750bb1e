//! Making a new workspace.

use crate::connection::connect;
use crate::error::{Result, StoreError};
use crate::file_system::{folder_of, make_folder};
use crate::key::Key;
use crate::migration;
use crate::posting_cache::PostingCache;
use crate::reader::Reader;
use crate::tables::cover;
use crate::whole_file::under_temporary_name;
use crate::workspace::{Workspace, refuse_share};
use crate::writer::Writer;
use rusqlite::TransactionBehavior;
use std::path::Path;

impl Workspace {
    /// Makes a new workspace and opens it. The file gets its name only when it is complete.
    ///
    /// # Errors
    /// `Exists` if something has this name already, `ReadOnly`, `DiskFull`, `NetworkShare`.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        Self::create_with(path, None)
    }

    /// As [`Workspace::create`]; the file is encrypted with the key, if there is one.
    ///
    /// # Errors
    /// As [`Workspace::create`].
    pub fn create_with(path: impl AsRef<Path>, key: Option<&Key>) -> Result<Self> {
        let path = path.as_ref();
        create_file(path, key).map_err(|e| e.at(path))?;
        Self::open_with(path, key)
    }
}

fn create_file(path: &Path, key: Option<&Key>) -> Result<()> {
    if std::fs::symlink_metadata(path).is_ok() {
        return Err(StoreError::Exists);
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        make_folder(folder)?;
    }
    refuse_share(path)?;
    under_temporary_name(path, key, |temporary| {
        let mut connection = connect(temporary, key)?;
        connection.pragma_update(None, "application_id", migration::APPLICATION_ID)?;
        // Without a log: what cannot be written is said by the commit, and the closed file is the whole workspace.
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        migration::migrate(&change)?;
        let postings = PostingCache::default();
        let reader = Reader {
            connection: &change,
            postings: &postings,
            covers: cover,
        };
        Writer::new(reader, "lexforge", None).note("workspace.create", "workspace", None)?;
        change.commit()?;
        connection.close().map_err(|(_, e)| e)?;
        open_as_users_do(temporary, key)
    })
}

/// Opens and closes a new file in the way in which it will be opened later, with its log and its shared memory. If the
/// disk is too full for these, this fails here, before the file gets its name.
pub(crate) fn open_as_users_do(path: &Path, key: Option<&Key>) -> Result<()> {
    let connection = connect(path, key)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    migration::check(&connection)?;
    let (busy, left): (bool, bool) =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)? > 0))
        })?;
    if busy || left {
        return Err(StoreError::Busy);
    }
    connection.close().map_err(|(_, e)| e)?;
    Ok(())
}
