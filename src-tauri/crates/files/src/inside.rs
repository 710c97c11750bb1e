//! Opens files below a folder, by plain names and never through a link.
//!
//! The folder itself was chosen by the program or by the user, but its content may have been written by anybody. Every
//! folder on the way is checked before it is entered, and what was opened is checked once more.

use crate::Error;
use lexforge_domain::plain::is_plain_path;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Entries of a folder that are looked at; no bundle has so many.
const MOST_ENTRIES: usize = 100_000;
/// Folders below each other that are looked into.
const DEEPEST: usize = 16;

/// The place of `path` in `root`. `path` must consist of plain names, and every folder on the way must be a folder and
/// not a link. The last part need not exist.
///
/// # Errors
/// If the path leads outside, or something on the way is not a folder.
pub fn place(root: &Path, path: &str) -> Result<PathBuf, Error> {
    if !is_plain_path(path) {
        return Err(Error::NotInside {
            folder: root.to_owned(),
            path: path.to_owned(),
        });
    }
    let mut place = root.to_owned();
    for name in path.split('/') {
        is_folder_where_it_is(&place)?;
        place.push(name);
    }
    Ok(place)
}

/// The path of a folder below `root`. The folder must exist.
///
/// # Errors
/// As [`place`]; also if it is a link, is not a folder, or does not exist.
pub fn folder(root: &Path, path: &str) -> Result<PathBuf, Error> {
    let place = place(root, path)?;
    std::fs::symlink_metadata(&place).map_err(Error::io(&place))?;
    is_folder_where_it_is(&place)?;
    Ok(place)
}

/// The path of a folder below `root`. If the folder does not exist, it is made with the folders above it.
///
/// # Errors
/// As [`place`]; also if it is a link or cannot be made.
pub fn make_folder(root: &Path, path: &str) -> Result<PathBuf, Error> {
    // A path that is not allowed is refused before the first folder is made.
    place(root, path)?;
    is_folder_where_it_is(root)?;
    let mut made = root.to_owned();
    for name in path.split('/') {
        std::fs::create_dir_all(&made).map_err(Error::io(&made))?;
        made.push(name);
        is_folder_where_it_is(&made)?;
    }
    std::fs::create_dir_all(&made).map_err(Error::io(&made))?;
    Ok(made)
}

/// Opens a file below `root` for reading.
///
/// # Errors
/// As [`place`]; also if it is not a regular file, or a system call fails.
pub fn open(root: &Path, path: &str) -> Result<File, Error> {
    open_as(root, path, OpenOptions::new().read(true))
}

/// The bytes of a file below `root`.
///
/// # Errors
/// As [`open`]; also if the file is larger than `most`.
pub fn read(root: &Path, path: &str, most: u64) -> Result<Vec<u8>, Error> {
    let file = open(root, path)?;
    let place = root.join(path);
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(Error::io(&place))?;
    if bytes.len() as u64 > most {
        return Err(Error::TooLarge { path: place, most });
    }
    Ok(bytes)
}

/// Opens a file below `root` to write it from its beginning; a missing file is made.
///
/// # Errors
/// As [`open`].
pub fn create(root: &Path, path: &str) -> Result<File, Error> {
    // Cut only when it is known to be a file.
    let file = open_as(
        root,
        path,
        OpenOptions::new().write(true).create(true).truncate(false),
    )?;
    file.set_len(0).map_err(Error::io(&root.join(path)))?;
    Ok(file)
}

/// Makes a new file below `root`. Returns false if the file exists already. If several processes try at once, exactly
/// one of them makes it.
///
/// # Errors
/// As [`open`].
pub(crate) fn make_new(root: &Path, path: &str) -> Result<bool, Error> {
    match open_as(root, path, OpenOptions::new().write(true).create_new(true)) {
        Ok(_) => Ok(true),
        Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::AlreadyExists => {
            Ok(false)
        }
        Err(other) => Err(other),
    }
}

