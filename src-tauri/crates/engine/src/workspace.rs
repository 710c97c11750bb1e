//! An open workspace.

use crate::Result;
use crate::bases::Inspected;
use crate::graph::StateMemo;
use crate::passwords::Passwords;
use crate::references::ReferenceIndex;
use crate::review::ReviewState;
use lexforge_domain::api::{AuditReport, AuditRow, WorkspaceView};
use lexforge_store::Workspace;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An open workspace and everything that can be done to it.
pub struct Engine {
    pub(crate) store: Workspace,
    pub(crate) actor: String,
    pub(crate) passwords: Passwords,
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
    /// When it is missing, damaged, newer than this program, read-only, or held by another process for too long.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self::of(Workspace::open(path)?))
    }

    /// Open the workspace at `path`, or make it where nothing is.
    ///
    /// # Errors
    /// As [`Engine::open`] and [`Engine::create`].
    pub fn open_or_create(path: &Path) -> Result<Self> {
        if path.exists() { Self::open(path) } else { Self::create(path) }
    }

    fn of(store: Workspace) -> Self {
        Self {
            store,
            actor: actor(),
            passwords: Passwords::default(),
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
                hosts: crate::endpoints::hosts(&r.endpoints()?),
            })
        })?)
    }

    /// Walk the audit chain and recompute the payload hashes from the live rows.
    ///
    /// # Errors
    /// When the workspace cannot be read; a broken chain is a result, not an error.
    pub fn audit_verify(&self) -> Result<AuditReport> {
        Ok(self.store.read(lexforge_store::verify::verify)?)
    }

    /// The newest `limit` rows of the audit chain before row `before` (none = the end), newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn audit_rows(&self, limit: u64, before: Option<i64>) -> Result<Vec<AuditRow>> {
        Ok(self.store.read(|r| r.audit_rows(limit, before))?)
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

    /// Folder of the bundles that this workspace's jobs run in.
    pub(crate) fn bundles_dir(&self) -> Result<PathBuf> {
        let dir = self.store.artifacts_dir()?.join("bundles");
        make_dir(&dir)?;
        Ok(dir)
    }

    /// Folder of the adapters, each named by the SHA-256 of its weights.
    pub(crate) fn adapters_dir(&self) -> Result<PathBuf> {
        let dir = self.store.artifacts_dir()?.join("adapters");
        make_dir(&dir)?;
        Ok(dir)
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
