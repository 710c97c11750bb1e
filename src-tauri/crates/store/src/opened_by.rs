//! What is known of an encrypted workspace before it is opened: the salt of its file, and whether a key is its own.

use crate::connection::begins_well;
use crate::error::Result;
use crate::file_system::refuse_no_file;
use crate::key::{Key, Salt, salt_of};
use crate::workspace::{OPENING, Workspace, lock, target_of};
use std::path::{Path, PathBuf};

impl Workspace {
    /// The salt of the encrypted workspace at `path`; `None` if the file there is not an encrypted workspace.
    ///
    /// # Errors
    /// `Missing`, `ReadOnly`.
    pub fn salt_of(path: impl AsRef<Path>) -> Result<Option<Salt>> {
        let path = path.as_ref();
        let read = |target: PathBuf| {
            refuse_no_file(&target)?;
            let _alone = lock(&OPENING);
            salt_of(&target)
        };
        target_of(path).and_then(read).map_err(|e| e.at(path))
    }

    /// Whether this key is right for the encrypted workspace at `path`. The workspace itself is not opened.
    ///
    /// # Errors
    /// `Missing`, `ReadOnly`.
    pub fn is_opened_by(path: impl AsRef<Path>, key: &Key) -> Result<bool> {
        let path = path.as_ref();
        let tried = |target: PathBuf| {
            refuse_no_file(&target)?;
            let _alone = lock(&OPENING);
            Ok(salt_of(&target)? == Some(key.salt()) && begins_well(&target, Some(key))?)
        };
        target_of(path).and_then(tried).map_err(|e| e.at(path))
    }
}
