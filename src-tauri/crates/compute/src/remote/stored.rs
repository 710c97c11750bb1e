//! The folder on a target. It stores contents by their hash, and the jobs and models that are made of these contents.
//!
//! ```text
//! blobs/SHA256          whole files, each once
//! parts/SHA256          files that are on their way
//! jobs/ID/…             bundles; jobs/ID/attempts/ID says which attempts were made
//! models/SHA256/NAME/…  base models
//! versions/ID/…         workers with their libtorch
//! ```

use super::{content, elsewhere};
use crate::bundle::Bundle;
use crate::error::Error;
use lexforge_domain::protocol::{JobId, Tree, TreeFile};
use lexforge_domain::{Code, Failure, Sha256};
use lexforge_files::inside;
use sha2::Digest;
use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const BLOBS: &str = "blobs";
const PARTS: &str = "parts";
const JOBS: &str = "jobs";
const MODELS: &str = "models";
/// A job or a model that came less than this ago may be about to be used.
const HOUR: Duration = Duration::from_secs(3_600);
/// A file that is sent in parts may be gone on with for so long.
const DAY: Duration = Duration::from_secs(86_400);

/// The folder.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    root: PathBuf,
    /// Folders of another program in which contents lie by their hash.
    hubs: Vec<PathBuf>,
}

/// A file that is being taken.
pub(crate) struct Taking {
    sha256: Sha256,
    /// Path of the file that is written until the content is whole.
    part: String,
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
            hubs: elsewhere::hubs(|name| std::env::var_os(name)),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn blob(&self, sha256: &Sha256) -> PathBuf {
        self.root.join(BLOBS).join(sha256.as_str())
    }

    /// How many bytes of a content have arrived already; `None` if the whole content is here. If another program on
    /// this machine has the content in its folder, it is copied from there. A copy stays if the other program removes
    /// its file, and only the owner can read it.
    pub(crate) fn have(&self, sha256: &Sha256) -> Option<u64> {
        let (blob, parts) = (self.blob(sha256), self.root.join(PARTS));
        let part = parts.join(sha256.as_str());
        let sent = std::fs::metadata(part).map_or(0, |meta| meta.len());
        // What cannot be copied is sent, as if nobody had it here. What is being sent already is not looked for: a damaged
        // copy of many gigabytes would be read anew after every cut.
        let is_there = || elsewhere::copy(&self.hubs, sha256, &parts, &blob);
        if blob.is_file() || (sent == 0 && is_there()) {
            return None;
        }
        Some(sent)
    }

