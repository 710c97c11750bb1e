//! A workspace: one file, many readers, one short writer at a time, in any number of processes.

use crate::error::{Result, StoreError};
use crate::handle::{Reader, Writer};
use crate::migration;
use crate::network_share::network_share;
use crate::postings::PostingCache;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a writer waits for another process before it gives up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Idle readers that are kept open.
const IDLE_READERS: usize = 4;

/// An open workspace. Share it between threads by reference: readers do not wait for each other or for the writer.
#[derive(Debug)]
pub struct Workspace {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    postings: PostingCache,
}

/// How much a workspace holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceCounts {
    /// Documents.
    pub documents: u64,
    /// Pages.
    pub pages: u64,
    /// Sentences.
    pub sentences: u64,
    /// Terms.
    pub terms: u64,
    /// Questions.
    pub questions: u64,
    /// Frozen snapshots.
    pub datasets: u64,
    /// Training runs.
    pub runs: u64,
}

impl Workspace {
    /// Makes a new workspace and opens it. It appears under its name only when it is complete.
    ///
    /// # Errors
    /// `Exists` if something stands there, `ReadOnly`, `DiskFull`, `NetworkShare`.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        create_file(path).map_err(|e| e.at(path))?;
        Self::open(path)
    }

    /// Opens a workspace; one of an older format is brought up to date.
    ///
    /// # Errors
    /// `Missing`, `Newer`, `NotAWorkspace`, `Damaged`, `NetworkShare`, `ReadOnly`, `Busy`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::open_file(path).map_err(|e| e.at(path))
    }

    fn open_file(path: &Path) -> Result<Self> {
        let meta = std::fs::metadata(path)?;
        if !meta.is_file() {
            return Err(StoreError::NotAWorkspace("it is a folder".to_owned()));
        }
        if meta.len() == 0 {
            return Err(StoreError::NotAWorkspace("it is empty".to_owned()));
        }
        refuse_share(path)?;
        let mut writer = connect(path)?;
        let due = migration::check(&writer)?;
        if writer.is_readonly(rusqlite::MAIN_DB)? {
            return Err(StoreError::ReadOnly("the file is read-only".to_owned()));
        }
        // A copy comes without a log; a workspace in use has one already.
        writer.pragma_update(None, "journal_mode", "WAL")?;
        if due {
            let change = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Another process may have done it while this one waited.
            if migration::check(&change)? {
                migration::migrate(&change)?;
            }
            change.commit()?;
        }
        Ok(Self {
            path: path.to_owned(),
            writer: Mutex::new(writer),
            readers: Mutex::new(Vec::new()),
            postings: PostingCache::default(),
        })
    }

    /// Where its file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name: the file's stem.
    pub fn name(&self) -> String {
        self.path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The folder for model files beside it (`name.lexforge.artifacts`), made if it is not there.
    ///
    /// # Errors
    /// `ReadOnly`, `DiskFull`.
    pub fn artifacts_dir(&self) -> Result<PathBuf> {
        let mut name = self.path.clone().into_os_string();
        name.push(".artifacts");
        let folder = PathBuf::from(name);
        std::fs::create_dir_all(&folder).map_err(|e| StoreError::from(e).at(&folder))?;
        Ok(folder)
    }

    /// A number that is another one whenever another program has committed something since it was asked for; what is
    /// written through this value leaves it as it is.
    ///
    /// # Errors
    /// The database's own.
    pub fn commits_elsewhere(&self) -> Result<i64> {
        // Asked on the one connection that writes here: SQLite does not count a connection's own commits.
        let counted = lock(&self.writer).query_row("PRAGMA data_version", [], |row| row.get(0));
        counted.map_err(|e| StoreError::from(e).at(&self.path))
    }

    /// Reads under one consistent view: what other processes commit meanwhile is not seen.
    ///
    /// # Errors
    /// What `f` returns, and the database's own.
    pub fn read<T>(&self, f: impl FnOnce(&Reader) -> Result<T>) -> Result<T> {
        let idle = lock(&self.readers).pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => connect(&self.path).map_err(|e| e.at(&self.path))?,
        };
        let result = self.read_on(&mut connection, f);
        let mut readers = lock(&self.readers);
        if readers.len() < IDLE_READERS {
            readers.push(connection);
        }
        result.map_err(|e| e.at(&self.path))
    }

    fn read_on<T>(&self, connection: &mut Connection, f: impl FnOnce(&Reader) -> Result<T>) -> Result<T> {
        let view = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let result = f(&Reader { connection: &view, postings: &self.postings })?;
        view.finish()?;
        Ok(result)
    }

    /// Changes the workspace in the name of `actor`: everything that `f` does, or, if it fails, nothing.
    ///
    /// # Errors
    /// What `f` returns; `Busy` if another process writes for too long; `DiskFull`.
    pub fn write<T>(&self, actor: &str, f: impl FnOnce(&mut Writer) -> Result<T>) -> Result<T> {
        let mut connection = lock(&self.writer);
        self.write_on(&mut connection, actor, f).map_err(|e| e.at(&self.path))
    }

    fn write_on<T>(
        &self,
        connection: &mut Connection,
        actor: &str,
        f: impl FnOnce(&mut Writer) -> Result<T>,
    ) -> Result<T> {
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let reader = Reader { connection: &change, postings: &self.postings };
        let result = f(&mut Writer::new(reader, actor))?;
        change.commit()?;
        Ok(result)
    }

    /// Copies the workspace as it stands now to a new file, while others go on working on it.
    ///
    /// # Errors
    /// `Exists`, `ReadOnly`, `DiskFull`.
    pub fn copy_to(&self, target: impl AsRef<Path>) -> Result<()> {
        let target = target.as_ref();
        self.copy_file(target).map_err(|e| e.at(target))
    }

    fn copy_file(&self, target: &Path) -> Result<()> {
        under_temporary_name(target, |path| {
            let source = connect(&self.path)?;
            let mut copy = Connection::open(path)?;
            rusqlite::backup::Backup::new(&source, &mut copy)?.run_to_completion(1024, Duration::ZERO, None)?;
            // A copy must not need a log beside it to be read elsewhere.
            copy.pragma_update(None, "journal_mode", "DELETE")?;
            copy.close().map_err(|(_, e)| e)?;
            Ok(())
        })
    }
}

