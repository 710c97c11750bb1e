//! Files that another program stored on the target and that therefore need not be sent. In the cache of Hugging Face
//! the name of a large file is its SHA-256. So a base model that somebody downloaded there can be found.

use super::content;
use lexforge_domain::Sha256;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The caches of Hugging Face that these variables lead to, whether they are there or not.
pub(super) fn hubs(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let named = |name: &str, below: &str| {
        let folder = variable(name).filter(|folder| !folder.is_empty())?;
        Some(Path::new(&folder).join(below))
    };
    let all = [
        named("HF_HUB_CACHE", ""),
        named("HF_HOME", "hub"),
        named("XDG_CACHE_HOME", "huggingface/hub"),
        named("HOME", ".cache/huggingface/hub"),
    ];
    all.into_iter().flatten().collect()
}

/// Looks in the caches for a file with this SHA-256, and copies it to `to`. The copy is first written in the folder
/// `parts`, so that `to` is never an incomplete file. If several files have the SHA-256 as their name, the first that
/// is not damaged is taken. Returns whether a file was copied.
pub(super) fn copy(hubs: &[PathBuf], sha256: &Sha256, parts: &Path, to: &Path) -> bool {
    named_so(hubs, sha256)
        .iter()
        .any(|from| copy_whole(from, sha256, parts, to).is_ok_and(|is_whole| is_whole))
}

/// Copies a file, if its content is the one that its name says. A damaged one is left where it is, and is not used.
fn copy_whole(from: &Path, sha256: &Sha256, parts: &Path, to: &Path) -> std::io::Result<bool> {
    let mut from = File::open(from)?;
    // A name like those of the other parts, so that a clean-up knows it.
    let part = parts.join(Sha256::of_digest(rand::random::<[u8; 32]>()).as_str());
    let copied = File::create_new(&part)
        .and_then(|mut file| std::io::copy(&mut from, &mut file).and_then(|_| file.sync_all()))
        .and_then(|()| content::hash(File::open(&part)?))
        .and_then(|(found, _)| match found == *sha256 {
            true => std::fs::rename(&part, to).map(|()| true),
            false => Ok(false),
        });
    if !matches!(copied, Ok(true)) {
        let _ = std::fs::remove_file(&part);
    }
    copied
}

/// The files that are named by this content in the caches. Whether they have the content is not known yet.
fn named_so(hubs: &[PathBuf], sha256: &Sha256) -> Vec<PathBuf> {
    let models = hubs.iter().filter_map(|hub| std::fs::read_dir(hub).ok());
    let files = models
        .flat_map(|models| models.flatten())
        .map(|model| model.path().join("blobs").join(sha256.as_str()));
    files.filter(|file| file.is_file()).collect()
}
