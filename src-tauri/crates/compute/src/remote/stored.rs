//! The folder on a target: contents by their hash, jobs and models made of them.
//!
//! ```text
//! blobs/SHA256          whole files, each once
//! parts/SHA256          files that are on their way
//! jobs/ID/…             bundles; jobs/ID/attempts/ID says which attempts were made
//! models/SHA256/NAME/…  base models
//! versions/ID/…         workers with their libtorch
//! ```

use super::content;
use crate::bundle::Bundle;
use crate::error::Error;
use lexforge_domain::protocol::{JobId, Tree, TreeFile};
use lexforge_domain::{Code, Failure, Sha256};
use lexforge_files::inside;
use sha2::Digest;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const BLOBS: &str = "blobs";
const PARTS: &str = "parts";
const JOBS: &str = "jobs";
const MODELS: &str = "models";

/// The folder.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    root: PathBuf,
}

/// A file that is being taken.
pub(crate) struct Taking {
    sha256: Sha256,
    bytes: u64,
    at: u64,
    file: File,
    digest: sha2::Sha256,
}

impl Stored {
    /// The folder, made where it is not there.
    pub(crate) fn open(root: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(root).map_err(Error::io(root))?;
        for name in [BLOBS, PARTS, JOBS, MODELS] {
            inside::make_folder(root, name).map_err(Error::from)?;
        }
        Ok(Self {
            root: root.to_owned(),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn blob(&self, sha256: &Sha256) -> PathBuf {
        self.root.join(BLOBS).join(sha256.as_str())
    }

    /// How much of a content is there; none = all of it.
    pub(crate) fn have(&self, sha256: &Sha256) -> Option<u64> {
        if self.blob(sha256).is_file() {
            return None;
        }
        let part = self.root.join(PARTS).join(sha256.as_str());
        Some(std::fs::metadata(part).map_or(0, |meta| meta.len()))
    }

    /// Begins to take a content from an offset on. Whoever else takes it at the same time writes the same bytes to the same
    /// places.
    pub(crate) fn take(&self, sha256: Sha256, bytes: u64, offset: u64) -> Result<Taking, Failure> {
        let path = format!("{PARTS}/{sha256}");
        let mut file = inside::open_to_lock(&self.root, &path, true).map_err(Error::from)?;
        let place = self.root.join(&path);
        let there = file.metadata().map_err(Error::io(&place))?.len();
        if offset > there || offset > bytes {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("Of a file {there} bytes are there, and it was to go on at {offset}."),
                "Try again.",
            ));
        }
        let mut digest = sha2::Sha256::new();
        let mut prefix = (&mut file).take(offset);
        let mut buffer = vec![0; 1 << 17];
        loop {
            match prefix.read(&mut buffer).map_err(Error::io(&place))? {
                0 => break,
                n => digest.update(&buffer[..n]),
            }
        }
        file.seek(SeekFrom::Start(offset))
            .map_err(Error::io(&place))?;
        Ok(Taking {
            sha256,
            bytes,
            at: offset,
            file,
            digest,
        })
    }

    /// Takes a piece; whether it was the last.
    pub(crate) fn piece(&self, taking: &mut Taking, piece: &[u8]) -> Result<bool, Failure> {
        let place = self.root.join(PARTS).join(taking.sha256.as_str());
        taking.file.write_all(piece).map_err(Error::io(&place))?;
        taking.digest.update(piece);
        taking.at += piece.len() as u64;
        Ok(taking.at >= taking.bytes)
    }

    /// Gives a content that came whole its name.
    pub(crate) fn taken(&self, taking: Taking) -> Result<(), Failure> {
        let place = self.root.join(PARTS).join(taking.sha256.as_str());
        let found = Sha256::of_digest(taking.digest.finalize());
        if found != taking.sha256 || taking.at != taking.bytes {
            // What is there is of no use to go on from.
            let _ = std::fs::remove_file(&place);
            return Err(Failure::new(
                Code::BundleInvalid,
                format!(
                    "A file came with another content than was said: {found} for {}.",
                    taking.sha256
                ),
                "Nothing of it was kept. Try again; where it happens again, the disk of the target is not to be trusted.",
            ));
        }
        taking.file.sync_all().map_err(Error::io(&place))?;
        match std::fs::rename(&place, self.blob(&taking.sha256)) {
            Err(_) if self.blob(&taking.sha256).is_file() => Ok(()),
            other => Ok(other.map_err(Error::io(&place))?),
        }
    }

    /// Makes a folder of contents that are there, whole or not at all.
    pub(crate) fn place(&self, tree: &Tree, files: &[TreeFile]) -> Result<(), Failure> {
        let (target, below) = match tree {
            Tree::Job { job } => (format!("{JOBS}/{job}"), String::new()),
            Tree::Model { content, name } => {
                if *content != content::tree_hash(files) {
                    return Err(refused("a model whose files are not those of its hash"));
                }
                (format!("{MODELS}/{content}"), format!("{name}/"))
            }
        };
        let place = inside::place(&self.root, &target).map_err(Error::from)?;
        if place.is_dir() {
            return Ok(());
        }
        let aside = format!("{target}.{}", std::process::id());
        let made = self.fill(&aside, &below, files);
        let aside = self.root.join(aside);
        let named = made.and_then(|()| match std::fs::rename(&aside, &place) {
            Err(_) if place.is_dir() => Ok(()),
            other => Ok(other.map_err(Error::io(&place))?),
        });
        if aside.exists() {
            // Another connection was faster, or it could not be made.
            let _ = std::fs::remove_dir_all(&aside);
        }
        named
    }

    fn fill(&self, aside: &str, below: &str, files: &[TreeFile]) -> Result<(), Failure> {
        inside::make_folder(&self.root, aside).map_err(Error::from)?;
        for file in files {
            let path = format!("{aside}/{below}{}", file.path);
            if let Some((folder, _)) = path.rsplit_once('/') {
                inside::make_folder(&self.root, folder).map_err(Error::from)?;
            }
            let to = inside::place(&self.root, &path).map_err(Error::from)?;
            let from = self.blob(&file.sha256);
            if !from.is_file() {
                return Err(refused("a file that is not there"));
            }
            // Not every file system has hard links.
            if std::fs::hard_link(&from, &to).is_err() {
                std::fs::copy(&from, &to).map_err(Error::io(&to))?;
            }
        }
        Ok(())
    }

    /// Where a base model lies, for a worker that looks for it.
    pub(crate) fn model_folder(&self, content: &Sha256) -> PathBuf {
        self.root.join(MODELS).join(content.as_str())
    }

    /// The bundle of a job; none where there is no such job.
    pub(crate) fn bundle(&self, job: &JobId) -> Result<Option<Bundle>, Failure> {
        match inside::folder(&self.root, &format!("{JOBS}/{job}")) {
            Err(e) if e.is_absent() => Ok(None),
            Err(e) => Err(Error::from(e).into()),
            Ok(folder) => Bundle::open(&folder).map(Some),
        }
    }

    /// All jobs.
    pub(crate) fn jobs(&self) -> Vec<JobId> {
        let Ok(entries) = std::fs::read_dir(self.root.join(JOBS)) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| JobId::try_from(entry.file_name().into_string().ok()?).ok())
            .collect()
    }