impl Reader<'_> {
    /// How much the workspace holds.
    ///
    /// # Errors
    /// The database's own.
    pub fn counts(&self) -> Result<WorkspaceCounts> {
        // Pages and sentences are summed over the documents' rows: counting a million rows takes too long.
        let counts = self.connection.query_row(
            "SELECT (SELECT count(*) FROM document), (SELECT coalesce(sum(pages), 0) FROM document),
                    (SELECT coalesce(sum(sentences), 0) FROM document), (SELECT count(*) FROM term),
                    (SELECT coalesce(sum(n), 0) FROM qca_tally), (SELECT count(*) FROM dataset),
                    (SELECT count(*) FROM run)",
            [],
            |row| {
                Ok(WorkspaceCounts {
                    documents: row.get(0)?,
                    pages: row.get(1)?,
                    sentences: row.get(2)?,
                    terms: row.get(3)?,
                    questions: row.get(4)?,
                    datasets: row.get(5)?,
                    runs: row.get(6)?,
                })
            },
        )?;
        Ok(counts)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic in a caller's closure rolls its transaction back; the connection itself stays good.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn refuse_share(path: &Path) -> Result<()> {
    match network_share(folder_of(path)) {
        Some(kind) => Err(StoreError::NetworkShare(kind)),
        None => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A connection with the settings that every connection of ours has.
fn connect(path: &Path) -> Result<Connection> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
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

fn create_file(path: &Path) -> Result<()> {
    if std::fs::symlink_metadata(path).is_ok() {
        return Err(StoreError::Exists);
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        std::fs::create_dir_all(folder)?;
    }
    refuse_share(path)?;
    under_temporary_name(path, |temporary| {
        let mut connection = connect(temporary)?;
        connection.pragma_update(None, "application_id", migration::APPLICATION_ID)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        migration::migrate(&change)?;
        let postings = PostingCache::default();
        let reader = Reader { connection: &change, postings: &postings };
        Writer::new(reader, "lexforge").note("workspace.create", "workspace", None)?;
        change.commit()?;
        connection.close().map_err(|(_, e)| e)?;
        Ok(())
    })
}

/// Makes `target` under another name in the same folder and gives it its own name when it is complete, so that a
/// crash leaves no half-made file of that name. Never overwrites.
fn under_temporary_name(target: &Path, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    if std::fs::symlink_metadata(target).is_ok() {
        return Err(StoreError::Exists);
    }
    let mut name = target.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary = PathBuf::from(name);
    let made = std::fs::File::create_new(&temporary).map_err(StoreError::from).and_then(|file| {
        drop(file);
        make(&temporary)?;
        // A link fails where the name is taken, a rename would overwrite; some file systems have no links.
        match std::fs::hard_link(&temporary, target) {
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => Ok(std::fs::rename(&temporary, target)?),
            other => Ok(other?),
        }
    });
    for end in ["", "-wal", "-shm", "-journal"] {
        let mut leftover = temporary.clone().into_os_string();
        leftover.push(end);
        // What is not there needs no removal.
        let _ = std::fs::remove_file(leftover);
    }
    made
}
