//! One sweep of a workspace at a time: two would choose the same number, and take up each other's runs.

use crate::workspace::{Result, file_failure, io_failure};
use lexforge_domain::{Code, Failure};
use lexforge_files::inside;
use std::fs::{File, TryLockError};
use std::path::Path;

/// The file that is locked, in the folder of artifacts.
const LOCK_FILE: &str = "sweep.lock";

/// Takes the lock that lets only one sweep run in a workspace at a time. The lock lasts as long as the file is open. So
/// it ends with the program, even if the program is killed.
pub(super) fn alone(artifacts: &Path) -> Result<File> {
    let file = inside::open_to_lock(artifacts, LOCK_FILE, true).map_err(file_failure)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Failure::new(
            Code::WorkspaceBusy,
            "A sweep of this workspace is under way already.",
            "Wait until it has ended, or end it: what it has trained is kept, and the same sweep goes on from there.",
        )),
        Err(TryLockError::Error(e)) => Err(io_failure(&e, &artifacts.join(LOCK_FILE))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_and_the_third_gets_what_the_first_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let first = alone(folder.path()).unwrap();
        let told = alone(folder.path()).unwrap_err();
        assert_eq!(told.code, Code::WorkspaceBusy);
        drop(first);
        assert!(alone(folder.path()).is_ok());
    }
}
