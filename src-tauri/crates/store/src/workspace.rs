//! A workspace: one file, many readers, one short writer at a time, in any number of processes.

use crate::connection::{Look, connect, connect_read_only};
use crate::error::{Result, StoreError};
use crate::file_system::{FileId, beside, folder_of, may_write, refuse_no_file};
use crate::guard::Guard;
use crate::key::{Key, give};
use crate::key_for::{key_for, wrong_key};
use crate::log_check::{refuse_foreign_log, refuse_foreign_log_unlocked};
use crate::migration;
use crate::network_share::network_share;
use crate::open_here::OpenHere;
use crate::place::Place;
use crate::posting_cache::PostingCache;
use crate::reader::Reader;
use crate::revision;
use crate::rights::make_folder_beside;
use crate::schema;
use crate::tables::cover;
use crate::whole_file::under_temporary_name;
use crate::writer::Writer;
use rusqlite::backup::StepResult;
use rusqlite::{Connection, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locked while a file is opened. If a log was left beside the file, it is checked then, and no other opening may run
/// at the same time.
pub(crate) static OPENING: Mutex<()> = Mutex::new(());

/// Idle readers that are kept open.
const IDLE_READERS: usize = 4;

/// An open workspace. Share it between threads by reference: readers do not wait for each other or for the writer.
#[derive(Debug)]
pub struct Workspace {
    path: PathBuf,
    /// The key of an encrypted file.
    key: Option<Key>,
    access: Access,
    writer: Mutex<Connection>,
    guard: Mutex<Guard>,
    readers: Mutex<Vec<Connection>>,
    postings: PostingCache,
    _here: OpenHere,
}

/// What may be done with the open file.
#[derive(Debug)]
enum Access {
    /// Everything, as long as the file is in its place.
    Write(Place),
    /// Reading; why not writing, and how the file looked when it was opened last.
    Read { reason: String, look: Mutex<Look> },
}

/// How much a workspace holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceCounts {
    pub documents: u64,
    pub pages: u64,
    pub sentences: u64,
    pub terms: u64,
    pub questions: u64,
    /// Frozen snapshots.
    pub datasets: u64,
    /// Training runs.
    pub runs: u64,
}

