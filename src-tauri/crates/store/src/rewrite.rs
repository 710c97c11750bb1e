//! Encrypts a workspace, decrypts it, or changes its key. A new file is written beside the old one, compared with it
//! row by row and verified. It then replaces the old file in one step.

use crate::connection::connect;
use crate::create::open_as_users_do;
use crate::error::{Result, StoreError};
use crate::file_system::{FileId, folder_of, may_write};
use crate::key::Key;
use crate::log_check::alone_with;
use crate::migration::{APPLICATION_ID, known_format};
use crate::open_here::OpenHere;
use crate::posting_cache::PostingCache;
use crate::reader::Reader;
use crate::revision;
use crate::tables::cover;
use crate::verify::verify;
use crate::whole_file::in_the_place_of;
use crate::workspace::{OPENING, Workspace, lock, target_of};
use crate::writer::Writer;
use lexforge_domain::{Code, Failure};
use rusqlite::{Connection, TransactionBehavior};
use std::cell::RefCell;
use std::path::Path;

impl Workspace {
    /// Writes the workspace at `path` anew: encrypted with the key `new`, or not encrypted if there is none. `old` is
    /// the key of the present file, if it is encrypted. The audit chain records the change in the name of `actor`.
    ///
    /// If this program is killed meanwhile, the file at `path` is either the complete old one or the complete new one.
    ///
    /// # Errors
    /// As [`Workspace::open_with`]; `Busy` if the workspace is open in any program, `ReadOnly`, `DiskFull`, `Damaged`,
    /// `Altered` where its audit chain does not hold. The file is unchanged then.
    pub fn rewrite(
        path: impl AsRef<Path>,
        old: Option<&Key>,
        new: Option<&Key>,
        actor: &str,
    ) -> Result<()> {
        let path = path.as_ref();
        let written = target_of(path).and_then(|target| write_anew(&target, old, new, actor));
        written.map_err(|e| e.at(path))
    }
}

fn write_anew(path: &Path, old: Option<&Key>, new: Option<&Key>, actor: &str) -> Result<()> {
    let seen = FileId::of(path)?;
    // Brings it up to date, and has its log taken into the file.
    let opened = Workspace::open_with(path, old)?;
    if let Some(reason) = opened.read_only() {
        return Err(StoreError::ReadOnly(reason.to_owned()));
    }
    let old = opened.key().cloned();
    drop(opened);
    let old = old.as_ref();
    let action = match (old, new) {
        (_, None) => "workspace.decrypt",
        (None, Some(_)) => "workspace.encrypt",
        (Some(_), Some(_)) => "workspace.passphrase",
    };
    refuse_second_name(path)?;
    if !may_write(folder_of(path)) {
        return Err(StoreError::ReadOnly(
            "its folder may not be written".to_owned(),
        ));
    }
    let _alone = lock(&OPENING);
    let held = RefCell::new(Some(hold(path, old)?));
    let _here = OpenHere::of(path);
    let make = |temporary: &Path| {
        if let Some(source) = held.borrow().as_ref() {
            copy(source, temporary, new)?;
        }
        note(temporary, new, actor, action)?;
        open_as_users_do(temporary, new)
    };
    // Elsewhere an open file cannot be replaced. Where it can, it stays locked until the new one is in its place.
    let let_go = || {
        if cfg!(not(unix)) {
            held.take();
        }
    };
    in_the_place_of(path, seen, new, make, let_go)?;
    held.take();
    tracing::info!("the workspace was written anew");
    Ok(())
}

/// The only connection to the file, which has no log any more. It keeps others out for as long as it lives.
fn hold(path: &Path, key: Option<&Key>) -> Result<Connection> {
    let busy = || {
        StoreError::Refused(
            Failure::new(
                Code::WorkspaceBusy,
                "Another program has the workspace open.",
                "Close it there, and try again; nothing was changed.",
            )
            .in_file(path.display().to_string()),
        )
    };
    let Some(connection) = alone_with(path, key)? else {
        return Err(busy());
    };
    let mode = connection.query_row("PRAGMA journal_mode = DELETE", [], |row| {
        row.get::<_, String>(0)
    });
    match mode.map_err(StoreError::from) {
        Ok(mode) if mode == "delete" => {}
        Ok(_) | Err(StoreError::Busy) => return Err(busy()),
        Err(other) => return Err(other),
    }
    // In exclusive mode a lock that was taken is kept.
    match connection
        .execute_batch("BEGIN EXCLUSIVE; COMMIT")
        .map_err(StoreError::from)
    {
        Err(StoreError::Busy) => Err(busy()),
        Err(other) => Err(other),
        Ok(()) => Ok(connection),
    }
}

