//! Installs a libtorch pack from files: a signed list, and parts that can be brought one by one. The content of the
//! parts is assembled beside the other packs, read back and tried. One rename then puts it into use.
//!
//! ```text
//! libtorch/                     in the user's own folder
//!   current                     a link to the pack that is used
//!   0123456789abcdef/           a pack: list.json, lib/, licences/
//!   .new-0123456789abcdef/      a pack that is not complete; taken/ says which parts are there
//! ```

use super::home::{Held, Home, finish_folders, hold, lead_to, sync_folder};
use super::pack_list::{List, refused};
use super::pack_part::{Candidate, TAKEN, is_taken, take};
use super::release::{MOST, bytes_of, compare};
use super::signature::{key, places, signature_of};
use crate::workspace::{Result, Watcher, cancelled, io_failure, own_folder, write_own};
use lexforge_compute::WorkerProgram;
use lexforge_compute::installed::folder_of_program;
use lexforge_compute::pack::{CURRENT, LIBRARIES, folder, is_name, used};
use lexforge_domain::api::{Pack, PackTaken};
use lexforge_domain::{Code, Failure};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The list in the folder of a pack.
const LIST: &str = "list.json";
/// The beginning of the name of the folder of an incomplete pack.
const UNFINISHED: &str = ".new-";
/// File whose lock says that a pack is being taken in.
const LOCK: &str = ".lock";

/// Installs a pack from files: its signed list, and parts of it, in any order and number. For a folder, all files in it
/// are taken. Once the last part is there, the worker uses this libtorch.
///
/// # Errors
/// Where the list is unsigned or signed by somebody else, a file does not belong to the pack, or the worker does not
/// start with the complete pack. The libtorch that is in use stays, and so do the parts that were installed before.
pub fn take_pack_in(files: &[PathBuf], watcher: &dyn Watcher) -> Result<PackTaken> {
    let program = std::env::current_exe().map_err(|e| io_failure(&e, Path::new("lexforge")))?;
    let beside = folder_of_program(&program).unwrap_or_default();
    let root = Home::of_program(&program).map(|home| home.root().to_owned());
    let keys = places(root.as_deref().unwrap_or(&beside), &beside);
    let says = |libraries: &Path| {
        let worker = WorkerProgram::locate()?.with_libtorch(libraries);
        Ok(worker.version()?.libtorch)
    };
    take_in(&folder(), &keys, files, &says, watcher)
}

/// The packs of this user, complete or not.
///
/// # Errors
/// Where their folder cannot be read.
pub fn packs() -> Result<Vec<Pack>> {
    packs_in(&folder())
}

/// Removes a pack. If it was in use, the worker goes back to the libtorch in its own folder.
///
/// # Errors
/// Where no pack has this name.
pub fn remove_pack(id: &str) -> Result<Pack> {
    remove_from(&folder(), id)
}

pub(super) fn take_in(
    place: &Path,
    keys: &[PathBuf],
    files: &[PathBuf],
    says: &dyn Fn(&Path) -> Result<String>,
    watcher: &dyn Watcher,
) -> Result<PackTaken> {
    let began = Instant::now();
    own_folder(place)?;
    let held = hold(place, LOCK, "Another pack is being taken in.")?;
    let (lists, parts) = sorted(files)?;
    let (id, signed) = match lists.as_slice() {
        [] => (only_unfinished(place)?, None),
        [list] => begin(place, keys, list, &held, watcher).map(|(id, words)| (id, Some(words)))?,
        _ => {
            return Err(Failure::invalid(
                "These files hold the lists of several packs.",
                "Name the files of one pack, or lay each pack into a folder of its own.",
            ));
        }
    };
    let mut taken = 0;
    let beside = place.join(format!("{UNFINISHED}{id}"));
    if beside.is_dir() {
        let list = list_of(&beside)?;
        for part in &parts {
            taken += u64::from(take(&list, &beside, part, watcher)?);
        }
        if (0..list.parts.len()).all(|part| is_taken(&beside, part)) {
            finish(place, &beside, &id, &list, says, watcher)?;
            use_it(place, &id, &held)?;
        }
    } else {
        use_it(place, &id, &held)?;
    }
    let all = packs_in(place)?;
    let pack = all.into_iter().find(|pack| pack.id == id);
    Ok(PackTaken {
        pack: pack.ok_or_else(|| no_pack(&id))?,
        taken,
        signed,
        seconds: began.elapsed().as_secs_f64(),
    })
}

