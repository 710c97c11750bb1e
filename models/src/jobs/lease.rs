//! Says which process may use a GPU. A training takes the GPU for itself. A server that starts meanwhile computes on
//! the CPU and says so.
//!
//! The lease is an operating-system lock on a file of this machine, so it ends with its process, even if the process is
//! killed.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// The lease of one device, until this is dropped.
#[derive(Debug)]
pub struct Lease {
    _lock: File,
}

impl Lease {
    /// Takes the lease of a device by its name. `None` if another process has it, or if this cannot be found out (for
    /// example because the file belongs to another user). The lease is voluntary, so the caller can go on without it.
    pub fn take(folder: &Path, device: &str) -> Option<Self> {
        let lock = open(folder, device)?;
        lock.try_lock().ok().map(|()| Self { _lock: lock })
    }

    /// Whether another process has the lease of a device.
    pub fn is_taken(folder: &Path, device: &str) -> bool {
        // The lock that this takes where it can ends with the file.
        open(folder, device)
            .is_some_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
    }
}

/// The folder of the leases. All processes of this machine share it, and a restart empties it.
pub(crate) fn usual_folder() -> PathBuf {
    std::env::temp_dir()
}

fn open(folder: &Path, device: &str) -> Option<File> {
    let name = format!("lexforge-{}.lease", device.replace(':', "-"));
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join(name))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_until_it_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let taken = |device: &str| Lease::is_taken(folder.path(), device);
        assert!(!taken("cuda:0"));
        let lease = Lease::take(folder.path(), "cuda:0").unwrap();
        assert!(taken("cuda:0") && !taken("cuda:1"));
        assert!(Lease::take(folder.path(), "cuda:0").is_none());
        drop(lease);
        assert!(!taken("cuda:0") && Lease::take(folder.path(), "cuda:0").is_some());
        // Without the folder there is no lease, and nothing fails.
        let absent = folder.path().join("absent");
        assert!(!Lease::is_taken(&absent, "cuda:0") && Lease::take(&absent, "cuda:0").is_none());
    }
}
