//! Whether the write-ahead log beside a file belongs to the file.
//!
//! SQLite applies every log that is complete in itself. If a copy was put over a file whose log still exists, the pages
//! of two states are mixed without any message. So a log that no process is using is checked before it is applied.

use crate::connection::{begins_well, connect_read_only};
use crate::error::{Result, StoreError};
use crate::file_system::{beside, open_in_turn};
use crate::key::{Key, PAGE, give};
use crate::migration;
use crate::posting_cache::PostingCache;
use crate::reader::Reader;
use crate::revision::Revision;
use crate::tables::cover;
use crate::write_ahead_log::{HEADER, read_page};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Refuses a file if the log beside it belongs to another file. A log that some process has open belongs to the file,
/// because that process checked it when it opened it.
///
/// No other code of this process may have the file open meanwhile. On POSIX systems, when this check closes the file,
/// all locks of the process on the file are dropped.
pub(crate) fn refuse_foreign_log(path: &Path, key: Option<&Key>) -> Result<()> {
    let Some((name, log)) = log_of(path)? else {
        return Ok(());
    };
    let foreign = || Err(StoreError::LogForeign(name.clone()));
    let merged = match alone_with(path, key) {
        // The log gives the file another beginning than its own: that of another file, or one under another key.
        Err(StoreError::NotAWorkspace(_)) if matches!(begins_well(path, key), Ok(true)) => {
            return foreign();
        }
        merged => merged?,
    };
    let Some(merged) = merged else {
        return Ok(());
    };
    let number = match Revision::page_number(&merged).map_err(StoreError::from) {
        Err(StoreError::Damaged(_)) => return foreign(),
        other => other?,
    };
    let file = File::open(path)?;
    let belongs = match judge(&file, &log, number, key) {
        Ok(Judgement::Belongs) => Ok(true),
        Ok(Judgement::Foreign) => Ok(false),
        Ok(Judgement::Unknown) => is_whole(&merged),
        Err(e) => Err(e),
    };
    // In this order: closing the file drops the lock that keeps others out.
    drop(merged);
    drop(file);
    if belongs? { Ok(()) } else { foreign() }
}

/// Refuses a foreign log beside a file that this program can only read. Other programs cannot be kept from writing
/// here, and a write during the check can make a log look foreign. So the check is repeated, and the file is refused
/// only if the log looks foreign every time.
pub(crate) fn refuse_foreign_log_unlocked(path: &Path, key: Option<&Key>) -> Result<()> {
    const TRIES: usize = 3;
    let Some((name, log)) = log_of(path)? else {
        return Ok(());
    };
    let number = Revision::page_number(&connect_read_only(path, key)?)?;
    for _ in 0..TRIES {
        if !matches!(
            judge(&File::open(path)?, &log, number, key)?,
            Judgement::Foreign
        ) {
            return Ok(());
        }
    }
    Err(StoreError::LogForeign(name))
}

/// The log beside the file, if it has frames; others who look at it wait.
fn log_of(path: &Path) -> Result<Option<(PathBuf, File)>> {
    let name = beside(path, "-wal");
    if !std::fs::metadata(&name).is_ok_and(|meta| meta.len() > HEADER) {
        return Ok(None);
    }
    match open_in_turn(&name) {
        Ok(log) => Ok(Some((name, log))),
        // The other program has finished and removed the log.
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e.into()),
    }
}

enum Judgement {
    Belongs,
    Foreign,
    /// File or log bear no mark: an older version wrote them, or another program.
    Unknown,
}

fn judge(file: &File, log: &File, number: Option<u32>, key: Option<&Key>) -> Result<Judgement> {
    // Pages of an encrypted workspace are read here as SQLite reads them. One that its key does not open bears no mark.
    let revision = |page: &[u8]| match key {
        None => Revision::on_page(page),
        Some(key) => Revision::on_page(&key.page(number?, page)?),
    };

    // Read the file before the log. A change that SQLite copies from the log into the file meanwhile is still in the
    // log.
    let own = number.and_then(|number| revision(&own_page(file, number, key)?));
    let logged = read_page(log, number.unwrap_or(1))?;
    if logged.commits == 0 {
        return Ok(Judgement::Belongs);
    }
    let versions: Option<Vec<Revision>> =
        logged.versions.iter().map(|page| revision(page)).collect();
    let (Some(versions), Some(own)) = (versions, own) else {
        return Ok(Judgement::Unknown);
    };
    Ok(match versions.first() {
        None => Judgement::Unknown,
        Some(first) if own.mark == first.before => Judgement::Belongs,
        Some(_) if versions.iter().any(|version| own.mark == version.mark) => Judgement::Belongs,
        Some(_) => Judgement::Foreign,
    })
}

/// A page as it stands in the file without its log.
fn own_page(mut file: &File, number: u32, key: Option<&Key>) -> Option<Vec<u8>> {
    let mut header = [0; 18];
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read_exact(&mut header).ok()?;
    let size = match u16::from_be_bytes([header[16], header[17]]) {
        _ if key.is_some() => PAGE as u64,
        1 => 65_536,
        size => u64::from(size),
    };
    let mut page = vec![0; usize::try_from(size).ok()?];
    file.seek(SeekFrom::Start(size * u64::from(number.checked_sub(1)?)))
        .ok()?;
    file.read_exact(&mut page).ok()?;
    Some(page)
}

/// A connection that reads the file with its log, keeps all other programs out, and changes neither file. `None` if
/// another program has the file open.
pub(crate) fn alone_with(path: &Path, key: Option<&Key>) -> Result<Option<Connection>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    give(key, &connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Long enough for another process that is looking as well, short enough not to be felt.
    connection.busy_timeout(Duration::from_millis(50))?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    match connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
        row.get::<_, i64>(0)
    }) {
        Ok(_) => Ok(Some(connection)),
        Err(e) => match StoreError::from(e) {
            StoreError::Busy => Ok(None),
            // The next access reports the fault.
            StoreError::Damaged(_) => Ok(Some(connection)),
            other => Err(other),
        },
    }
}

/// Reads everything: pages, indexes, references between rows, and the audit chain.
fn is_whole(connection: &Connection) -> Result<bool> {
    if fault(connection)?.is_some() {
        return Ok(false);
    }
    if migration::check(connection)? {
        // The chain is verified by the tables of today.
        return Ok(true);
    }
    let reader = Reader {
        connection,
        postings: &PostingCache::default(),
        covers: cover,
    };
    Ok(crate::verify::verify(&reader).is_ok_and(|report| report.ok))
}

/// The first thing that SQLite finds wrong with pages, indexes, or references between rows.
pub(crate) fn fault(connection: &Connection) -> Result<Option<String>> {
    let said: String = match connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
    {
        Ok(said) => said,
        Err(e) => match StoreError::from(e) {
            StoreError::Damaged(text) => text,
            other => return Err(other),
        },
    };
    if said != "ok" {
        return Ok(Some(said));
    }
    let mut dangling = connection.prepare("PRAGMA foreign_key_check")?;
    let table: Option<String> = match dangling.query([])?.next()? {
        Some(row) => Some(row.get(0)?),
        None => None,
    };
    Ok(table.map(|table| format!("a row of {table} refers to one that is not there")))
}
