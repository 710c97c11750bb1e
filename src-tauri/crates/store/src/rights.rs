//! Who may use a file: its owner, its group, its list of others (ACL) and its mode.
//!
//! What is new is its owner's alone, except in a folder that is there for several people to work in. The rights of what
//! is there already are never changed.

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

/// Makes a folder for copies of model files, with those above it. Its owner alone may use it; in a shared folder it has
/// the rights that the system gives.
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

/// Whether several people work in a folder: it gives its group to what is made in it, or has a list of those who may use
/// what is made in it.
#[cfg(unix)]
fn is_shared(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
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

/// Lets the same people use the new file at `new` as the old one, whose place it is to take, as far as this user may
/// hand it over; else nobody but its owner. The owner can write it.
pub(crate) fn take_over_if_allowed(old: &Path, new: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let write = || {
            let mode = std::fs::metadata(new)?.mode() & 0o7777 | 0o600;
            std::fs::set_permissions(new, std::fs::Permissions::from_mode(mode))
        };
        if take_over(old, new).is_err() || write().is_err() {
            let _ = for_the_owner_alone(new);
        }
    }
    #[cfg(not(unix))]
    let _ = (old, new);
}

/// Lets the same people use the new, empty file at `new` as the one at `old`, and nobody else.
///
/// # Errors
/// A refusal where the system does not let this user hand a file over so.
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
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    #[test]
    fn owner_group_and_mode_are_those_of_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        for (number, mode) in [0o600, 0o640, 0o664, 0o444].into_iter().enumerate() {
            let _ = std::fs::remove_file(&old);
            let _ = std::fs::remove_file(&new);
            std::fs::write(&old, "").unwrap();
            std::fs::write(&new, "").unwrap();
            // Only the administrator may give a file away.
            let other = u32::try_from(number).unwrap() + 12_340;
            let given = chown(&old, Some(other), Some(other)).is_ok();
            std::fs::set_permissions(&old, PermissionsExt::from_mode(mode)).unwrap();
            take_over(&old, &new).unwrap();
            let meta = std::fs::metadata(&new).unwrap();
            assert_eq!(meta.mode() & 0o7777, mode);
            if given {
                assert_eq!((meta.uid(), meta.gid()), (other, other));
            }
        }
    }

    /// The mode of what the system makes in this folder, and of what is made here.
    fn modes(folder: &Path, is_folder: bool) -> (u32, u32) {
        let (by_system, by_us) = (folder.join("by system"), folder.join("by us"));
        if is_folder {
            std::fs::create_dir(&by_system).unwrap();
            make_own_folder(&by_us).unwrap();
        } else {
            std::fs::write(&by_system, "").unwrap();
            drop(make_file(&by_us).unwrap());
        }
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        (mode(&by_system), mode(&by_us))
    }

    #[test]
    fn what_is_new_is_its_owner_s_alone_but_in_a_shared_folder() {
        for (mode, is_shared) in [
            (0o700, false),
            (0o755, false),
            (0o777, false),
            (0o2700, false),
            (0o2750, true),
            (0o2775, true),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for (is_folder, own) in [(false, 0o600), (true, 0o700)] {
                let place = folder.path().join(if is_folder { "x" } else { "y" });
                std::fs::create_dir(&place).unwrap();
                std::fs::set_permissions(&place, PermissionsExt::from_mode(mode)).unwrap();
                let (by_system, by_us) = modes(&place, is_folder);
                let expected = if is_shared { by_system } else { own };
                assert_eq!(by_us, expected, "{mode:o}, a folder: {is_folder}");
            }
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("w"), "").unwrap();
        let again = make_file(&folder.path().join("w"));
        assert_eq!(again.unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn a_folder_beside_a_file_is_for_those_who_may_read_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("by system")).unwrap();
        let by_system = std::fs::metadata(at("by system")).unwrap().mode() & 0o777;
        std::fs::write(at("w"), "").unwrap();
        for (file, allowed) in [
            (0o600, 0o700),
            (0o640, 0o770),
            (0o604, 0o707),
            (0o664, 0o777),
            (0o444, 0o777),
            (0o620, 0o700),
        ] {
            std::fs::set_permissions(at("w"), PermissionsExt::from_mode(file)).unwrap();
            make_folder_beside(&at("w"), &at("w.artifacts")).unwrap();
            let mode = std::fs::metadata(at("w.artifacts")).unwrap().mode() & 0o777;
            assert_eq!(mode, allowed & by_system, "{file:o}");
            // One that is there stays as it is.
            std::fs::set_permissions(at("w.artifacts"), PermissionsExt::from_mode(0o711)).unwrap();
            make_folder_beside(&at("w"), &at("w.artifacts")).unwrap();
            let mode = std::fs::metadata(at("w.artifacts")).unwrap().mode() & 0o777;
            assert_eq!(mode, 0o711);
            std::fs::remove_dir(at("w.artifacts")).unwrap();
        }
    }

    #[test]
    fn what_takes_a_place_has_the_rights_of_before_and_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        for (before, expected) in [(0o664, 0o664), (0o600, 0o600), (0o444, 0o644)] {
            let _ = std::fs::remove_file(&old);
            std::fs::write(&old, "").unwrap();
            std::fs::write(&new, "").unwrap();
            std::fs::set_permissions(&old, PermissionsExt::from_mode(before)).unwrap();
            take_over_if_allowed(&old, &new);
            assert_eq!(std::fs::metadata(&new).unwrap().mode() & 0o777, expected);
        }
    }

    /// A folder with a list for what is made in it is shared.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_list_for_new_files_makes_a_folder_a_shared_one() {
        let folder = tempfile::tempdir().unwrap();
        let entry = |tag: u16, rights: u16, id: u32| {
            [
                &tag.to_le_bytes()[..],
                &rights.to_le_bytes(),
                &id.to_le_bytes(),
            ]
            .concat()
        };
        let none = u32::MAX;
        let entries = [
            2_u32.to_le_bytes().to_vec(),
            entry(1, 7, none),
            entry(2, 7, 12_340),
            entry(4, 0, none),
            entry(16, 7, none),
            entry(32, 0, none),
        ]
        .concat();
        assert!(!is_shared(folder.path()));
        let flags = rustix::fs::XattrFlags::empty();
        if rustix::fs::setxattr(folder.path(), LIST_FOR_NEW, &entries, flags).is_err() {
            println!("this disk knows no lists");
            return;
        }
        assert!(is_shared(folder.path()));
        let (by_system, by_us) = modes(folder.path(), false);
        assert_eq!((by_system, by_us), (0o660, 0o660));
    }

    /// What a folder gives each new file in it is taken away where the old file has it not, and a list of the old one is
    /// kept.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_list_is_taken_over_and_none_is_added() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        // Version 2; the owner reads and writes, user 12340 reads, the group and all others have nothing.
        let entry = |tag: u16, rights: u16, id: u32| {
            [
                &tag.to_le_bytes()[..],
                &rights.to_le_bytes(),
                &id.to_le_bytes(),
            ]
            .concat()
        };
        let none = u32::MAX;
        let entries = [
            2_u32.to_le_bytes().to_vec(),
            entry(1, 6, none),
            entry(2, 4, 12_340),
            entry(4, 0, none),
            entry(16, 4, none),
            entry(32, 0, none),
        ]
        .concat();
        let put = |path: &Path| {
            rustix::fs::setxattr(path, LIST, &entries, rustix::fs::XattrFlags::empty())
        };
        let has = |path: &Path| rustix::fs::getxattr(path, LIST, &mut [0_u8; 256][..]).is_ok();
        for (of_old, of_new) in [(true, false), (false, true)] {
            std::fs::write(&old, "").unwrap();
            std::fs::write(&new, "").unwrap();
            for (path, wanted) in [(&old, of_old), (&new, of_new)] {
                let _ = rustix::fs::removexattr(path, LIST);
                if wanted && put(path).is_err() {
                    println!("this disk knows no lists");
                    return;
                }
            }
            take_over(&old, &new).unwrap();
            assert_eq!(has(&new), of_old);
        }
    }
}
