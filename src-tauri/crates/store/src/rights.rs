//! Who may use a file: its owner, its group, its list of others (ACL) and its mode.
//!
//! New files and folders can be used only by their owner, except in a folder in which several people work. The rights
//! of existing files are never changed.

use crate::error::{Result, StoreError};
use lexforge_domain::{Code, Failure};
use std::fs::{DirBuilder, File};
use std::path::Path;

/// Makes a new, empty file. Its owner alone may use it; in a shared folder it has the rights that the system gives.
pub(crate) fn make_file(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if !is_shared(crate::file_system::folder_of(path)) {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    options.open(path)
}

/// Makes a folder for copies of model files, and the folders above it that are missing. Only the owner may use it.
/// Inside a shared folder it gets the rights that the system gives.
///
/// # Errors
/// If the system refuses.
pub fn make_own_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    if !is_shared(crate::file_system::folder_of(path)) {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    builder.recursive(true).create(path)
}

/// Makes the folder that belongs to a file, if it is missing. Only those who may read the file may enter it.
pub(crate) fn make_folder_beside(file: &Path, folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, MetadataExt};
        let read = std::fs::metadata(file).map_or(0, |meta| meta.mode() & 0o044);
        // Whoever may read gets what the system gives; three bits a class.
        builder.mode(0o700 | read | (read >> 1) | (read >> 2));
    }
    #[cfg(not(unix))]
    let _ = file;
    builder.recursive(true).create(folder)
}

/// Whether a folder is shared by several people. It is shared if new files in it get the group of the folder, or if it
/// has a list (ACL) of the people who may use new files in it. If the folder does not exist yet, the folder above it
/// decides.
#[cfg(unix)]
fn is_shared(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let mut above = folder.ancestors().filter(|f| !f.as_os_str().is_empty());
    let folder = above.find(|f| f.exists()).unwrap_or(Path::new("."));
    let mode = std::fs::metadata(folder).map_or(0, |meta| meta.mode());
    let gives_its_group = mode & 0o2000 != 0 && mode & 0o070 != 0;
    gives_its_group || has_list_for_new(folder)
}

/// Under this name Linux keeps the list that a folder gives to what is made in it.
#[cfg(target_os = "linux")]
const LIST_FOR_NEW: &str = "system.posix_acl_default";

#[cfg(target_os = "linux")]
fn has_list_for_new(folder: &Path) -> bool {
    use rustix::io::Errno;
    let found = rustix::fs::getxattr(folder, LIST_FOR_NEW, &mut [0_u8; 256][..]);
    matches!(found, Ok(_) | Err(Errno::RANGE))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn has_list_for_new(_: &Path) -> bool {
    false
}

/// Gives the file or folder at `new` the owner, group and rights of the old one that it will replace, as far as the
/// system allows this. If the owner cannot be changed, only group and rights are copied. If these cannot be changed
/// either, only the owner of `new` may use it. In every case the owner can write it.
pub(crate) fn take_over_if_allowed(old: &Path, new: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let own = if new.is_dir() { 0o700 } else { 0o600 };
        let give = |mode| std::fs::set_permissions(new, std::fs::Permissions::from_mode(mode));
        let write = || give(std::fs::metadata(new)?.mode() & 0o7777 | own);
        let handed_over = take_over(old, new).is_ok() || for_its_group(old, new).is_ok();
        if !handed_over || write().is_err() {
            let _ = give(own);
        }
    }
    #[cfg(not(unix))]
    let _ = (old, new);
}

/// Lets the group and the list of `old` use `new`, with its mode. The owner stays who it is.
#[cfg(unix)]
fn for_its_group(old: &Path, new: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let meta = std::fs::metadata(old)?;
    if std::fs::metadata(new)?.gid() != meta.gid() {
        std::os::unix::fs::chown(new, None, Some(meta.gid()))?;
    }
    list(old, new)?;
    std::fs::set_permissions(new, meta.permissions())
}

/// Gives the new, empty file at `new` the owner, group and rights of the file at `old`, so that exactly the same people
/// may use it.
///
/// # Errors
/// If the system does not allow this user to do this.
pub(crate) fn take_over(old: &Path, new: &Path) -> Result<()> {
    let meta = std::fs::metadata(old)?;
    // Nobody but its owner until the rest is as it shall be.
    for_the_owner_alone(new)?;
    let handed_over = owner(&meta, new).and_then(|()| list(old, new));
    handed_over.map_err(|_| {
        StoreError::Refused(
            Failure::new(
                Code::ReadOnly,
                "You may not give the new file the owner, the group and the rights of the present one.",
                "Let the owner of the workspace's file do this; nothing was changed.",
            )
            .in_file(old.display().to_string()),
        )
    })?;
    // At last: a change of owner or list changes the mode.
    std::fs::set_permissions(new, meta.permissions())?;
    Ok(())
}

#[cfg(unix)]
fn for_the_owner_alone(new: &Path) -> std::io::Result<()> {
    std::fs::set_permissions(new, std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
fn for_the_owner_alone(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn owner(old: &std::fs::Metadata, new: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let made = std::fs::metadata(new)?;
    let user = (made.uid() != old.uid()).then_some(old.uid());
    let group = (made.gid() != old.gid()).then_some(old.gid());
    if user.is_none() && group.is_none() {
        return Ok(());
    }
    std::os::unix::fs::chown(new, user, group)
}

#[cfg(not(unix))]
fn owner(_: &std::fs::Metadata, _: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Under this name Linux keeps the list of a file.
#[cfg(target_os = "linux")]
const LIST: &str = "system.posix_acl_access";

/// Copies the list, or removes the one that the folder gave the new file.
#[cfg(target_os = "linux")]
fn list(old: &Path, new: &Path) -> std::io::Result<()> {
    use rustix::io::Errno;
    let mut bytes = vec![0_u8; 64 << 10];
    let done = match rustix::fs::getxattr(old, LIST, &mut bytes[..]) {
        Ok(length) => {
            let kept = bytes.get(..length).unwrap_or_default();
            rustix::fs::setxattr(new, LIST, kept, rustix::fs::XattrFlags::empty())
        }
        Err(Errno::NODATA) => rustix::fs::removexattr(new, LIST),
        Err(e) => Err(e),
    };
    match done {
        // There is none, or the disk knows no lists.
        Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
        Err(e) => Err(e.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn list(_: &Path, _: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests;
