//! Which workspaces this process has open. Locks of the system do not tell: a process never keeps itself out.

use crate::file_system::FileId;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

static OPEN: Mutex<Vec<FileId>> = Mutex::new(Vec::new());

fn open() -> MutexGuard<'static, Vec<FileId>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One opening of a file, until it goes.
#[derive(Debug)]
pub(crate) struct OpenHere(Option<FileId>);

impl OpenHere {
    pub fn of(path: &Path) -> Self {
        let file = FileId::of(path).ok().flatten();
        open().extend(file);
        Self(file)
    }
}

impl Drop for OpenHere {
    fn drop(&mut self) {
        let mut open = open();
        if let Some(at) = open.iter().position(|file| Some(*file) == self.0) {
            open.swap_remove(at);
        }
    }
}

/// Whether this process has the file at `path` open.
pub(crate) fn is_open_here(path: &Path) -> bool {
    let file = FileId::of(path).ok().flatten();
    file.is_some_and(|file| open().contains(&file))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_is_open_until_the_last_opening_goes() {
        let folder = tempfile::tempdir().unwrap();
        let (path, moved) = (folder.path().join("w"), folder.path().join("moved"));
        std::fs::write(&path, "").unwrap();
        let (one, other) = (OpenHere::of(&path), OpenHere::of(&path));
        drop(one);
        assert!(is_open_here(&path));
        std::fs::rename(&path, &moved).unwrap();
        assert!(is_open_here(&moved) && !is_open_here(&path));
        drop(other);
        assert!(!is_open_here(&moved));
    }
}