/// Copies everything into the empty file at `target`, and compares each row.
fn copy(source: &Connection, target: &Path, key: Option<&Key>) -> Result<()> {
    let target = std::path::absolute(target)?;
    let name = target
        .to_str()
        .ok_or_else(|| StoreError::ReadOnly("its path is not UTF-8".to_owned()))?;
    let literal = key.map(Key::literal);
    source.execute(
        "ATTACH DATABASE ?1 AS anew KEY ?2",
        [
            name,
            literal.as_ref().map_or("", |literal| literal.as_str()),
        ],
    )?;
    // Nobody reads this file before it is whole and on the disk.
    source.execute_batch("PRAGMA anew.synchronous = OFF")?;
    source.query_row("SELECT sqlcipher_export('anew')", [], |_| Ok(()))?;
    source.pragma_update(Some("anew"), "application_id", APPLICATION_ID)?;
    source.pragma_update(Some("anew"), "user_version", known_format())?;
    compare(source)?;
    source.execute_batch("DETACH DATABASE anew")?;
    Ok(())
}

/// Compares all definitions and all rows of the attached file with those of the file itself.
fn compare(connection: &Connection) -> Result<()> {
    let schema = |file: &str| {
        format!(
            "SELECT type, name, tbl_name, sql FROM {file}.sqlite_schema ORDER BY type, name, tbl_name, sql"
        )
    };
    same(
        connection,
        "the definitions",
        &schema("main"),
        &schema("anew"),
    )?;
    let mut tables = connection.prepare(
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name",
    )?;
    let tables: Vec<String> = tables
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for table in &tables {
        let quoted = table.replace('"', "\"\"");
        let of = |columns: &str, file: &str| {
            format!("SELECT {columns} FROM {file}.\"{quoted}\" NOT INDEXED")
        };
        // A table that is kept by its key has no numbers of rows.
        let columns = match connection.prepare(&of("rowid, *", "main")) {
            Ok(_) => "rowid, *",
            Err(_) => "*",
        };
        same(
            connection,
            table,
            &of(columns, "main"),
            &of(columns, "anew"),
        )?;
    }
    Ok(())
}

fn same(connection: &Connection, what: &str, one: &str, other: &str) -> Result<()> {
    let (mut one, mut other) = (connection.prepare(one)?, connection.prepare(other)?);
    let columns = one.column_count();
    let (mut ones, mut others) = (one.query([])?, other.query([])?);
    loop {
        let equal = match (ones.next()?, others.next()?) {
            (None, None) => return Ok(()),
            (Some(one), Some(other)) => {
                let mut equal = true;
                for column in 0..columns {
                    equal &= one.get_ref(column)? == other.get_ref(column)?;
                }
                equal
            }
            _ => false,
        };
        if !equal {
            return Err(StoreError::Damaged(format!(
                "the copy of {what} is not what stands in the file"
            )));
        }
    }
}

/// Records the change in the new file's audit chain, and verifies the whole chain.
fn note(path: &Path, key: Option<&Key>, actor: &str, action: &str) -> Result<()> {
    let mut connection = connect(path, key)?;
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let postings = PostingCache::default();
    let reader = || Reader {
        connection: &change,
        postings: &postings,
        covers: cover,
    };
    Writer::new(reader(), actor, None).note(action, "workspace", None)?;
    revision::advance(&change)?;
    let report = verify(&reader())?;
    if !report.ok {
        return Err(StoreError::Altered(
            "the audit chain of the workspace does not hold".to_owned(),
        ));
    }
    change.commit()?;
    connection.close().map_err(|(_, e)| e)?;
    Ok(())
}

/// Under a second name (a hard link) the file would stay as it is.
#[cfg(unix)]
fn refuse_second_name(path: &Path) -> Result<()> {
    if std::os::unix::fs::MetadataExt::nlink(&std::fs::metadata(path)?) < 2 {
        return Ok(());
    }
    let failure = Failure::invalid(
        "The workspace's file has a second name, under which it would stay as it is.",
        "Remove the other name (a hard link), then try again.",
    );
    Err(StoreError::Refused(
        failure.in_file(path.display().to_string()),
    ))
}

#[cfg(not(unix))]
fn refuse_second_name(_: &Path) -> Result<()> {
    Ok(())
}
