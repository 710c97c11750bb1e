//! The disk space of a workspace and its models.

use super::Models;
use super::bases::model_places;
use crate::workspace::{ADAPTERS, BUNDLES, VECTORS};
use lexforge_domain::api::{Storage, StoragePart, StorageRow};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Deeper folders are not entered.
const DEPTH: usize = 32;

impl Models<'_> {
    /// The users of disk space, and the free space. What cannot be examined is not counted.
    pub fn storage(&self) -> Storage {
        let file = self.workspace.store.path();
        let artifacts = self.workspace.store.artifacts_path();
        let mut rows = vec![workspace(file)];
        let named = [
            (BUNDLES, StoragePart::Bundles),
            (ADAPTERS, StoragePart::Adapters),
            (VECTORS, StoragePart::Vectors),
        ];
        for (name, part) in named {
            rows.push(row(part, &artifacts.join(name)));
        }
        let is_named = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            named.iter().any(|(known, _)| name == *known)
        };
        let mut others = empty(StoragePart::Others, &artifacts);
        for path in entries(&artifacts).into_iter().filter(|p| !is_named(p)) {
            add(&mut others, &path, None, DEPTH);
        }
        rows.push(others);
        rows.extend(model_places().iter().map(|folder| models(folder)));
        rows.retain(|row| row.files > 0);
        let beside = file.parent().filter(|p| !p.as_os_str().is_empty());
        Storage {
            rows,
            encrypted: self.workspace.is_encrypted(),
            free: fs4::available_space(beside.unwrap_or(Path::new("."))).ok(),
        }
    }
}

fn workspace(file: &Path) -> StorageRow {
    let mut own = row(StoragePart::Workspace, file);
    for ending in ["-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        add(&mut own, Path::new(&name), None, 0);
    }
    own
}

/// A folder of models. It often contains links into another folder, so the targets are counted, each once.
fn models(folder: &Path) -> StorageRow {
    let mut row = empty(StoragePart::Models, folder);
    add(&mut row, folder, Some(&mut HashSet::new()), DEPTH);
    row
}

fn row(part: StoragePart, path: &Path) -> StorageRow {
    let mut row = empty(part, path);
    add(&mut row, path, None, DEPTH);
    row
}

fn empty(part: StoragePart, path: &Path) -> StorageRow {
    StorageRow {
        part,
        path: path.display().to_string(),
        bytes: 0,
        files: 0,
    }
}

/// Adds what lies at a path. Links are followed to files only, and only where the files that were counted are known.
fn add(
    row: &mut StorageRow,
    path: &Path,
    mut counted: Option<&mut HashSet<PathBuf>>,
    depth: usize,
) {
    let Ok(own) = fs::symlink_metadata(path) else {
        return;
    };
    if own.is_dir() {
        if depth > 0 {
            for entry in entries(path) {
                add(row, &entry, counted.as_deref_mut(), depth - 1);
            }
        }
        return;
    }
    let bytes = match counted {
        None if own.is_symlink() => None,
        None => Some(own.len()),
        Some(counted) => path
            .canonicalize()
            .ok()
            .filter(|real| counted.insert(real.clone()))
            .and_then(|real| fs::metadata(real).ok())
            .filter(fs::Metadata::is_file)
            .map(|about| about.len()),
    };
    if let Some(bytes) = bytes {
        row.bytes += bytes;
        row.files += 1;
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;

    #[test]
    fn what_takes_room_is_told_part_by_part() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let artifacts = engine.workspace().store.artifacts_path();
        for (path, bytes) in [
            ("bundles/1/job.json", 10),
            ("bundles/1/checkpoints/a/weights", 100),
            ("adapters/ab/adapter.safetensors", 1000),
            ("report.html", 7),
        ] {
            let path = artifacts.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![0; bytes]).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/", artifacts.join("bundles/everything")).unwrap();
        #[cfg(unix)]
        {
            // Hugging Face's layout: the file once, and a link to it.
            let cache = folder.path().join("models");
            fs::create_dir_all(cache.join("blobs")).unwrap();
            fs::write(cache.join("blobs/a"), vec![0; 50]).unwrap();
            std::os::unix::fs::symlink(cache.join("blobs/a"), cache.join("weights")).unwrap();
            let row = models(&cache);
            assert_eq!((row.bytes, row.files), (50, 1));
        }
        let storage = engine.models().storage();
        let of = |part: StoragePart| {
            let row = storage.rows.iter().find(|row| row.part == part);
            row.map(|row| (row.bytes, row.files))
        };
        assert_eq!(of(StoragePart::Bundles), Some((110, 2)));
        assert_eq!(of(StoragePart::Adapters), Some((1000, 1)));
        assert_eq!(of(StoragePart::Others), Some((7, 1)));
        assert_eq!(of(StoragePart::Vectors), None);
        assert!(of(StoragePart::Workspace).is_some_and(|(bytes, _)| bytes > 4096));
        assert!(storage.free.is_some_and(|free| free > 0));
    }
}
