//! Writing files so that a crash at any instant leaves the old one or the new one, and hashing them.

use crate::{Error, Result};
use lexforge_domain::Sha256;
use sha2::Digest;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The path under which a file or a folder is written until it is complete.
pub fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    path.with_file_name(name)
}

/// The bytes of a JSON file, indented.
///
/// # Errors
/// If the value cannot be written as JSON.
pub(crate) fn pretty(value: &impl serde::Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|e| Error::Shim(e.to_string()))?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a file under a temporary name, flushes it, renames it to its name, and flushes the folder.
///
/// # Errors
/// If a system call fails.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let part = unfinished(path);
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
/// If a system call fails.
pub(crate) fn write_flushed(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = File::create(path).map_err(Error::io(path))?;
    file.write_all(bytes).map_err(Error::io(path))?;
    file.sync_all().map_err(Error::io(path))
}

/// Flushes a folder, so that names made in it survive a loss of power. On a system where folders cannot be opened as
/// files (Windows) this does nothing.
///
/// # Errors
/// If a system call fails.
pub(crate) fn flush_folder(folder: &Path) -> Result<()> {
    // A name without a folder is in the folder where the program runs.
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    if cfg!(unix) {
        File::open(folder)
            .and_then(|f| f.sync_all())
            .map_err(Error::io(folder))?;
    }
    Ok(())
}

/// Reads a whole file: a regular one of at most `most` bytes. A device or a pipe is refused, since it may never end.
///
/// # Errors
/// The system's own error, or that the file is too large.
pub(crate) fn read_whole(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let invalid = |what: String| std::io::Error::new(std::io::ErrorKind::InvalidData, what);
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Err(invalid("it is no file but a device or a pipe".to_owned()));
    }
    if found.len() > most {
        return Err(invalid(format!(
            "it has {} MiB; at most {} MiB are read",
            found.len() >> 20,
            most >> 20
        )));
    }
    let mut bytes = Vec::with_capacity(found.len() as usize);
    // If the file grows while it is read, reading stops at the limit, too.
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// SHA-256 of a file.
///
/// # Errors
/// If the file cannot be read.
pub fn sha256_of(path: &Path) -> Result<Sha256> {
    let mut file = File::open(path).map_err(Error::io(path))?;
    let mut digest = sha2::Sha256::new();
    let mut buffer = vec![0u8; 1 << 16];
    loop {
        let read = file.read(&mut buffer).map_err(Error::io(path))?;
        if read == 0 {
            return Ok(Sha256::of_digest(digest.finalize()));
        }
        digest.update(&buffer[..read]);
    }
}

/// SHA-256 of bytes.
pub fn sha256(bytes: &[u8]) -> Sha256 {
    Sha256::of_digest(sha2::Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_within_their_size_are_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, b"abc").unwrap();
        assert_eq!(read_whole(&path, 3).unwrap(), b"abc");
        assert!(
            read_whole(&path, 2)
                .unwrap_err()
                .to_string()
                .contains("at most")
        );
        assert!(read_whole(folder.path(), 3).is_err());
        #[cfg(unix)]
        {
            let device = folder.path().join("b.json");
            std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
            assert!(
                read_whole(&device, 3)
                    .unwrap_err()
                    .to_string()
                    .contains("device")
            );
        }
    }

    #[test]
    fn a_file_is_replaced_whole_and_leaves_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomically(&path, b"abc").unwrap();
        write_atomically(&path, b"ab").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"ab");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(sha256_of(&path).unwrap(), sha256(b"ab"));
        assert_eq!(
            sha256(b"abc").as_str(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