impl Workspace {
    /// Opens a workspace. A workspace of an older format is migrated to the present one. If the path is a link, the
    /// workspace to which it points is opened. If the file or its folder cannot be written, the workspace is opened for
    /// reading only.
    ///
    /// # Errors
    /// `Missing`, `Newer`, `NotAWorkspace`, `Damaged`, `NetworkShare`, `LogForeign`, `Busy`; `ReadOnly` where it would
    /// have to be written before it can be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, None)
    }

    /// As [`Workspace::open`], but an encrypted workspace is opened with the key. If the workspace is not encrypted,
    /// the key is not used.
    ///
    /// # Errors
    /// As [`Workspace::open`]; `Encrypted` if the key is missing; `WrongKey` if the key is wrong.
    pub fn open_with(path: impl AsRef<Path>, key: Option<&Key>) -> Result<Self> {
        let path = path.as_ref();
        let opened = Self::open_file(path, key).map_err(|e| e.at(path))?;
        tracing::info!(read_only = opened.read_only().is_some(), "opened");
        Ok(opened)
    }

    /// The key of an encrypted workspace.
    pub fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Opens a workspace only for reading, even if it could be written. Nothing is changed: a workspace of an older
    /// format stays as it is.
    ///
    /// # Errors
    /// As [`Workspace::open`].
    pub fn open_unchanged(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_unchanged_with(path, None)
    }

    /// As [`Workspace::open_unchanged`], but an encrypted workspace is opened with the key.
    ///
    /// # Errors
    /// As [`Workspace::open_with`].
    pub fn open_unchanged_with(path: impl AsRef<Path>, key: Option<&Key>) -> Result<Self> {
        let path = path.as_ref();
        let open = |target: &Path| {
            refuse_no_file(target)?;
            let _alone = lock(&OPENING);
            let key = key_for(target, key)?;
            Self::open_as_it_is(target, key, "it was opened to be read".to_owned())
                .map(|(workspace, _)| workspace)
                .map_err(|e| wrong_key(e, target, key))
        };
        target_of(path)
            .and_then(|target| open(&target))
            .map_err(|e| e.at(path))
    }

    fn open_file(path: &Path, key: Option<&Key>) -> Result<Self> {
        let path = &target_of(path)?;
        refuse_no_file(path)?;
        refuse_share(path)?;
        let _alone = lock(&OPENING);
        let key = key_for(path, key)?;
        Self::open_place(path, key).map_err(|e| wrong_key(e, path, key))
    }

    fn open_place(path: &Path, key: Option<&Key>) -> Result<Self> {
        if !may_write(path) {
            return Self::open_to_read(path, key, "the file may not be written".to_owned());
        }
        if !may_write(folder_of(path)) {
            return Self::open_to_read(path, key, "its folder may not be written".to_owned());
        }
        match Self::open_to_write(path, key) {
            Err(StoreError::ReadOnly(reason)) => Self::open_to_read(path, key, reason),
            other => other,
        }
    }

    fn open_to_write(path: &Path, key: Option<&Key>) -> Result<Self> {
        refuse_foreign_log(path, key)?;
        let seen = FileId::of(path)?;
        let mut writer = connect(path, key)?;
        let due = migration::check(&writer)?;
        if writer.is_readonly(rusqlite::MAIN_DB)? {
            return Err(StoreError::ReadOnly(
                "the file may not be written".to_owned(),
            ));
        }
        // A copy comes without a log; a workspace in use has one already.
        writer.pragma_update(None, "journal_mode", "WAL")?;
        if due {
            let change = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Another process may have done it while this one waited.
            if migration::check(&change)? {
                // A foreign trigger could change what the steps write.
                schema::require(&change)?;
                migration::migrate(&change)?;
            }
            change.commit()?;
        }
        let place = Place::of(path, &writer)?;
        // A whole new file may have taken the place while this program waited for the old one.
        if FileId::of(path)? != seen {
            return Err(StoreError::Moved(
                "another file took its place while it was being opened".to_owned(),
            ));
        }
        Ok(Self::of(path, key, Access::Write(place), writer))
    }

    fn open_to_read(path: &Path, key: Option<&Key>, reason: String) -> Result<Self> {
        let (workspace, due) = Self::open_as_it_is(path, key, reason.clone())?;
        if due {
            return Err(StoreError::ReadOnly(format!(
                "an older version made it, and to bring it up to date: {reason}"
            )));
        }
        Ok(workspace)
    }

    /// The workspace, and whether its format is an older one.
    fn open_as_it_is(path: &Path, key: Option<&Key>, reason: String) -> Result<(Self, bool)> {
        let look = Look::at(path)?;
        let open = || {
            refuse_foreign_log_unlocked(path, key)?;
            let connection = connect_read_only(path, key)?;
            Ok((migration::check(&connection)?, connection))
        };
        let (due, connection) = open().map_err(|e| match e {
            StoreError::ReadOnly(_) if look.has_log() => StoreError::ReadOnly(
                "its newest changes are in the log beside it, which is not read without writing there; copy both to a \
                 folder of your own"
                    .to_owned(),
            ),
            other => other,
        })?;
        Ok((
            Self::of(
                path,
                key,
                Access::Read {
                    reason,
                    look: Mutex::new(look),
                },
                connection,
            ),
            due,
        ))
    }

    fn of(path: &Path, key: Option<&Key>, access: Access, writer: Connection) -> Self {
        Self {
            path: path.to_owned(),
            key: key.cloned(),
            access,
            writer: Mutex::new(writer),
            guard: Mutex::new(Guard::new(path, key.cloned(), cover)),
            readers: Mutex::new(Vec::new()),
            postings: PostingCache::default(),
            _here: OpenHere::of(path),
        }
    }

    /// The format of the workspace's file.
    pub fn format(&self) -> Result<u32> {
        migration::format_of(&lock(&self.writer)).map_err(|e| e.at(&self.path))
    }

    /// Why nothing can be written here; `None` where it can.
    pub fn read_only(&self) -> Option<&str> {
        match &self.access {
            Access::Write(_) => None,
            Access::Read { reason, .. } => Some(reason),
        }
    }

    /// Where its file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name: the file's stem.
    pub fn name(&self) -> String {
        self.path
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
            .unwrap_or_default()
    }

    /// The path of the folder for model files beside it (`name.lexforge.artifacts`), whether it exists or not.
    pub fn artifacts_path(&self) -> PathBuf {
        artifacts_of(&self.path)
    }

    /// The folder for model files beside the workspace. It is created if it is missing and the workspace may be
    /// written. A new folder can be used only by those who may read the workspace's file.
    ///
    /// # Errors
    /// `ReadOnly`, `DiskFull`.
    pub fn artifacts_dir(&self) -> Result<PathBuf> {
        let folder = self.artifacts_path();
        if self.read_only().is_some() {
            return Ok(folder);
        }
        make_folder_beside(&self.path, &folder).map_err(|e| StoreError::from(e).at(&folder))?;
        Ok(folder)
    }

    /// A number that changes whenever another program commits something. Changes made through this value do not count.
    pub fn commits_elsewhere(&self) -> Result<i64> {
        // Asked on the one connection that writes here: SQLite does not count a connection's own commits.
        let counted = lock(&self.writer).query_row("PRAGMA data_version", [], |row| row.get(0));
        counted.map_err(|e| StoreError::from(e).at(&self.path))
    }

    /// Reads in one consistent view. Changes that other processes commit meanwhile are not seen.
    ///
    /// # Errors
    /// What `f` returns, and errors of the database.
    pub fn read<T>(&self, f: impl FnOnce(&Reader) -> Result<T>) -> Result<T> {
        let mut connection = self.reader().map_err(|e| e.at(&self.path))?;
        let result = self.read_on(&mut connection, f);
        let mut readers = lock(&self.readers);
        if readers.len() < IDLE_READERS {
            readers.push(connection);
        }
        result.map_err(|e| e.at(&self.path))
    }

    /// A connection that reads the file as it is in its place.
    fn reader(&self) -> Result<Connection> {
        match &self.access {
            Access::Write(place) => {
                place.still(&self.path)?;
                if let Some(idle) = lock(&self.readers).pop() {
                    return Ok(idle);
                }
                let connection = connect(&self.path, self.key())?;
                // Another file may have taken the place while this connection was made.
                place.still(&self.path)?;
                Ok(connection)
            }
            Access::Read { look, .. } => {
                let (now, mut look) = (Look::at(&self.path)?, lock(look));
                if *look != now {
                    lock(&self.readers).clear();
                    *look = now;
                }
                let idle = lock(&self.readers).pop();
                idle.map_or_else(|| connect_read_only(&self.path, self.key()), Ok)
            }
        }
    }

    fn read_on<T>(
        &self,
        connection: &mut Connection,
        f: impl FnOnce(&Reader) -> Result<T>,
    ) -> Result<T> {
        let view = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let result = f(&Reader {
            connection: &view,
            postings: &self.postings,
            covers: cover,
        })?;
        view.finish()?;
        Ok(result)
    }

    /// Changes the workspace in the name of `actor`. Either everything that `f` does is stored, or, if `f` fails,
    /// nothing.
    ///
    /// # Errors
    /// What `f` returns; `Busy` if another process writes for too long; `DiskFull`; `Moved` if the file is no longer at
    /// its path; `ReadOnly`.
    pub fn write<T>(&self, actor: &str, f: impl FnOnce(&mut Writer) -> Result<T>) -> Result<T> {
        let mut connection = lock(&self.writer);
        self.write_on(&mut connection, actor, f)
            .map_err(|e| e.at(&self.path))
    }

    fn write_on<T>(
        &self,
        connection: &mut Connection,
        actor: &str,
        f: impl FnOnce(&mut Writer) -> Result<T>,
    ) -> Result<T> {
        let place = match &self.access {
            Access::Write(place) => place,
            Access::Read { reason, .. } => return Err(StoreError::ReadOnly(reason.clone())),
        };
        place.still(&self.path)?;
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut guard = lock(&self.guard);
        guard.begin(&change, schema::require)?;
        let rows = change.total_changes();
        let reader = Reader {
            connection: &change,
            postings: &self.postings,
            covers: cover,
        };
        let result = f(&mut Writer::new(reader, actor, Some(&mut *guard)));
        guard.end();
        let result = result?;
        if change.total_changes() != rows {
            revision::advance(&change)?;
        }
        place.still(&self.path)?;
        change.commit()?;
        place.held(&self.path)?;
        Ok(result)
    }

    /// Copies the present workspace to a new file. If the workspace is encrypted, the copy is encrypted with the same
    /// key. Others can continue to work on the workspace meanwhile.
    ///
    /// # Errors
    /// `Exists`, `ReadOnly`, `DiskFull`.
    pub fn copy_to(&self, target: impl AsRef<Path>) -> Result<()> {
        let target = target.as_ref();
        self.copy_file(target).map_err(|e| e.at(target))
    }

    fn copy_file(&self, target: &Path) -> Result<()> {
        let source = self.reader()?;
        std::fs::create_dir_all(folder_of(target))?;
        under_temporary_name(target, self.key(), |path| {
            let mut copy = Connection::open(path)?;
            give(self.key(), &copy)?;
            // All pages are copied in one view of the source, because others may write meanwhile.
            let backup = rusqlite::backup::Backup::new(&source, &mut copy)?;
            match backup.step(-1)? {
                StepResult::Done => {}
                _ => return Err(StoreError::Busy),
            }
            drop(backup);
            // A copy must not need a log beside it to be read elsewhere.
            copy.pragma_update(None, "journal_mode", "DELETE")?;
            copy.close().map_err(|(_, e)| e)?;
            Ok(())
        })
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // SQLite leaves the log of a moved file where it was: what was committed would stay behind in it.
        if let Access::Write(place) = &self.access
            && place.is_gone(&self.path)
        {
            let _ = lock(&self.writer).query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
    }
}

impl Reader<'_> {
    /// The numbers of documents, pages, sentences, terms, questions and snapshots in the workspace.
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

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic in a caller's closure rolls its transaction back; the connection itself stays good.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn refuse_share(path: &Path) -> Result<()> {
    match network_share(folder_of(path)) {
        Some(kind) => Err(StoreError::NetworkShare(kind)),
        None => Ok(()),
    }
}

/// The file that a path leads to: a link is followed, so that log and model files are those of the workspace itself.
pub(crate) fn target_of(path: &Path) -> Result<PathBuf> {
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Ok(std::fs::canonicalize(path)?);
    }
    Ok(path.to_owned())
}

/// The folder for the model files of the workspace at `path`.
pub(crate) fn artifacts_of(path: &Path) -> PathBuf {
    beside(path, ".artifacts")
}
