//! Passwords of locked documents, for as long as the workspace is open.
//!
//! The stored original stays locked, so its pages can be shown only with the password. The password is never written
//! anywhere: it stays in memory from the import (or a later import of the same file) until the workspace is closed.

use std::collections::HashMap;
use std::sync::Mutex;

/// Passwords by the SHA-256 of the file that they open.
#[derive(Default)]
pub(super) struct Passwords(Mutex<HashMap<String, String>>);

impl Passwords {
    /// Keeps the password of a file.
    pub(super) fn keep(&self, hash: &str, password: &str) {
        // A poisoned lock would mean a panic in an insertion; the password is then asked for again.
        if let Ok(mut known) = self.0.lock() {
            known.insert(hash.to_owned(), password.to_owned());
        }
    }

    /// The password of a file, if this session knows it.
    pub(super) fn of(&self, hash: &str) -> Option<String> {
        self.0.lock().ok()?.get(hash).cloned()
    }
}