pub(super) fn packs_in(place: &Path) -> Result<Vec<Pack>> {
    let entries = match std::fs::read_dir(place) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(io_failure(&e, place)),
    };
    let used = used(place);
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let (folder, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let id = name.strip_prefix(UNFINISHED).unwrap_or(&name).to_owned();
        let is_whole = id.len() == name.len();
        if !is_name(&id) || !folder.is_dir() {
            continue;
        }
        let used = is_whole && used.as_ref() == Some(&id);
        // Without its list a pack cannot take in further parts. It can still be removed, so it is listed.
        let Ok(list) = list_of(&folder) else {
            found.push(Pack {
                id,
                folder: folder.display().to_string(),
                used,
                ..Pack::default()
            });
            continue;
        };
        let missing = list.parts.iter().enumerate();
        let missing = missing.filter(|(part, _)| !is_whole && !is_taken(&folder, *part));
        found.push(Pack {
            missing: missing.map(|(_, part)| part.name.clone()).collect(),
            used,
            id,
            folder: folder.display().to_string(),
            bytes: bytes_of(&list.files),
            parts: list.parts.len() as u64,
            libtorch: list.libtorch,
            device: list.device,
        });
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(found)
}

pub(super) fn remove_from(place: &Path, id: &str) -> Result<Pack> {
    let found = packs_in(place)?.into_iter().find(|pack| pack.id == id);
    let pack = found.ok_or_else(|| no_pack(id))?;
    let held = hold(place, LOCK, "Another pack is being taken in.")?;
    discard(place, id, Path::new(&pack.folder), &held)?;
    Ok(pack)
}

/// Removes the folder of a pack, and what leads to it.
fn discard(place: &Path, id: &str, folder: &Path, _: &Held) -> Result<()> {
    if folder == place.join(id) && used(place).as_deref() == Some(id) {
        let link = place.join(CURRENT);
        std::fs::remove_file(&link).map_err(|e| io_failure(&e, &link))?;
        sync_folder(place)?;
    }
    std::fs::remove_dir_all(folder).map_err(|e| io_failure(&e, folder))
}

/// Sorts these files into lists and parts of packs; signatures are expected beside the lists. A folder may hold other
/// files, too. Hidden files are ignored, because a stick written on a Mac has `._` files. Lists without a signature are
/// also ignored, unless no list has one.
fn sorted(files: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<Candidate>)> {
    let ends_in = |path: &Path, ending: &str| path.extension().is_some_and(|e| e == ending);
    let (mut lists, mut parts) = (Vec::new(), Vec::new());
    for path in files {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(|e| io_failure(&e, path))?;
            let is_hidden = |path: &Path| {
                let name = path.file_name().unwrap_or_default();
                name.to_string_lossy().starts_with('.')
            };
            let inside = entries.flatten().map(|entry| entry.path());
            let mut found = Vec::new();
            for path in inside.filter(|path| !is_hidden(path) && path.is_file()) {
                if ends_in(&path, "json") {
                    found.push(path);
                } else if ends_in(&path, "zst") {
                    let is_named = false;
                    parts.push(Candidate { path, is_named });
                }
            }
            if found.iter().any(|list| signature_of(list).is_file()) {
                found.retain(|list| signature_of(list).is_file());
            }
            lists.append(&mut found);
        } else if ends_in(path, "json") {
            lists.push(path.clone());
        } else if !ends_in(path, "minisig") {
            parts.push(Candidate {
                path: path.clone(),
                is_named: true,
            });
        }
    }
    parts.sort();
    Ok((lists, parts))
}

/// The pack that the given parts belong to, if its list was taken in earlier and is not among the files.
fn only_unfinished(place: &Path) -> Result<String> {
    let all = packs_in(place)?;
    let mut begun = all
        .into_iter()
        .filter(|pack| pack.parts > 0 && place.join(&pack.id) != Path::new(&pack.folder));
    match (begun.next(), begun.next()) {
        (Some(pack), None) => Ok(pack.id),
        _ => Err(Failure::invalid(
            "Which pack these parts belong to is not known.",
            "Name the pack's list, too: the file that ends in .json, with its signature beside it.",
        )),
    }
}

