//! Unpacking a package: plain files of one version's folder, those that it lists, and nothing else.

use super::home::{CURRENT, VERSIONS};
use super::release::{MOST, RELEASE, Release, ReleaseFile};
use super::signature::{Signed, refused};
use crate::workspace::{Result, Watcher, cancelled, file_failure, io_failure, tell};
use lexforge_domain::Failure;
use lexforge_domain::api::Stage;
use lexforge_domain::plain::is_plain_path;
use lexforge_files::inside;
use semver::Version;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::Path;
use tar::{Archive, Entry, EntryType};
use zstd::stream::read::Decoder;

/// The folder that everything in an archive lies in.
const TOP: &str = "lexforge";
/// Folders that may stand before the list of files.
const MOST_BEFORE: usize = 16;
/// Bits that give a program the rights of its owner, and the like.
const SPECIAL: u32 = 0o7000;

/// The bytes of a package as they are read, with their hash.
struct Hashed<'f> {
    file: &'f File,
    hash: Sha256,
}

impl Read for Hashed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut file = self.file;
        let n = file.read(buffer)?;
        self.hash.update(&buffer[..n]);
        Ok(n)
    }
}

type Opened<'f> = Archive<Decoder<'static, BufReader<Hashed<'f>>>>;

fn open<'f>(file: &'f File, path: &Path) -> Result<Opened<'f>> {
    let unreadable = |e| io_failure(&e, path);
    let mut start = file;
    start.rewind().map_err(unreadable)?;
    let hashed = Hashed {
        file,
        hash: Sha256::new(),
    };
    Ok(Archive::new(Decoder::new(hashed).map_err(unreadable)?))
}

/// Reads the description of a package, which is the first file of the archive. Returns the description, the version of
/// the package, and the bytes of the description.
///
/// # Errors
/// Where the archive does not begin with a description, or [`Release::read`] refuses it.
pub(super) fn release(file: &File, path: &Path) -> Result<(Release, Version, Vec<u8>)> {
    let mut archive = open(file, path)?;
    let entries = archive.entries().map_err(|e| broken(path, &e))?;
    for entry in entries.take(MOST_BEFORE) {
        let entry = entry.map_err(|e| broken(path, &e))?;
        if entry.header().entry_type() == EntryType::Directory {
            continue;
        }
        let name = name_of(&entry)?;
        if !name.ends_with(&format!("/{RELEASE}")) || entry.size() > MOST {
            break;
        }
        let mut bytes = Vec::new();
        entry
            .take(MOST)
            .read_to_end(&mut bytes)
            .map_err(|e| broken(path, &e))?;
        let (release, version) = Release::read(&bytes)?;
        return Ok((release, version, bytes));
    }
    Err(refused(format!(
        "{} does not begin with {RELEASE}: it is no package of this kind.",
        path.display()
    )))
}

/// Unpacks a package into an empty folder, and checks that its bytes are those that were signed.
///
/// # Errors
/// The error names the first entry that a package must not have, or the first file that differs from the list. Nothing
/// outside the folder is changed.
pub(super) fn unpack(
    file: &File,
    path: &Path,
    signed: &Signed,
    (release, version, head): (&Release, &Version, &[u8]),
    into: &Path,
    watcher: &dyn Watcher,
) -> Result<()> {
    let root = format!("{TOP}/{VERSIONS}/{version}");
    let own = ReleaseFile {
        bytes: head.len() as u64,
        sha256: hex::encode(Sha256::digest(head)),
        runs: false,
    };
    let (of, mut done) = (release.bytes(), 0);
    let mut seen = BTreeSet::new();
    let mut archive = open(file, path)?;
    for entry in archive.entries().map_err(|e| broken(path, &e))? {
        if watcher.cancelled() {
            return Err(cancelled("The version that runs stays."));
        }
        let mut entry = entry.map_err(|e| broken(path, &e))?;
        let name = name_of(&entry)?;
        let mode = entry.header().mode().map_err(|e| broken(path, &e))?;
        if mode & SPECIAL != 0 {
            return Err(not_ours(
                &name,
                "it would run with the rights of another user",
            ));
        }
        match entry.header().entry_type() {
            EntryType::Directory => {
                let within = name.starts_with(&format!("{root}/"));
                if !within && name != root && !root.starts_with(&format!("{name}/")) {
                    return Err(not_ours(&name, "it lies outside of the version's folder"));
                }
            }
            EntryType::Regular => {
                let listed = name.strip_prefix(&format!("{root}/")).and_then(|inside| {
                    let found = match inside {
                        RELEASE => Some(&own),
                        _ => release.files.get(inside),
                    };
                    found.map(|file| (inside.to_owned(), file))
                });
                let Some((inside, listed)) = listed else {
                    return Err(not_ours(
                        &name,
                        "it is not among the files that the package lists",
                    ));
                };
                if !seen.insert(inside.clone()) {
                    return Err(not_ours(&name, "it stands there twice"));
                }
                write(&mut entry, path, into, &inside, listed)?;
                done += listed.bytes;
                tell(
                    watcher,
                    Stage::Update,
                    version.to_string(),
                    done.min(of),
                    of,
                );
            }
            // The links beside the versions are not unpacked. They exist already, and the update sets `current` itself.
            EntryType::Symlink if is_own_link(&entry, &name, version) => {}
            _ => return Err(not_ours(&name, "packages hold plain files alone")),
        }
    }
    if let Some(missing) = release.files.keys().find(|path| !seen.contains(*path)) {
        return Err(refused(format!(
            "The package lists {missing} and does not hold it."
        )));
    }
    // If the file was changed after its signature was checked, this is noticed here.
    let mut rest = archive.into_inner().finish();
    std::io::copy(&mut rest, &mut std::io::sink()).map_err(|e| broken(path, &e))?;
    let read: [u8; 32] = rest.into_inner().hash.finalize().into();
    if read != signed.sha256 {
        return Err(refused(format!(
            "{} was altered while it was read.",
            path.display()
        )));
    }
    Ok(())
}