    /// Removes a job's folder; gives the bytes that it had.
    pub(crate) fn remove_job(&self, job: &JobId) -> Result<u64, Failure> {
        let place = self.root.join(JOBS).join(job.as_str());
        let bytes = size_of(&place);
        match std::fs::remove_dir_all(&place) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(0),
            other => Ok(other.map(|()| bytes).map_err(Error::io(&place))?),
        }
    }

    /// Removes all models, what is on its way, and contents that nothing else refers to; gives the bytes.
    pub(crate) fn remove_unused(&self, models: bool) -> u64 {
        let mut bytes = 0;
        let mut emptied = vec![PARTS];
        if models {
            emptied.push(MODELS);
        }
        for name in emptied {
            let folder = self.root.join(name);
            bytes += size_of(&folder);
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                // What another connection is just using stays and is removed the next time.
                let path = entry.path();
                let _ = if path.is_dir() {
                    std::fs::remove_dir_all(path)
                } else {
                    std::fs::remove_file(path)
                };
            }
        }
        for entry in std::fs::read_dir(self.root.join(BLOBS))
            .into_iter()
            .flatten()
            .flatten()
        {
            if let Ok(meta) = entry.metadata()
                && links(&meta) <= 1
                && std::fs::remove_file(entry.path()).is_ok()
            {
                bytes += meta.len();
            }
        }
        bytes
    }
}