    /// Begins to receive a content from an offset on. If two senders send the same content at the same time, each
    /// writes to its own file. Otherwise one sender could write into a file that the other has already finished and
    /// renamed.
    pub(crate) fn take(&self, sha256: Sha256, bytes: u64, offset: u64) -> Result<Taking, Failure> {
        let mut part = format!("{PARTS}/{sha256}");
        let mut file = inside::open_to_lock(&self.root, &part, true).map_err(Error::from)?;
        let place = self.root.join(&part);
        let there = file.metadata().map_err(Error::io(&place))?.len();
        if offset > there || offset > bytes {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("Of a file {there} bytes are there, and it was to go on at {offset}."),
                "Try again.",
            ));
        }
        // What was opened may have been given its name before it was locked.
        let is_others = matches!(file.try_lock(), Err(TryLockError::WouldBlock))
            || self.blob(&sha256).is_file();
        let mut own = None;
        if is_others {
            // A name like those of the other parts, so that a clean-up knows it.
            let name = Sha256::of_digest(rand::random::<[u8; 32]>());
            part = format!("{PARTS}/{name}");
            own = Some(inside::open_to_lock(&self.root, &part, true).map_err(Error::from)?);
        }
        let mut digest = sha2::Sha256::new();
        let mut prefix = (&mut file).take(offset);
        let mut buffer = vec![0; 1 << 17];
        loop {
            match prefix.read(&mut buffer).map_err(Error::io(&place))? {
                0 => break,
                n => {
                    digest.update(&buffer[..n]);
                    if let Some(own) = &mut own {
                        own.write_all(&buffer[..n]).map_err(Error::io(&place))?;
                    }
                }
            }
        }
        if let Some(own) = own {
            file = own;
        } else if there > bytes {
            // Bytes after the end would stay, and the content would not have the hash of its name.
            file.set_len(offset).map_err(Error::io(&place))?;
        }
        file.seek(SeekFrom::Start(offset))
            .map_err(Error::io(&place))?;
        Ok(Taking {
            sha256,
            part,
            bytes,
            at: offset,
            file,
            digest,
        })
    }

    /// Takes a piece; whether it was the last.
    pub(crate) fn piece(&self, taking: &mut Taking, piece: &[u8]) -> Result<bool, Failure> {
        let place = self.root.join(&taking.part);
        taking.file.write_all(piece).map_err(Error::io(&place))?;
        taking.digest.update(piece);
        taking.at += piece.len() as u64;
        Ok(taking.at >= taking.bytes)
    }

    /// Gives a content that came whole its name.
    pub(crate) fn taken(&self, taking: Taking) -> Result<(), Failure> {
        let place = self.root.join(&taking.part);
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
            // It is asked for again: it counts as new when the folder is cleaned.
            if let Ok(folder) = File::open(&place) {
                let _ = folder.set_modified(SystemTime::now());
            }
            return Ok(());
        }
        // A name that nobody has used: what a killed process left has links to contents in it.
        let aside = format!("{target}.{:016x}", rand::random::<u64>());
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
            match std::fs::hard_link(&from, &to) {
                Ok(()) => {}
                // It may be another name of a content, which writing to it would spoil.
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                    return Err(refused("two files of one name"));
                }
                // Not every file system has hard links.
                Err(_) => {
                    std::fs::copy(&from, &to).map_err(Error::io(&to))?;
                }
            }
        }
        Ok(())
    }

    /// The folder of a base model, for a worker that looks for it.
    pub(crate) fn model_folder(&self, content: &Sha256) -> PathBuf {
        self.root.join(MODELS).join(content.as_str())
    }

    /// The bundle of a job; `None` if there is no such job.
    pub(crate) fn bundle(&self, job: &JobId) -> Result<Option<Bundle>, Failure> {
        match inside::folder(&self.root, &format!("{JOBS}/{job}")) {
            Err(e) if e.is_absent() => Ok(None),
            Err(e) => Err(Error::from(e).into()),
            Ok(folder) => Bundle::open(&folder).map(Some),
        }
    }

    /// All jobs. What is no job's folder is not ours and left out.
    pub(crate) fn jobs(&self) -> Result<Vec<JobId>, Failure> {
        let folder = self.root.join(JOBS);
        let listed =
            std::fs::read_dir(&folder).and_then(|all| all.collect::<std::io::Result<Vec<_>>>());
        let entries = match listed {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(Error::io(&folder))?,
        };
        Ok(entries
            .into_iter()
            .filter_map(|entry| JobId::try_from(entry.file_name().into_string().ok()?).ok())
            .collect())
    }

    /// Removes a job's folder; gives the bytes that it had.
    pub(crate) fn remove_job(&self, job: &JobId) -> Result<u64, Failure> {
        let place = self.root.join(JOBS).join(job.as_str());
        let bytes = size_of(&place);
        match std::fs::remove_dir_all(&place) {
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(0),
            other => Ok(other.map(|()| bytes).map_err(Error::io(&place))?),
        }
    }

    /// Whether a job came a short time ago.
    pub(crate) fn is_new(&self, job: &JobId) -> bool {
        is_younger(&self.root.join(JOBS).join(job.as_str()), HOUR)
    }

    /// Contents that came lately and that no folder is made of yet: another connection is just sending the rest.
    pub(crate) fn on_its_way(&self) -> HashSet<String> {
        let entries = self.ours(BLOBS);
        let alone = entries.filter(|(_, path)| {
            std::fs::metadata(path).is_ok_and(|meta| links(&meta) <= 1) && is_younger(path, DAY)
        });
        alone.map(|(name, _)| name).collect()
    }

    /// Removes transfers that never finished, and contents that no job or model refers to. With `models`, also removes
    /// the models. Returns the number of removed bytes. Models and transfers that are recent stay, and so do the
    /// contents in `on_its_way`.
    pub(crate) fn remove_unused(&self, models: bool, on_its_way: &HashSet<String>) -> u64 {
        let mut bytes = 0;
        if models {
            for (_, path) in self
                .ours(MODELS)
                .filter(|(_, path)| !is_younger(path, HOUR))
            {
                let size = size_of(&path);
                if std::fs::remove_dir_all(&path).is_ok() {
                    bytes += size;
                }
            }
        }
        for path in self.unfinished() {
            let size = size_of(&path);
            if std::fs::remove_dir_all(&path).is_ok() {
                bytes += size;
            }
        }
        let parts = self.ours(PARTS).filter(|(_, path)| !is_younger(path, DAY));
        let blobs = self.ours(BLOBS).filter(|(name, path)| {
            !on_its_way.contains(name)
                && std::fs::metadata(path).is_ok_and(|meta| links(&meta) <= 1)
        });
        for (_, path) in parts.chain(blobs) {
            let size = std::fs::metadata(&path).map_or(0, |meta| meta.len());
            if std::fs::remove_file(&path).is_ok() {
                bytes += size;
            }
        }
        bytes
    }

    /// The unfinished folders of jobs and models: somebody began to make them long ago and was interrupted. The name of
    /// such a folder is an id or a hash, followed by an ending.
    fn unfinished(&self) -> Vec<PathBuf> {
        let listed = [JOBS, MODELS].map(|folder| std::fs::read_dir(self.root.join(folder)));
        let entries = listed.into_iter().flatten().flatten().flatten();
        let old = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let (of, _) = name.split_once('.')?;
            let ours =
                JobId::try_from(of.to_owned()).is_ok() || Sha256::try_from(of.to_owned()).is_ok();
            (ours && !is_younger(&entry.path(), DAY)).then(|| entry.path())
        });
        old.collect()
    }

    /// Those entries of a folder that have a hash as their name, as the entries of this program do. The folder may
    /// contain other things, if the user chose a folder that already had models or jobs in it.
    fn ours(&self, folder: &str) -> impl Iterator<Item = (String, PathBuf)> {
        let entries = std::fs::read_dir(self.root.join(folder));
        entries.into_iter().flatten().flatten().filter_map(|entry| {
            let name = Sha256::try_from(entry.file_name().into_string().ok()?).ok()?;
            Some((name.to_string(), entry.path()))
        })
    }
}

/// Whether something was changed less than so long ago. What the clock cannot say counts as young.
fn is_younger(path: &Path, age: Duration) -> bool {
    std::fs::symlink_metadata(path)
        .and_then(|meta| meta.modified())
        .is_ok_and(|at| at.elapsed().map_or(true, |since| since < age))
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
mod tests;
