//! The folder beside a workspace's file: what lies in it, and what killed programs left there.

use lexforge_files::{Leftovers, inside, remove_leftovers};
use lexforge_store::Workspace;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Folder of the bundles.
pub(crate) const BUNDLES: &str = "bundles";
/// Folder of the adapters.
pub(crate) const ADAPTERS: &str = "adapters";

/// Folder of what is worked out of the vectors in the workspace, and made again when it is missing.
pub(crate) const VECTORS: &str = "vectors";

/// Files that were removed since the last time somebody asked.
static REMOVED: Mutex<Leftovers> = Mutex::new(Leftovers {
    folders: 0,
    files: 0,
    bytes: 0,
});

/// Files left by killed programs that were removed since the last call, to be reported to the user.
pub fn removed_leftovers() -> Leftovers {
    std::mem::take(&mut *REMOVED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes what killed programs left in a folder, and remembers it for [`removed_leftovers`].
pub(crate) fn clear(folder: &Path) -> Leftovers {
    let removed = remove_leftovers(folder);
    *REMOVED.lock().unwrap_or_else(PoisonError::into_inner) += removed;
    removed
}

/// Removes what killed programs left in a workspace's places; the chain records it.
pub(super) fn clear_leftovers(store: &Workspace, actor: &str) {
    let artifacts = store.artifacts_path();
    let beside = store
        .path()
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut removed = clear(beside);
    for name in [BUNDLES, ADAPTERS, VECTORS] {
        if let Ok(folder) = inside::folder(&artifacts, name) {
            removed += clear(&folder);
        }
    }
    clear(&std::env::temp_dir());
    if !removed.is_empty() {
        let (folders, files, bytes) = (removed.folders, removed.files, removed.bytes);
        tracing::info!(
            folders,
            files,
            bytes,
            "leftovers of killed programs were removed"
        );
        // Nothing is written into a workspace opened for reading. The caller is told in any case.
        let _ = store.write(actor, |w| {
            w.note("leftovers.remove", "workspace", Some(&removed.words()))
        });
    }
}
