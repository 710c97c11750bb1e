//! Writing files so that a crash at any instant leaves the old one or the new one, and hashing them.

use crate::{Error, Result};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// Writes a file through a temporary name beside it: flushed, renamed, and the folder flushed.
///
/// # Errors
/// Where the system refuses.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    write_flushed(&part, bytes)?;
    std::fs::rename(&part, path).map_err(Error::io(path))?;
    match path.parent() {
        Some(folder) => flush_folder(folder),
        None => Ok(()),
    }
}

/// Writes a file and flushes it to the disk.
///
/// # Errors
/// Where the system refuses.
pub fn write_flushed(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = File::create(path).map_err(Error::io(path))?;
    file.write_all(bytes).map_err(Error::io(path))?;
    file.sync_all().map_err(Error::io(path))
}

/// Flushes a folder, so that names made in it survive a loss of power. A system on which folders
/// cannot be opened as files (Windows) does without.
///
/// # Errors
/// Where the system refuses.
pub fn flush_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        File::open(folder).and_then(|f| f.sync_all()).map_err(Error::io(folder))?;
    }
    Ok(())
}

/// SHA-256 of a file, hexadecimal.
///
/// # Errors
/// Where it cannot be read.
pub fn sha256_of(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(Error::io(path))?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0u8; 1 << 16];
    loop {
        let read = file.read(&mut buffer).map_err(Error::io(path))?;
        if read == 0 {
            return Ok(hex::encode(digest.finalize()));
        }
        digest.update(&buffer[..read]);
    }
}

/// SHA-256 of bytes, hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_leaves_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomically(&path, b"abc").unwrap();
        write_atomically(&path, b"ab").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"ab");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(sha256_of(&path).unwrap(), sha256(b"ab"));
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