/// How many names a file has.
#[cfg(unix)]
fn links(meta: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(meta)
}

/// Where it is not known, a content counts as unused: what was made of it is a copy.
#[cfg(not(unix))]
fn links(_: &std::fs::Metadata) -> u64 {
    1
}

fn size_of(folder: &Path) -> u64 {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => bytes += size_of(&entry.path()),
            Ok(kind) if kind.is_file() => bytes += entry.metadata().map_or(0, |meta| meta.len()),
            _ => {}
        }
    }
    bytes
}

fn refused(what: &str) -> Failure {
    Failure::new(
        Code::InvalidRequest,
        format!("The target was to make a folder with {what}."),
        "Try again.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored() -> (tempfile::TempDir, Stored) {
        let folder = tempfile::tempdir().unwrap();
        let stored = Stored::open(&folder.path().join("root")).unwrap();
        (folder, stored)
    }

    fn file(path: &str, bytes: &[u8]) -> TreeFile {
        let (sha256, length) = content::hash(bytes).unwrap();
        TreeFile {
            path: path.into(),
            sha256,
            bytes: length,
        }
    }

    fn put(stored: &Stored, bytes: &[u8], pieces: &[usize]) -> Result<(), Failure> {
        let named = file("x", bytes);
        let mut at = 0;
        for end in pieces {
            // Each time a new connection, which asks how much is there.
            let offset = stored.have(&named.sha256).unwrap();
            assert_eq!(offset, at as u64);
            let mut taking = stored.take(named.sha256.clone(), named.bytes, offset)?;
            let whole = stored.piece(&mut taking, &bytes[at..*end])?;
            at = *end;
            if whole {
                stored.taken(taking)?;
            }
        }
        Ok(())
    }

    #[test]
    fn a_content_comes_in_parts_and_is_whole_or_not_there() {
        let (_folder, stored) = stored();
        let bytes = b"what is sent in several goes";
        put(&stored, bytes, &[5, 11, bytes.len()]).unwrap();
        assert_eq!(stored.have(&file("x", bytes).sha256), None);
        // Another content under this name is not kept.
        let named = file("x", b"right");
        let mut taking = stored.take(named.sha256.clone(), 5, 0).unwrap();
        assert!(stored.piece(&mut taking, b"wrong").unwrap());
        assert_eq!(stored.taken(taking).unwrap_err().code, Code::BundleInvalid);
        assert_eq!(stored.have(&named.sha256), Some(0));
        assert!(stored.take(named.sha256, 5, 3).is_err());
    }

    #[test]
    fn folders_are_made_of_what_is_there_and_removed_with_it() {
        let (_folder, stored) = stored();
        put(&stored, b"one", &[3]).unwrap();
        put(&stored, b"two", &[3]).unwrap();
        let job = JobId::of_bytes([1; 16]);
        let tree = Tree::Job { job: job.clone() };
        let missing = [file("job.json", b"one"), file("inputs/a", b"three")];
        assert!(stored.place(&tree, &missing).is_err());
        assert!(stored.jobs().is_empty());
        for path in ["../out", "/etc/x", "a/../../b"] {
            assert!(
                stored.place(&tree, &[file(path, b"one")]).is_err(),
                "{path}"
            );
        }
        let files = [file("job.json", b"one"), file("inputs/a", b"two")];
        stored.place(&tree, &files).unwrap();
        stored.place(&tree, &files).unwrap();
        assert_eq!(stored.jobs(), std::slice::from_ref(&job));
        // What a folder is made of stays; what nothing is made of goes.
        put(&stored, b"four", &[4]).unwrap();
        assert_eq!(stored.remove_unused(true), 4);
        assert_eq!(stored.have(&file("x", b"four").sha256), Some(0));
        assert_eq!(stored.have(&file("x", b"one").sha256), None);
        assert!(stored.remove_job(&job).unwrap() > 0);
        stored.remove_unused(true);
        assert_eq!(stored.have(&file("x", b"one").sha256), Some(0));
    }
}
