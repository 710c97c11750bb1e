//! Access to a value that a lock protects.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The content of a lock. If a thread panicked while it held the lock, the content is still consistent: everything kept
/// under these locks is replaced as a whole.
pub fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
