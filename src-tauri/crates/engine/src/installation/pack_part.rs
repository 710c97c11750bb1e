//! Taking one part of a pack in: it is known by its hash, and its bytes go to their places in the files.

use super::pack_list::{List, Part, refused};
use crate::workspace::{Result, Watcher, cancelled, io_failure, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::{Code, Failure};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zstd::stream::read::Decoder;

/// Folder whose files say which parts were taken in.
pub(super) const TAKEN: &str = "taken";
/// Space needed beyond the files themselves.
const SPARE: u64 = 32 << 20;
/// Bytes that are read at once.
const PIECE: usize = 1 << 20;

/// Whether a part was taken in.
pub(super) fn is_taken(folder: &Path, part: usize) -> bool {
    folder.join(TAKEN).join(part.to_string()).is_file()
}

/// A file that may be a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Whether the user named the file itself. Otherwise it was found in a folder, where other files may be as well.
    pub(super) is_named: bool,
}

/// Puts the part that a file holds into the folder of the pack. Returns `false` if the part was there already. Also
/// returns `false` if the file was only found in a folder and is no part of this pack.
///
/// # Errors
/// Where the file should be a part of this pack but is not, or was changed. Also where it cannot be read or the disk is
/// too full.
pub(super) fn take(
    list: &List,
    folder: &Path,
    candidate: &Candidate,
    watcher: &dyn Watcher,
) -> Result<bool> {
    let path = candidate.path.as_path();
    let kind = std::fs::metadata(path).map_err(|e| io_failure(&e, path))?;
    let mut file = match kind.is_file() {
        true => File::open(path).map_err(|e| io_failure(&e, path))?,
        false => return Err(no_part(path)),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let hash = hash(&mut file, kind.len(), path, &name, watcher)?;
    let known = |part: &&Part| part.sha256 == hash;
    let Some(part) = list.parts.iter().find(known) else {
        // A file with the name of a part should be a part.
        let is_meant = candidate.is_named || list.parts.iter().any(|part| part.name == name);
        return if is_meant {
            Err(no_part(path))
        } else {
            Ok(false)
        };
    };
    // The same bytes may stand in two places of a pack.
    let of_hash = |at: &usize| list.parts[*at].sha256 == hash;
    let lacking = (0..list.parts.len()).filter(of_hash);
    let lacking: Vec<usize> = lacking.filter(|at| !is_taken(folder, *at)).collect();
    let wanted = part.holds.saturating_add(SPARE);
    let free = fs4::available_space(folder).map_err(|e| io_failure(&e, folder))?;
    if !lacking.is_empty() && free < wanted {
        return Err(Failure::new(
            Code::DiskFull,
            format!(
                "{name} needs {} MiB, and {} MiB are free in {}.",
                wanted.div_ceil(1 << 20),
                free >> 20,
                folder.display()
            ),
            "Free some space, then name the same files again: what was taken in stays.",
        ));
    }
    for at in &lacking {
        unpack(list, folder, *at, &mut file, path, watcher)?;
        let mark = folder.join(TAKEN).join(at.to_string());
        let marked = File::create(&mark).and_then(|mark| mark.sync_all());
        marked.map_err(|e| io_failure(&e, &mark))?;
    }
    Ok(!lacking.is_empty())
}

fn hash(
    file: &mut File,
    of: u64,
    path: &Path,
    name: &str,
    watcher: &dyn Watcher,
) -> Result<String> {
    let (mut hash, mut buffer, mut done) = (Sha256::new(), vec![0; PIECE], 0);
    loop {
        goes_on(watcher)?;
        let n = file.read(&mut buffer).map_err(|e| io_failure(&e, path))?;
        if n == 0 {
            return Ok(hex::encode(hash.finalize()));
        }
        hash.update(&buffer[..n]);
        done += n as u64;
        tell(watcher, Stage::Update, name, done, of);
    }
}

/// Writes the bytes of a part to where they belong.
fn unpack(
    list: &List,
    folder: &Path,
    part: usize,
    packed: &mut File,
    path: &Path,
    watcher: &dyn Watcher,
) -> Result<()> {
    let unreadable = |e| io_failure(&e, path);
    packed.rewind().map_err(unreadable)?;
    let mut bytes = Decoder::new(packed).map_err(unreadable)?;
    let begin = list.begin_of(part);
    let end = begin + list.parts[part].holds;
    let mut buffer = vec![0; PIECE];
    let mut start = 0;
    for (name, listed) in &list.files {
        let (from, to) = (start.max(begin), (start + listed.bytes).min(end));
        if from < to {
            let place = folder.join(name);
            let unwritten = |e| io_failure(&e, &place);
            let mut open = OpenOptions::new();
            open.write(true).create(true).truncate(false);
            let mut file = open.open(&place).map_err(unwritten)?;
            file.seek(SeekFrom::Start(from - start))
                .map_err(unwritten)?;
            let mut rest = to - from;
            while rest > 0 {
                goes_on(watcher)?;
                let most = usize::try_from(rest).unwrap_or(PIECE).min(PIECE);
                let n = bytes.read(&mut buffer[..most]).map_err(unreadable)?;
                if n == 0 {
                    return Err(no_part(path));
                }
                file.write_all(&buffer[..n]).map_err(unwritten)?;
                rest -= n as u64;
                tell(watcher, Stage::Update, name, to - rest - begin, end - begin);
            }
            file.sync_all().map_err(unwritten)?;
        }
        start += listed.bytes;
    }
    match bytes.read(&mut buffer[..1]).map_err(unreadable)? {
        0 => Ok(()),
        _ => Err(no_part(path)),
    }
}

fn goes_on(watcher: &dyn Watcher) -> Result<()> {
    match watcher.cancelled() {
        true => Err(cancelled("The parts that were taken in stay.")),
        false => Ok(()),
    }
}

fn no_part(path: &Path) -> Failure {
    refused(format!(
        "{} is no part of this pack: it is of another one, was altered, or is not whole.",
        path.display()
    ))
    .with_advice(
        "The parts before it stay. Copy this file again from where it was made and compare it with the pack's list of hashes, then name it \
         again.",
    )
}
