//! An open workspace.

use super::actor::actor;
use super::artifacts::{BUNDLES, clear_leftovers};
use super::encrypted_places;
use super::encryption;
use super::files::file_failure;
use super::log::log_of_workspace;
use super::memo::Memo;
use super::result::Result;
use lexforge_files::inside;
use lexforge_store::{Key, Workspace};
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
        encrypted_places::forget(path);
        log_of_workspace(path);
        Ok(Self::of(workspace))
    }

    /// Make a new workspace at `path` that is encrypted with a passphrase.
    ///
    /// # Errors
    /// As [`OpenWorkspace::create`]; also when the passphrase is too short.
    pub(crate) fn create_encrypted(path: &Path, passphrase: &str) -> Result<Self> {
        let key = encryption::fresh(passphrase)?;
        let workspace = Workspace::create_with(path, Some(&key))?;
        encryption::keep(&key);
        encrypted_places::note(path);
        log_of_workspace(path);
        Ok(Self::of(workspace))
    }

    /// Open the workspace at `path`. For an encrypted one, the passphrase is asked for once. A file without write
    /// permission is opened for reading only.
    ///
    /// # Errors
    /// When the workspace is missing, damaged, newer than this program, or held by another process for too long. Also
    /// when a log file beside it belongs to another database.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        // Before anything is tried, so that the log says why a workspace does not open.
        if path.is_file() {
            log_of_workspace(path);
        }
        let workspace = Self::of(encryption::opened(path, |key| {
            Workspace::open_with(path, key)
        })?);
        clear_leftovers(&workspace.store, &workspace.actor);
        Ok(workspace)
    }

    /// Opens the workspace at `path` only for reading, and changes nothing in it. Nobody is asked for a passphrase.
    ///
    /// # Errors
    /// As [`OpenWorkspace::open`].
    pub(crate) fn look_into(path: &Path) -> Result<Self> {
        let look = |key: Option<&Key>| Workspace::open_unchanged_with(path, key);
        Ok(Self::of(encryption::opened_unasked(path, look)?))
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
        self.artifacts_folder(BUNDLES)
    }

    /// A folder in that of the workspace's model files, made where it is not there.
    pub(crate) fn artifacts_folder(&self, name: &str) -> Result<PathBuf> {
        let artifacts = self.store.artifacts_path();
        // What is there and is no folder, or a link, is refused below.
        if std::fs::symlink_metadata(&artifacts).is_err() {
            self.store.artifacts_dir()?;
        }
        inside::make_folder(&artifacts, name).map_err(file_failure)
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

    /// Whether its file is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.store.key().is_some()
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
