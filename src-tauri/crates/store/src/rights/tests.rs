//! Tests of `rights`.

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
    // The folders above it that are not there yet have its rights as well.
    for (mode, is_shared) in [(0o755, false), (0o2775, true)] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(mode)).unwrap();
        std::fs::create_dir(folder.path().join("by system")).unwrap();
        make_own_folder(&folder.path().join("a/b")).unwrap();
        let of = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().mode();
        let expected = if is_shared { of("by system") } else { 0o40700 };
        assert_eq!((of("a"), of("a/b")), (expected, expected), "{mode:o}");
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

/// What a colleague restores in a shared folder is the colleague's, and the others can use it as before.
#[test]
fn where_the_owner_cannot_be_the_same_the_group_and_the_rights_are() {
    let folder = tempfile::tempdir().unwrap();
    for (is_folder, mode) in [(false, 0o664), (false, 0o640), (true, 0o2770)] {
        let [old, new] = ["old", "new"].map(|name| folder.path().join(format!("{name}{mode}")));
        for path in [&old, &new] {
            if is_folder {
                std::fs::create_dir(path).unwrap();
            } else {
                std::fs::write(path, "").unwrap();
            }
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o700)).unwrap();
        }
        // Only the administrator may give a file away.
        let _ = chown(&old, Some(12_340), Some(12_341));
        std::fs::set_permissions(&old, PermissionsExt::from_mode(mode)).unwrap();
        let (before, own) = (std::fs::metadata(&old).unwrap(), new.metadata().unwrap());
        for_its_group(&old, &new).unwrap();
        let now = std::fs::metadata(&new).unwrap();
        assert_eq!(now.mode() & 0o7777, mode);
        assert_eq!((now.uid(), now.gid()), (own.uid(), before.gid()));
        // The owner comes along where that is allowed.
        take_over_if_allowed(&old, &new);
        let now = std::fs::metadata(&new).unwrap();
        assert_eq!((now.uid(), now.gid()), (before.uid(), before.gid()));
        assert_eq!(now.mode() & 0o7777, mode);
    }
    // Nothing can be taken over from what is not there.
    let new = folder.path().join("new");
    std::fs::create_dir(&new).unwrap();
    take_over_if_allowed(&folder.path().join("gone"), &new);
    assert_eq!(std::fs::metadata(&new).unwrap().mode() & 0o777, 0o700);
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
        lexforge_needs::unavailable("a disk for temporary files with lists of rights");
        return;
    }
    assert!(is_shared(folder.path()));
    let (by_system, by_us) = modes(folder.path(), false);
    assert_eq!((by_system, by_us), (0o660, 0o660));
}

/// A folder may give new files rights by its own list (ACL). If the old file has no such list, it is removed from the
/// new file. If the old file has a list, the new file gets it.
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
    let put =
        |path: &Path| rustix::fs::setxattr(path, LIST, &entries, rustix::fs::XattrFlags::empty());
    let has = |path: &Path| rustix::fs::getxattr(path, LIST, &mut [0_u8; 256][..]).is_ok();
    for (of_old, of_new) in [(true, false), (false, true)] {
        std::fs::write(&old, "").unwrap();
        std::fs::write(&new, "").unwrap();
        for (path, wanted) in [(&old, of_old), (&new, of_new)] {
            let _ = rustix::fs::removexattr(path, LIST);
            if wanted && put(path).is_err() {
                lexforge_needs::unavailable("a disk for temporary files with lists of rights");
                return;
            }
        }
        take_over(&old, &new).unwrap();
        assert_eq!(has(&new), of_old);
    }
}
