//! The lock of a run that is being sent to a target and started there. Meanwhile, a call to stop following the run is
//! refused, unless it is made with `sure`.

use crate::workspace::{Result, file_failure, io_failure};
use lexforge_compute::Bundle;
use lexforge_files::inside;
use lexforge_files::lease::has_no_locks;
use std::fs::{File, TryLockError};

/// The file in a bundle that is locked.
const LOCK: &str = "sending.lock";

/// Takes the lock for a program that sends a run and starts it. Several programs may hold it. If another program is
/// about to stop following the run, this function waits until that program is done. The lock ends with the program,
/// even if the program is killed.
pub(super) fn sending(bundle: &Bundle) -> Result<File> {
    let file = inside::open_to_lock(bundle.folder(), LOCK, true).map_err(file_failure)?;
    match file.lock_shared() {
        Err(e) if !has_no_locks(&e) => Err(io_failure(&e, &bundle.folder().join(LOCK))),
        // It is held, or the file system has no locks.
        _ => Ok(file),
    }
}

/// Whether a program is sending a run or just starting it.
pub(super) fn is_being_sent(bundle: &Bundle) -> Result<bool> {
    Ok(putting_away(bundle)?.is_none())
}

/// Takes the lock for a program that stops following a run. `None` if another program is sending the run.
pub(super) fn putting_away(bundle: &Bundle) -> Result<Option<File>> {
    let file = inside::open_to_lock(bundle.folder(), LOCK, true).map_err(file_failure)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) if !has_no_locks(&e) => {
            Err(io_failure(&e, &bundle.folder().join(LOCK)))
        }
        // It is held, or the file system has no locks.
        _ => Ok(Some(file)),
    }
}
