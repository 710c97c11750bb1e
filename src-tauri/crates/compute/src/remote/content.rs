//! Files by their content.

use crate::error::Error;
use lexforge_domain::protocol::TreeFile;
use lexforge_domain::{Failure, Sha256};
use serde::{Deserialize, Serialize};
use sha2::Digest;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A file here that belongs to a folder on a target.
#[derive(Clone, Debug)]
pub struct LocalFile {
    /// As it is named there.
    pub file: TreeFile,
    /// Its place on this machine.
    pub place: PathBuf,
}

/// The SHA-256 of what a reader gives, and how much it was.
pub(crate) fn hash(mut input: impl Read) -> std::io::Result<(Sha256, u64)> {
    let mut digest = sha2::Sha256::new();
    let mut buffer = vec![0; 1 << 17];
    let mut bytes = 0;
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok((Sha256::of_digest(digest.finalize()), bytes)),
            n => {
                digest.update(&buffer[..n]);
                bytes += n as u64;
            }
        }
    }
}

/// One hash over the files of a folder.
pub(crate) fn tree_hash(files: &[TreeFile]) -> Sha256 {
    let mut lines: Vec<String> = files
        .iter()
        .map(|f| format!("{} {} {}\n", f.sha256, f.bytes, f.path))
        .collect();
    lines.sort_unstable();
    Sha256::of_digest(sha2::Sha256::digest(lines.concat()))
}

/// Hashes of large files, so that each is read once: kept by path, length and time of change.
#[derive(Debug)]
pub struct KnownHashes {
    file: PathBuf,
    known: BTreeMap<String, Known>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Known {
    bytes: u64,
    changed: u128,
    sha256: Sha256,
}

/// Smaller files are hashed again each time.
const SMALL: u64 = 1 << 20;

impl KnownHashes {
    /// The hashes stored in a file. Empty if the file cannot be read.
    pub fn of_file(file: &Path) -> Self {
        let known = std::fs::read(file)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self {
            file: file.to_owned(),
            known,
        }
    }

    /// Describes a file of this machine for a target: the path that it gets there, its size and its hash.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn local_file(&mut self, place: &Path, path: &str) -> Result<LocalFile, Failure> {
        let read = || -> std::io::Result<(u64, u128)> {
            let meta = std::fs::metadata(place)?;
            let changed = meta.modified()?.duration_since(UNIX_EPOCH);
            Ok((meta.len(), changed.map_or(0, |time| time.as_nanos())))
        };
        let (bytes, changed) = read().map_err(Error::io(place))?;
        let key = std::path::absolute(place)
            .unwrap_or_else(|_| place.to_owned())
            .display()
            .to_string();
        let known = self
            .known
            .get(&key)
            .filter(|known| (known.bytes, known.changed) == (bytes, changed));
        let sha256 = match known {
            Some(known) => known.sha256.clone(),
            None => {
                let file = std::fs::File::open(place).map_err(Error::io(place))?;
                let (sha256, _) = hash(file).map_err(Error::io(place))?;
                if bytes >= SMALL {
                    let entry = Known {
                        bytes,
                        changed,
                        sha256: sha256.clone(),
                    };
                    self.known.insert(key, entry);
                }
                sha256
            }
        };
        Ok(LocalFile {
            file: TreeFile {
                path: path.to_owned(),
                sha256,
                bytes,
            },
            place: place.to_owned(),
        })
    }

    /// Keeps what is known.
    pub fn keep(&self) {
        // Without the file everything is hashed again, which costs time and harms nothing.
        if let Ok(text) = serde_json::to_vec(&self.known) {
            let new = self
                .file
                .with_extension(format!("{}.new", std::process::id()));
            let kept = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &self.file));
            if kept.is_err() {
                let _ = std::fs::remove_file(&new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_has_another_hash_and_a_known_one_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let (file, cache) = (folder.path().join("f"), folder.path().join("hashes"));
        std::fs::write(&file, vec![1; SMALL as usize]).unwrap();
        let mut known = KnownHashes::of_file(&cache);
        let first = known.local_file(&file, "a/f").unwrap().file;
        known.keep();
        assert_eq!(first.bytes, SMALL);
        let mut known = KnownHashes::of_file(&cache);
        assert_eq!(known.local_file(&file, "a/f").unwrap().file, first);
        std::fs::write(&file, vec![2; SMALL as usize + 1]).unwrap();
        assert_ne!(
            known.local_file(&file, "a/f").unwrap().file.sha256,
            first.sha256
        );
        let other = TreeFile {
            path: "b/f".into(),
            ..first.clone()
        };
        assert_ne!(
            tree_hash(&[first.clone(), other.clone()]),
            tree_hash(std::slice::from_ref(&first))
        );
        assert_eq!(
            tree_hash(&[first.clone(), other.clone()]),
            tree_hash(&[other, first])
        );
    }
}