/// Checks a list and creates the folder for its files if it does not exist yet. If the pack exists already, its files
/// are read back, and a damaged pack is replaced.
fn begin(
    place: &Path,
    keys: &[PathBuf],
    path: &Path,
    held: &Held,
    watcher: &dyn Watcher,
) -> Result<(String, String)> {
    let unreadable = |e| io_failure(&e, path);
    if !path.is_file() {
        return Err(refused(format!("{} is no list of a pack.", path.display())));
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let signed = key(keys)?.verify(&mut file, path, watcher)?;
    let mut bytes = Vec::new();
    file.rewind().map_err(unreadable)?;
    let mut some = file.take(MOST);
    some.read_to_end(&mut bytes).map_err(unreadable)?;
    let hash: [u8; 32] = Sha256::digest(&bytes).into();
    if hash != signed.sha256 {
        return Err(refused(format!(
            "{} was altered while it was read.",
            path.display()
        )));
    }
    let list = List::read(&bytes)?;
    let id = hex::encode(&hash[..8]);
    let beside = place.join(format!("{UNFINISHED}{id}"));
    let whole = place.join(&id);
    if whole.is_dir() {
        let is_read = list_of(&whole).is_ok_and(|kept| kept == list);
        if is_read && damage(&list, &whole, watcher)?.is_none() {
            return Ok((id, signed.words));
        }
        discard(place, &id, &whole, held)?;
    }
    if !beside.join(LIST).is_file() {
        let made = list.files.keys().filter_map(|path| path.rsplit_once('/'));
        for below in made.map(|(folder, _)| folder).chain([TAKEN]) {
            own_folder(&beside.join(below))?;
        }
        write_own(&beside.join(LIST), &bytes)?;
    }
    Ok((id, signed.words))
}

fn list_of(folder: &Path) -> Result<List> {
    let path = folder.join(LIST);
    let bytes = std::fs::read(&path).map_err(|e| io_failure(&e, &path))?;
    List::read(&bytes)
}

/// The first damaged file of a pack: one that was changed or is missing.
///
/// # Errors
/// Where a file cannot be read (then nothing is known of its content), or where the caller cancels.
fn damage(list: &List, folder: &Path, watcher: &dyn Watcher) -> Result<Option<Failure>> {
    let advice = "All its parts have to be taken in again. Somebody or something wrote there, or the disk is failing: see that first.";
    let paths = list.files.keys().map(|path| folder.join(path));
    let mut gone = paths.filter(|path| matches!(path.try_exists(), Ok(false)));
    if let Some(path) = gone.next() {
        let shown = path.display();
        return Ok(Some(
            refused(format!("{shown} does not exist.")).with_advice(advice),
        ));
    }
    match compare(&list.files, folder, watcher) {
        Ok(()) => Ok(None),
        Err(failure) if failure.code == Code::PackageRefused => {
            Ok(Some(failure.with_advice(advice)))
        }
        Err(failure) if failure.code == Code::Cancelled => {
            Err(cancelled("The parts that were taken in stay."))
        }
        Err(failure) => Err(failure),
    }
}

/// Reads the files of a pack back, has the worker start with them, and gives the folder its name.
fn finish(
    place: &Path,
    beside: &Path,
    id: &str,
    list: &List,
    says: &dyn Fn(&Path) -> Result<String>,
    watcher: &dyn Watcher,
) -> Result<()> {
    if let Some(failure) = damage(list, beside, watcher)? {
        // It is not known which part is damaged, so all parts have to be taken in again.
        let _ = std::fs::remove_dir_all(beside);
        return Err(failure);
    }
    let starts = says(&beside.join(LIBRARIES))?;
    if starts != list.libtorch {
        return Err(refused(format!(
            "The pack holds libtorch {}, and this worker was made for libtorch {starts}.",
            list.libtorch
        ))
        .with_advice("Ask for the pack that was made for this version of Lexforge."));
    }
    finish_folders(beside)?;
    let whole = place.join(id);
    std::fs::rename(beside, &whole).map_err(|e| io_failure(&e, &whole))?;
    // These records have no use in a complete pack.
    let _ = std::fs::remove_dir_all(whole.join(TAKEN));
    sync_folder(place)
}

/// Has the worker start with a pack from now on.
fn use_it(place: &Path, id: &str, _: &Held) -> Result<()> {
    lead_to(&place.join(CURRENT), id)
}

fn no_pack(id: &str) -> Failure {
    Failure::new(
        Code::NotFound,
        format!("There is no pack {id}."),
        "Look at the list of packs.",
    )
}
