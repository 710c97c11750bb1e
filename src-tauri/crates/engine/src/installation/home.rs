//! The folder of an installation that is updated by file:
//!
//! ```text
//! lexforge/
//!   current                 a link to the version that starts, versions/0.2.0
//!   lexforge, lexforge-app  links to the programs of `current`
//!   update.pub              the public key, if an administrator chose another one
//!   versions/0.1.0          one folder for each version; the file `before` in it names the version before
//!   versions/0.2.0
//! ```
//!
//! A version's folder gets its name when it is complete, and `current` is replaced by one rename. So a program that is
//! started at any moment is a complete version, even if an update was killed.

use crate::workspace::{Result, file_failure, io_failure};
use lexforge_compute::installed;
use lexforge_domain::{Code, Failure};
use lexforge_files::inside;
use semver::Version;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Folder of the versions.
pub(super) const VERSIONS: &str = "versions";
/// Link to the version that starts.
pub(super) const CURRENT: &str = "current";
/// File in a version's folder that names the version that it followed.
pub(super) const BEFORE: &str = "before";
/// File whose lock says that an update is running.
const LOCK: &str = "versions/.lock";
/// The beginning of the name of a folder that is not complete yet, and of a folder that is being replaced.
const UNFINISHED: [&str; 2] = [".new-", ".old-"];

/// The folder of an installation: its versions, and which of them starts.
#[derive(Debug)]
pub(super) struct Home {
    root: PathBuf,
}

/// The right to change it; it goes with the value.
#[derive(Debug)]
pub(super) struct Held(#[allow(dead_code, reason = "its lock is what counts")] File);

impl Home {
    /// The folder that a program was installed in; `None` where it lies elsewhere.
    pub(super) fn of_program(program: &Path) -> Option<Self> {
        let folder = installed::folder_of_program(program)?;
        let versions = folder.parent()?;
        let root = versions.parent()?;
        let is_link = std::fs::symlink_metadata(root.join(CURRENT)).is_ok_and(|m| m.is_symlink());
        (versions.file_name().is_some_and(|name| name == VERSIONS) && is_link).then(|| Self {
            root: root.to_owned(),
        })
    }

    /// The installation folder of the running program.
    ///
    /// # Errors
    /// Where the program was installed in another way.
    pub(super) fn here() -> Result<Self> {
        let program = std::env::current_exe().map_err(|e| io_failure(&e, Path::new("lexforge")))?;
        Self::of_program(&program).ok_or_else(|| {
            Failure::invalid(format!(
                    "This program lies in {}, which is no folder that is updated by file.",
                    program.parent().unwrap_or(&program).display()
                ),
                "Where a package of the system brought it, have the newer package installed over it. Where it was compiled \
                 here, compile it again. The folder for updates by file is what the archive is unpacked to.",
            )
        })
    }

    /// Where it is.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of a version, whether it exists or not.
    pub(super) fn folder_of(&self, version: &Version) -> PathBuf {
        self.root.join(VERSIONS).join(version.to_string())
    }

    /// The version that the next start runs.
    ///
    /// # Errors
    /// Where `current` is not a link to a version.
    pub(super) fn current(&self) -> Result<Version> {
        let link = self.root.join(CURRENT);
        let target = std::fs::read_link(&link).map_err(|e| io_failure(&e, &link))?;
        let named = target.to_str().and_then(|t| t.strip_prefix("versions/"));
        named.and_then(version).ok_or_else(|| {
            Failure::new(
                Code::Damaged,
                format!(
                    "{} leads to {}, which is no version.",
                    link.display(),
                    target.display()
                ),
                "Make it a link to the folder of a version, for example versions/0.1.0, or unpack the archive again.",
            )
        })
    }

    /// The version that a version followed; `None` where it was not an update that brought it.
    pub(super) fn before(&self, of: &Version) -> Option<Version> {
        let bytes = inside::read(&self.folder_of(of), BEFORE, 100).ok()?;
        version(std::str::from_utf8(&bytes).ok()?.trim())
    }

    /// The versions that lie there, from the oldest.
    pub(super) fn versions(&self) -> Vec<Version> {
        let mut found: Vec<Version> = std::fs::read_dir(self.root.join(VERSIONS))
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter_map(|entry| version(entry.file_name().to_str()?))
            .collect();
        found.sort();
        found
    }

    /// Takes the lock that allows changing the folder, and removes files that a killed update left behind.
    ///
    /// # Errors
    /// Where another update is running, or the folder cannot be written.
    pub(super) fn hold(&self) -> Result<Held> {
        let held = hold(
            &self.root,
            LOCK,
            "Another update of this installation is running.",
        )?;
        for entry in std::fs::read_dir(self.root.join(VERSIONS))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name();
            let unfinished = name
                .to_str()
                .is_some_and(|name| UNFINISHED.iter().any(|begin| name.starts_with(begin)));
            if unfinished {
                std::fs::remove_dir_all(entry.path()).map_err(|e| io_failure(&e, &entry.path()))?;
            }
        }
        Ok(held)
    }

    /// Makes an empty folder beside the versions. It is removed when the returned value is dropped, unless the folder
    /// was moved to its final place.
    ///
    /// # Errors
    /// Where the folder cannot be made.
    pub(super) fn beside(&self, version: &Version, _: &Held) -> Result<Beside> {
        let name = format!("{}{version}", UNFINISHED[0]);
        let path = self.root.join(VERSIONS).join(name);
        std::fs::create_dir(&path).map_err(|e| io_failure(&e, &path))?;
        Ok(Beside { path })
    }

    /// Gives a complete folder the name of its version. If a folder of that name exists already, it is removed. The
    /// caller never passes the version that the next start runs.
    ///
    /// # Errors
    /// Where the system refuses to rename a folder.
    pub(super) fn put_in_place(&self, beside: Beside, version: &Version) -> Result<()> {
        let (place, all) = (self.folder_of(version), self.root.join(VERSIONS));
        let old = all.join(format!("{}{version}", UNFINISHED[1]));
        let there = place.exists();
        if there {
            std::fs::rename(&place, &old).map_err(|e| io_failure(&e, &place))?;
        }
        std::fs::rename(&beside.path, &place).map_err(|e| io_failure(&e, &place))?;
        sync_folder(&all)?;
        if there {
            // What cannot be removed now is removed by the next update.
            let _ = std::fs::remove_dir_all(&old);
        }
        Ok(())
    }

    /// Makes this version the one that starts, by one rename.
    ///
    /// # Errors
    /// Where the system refuses the rename. Then the earlier version stays the one that starts.
    pub(super) fn switch(&self, version: &Version, _: &Held) -> Result<()> {
        lead_to(&self.root.join(CURRENT), &format!("{VERSIONS}/{version}"))
    }
}

