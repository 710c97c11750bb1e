//! The description in a package: its version, its system, and each file with its hash.

use super::home::{BEFORE, version};
use super::signature::refused;
use crate::workspace::{Result, Watcher, cancelled, file_failure, io_failure, tell};
use lexforge_domain::Failure;
use lexforge_domain::api::Stage;
use lexforge_domain::plain::is_plain_path;
use lexforge_files::inside;
use semver::Version;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// The file that says it, in the folder of a version and at the head of an archive.
pub(super) const RELEASE: &str = "release.json";
/// More is no such file.
pub(super) const MOST: u64 = 16 << 20;
/// The form of the file that this version reads.
const FORMAT: u32 = 1;
/// The program by which a version is known.
const PROGRAM: &str = "lexforge";

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Release {
    /// The form of this file.
    pub(super) format: u32,
    /// `lexforge`.
    pub(super) product: String,
    pub(super) version: String,
    /// System and processor that it runs on: `linux-x86_64`.
    pub(super) system: String,
    /// All files, by their paths in the version's folder.
    pub(super) files: BTreeMap<String, ReleaseFile>,
}

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReleaseFile {
    /// Its size.
    pub(super) bytes: u64,
    /// Its hash.
    pub(super) sha256: String,
    /// Whether it is a program.
    #[serde(default)]
    pub(super) runs: bool,
}

impl Release {
    /// Reads a release file.
    ///
    /// # Errors
    /// Where the file is of another product, in another format or for another system, or lists a path that a package
    /// must not contain, or lacks the program.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, Version)> {
        let release: Self = serde_json::from_slice(bytes)
            .map_err(|e| refused(format!("Its {RELEASE} cannot be read: {e}.")))?;
        if release.product != PROGRAM {
            return Err(refused(format!(
                "It is a package of {}, not of Lexforge.",
                release.product
            )));
        }
        if release.format != FORMAT {
            return Err(refused(format!(
                "Its {RELEASE} has form {}; this version reads form {FORMAT}.",
                release.format
            )));
        }
        let here = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        if release.system != here {
            return Err(refused(format!(
                "It is for {}, and this system is {here}.",
                release.system
            )));
        }
        let named = version(&release.version)
            .ok_or_else(|| refused(format!("{:?} is no version.", release.version)))?;
        for (path, file) in &release.files {
            let is_ours = [RELEASE, BEFORE].contains(&path.as_str());
            if !is_plain_path(path) || is_ours || !is_hash(&file.sha256) {
                return Err(refused(format!(
                    "It lists {path:?}, which is no file of a package."
                )));
            }
        }
        if !release.files.get(PROGRAM).is_some_and(|file| file.runs) {
            return Err(refused(format!("It does not hold the program {PROGRAM}.")));
        }
        Ok((release, named))
    }

    /// The bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        bytes_of(&self.files)
    }

    /// Reads every file of a folder and compares it with this release.
    ///
    /// # Errors
    /// When a file is missing or differs (the error names the first one), or the caller cancels.
    pub(super) fn compare(&self, folder: &Path, watcher: &dyn Watcher) -> Result<()> {
        compare(&self.files, folder, watcher)
    }

    /// Checks that a folder holds only the files of this release, apart from files that the installation itself puts
    /// there.
    ///
    /// # Errors
    /// When a file does not belong there. The error names the first one.
    pub(super) fn nothing_else(&self, folder: &Path) -> Result<()> {
        self.nothing_else_below(folder, "")
    }

    fn nothing_else_below(&self, folder: &Path, below: &str) -> Result<()> {
        let here = folder.join(below);
        let entries = std::fs::read_dir(&here).map_err(|e| io_failure(&e, &here))?;
        for entry in entries {
            let entry = entry.map_err(|e| io_failure(&e, &here))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if below.is_empty() {
                name
            } else {
                format!("{below}/{name}")
            };
            let kind = entry
                .file_type()
                .map_err(|e| io_failure(&e, &entry.path()))?;
            if kind.is_dir() {
                self.nothing_else_below(folder, &path)?;
            } else if !kind.is_file()
                || !(self.files.contains_key(&path) || [RELEASE, BEFORE].contains(&path.as_str()))
            {
                return Err(differs(folder, &path));
            }
        }
        Ok(())
    }
}

/// Whether a text is a hash as packages write it.
pub(super) fn is_hash(text: &str) -> bool {
    let hexadecimal = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    text.len() == 64 && text.bytes().all(hexadecimal)
}

/// The bytes of these files.
pub(super) fn bytes_of(files: &BTreeMap<String, ReleaseFile>) -> u64 {
    let sizes = files.values().map(|file| file.bytes);
    sizes.fold(0, u64::saturating_add)
}

/// Reads these files of a folder and compares them with their entries in the list.
///
/// # Errors
/// When a file is missing or differs (the error names the first one), or the caller cancels.
pub(super) fn compare(
    files: &BTreeMap<String, ReleaseFile>,
    folder: &Path,
    watcher: &dyn Watcher,
) -> Result<()> {
    let of = bytes_of(files);
    let mut done = 0;
    let mut buffer = vec![0; 1 << 20];
    for (path, file) in files {
        let mut hash = Sha256::new();
        let mut bytes = 0;
        let mut opened = inside::open(folder, path).map_err(file_failure)?;
        loop {
            if watcher.cancelled() {
                return Err(cancelled("The version that runs stays."));
            }
            let n = opened
                .read(&mut buffer)
                .map_err(|e| io_failure(&e, &folder.join(path)))?;
            if n == 0 {
                break;
            }
            hash.update(&buffer[..n]);
            bytes += n as u64;
            done += n as u64;
            tell(watcher, Stage::Update, path, done, of);
        }
        if bytes != file.bytes || hex::encode(hash.finalize()) != file.sha256 {
            return Err(differs(folder, path));
        }
    }
    Ok(())
}

/// The release of a folder.
///
/// # Errors
/// Where the folder has no release, or [`Release::read`] refuses it.
pub(super) fn of_folder(folder: &Path) -> Result<Release> {
    let bytes = inside::read(folder, RELEASE, MOST).map_err(file_failure)?;
    Ok(Release::read(&bytes)?.0)
}

fn differs(folder: &Path, path: &str) -> Failure {
    refused(format!(
        "{} is not what the package says.",
        folder.join(path).display()
    ))
    .with_advice(
        "The version that runs stays. Somebody or something wrote there, or the disk is failing: see that first, then take \
         the package in again.",
    )
}