/// Opens a file below `root` to lock it, without changing its content. If the file does not exist, it is made only if
/// `make` is true.
///
/// # Errors
/// As [`open`].
pub fn open_to_lock(root: &Path, path: &str, make: bool) -> Result<File, Error> {
    open_as(
        root,
        path,
        OpenOptions::new()
            .read(true)
            .write(true)
            .create(make)
            .truncate(false),
    )
}

/// The names of the files in a folder, in order.
///
/// # Errors
/// If one of the entries is neither a file nor a folder, or its name is not plain.
pub fn files(folder: &Path) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for (name, place, kind) in entries(folder)? {
        if kind.is_file() {
            names.push(name.ok_or_else(|| Error::NotAFile(place.clone()))?);
        } else if !kind.is_dir() {
            return Err(refused(place, kind));
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Checks that a folder contains nothing but folders and files, at any depth.
///
/// # Errors
/// When the folder holds anything else, such as a link, a device or a pipe (the error names the first one), or when it
/// holds too many entries or is nested too deeply.
pub fn check(folder: &Path) -> Result<(), Error> {
    is_folder_where_it_is(folder)?;
    let mut left = MOST_ENTRIES;
    check_below(folder, 0, &mut left)
}

fn check_below(folder: &Path, depth: usize, left: &mut usize) -> Result<(), Error> {
    for (_, place, kind) in entries(folder)? {
        *left = left
            .checked_sub(1)
            .ok_or_else(|| Error::NotAFolder(folder.to_owned()))?;
        if kind.is_dir() {
            if depth >= DEEPEST {
                return Err(Error::NotAFolder(place));
            }
            check_below(&place, depth + 1, left)?;
        } else if !kind.is_file() {
            return Err(refused(place, kind));
        }
    }
    Ok(())
}

/// Name (if it is plain), place and kind of each entry; a link is listed as a link. An entry that disappears meanwhile
/// (a worker writes at the same time) is left out.
fn entries(folder: &Path) -> Result<Vec<(Option<String>, PathBuf, std::fs::FileType)>, Error> {
    let listed = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(Error::io(folder))?,
    };
    let mut found = Vec::new();
    for entry in listed {
        let entry = entry.map_err(Error::io(folder))?;
        let place = entry.path();
        let kind = match std::fs::symlink_metadata(&place) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            other => other.map_err(Error::io(&place))?.file_type(),
        };
        let name = entry
            .file_name()
            .into_string()
            .ok()
            .filter(|name| is_plain_path(name));
        found.push((name, place, kind));
        if found.len() > MOST_ENTRIES {
            return Err(Error::NotAFolder(folder.to_owned()));
        }
    }
    Ok(found)
}

fn open_as(root: &Path, path: &str, options: &mut OpenOptions) -> Result<File, Error> {
    let place = place(root, path)?;
    match std::fs::symlink_metadata(&place) {
        // Opening a pipe waits, and opening a device can do anything: neither is tried.
        Ok(meta) if !meta.is_file() => return Err(refused(place, meta.file_type())),
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            return Err(Error::Io {
                path: place,
                source: e,
            });
        }
        _ => {}
    }
    // Should somebody put a link or a pipe there in between, it is not followed and not waited for.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(&place).map_err(Error::io(&place))?;
    let kind = file.metadata().map_err(Error::io(&place))?.file_type();
    if kind.is_file() {
        Ok(file)
    } else {
        Err(refused(place, kind))
    }
}

/// The place must be a folder, or not exist yet.
fn is_folder_where_it_is(place: &Path) -> Result<(), Error> {
    match std::fs::symlink_metadata(place) {
        Ok(meta) if meta.is_dir() => Ok(()),
        Ok(meta) if meta.file_type().is_symlink() => Err(Error::Link(place.to_owned())),
        Ok(_) => Err(Error::NotAFolder(place.to_owned())),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(Error::Io {
            path: place.to_owned(),
            source,
        }),
    }
}

fn refused(place: PathBuf, kind: std::fs::FileType) -> Error {
    if kind.is_symlink() {
        Error::Link(place)
    } else {
        Error::NotAFile(place)
    }
}

#[cfg(all(test, unix))]
mod tests;
