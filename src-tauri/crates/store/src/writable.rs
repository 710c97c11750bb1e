//! Whether a workspace can be written, asked before a step that takes long.

use crate::error::{Result, StoreError};
use crate::file_system::try_to_write_beside;
use crate::workspace::Workspace;

impl Workspace {
    /// Refuses at once what could not be stored at the end: a workspace that is open for reading only, a folder in which
    /// no file can be made, a full disk.
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
}
