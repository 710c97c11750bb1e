//! An open workspace.

use crate::Result;
use crate::bases::Inspected;
use crate::confirmed::Confirmed;
use crate::graph::StateMemo;
use crate::passwords::Passwords;
use crate::references::ReferenceIndex;
use crate::review::ReviewState;
use lexforge_domain::api::WorkspaceView;
use lexforge_store::Workspace;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An open workspace and everything that can be done to it.
pub struct Engine {
    pub(crate) store: Workspace,
    pub(crate) actor: String,
    pub(crate) passwords: Passwords,
    /// The endpoints that this user has confirmed.
    pub(crate) confirmed: Confirmed,
    /// The index over all clauses, once something needed it.
    pub(crate) references: Mutex<Option<Arc<ReferenceIndex>>>,
    /// Base models that were looked at.
    pub(crate) inspected: Mutex<Inspected>,
    /// What is remembered of a review that goes on.
    pub(crate) review: Mutex<ReviewState>,
    /// How old the graph is, as worked out last.
    pub(crate) graph_memo: Mutex<StateMemo>,
}

impl Engine {
    /// Make a new workspace at `path` (`name.lexforge`).
    ///
    /// # Errors
    /// When something stands there already, or the folder cannot be written or is on a network share.
    pub fn create(path: &Path) -> Result<Self> {
        Ok(Self::of(Workspace::create(path)?))
    }

    /// Open the workspace at `path`.
    ///
    /// # Errors
    /// When it is missing, damaged, newer than this program, beside a log that is not its own, or held by another process
    /// for too long. What may not be written is opened for reading.
    pub fn open(path: &Path) -> Result<Self> {
        let engine = Self::of(Workspace::open(path)?);
        engine.clear_leftovers();
        Ok(engine)
    }

    /// Open the workspace at `path`, or make it where nothing is.
    ///
    /// # Errors
    /// As [`Engine::open`] and [`Engine::create`].
    pub fn open_or_create(path: &Path) -> Result<Self> {
        if path.exists() { Self::open(path) } else { Self::create(path) }
    }

    /// Open the workspace at `path`, or make it where nothing is, and bring documents into it. One that was made for this
    /// and holds none afterwards (no file could be read, or the work was stopped) goes again: nothing came of it.
    ///
    /// # Errors
    /// As [`Engine::open_or_create`], and those of the work.
    pub fn fill<T>(path: &Path, work: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let made = std::fs::symlink_metadata(path).is_err();
        let engine = Self::open_or_create(path)?;
        let done = work(&engine);
        let empty = engine.store.read(|r| r.counts()).is_ok_and(|counts| counts.documents == 0);
        drop(engine);
        if made && empty {
            for companion in ["", "-wal", "-shm"] {
                let mut name = path.to_owned().into_os_string();
                name.push(companion);
                // What is not there needs no removal; what cannot be removed is an empty workspace.
                let _ = std::fs::remove_file(PathBuf::from(name));
            }
        }
        done
    }

    fn of(store: Workspace) -> Self {
        Self {
            store,
            actor: actor(),
            passwords: Passwords::default(),
            confirmed: Confirmed::of_user(),
            references: Mutex::new(None),
            inspected: Mutex::new(Vec::new()),
            review: Mutex::new(ReviewState::default()),
            graph_memo: Mutex::new(None),
        }
    }

    /// What is remembered of a review. A use case that failed leaves nothing half done in it.
    pub(crate) fn review(&self) -> MutexGuard<'_, ReviewState> {
        self.review.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Path of the workspace's file.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// The counts and the newest graph and snapshot.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn view(&self) -> Result<WorkspaceView> {
        let path = self.store.path().to_path_buf();
        let graph_state = self.graph_state()?;
        let hosts = self.endpoint_hosts()?;
        Ok(self.store.read(|r| {
            let counts = r.counts()?;
            let mut languages: Vec<_> = r.documents()?.into_iter().map(|d| d.language).collect();
            languages.sort_unstable();
            languages.dedup();
            Ok(WorkspaceView {
                name: stem(&path),
                path: path.display().to_string(),
                documents: counts.documents,
                pages: counts.pages,
                sentences: counts.sentences,
                terms: counts.terms,
                questions: counts.questions,
                datasets: counts.datasets,
                runs: counts.runs,
                audit_head: r.audit_head()?,
                graph: r.latest_graph()?.map(|g| g.stats),
                graph_state,
                dataset: r.datasets()?.into_iter().next(),
                languages,
                hosts,
            })
        })?)
    }

    /// A setting of the workspace.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        Ok(self.store.read(|r| r.setting(key))?)
    }

    /// Keep a setting of the workspace.
    ///
    /// # Errors
    /// When the workspace cannot be written.
    pub fn set_setting(&self, key: &str, value: &str) -> Result<()> {
        Ok(self.store.write(&self.actor, |w| w.set_setting(key, value))?)
    }
}

/// The name under which this person's actions stand in the audit chain.
fn actor() -> String {
    ["LEXFORGE_ACTOR", "USER", "USERNAME", "LOGNAME"]
        .into_iter()
        .find_map(|key| std::env::var(key).ok().filter(|name| !name.is_empty()))
        .unwrap_or_else(|| "local user".to_owned())
}

/// The time, RFC 3339, UTC, to the second.
pub(crate) fn now() -> String {
    let now = time::OffsetDateTime::now_utc();
    let whole = now.replace_nanosecond(0).unwrap_or(now);
    whole.format(&time::format_description::well_known::Rfc3339).unwrap_or_default()
}

/// File name without its extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Make a folder and those above it.
pub(crate) fn make_dir(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|e| io_failure(&e, dir))
}

/// An operating-system error as a person reads it.
pub(crate) fn io_failure(error: &std::io::Error, path: &Path) -> lexforge_domain::Failure {
    use lexforge_domain::{Code, Failure};
    use std::io::ErrorKind;
    let shown = path.display();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Failure::new(
            Code::DiskFull,
            format!("The disk is full; {shown} could not be written."),
            "Free some space and run the step again; what was done before is kept.",
        ),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Failure::new(
            Code::ReadOnly,
            format!("{shown} cannot be written: {error}."),
            "Give yourself write permission, or choose a folder of your own.",
        ),
        ErrorKind::NotFound => {
            Failure::new(Code::FileUnreadable, format!("{shown} does not exist."), "Check the path and its spelling.")
        }
        _ => Failure::new(
            Code::FileUnreadable,
            format!("{shown} cannot be used: {error}."),
            "Check the file and its folder, then run the step again.",
        ),
    }
}
