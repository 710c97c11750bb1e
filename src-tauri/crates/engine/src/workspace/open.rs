//! An open workspace.

use super::artifacts::{BUNDLES, clear_leftovers};
use super::files::file_failure;
use super::memo::Memo;
use crate::Result;
use lexforge_files::inside;
use lexforge_store::Workspace;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open workspace and everything that can be done to it.
pub struct Engine {
    pub(crate) store: Workspace,
    pub(crate) actor: String,
    memo: Memo,
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
        clear_leftovers(&engine.store, &engine.actor);
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
        Self { store, actor: actor(), memo: Memo::default() }
    }

    /// What a room remembers while the workspace is open, by its type.
    pub(crate) fn memo<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.memo.of()
    }

    /// Folder of the bundles that this workspace's jobs run in, made where it is not there.
    pub(crate) fn bundles_dir(&self) -> Result<PathBuf> {
        inside::make_folder(&self.store.artifacts_path(), BUNDLES).map_err(file_failure)
    }

    /// Path of the workspace's file.
    pub fn path(&self) -> &Path {
        self.store.path()
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
