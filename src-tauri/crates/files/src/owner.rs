//! Whether the program that something belongs to still lives.

use std::fs::{File, TryLockError};
use std::path::Path;

/// Whether a process of this number lives.
pub(crate) fn lives(pid: u32) -> bool {
    #[cfg(unix)]
    {
        let Some(pid) = i32::try_from(pid)
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        else {
            return false;
        };
        // If we lack the right to ask, the process exists.
        !matches!(
            rustix::process::test_kill_process(pid),
            Err(rustix::io::Errno::SRCH)
        )
    }
    // Elsewhere the lock decides, and an open file cannot be removed.
    #[cfg(not(unix))]
    {
        let _ = pid;
        false
    }
}

/// Whether a process holds the lock of a file. A file that cannot be opened counts as not locked.
pub(crate) fn is_held(path: &Path) -> bool {
    if !std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let Ok(file) = File::options().write(true).open(path) else {
        return false;
    };
    // The lock is a shared one, so that two processes that check at the same time do not take each other for the owner.
    // The lock ends when the file is closed.
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}
