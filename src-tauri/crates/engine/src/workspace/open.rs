//! An open workspace.

use super::artifacts::{BUNDLES, clear_leftovers};
use super::files::file_failure;
use super::log::log_of_workspace;
use super::memo::Memo;
use super::result::Result;
use lexforge_files::inside;
use lexforge_store::Workspace;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open workspace: its file, the person who works on it, and the data kept in memory.
pub struct OpenWorkspace {
    pub(crate) store: Workspace,
    pub(crate) actor: String,
    memo: Memo,
}

impl OpenWorkspace {
    /// Make a new workspace at `path` (`name.lexforge`).
    ///
    /// # Errors
    /// When something with this name exists already, or the folder cannot be written or is on a network share.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let workspace = Workspace::create(path)?;
        log_of_workspace(path);
        Ok(Self::of(workspace))
    }

    /// Open the workspace at `path`.
    ///
    /// # Errors
    /// When it is missing, damaged, newer than this program, beside a log that is not its own, or held by another
    /// process for too long. A file without write permission is opened for reading only.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        // Before anything is tried, so that the log says why a workspace does not open.
        if path.is_file() {
            log_of_workspace(path);
        }
        let workspace = Self::of(Workspace::open(path)?);
        clear_leftovers(&workspace.store, &workspace.actor);
        Ok(workspace)
    }

    /// Opens the workspace at `path` only for reading, and changes nothing in it.
    ///
    /// # Errors
    /// As [`OpenWorkspace::open`].
    pub(crate) fn look_into(path: &Path) -> Result<Self> {
        Ok(Self::of(Workspace::open_unchanged(path)?))
    }

    fn of(store: Workspace) -> Self {
        Self {
            store,
            actor: actor(),
            memo: Memo::default(),
        }
    }

    /// The data that a module keeps while the workspace is open, by its type.
    pub(crate) fn memo<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.memo.of()
    }

    /// Folder of the bundles that this workspace's jobs run in, made where it is not there.
    pub(crate) fn bundles_dir(&self) -> Result<PathBuf> {
        inside::make_folder(&self.store.artifacts_path(), BUNDLES).map_err(file_failure)
    }

    /// Fails if the result of a step could not be stored. Called before steps that take long, so that nobody waits in
    /// vain.
    ///
    /// # Errors
    /// When the workspace was opened for reading only, its folder cannot be written, or the disk is full.
    pub fn require_writable(&self) -> Result<()> {
        Ok(self.store.require_writable()?)
    }

    /// As [`Self::require_writable`], for a step that ends with model files.
    ///
    /// # Errors
    /// As [`Self::require_writable`]; also when the folder of model files cannot be written.
    pub(crate) fn require_models_writable(&self) -> Result<()> {
        Ok(self.store.require_models_writable()?)
    }

    /// Path of the workspace's file.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// A setting of the workspace.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        Ok(self.store.read(|r| r.setting(key))?)
    }

    /// Stores a setting of the workspace.
    ///
    /// # Errors
    /// When the workspace cannot be written.
    pub fn set_setting(&self, key: &str, value: &str) -> Result<()> {
        Ok(self
            .store
            .write(&self.actor, |w| w.set_setting(key, value))?)
    }
}

/// The name under which this person's actions stand in the audit chain.
fn actor() -> String {
    ["LEXFORGE_ACTOR", "USER", "USERNAME", "LOGNAME"]
        .into_iter()
        .find_map(|key| std::env::var(key).ok().filter(|name| !name.is_empty()))
        .unwrap_or_else(|| "local user".to_owned())
}
