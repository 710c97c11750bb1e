//! What is held under a lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The content of a lock. A thread that broke off while it held it left nothing half done: all that is kept
/// under these locks is replaced whole.
pub fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
