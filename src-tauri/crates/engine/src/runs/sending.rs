//! The lock of a run that is being sent to a target and started there. Meanwhile, a call to stop following the run is
//! refused, unless it is made with `sure`.

use crate::workspace::{Result, file_failure, io_failure};
use lexforge_compute::Bundle;
use lexforge_files::inside;
use lexforge_files::lease::has_no_locks;
use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};

/// The file in a bundle that is locked.
const LOCK: &str = "sending.lock";
/// A lock that is held for longer than this is not that of a program that only looks.
const LOOKS_WITHIN: Duration = Duration::from_millis(200);

/// Takes the lock for the program that sends a run and starts it; the right to start it is a claim on the bundle, which
/// one program has. If another program is about to stop following the run, this function waits until that program is
/// done. The lock ends with the program, even if the program is killed.
pub(super) fn sending(bundle: &Bundle) -> Result<File> {
    let file = inside::open_to_lock(bundle.folder(), LOCK, true).map_err(file_failure)?;
    match file.lock() {
        Err(e) if !has_no_locks(&e) => Err(io_failure(&e, &bundle.folder().join(LOCK))),
        // It is held, or the file system has no locks.
        _ => Ok(file),
    }
}

/// Whether a program is sending a run or just starting it.
pub(super) fn is_being_sent(bundle: &Bundle) -> Result<bool> {
    Ok(looking(bundle)?.is_none())
}

/// Takes the lock together with others that only look. If each had it alone, two programs that look at the same instant
/// would take each other for one that sends, and nobody would send. `None` if another program is sending the run.
pub(super) fn looking(bundle: &Bundle) -> Result<Option<File>> {
    let file = inside::open_to_lock(bundle.folder(), LOCK, true).map_err(file_failure)?;
    let tried = file.try_lock_shared();
    taken(bundle, file, tried)
}

/// Takes the lock for a program that stops following a run. `None` if another program is sending the run.
pub(super) fn putting_away(bundle: &Bundle) -> Result<Option<File>> {
    let file = inside::open_to_lock(bundle.folder(), LOCK, true).map_err(file_failure)?;
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if since.elapsed() < LOOKS_WITHIN => {
                std::thread::sleep(Duration::from_millis(10));
            }
            tried => return taken(bundle, file, tried),
        }
    }
}

/// The file, if the lock is held or the file system has none.
fn taken(
    bundle: &Bundle,
    file: File,
    tried: std::result::Result<(), TryLockError>,
) -> Result<Option<File>> {
    match tried {
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) if !has_no_locks(&e) => {
            Err(io_failure(&e, &bundle.folder().join(LOCK)))
        }
        _ => Ok(Some(file)),
    }
}
