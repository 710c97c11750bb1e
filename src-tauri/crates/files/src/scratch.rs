//! A folder for one job.

use crate::Error;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// File in the folder whose lock says that its owner lives.
pub(crate) const OWNER_FILE: &str = "owner";
/// The beginning of the name of every scratch folder.
const PREFIX: &str = "lexforge-";
/// The purposes of scratch folders.
const PURPOSES: [&str; 9] = [
    "adopt", "embed", "export", "hosts", "inspect", "run", "score", "serve", "tokens",
];

/// Folders of this process.
static OURS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A folder for one job, `lexforge-PURPOSE-PROCESS-NUMBER`. It is removed when this value is dropped. While the folder
/// exists, its owner holds a lock in it.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    owner: Option<File>,
}

impl Scratch {
    /// Makes a scratch folder in `parent`, which is created if it is missing. The purpose is one of the known words.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn new(parent: &Path, purpose: &str) -> Result<Self, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        debug_assert!(
            PURPOSES.contains(&purpose),
            "{purpose} is not known as a purpose. This is a bug."
        );
        std::fs::create_dir_all(parent).map_err(Error::io(parent))?;
        loop {
            let n = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("{PREFIX}{purpose}-{}-{n}", std::process::id()));
            // Registered before it exists, so that no other thread takes it for a leftover.
            ours().insert(path.clone());
            match std::fs::create_dir(&path) {
                // An earlier process with the same number was killed and left it. It will be found as a leftover.
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                    ours().remove(&path);
                    continue;
                }
                other => other.map_err(Error::io(&path))?,
            }
            let mut scratch = Self { path, owner: None };
            let file = scratch.path.join(OWNER_FILE);
            let owner = File::create_new(&file).map_err(Error::io(&file))?;
            // On a file system without locks, the number of the process says whose the folder is.
            let _ = owner.try_lock();
            scratch.owner = Some(owner);
            return Ok(scratch);
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the folder to its final name. The folder is complete, since its content was made in it.
    ///
    /// # Errors
    /// The system refuses. Then the folder is removed.
    pub fn keep_as(mut self, target: &Path) -> Result<(), Error> {
        drop(self.owner.take());
        let file = self.path.join(OWNER_FILE);
        std::fs::remove_file(&file).map_err(Error::io(&file))?;
        std::fs::rename(&self.path, target).map_err(Error::io(target))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(self.owner.take());
        // A folder that cannot be removed costs space until it is found as a leftover.
        let _ = std::fs::remove_dir_all(&self.path);
        ours().remove(&self.path);
    }
}

/// Whether a folder is one that this process is working in.
pub(crate) fn is_ours(path: &Path) -> bool {
    ours().contains(path)
}

fn ours() -> std::sync::MutexGuard<'static, BTreeSet<PathBuf>> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The process of a scratch folder by its name; `None` if the name is not of that form.
pub(crate) fn process_of(name: &str) -> Option<u32> {
    let mut parts = name.strip_prefix(PREFIX)?.split('-');
    let (purpose, process, number) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let whole =
        parts.next().is_none() && PURPOSES.contains(&purpose) && digits(process) && digits(number);
    if whole { process.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_its_owner_unless_it_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(&folder.path().join("new"), "embed").unwrap();
        let path = scratch.path().to_owned();
        assert!(path.is_dir() && is_ours(&path));
        assert_eq!(
            process_of(path.file_name().unwrap().to_str().unwrap()),
            Some(std::process::id())
        );
        drop(scratch);
        assert!(!path.exists() && !is_ours(&path));

        let scratch = Scratch::new(folder.path(), "run").unwrap();
        std::fs::write(scratch.path().join("a"), "a").unwrap();
        let target = folder.path().join("run-1");
        scratch.keep_as(&target).unwrap();
        let kept: Vec<_> = std::fs::read_dir(&target)
            .unwrap()
            .flatten()
            .map(|e| e.file_name())
            .collect();
        assert_eq!(kept, ["a"]);
    }

    #[test]
    fn only_names_of_ours_are_known() {
        for (name, process) in [
            ("lexforge-export-12-0", Some(12)),
            ("lexforge-inspect-4000000000-17", Some(4_000_000_000)),
            ("lexforge-letters-12-0", None),
            ("lexforge-export-12", None),
            ("lexforge-export-12-0-1", None),
            ("lexforge-export-+12-0", None),
            ("lexforge-export-12-", None),
            ("export-12-0", None),
            ("lexforge-export-99999999999-0", None),
        ] {
            assert_eq!(process_of(name), process, "{name}");
        }
    }
}
