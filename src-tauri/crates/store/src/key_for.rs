//! Whether a key is the one that a file needs.

use crate::connection::begins_well;
use crate::error::{Result, StoreError};
use crate::key::{Key, salt_of};
use std::path::Path;

/// The key to open the file at `path` with; none if it is not encrypted.
pub(crate) fn key_for<'k>(path: &Path, key: Option<&'k Key>) -> Result<Option<&'k Key>> {
    match (salt_of(path)?, key) {
        (None, _) => Ok(None),
        (Some(_), None) => Err(StoreError::Encrypted),
        (Some(salt), Some(key)) if key.salt() == salt => Ok(Some(key)),
        (Some(_), Some(_)) => Err(StoreError::WrongKey),
    }
}

/// SQLite calls an encrypted file no database if the key is not its own.
pub(crate) fn wrong_key(error: StoreError, path: &Path, key: Option<&Key>) -> StoreError {
    match error {
        StoreError::NotAWorkspace(_)
            if key.is_some() && matches!(begins_well(path, key), Ok(false)) =>
        {
            StoreError::WrongKey
        }
        other => other,
    }
}