fn write(
    entry: &mut impl Read,
    path: &Path,
    into: &Path,
    inside: &str,
    listed: &ReleaseFile,
) -> Result<()> {
    if let Some((folder, _)) = inside.rsplit_once('/') {
        inside::make_folder(into, folder).map_err(file_failure)?;
    }
    let place = into.join(inside);
    let unwritten = |e| io_failure(&e, &place);
    let mut file = inside::create(into, inside).map_err(file_failure)?;
    let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0_u64, vec![0; 1 << 20]);
    loop {
        let n = entry.read(&mut buffer).map_err(|e| broken(path, &e))?;
        if n == 0 {
            break;
        }
        bytes += n as u64;
        if bytes > listed.bytes {
            break;
        }
        hash.update(&buffer[..n]);
        file.write_all(&buffer[..n]).map_err(unwritten)?;
    }
    if bytes != listed.bytes || hex::encode(hash.finalize()) != listed.sha256 {
        return Err(refused(format!(
            "{inside} in the package is not what the package itself lists."
        )));
    }
    set_rights(&file, listed.runs).map_err(unwritten)?;
    file.sync_all().map_err(unwritten)
}

/// The path of an entry, of plain names that stay inside.
fn name_of<R: Read>(entry: &Entry<'_, R>) -> Result<String> {
    let bytes = entry.path_bytes();
    let name = String::from_utf8_lossy(&bytes);
    let plain = name.strip_suffix('/').unwrap_or(&name);
    if is_plain_path(plain) && plain.split('/').next() == Some(TOP) {
        Ok(plain.to_owned())
    } else {
        Err(not_ours(&name, "the path leads elsewhere"))
    }
}

/// `lexforge/current` to the version, or `lexforge/PROGRAM` to the program of that name below `current`.
fn is_own_link<R: Read>(entry: &Entry<'_, R>, name: &str, version: &Version) -> bool {
    let target = entry.link_name_bytes().unwrap_or_default();
    let Some((_, link)) = name.split_once('/') else {
        return false;
    };
    let wanted = match link {
        CURRENT => format!("{VERSIONS}/{version}"),
        program => format!("{CURRENT}/{program}"),
    };
    !link.contains('/') && target.as_ref() == wanted.as_bytes()
}

fn not_ours(name: &str, why: &str) -> Failure {
    refused(format!(
        "The package holds {name:?}, which is not taken: {why}."
    ))
}

/// An archive that breaks off or makes no sense, although it is signed so.
fn broken(path: &Path, error: &std::io::Error) -> Failure {
    refused(format!("{} cannot be unpacked: {error}.", path.display()))
}

#[cfg(unix)]
fn set_rights(file: &File, runs: bool) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = if runs { 0o755 } else { 0o644 };
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_rights(_: &File, _: bool) -> std::io::Result<()> {
    Ok(())
}
