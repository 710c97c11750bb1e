//! Asks the operating system about the file of a workspace: which file is at a path, and whether it can be written.
//! Also makes sure that the entries of a folder have reached the disk.

use crate::error::{Result, StoreError};
use lexforge_domain::{Code, Failure};
use std::fs::File;
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes that are written to see whether there is room. A step that changes anything needs more.
const ROOM: usize = 64 << 10;

/// The identity of a file, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The file at `path`; none on systems where an open file can be neither moved nor replaced.
    #[cfg(unix)]
    pub fn of(path: &Path) -> io::Result<Option<Self>> {
        use std::os::unix::fs::MetadataExt;
        let meta = std::fs::metadata(path)?;
        Ok(Some(Self {
            device: meta.dev(),
            inode: meta.ino(),
        }))
    }

    /// The file at `path`; none on systems where an open file can be neither moved nor replaced.
    #[cfg(not(unix))]
    pub fn of(path: &Path) -> io::Result<Option<Self>> {
        std::fs::metadata(path).map(|_| None)
    }
}

/// Whether this process may write the file or folder at `path`. The function asks the system instead of trying. To open
/// and close the file here would drop the locks that SQLite holds on it in this process.
#[cfg(target_os = "linux")]
pub(crate) fn may_write(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

/// Whether this process may write the file or folder at `path`, as far as its mode says.
#[cfg(not(target_os = "linux"))]
pub(crate) fn may_write(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.is_dir() || !meta.permissions().readonly())
}

/// Whether this process may read the file at `path`, asked as for [`may_write`].
#[cfg(target_os = "linux")]
fn may_read(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::READ_OK).is_ok()
}

/// Whether this process may read the file at `path`. Here that shows when it is opened.
#[cfg(not(target_os = "linux"))]
fn may_read(_: &Path) -> bool {
    true
}

/// Opens and locks the file at `path`, so that no other program can open it. `None` if another program has it open
/// already. No code of this process may have it open.
#[cfg(target_os = "linux")]
pub(crate) fn locked_against_others(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::FlockOperation;
    use rustix::io::Errno;
    let file = File::options().read(true).write(true).open(path)?;
    // SQLite keeps a lock on each file that it has open.
    match rustix::fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::AGAIN | Errno::ACCESS) => Ok(None),
        Err(e) => Err(e.into()),
    }
}

/// As on Linux. Here a program that has the file open is recognised by the shared memory file beside it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn locked_against_others(path: &Path) -> io::Result<Option<File>> {
    let shared = std::fs::symlink_metadata(beside(path, "-shm")).is_ok();
    if shared {
        Ok(None)
    } else {
        File::open(path).map(Some)
    }
}

/// Makes a small file beside `path` and removes it again. This shows whether the file system can be written and has
/// room. The name of the small file says which process made it, so if that process is killed, the file is removed
/// later.
pub(crate) fn try_to_write_beside(path: &Path) -> io::Result<()> {
    let probe = beside(path, &format!(".{}.new", std::process::id()));
    let written = File::create_new(&probe).and_then(|mut file| file.write_all(&[1_u8; ROOM]));
    match written {
        // Another thread of this program tries the same.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        written => {
            let _ = std::fs::remove_file(&probe);
            written
        }
    }
}

/// Refuses what can be no workspace: a folder, an empty file, a file that this process may not read.
pub(crate) fn refuse_no_file(path: &Path) -> Result<()> {
    let meta = std::fs::metadata(path)?;
    if !meta.is_file() {
        return Err(StoreError::NotAWorkspace("it is a folder".to_owned()));
    }
    if meta.len() == 0 {
        return Err(StoreError::NotAWorkspace("it is empty".to_owned()));
    }
    if !may_read(path) {
        let failure = Failure::new(
            Code::ReadOnly,
            "You may not read the workspace's file.",
            "Ask its owner for permission to read it, or for a copy.",
        );
        return Err(StoreError::Refused(
            failure.in_file(path.display().to_string()),
        ));
    }
    Ok(())
}

/// Makes the folder of a new workspace, with those above it.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            let failure = Failure::invalid(
                "A file stands where a folder should be.",
                "Choose another place for the workspace.",
            );
            StoreError::Refused(failure.in_file(folder.display().to_string()))
        }
        _ => e.into(),
    })
}

/// Opens the file at `path` for reading. Other callers of this function wait until it is closed.
#[cfg(unix)]
pub(crate) fn open_in_turn(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    // A lock of the whole file, which does not disturb SQLite's own locks.
    file.lock()?;
    Ok(file)
}

/// The file at `path`, opened to be read. A lock would keep SQLite itself out on this system.
#[cfg(not(unix))]
pub(crate) fn open_in_turn(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Waits until the entries of a folder are on the disk.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Folders cannot be opened on this system; it writes their entries itself.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// The folder that a path lies in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// The file beside `path` that has its name with this ending.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
