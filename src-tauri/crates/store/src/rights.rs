//! Who may use a file: its owner, its group, its list of others (ACL) and its mode.

use crate::error::{Result, StoreError};
use lexforge_domain::{Code, Failure};
use std::path::Path;

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
