//! Whether a workspace can be written, asked before a step that takes long.

use crate::error::{Result, StoreError};
use crate::file_system::try_to_write_beside;
use crate::workspace::Workspace;

impl Workspace {
    /// Fails if the result of a step could not be stored: the workspace is open for reading only, no file can be
    /// created in its folder, or the disk is full. Call it before a long step, so that nobody waits in vain.
    ///
    /// # Errors
    /// `ReadOnly`, `DiskFull`.
    pub fn require_writable(&self) -> Result<()> {
        let tried = match self.read_only() {
            Some(reason) => Err(StoreError::ReadOnly(reason.to_owned())),
            None => try_to_write_beside(self.path()).map_err(StoreError::from),
        };
        tried.map_err(|e| e.at(self.path()))
    }

    /// As [`Workspace::require_writable`], for a step that ends with model files: if their folder exists, it must be
    /// writable, too. If the folder is a link, nothing is checked here, because the step itself refuses links.
    ///
    /// # Errors
    /// `ReadOnly`, `DiskFull`.
    pub fn require_models_writable(&self) -> Result<()> {
        self.require_writable()?;
        let folder = self.artifacts_path();
        let is_own = std::fs::symlink_metadata(&folder).is_ok_and(|meta| meta.is_dir());
        match self.path().file_name() {
            // The name says whose it is, in this folder as well.
            Some(name) if is_own => {
                let tried = try_to_write_beside(&folder.join(name));
                tried.map_err(|e| StoreError::from(e).at(&folder))
            }
            _ => Ok(()),
        }
    }
}