/// Takes the lock of a file. If another process has it, the error says `busy`.
///
/// # Errors
/// Where another process has the lock, or the file cannot be made.
pub(super) fn hold(root: &Path, lock: &str, busy: &str) -> Result<Held> {
    let file = inside::open_to_lock(root, lock, true).map_err(file_failure)?;
    match file.try_lock() {
        // The file system has no locks. Then users must take care not to start two updates at once.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Held(file)),
        Err(TryLockError::WouldBlock) => Err(Failure::invalid(
            busy,
            "Wait until it has ended, then try again.",
        )),
    }
}

/// A folder that is filled beside the versions.
#[derive(Debug)]
pub(super) struct Beside {
    path: PathBuf,
}

impl Beside {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // The folder no longer exists if it was moved to its place. If it cannot be removed, the next update removes
        // it.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A version in its normal form, so that it names exactly one folder.
pub(super) fn version(text: &str) -> Option<Version> {
    let version = Version::parse(text).ok()?;
    (version.to_string() == text).then_some(version)
}

/// Makes a link point to another target, by one rename.
///
/// # Errors
/// Where the new link cannot be made or renamed. Then the old link stays.
pub(super) fn lead_to(link: &Path, target: &str) -> Result<()> {
    let folder = link.parent().unwrap_or(Path::new("."));
    let new = folder.join(".current.new");
    // Of one who was killed.
    let _ = std::fs::remove_file(&new);
    make_link(target, &new).map_err(|e| io_failure(&e, &new))?;
    std::fs::rename(&new, link).map_err(|e| io_failure(&e, link))?;
    sync_folder(folder)
}

/// Makes a folder and all folders in it readable for every user, whatever the umask of the user who updates. It also
/// makes the system write the folders' entries to the disk.
pub(super) fn finish_folders(folder: &Path) -> Result<()> {
    open_to_all(folder).map_err(|e| io_failure(&e, folder))?;
    let entries = std::fs::read_dir(folder).map_err(|e| io_failure(&e, folder))?;
    for entry in entries {
        let entry = entry.map_err(|e| io_failure(&e, folder))?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            finish_folders(&entry.path())?;
        }
    }
    sync_folder(folder)
}

/// Has the system write a folder's names through to the disk.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    // Other systems do not open folders as files. They write names to the disk by themselves.
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(|e| io_failure(&e, folder))?;
    }
    Ok(())
}

#[cfg(unix)]
fn open_to_all(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn make_link(target: &str, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Packages for other systems do not have this layout.
#[cfg(not(unix))]
fn make_link(_: &str, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
