//! Recognises network shares. SQLite's write-ahead log is not safe on them: its index is in memory that all users of
//! the file share, and different machines share no memory. The code differs between operating systems.

use std::path::Path;

/// The name of the network file system on which `folder` lies, if it lies on one.
#[cfg(target_os = "linux")]
pub(crate) fn network_share(folder: &Path) -> Option<String> {
    let stat = rustix::fs::statfs(folder).ok()?;
    // The type of `f_type` differs between architectures; magic numbers have 32 bits.
    match kind_of_magic(stat.f_type as u32) {
        Kind::Local => None,
        Kind::Network(name) => Some(name.to_owned()),
        Kind::Fuse => {
            let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
            let folder = folder.canonicalize().ok()?;
            network_fuse(&mounts, &folder)
        }
    }
}

/// The name of the network file system that holds `folder`, if there is one. On Windows only UNC paths are recognised,
/// mapped drives are not.
#[cfg(windows)]
pub(crate) fn network_share(folder: &Path) -> Option<String> {
    use std::path::{Component, Prefix};
    let folder = folder.canonicalize().ok()?;
    match folder.components().next() {
        Some(Component::Prefix(p))
            if matches!(p.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..)) =>
        {
            Some("UNC path".to_owned())
        }
        _ => None,
    }
}

/// Network shares are not recognised on this system.
#[cfg(not(any(target_os = "linux", windows)))]
pub(crate) fn network_share(_folder: &Path) -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Local,
    Network(&'static str),
    /// A file system in a user program, which may be either.
    Fuse,
}

/// The meaning of a magic number of statfs(2).
#[cfg(target_os = "linux")]
fn kind_of_magic(magic: u32) -> Kind {
    Kind::Network(match magic {
        0x6969 => "NFS",
        0x517B => "SMB",
        0xFF53_4D42 => "CIFS",
        0xFE53_4D42 => "SMB2",
        0x564C => "NCP",
        0x5346_414F | 0x6B41_4653 => "AFS",
        0x7375_7245 => "Coda",
        0x00C3_6400 => "Ceph",
        0x0102_1997 => "9p",
        0x0BD0_0BD0 => "Lustre",
        0x4750_4653 => "GPFS",
        0x1983_0326 => "BeeGFS",
        0x7461_636F => "OCFS2",
        0x0116_1970 => "GFS2",
        0x6573_5546 => return Kind::Fuse,
        _ => return Kind::Local,
    })
}

/// The type of the FUSE mount that holds `folder`, if the mount goes over a network. `mounts` is the text of
/// `/proc/self/mountinfo`. In it the fifth field is the mount point, and the type comes after the single dash.
#[cfg(target_os = "linux")]
fn network_fuse(mounts: &str, folder: &Path) -> Option<String> {
    const REMOTE: [&str; 14] = [
        "sshfs",
        "rclone",
        "davfs",
        "davfs2",
        "s3fs",
        "gcsfuse",
        "blobfuse",
        "blobfuse2",
        "glusterfs",
        "ceph",
        "gvfsd-fuse",
        "smbnetfs",
        "curlftpfs",
        "juicefs",
    ];
    let (_, kind) = mounts
        .lines()
        .filter_map(|line| {
            let (left, right) = line.split_once(" - ")?;
            let point = left.split(' ').nth(4)?.replace("\\040", " ");
            let kind = right.split(' ').next()?;
            folder.starts_with(&point).then_some((point.len(), kind))
        })
        .max_by_key(|&(length, _)| length)?;
    let name = kind.strip_prefix("fuse.")?;
    REMOTE.contains(&name).then(|| name.to_owned())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn magic_numbers_tell_network_from_local() {
        let check = |magic, expected| assert_eq!(kind_of_magic(magic), expected, "{magic:#x}");
        check(0xEF53, Kind::Local); // ext4
        check(0x5846_5342, Kind::Local); // XFS
        check(0x9123_683E, Kind::Local); // btrfs
        check(0x0102_1994, Kind::Local); // tmpfs
        check(0x794C_7630, Kind::Local); // overlay
        check(0x6969, Kind::Network("NFS"));
        check(0xFF53_4D42, Kind::Network("CIFS"));
        check(0xFE53_4D42, Kind::Network("SMB2"));
        check(0x6573_5546, Kind::Fuse);
    }

    #[test]
    fn fuse_mounts_are_told_apart_by_their_type() {
        let mounts = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n\
             40 22 0:50 / /mnt/a\\040share rw,nosuid shared:1 - fuse.sshfs host:/x rw\n\
             41 22 0:51 / /mnt/stick rw - fuseblk /dev/sdb1 rw\n\
             42 40 0:52 / /mnt/a\\040share/local rw - fuse.portal portal rw\n";
        let check = |folder: &str, expected: Option<&str>| {
            assert_eq!(
                network_fuse(mounts, Path::new(folder)).as_deref(),
                expected,
                "{folder}"
            );
        };
        check("/home/x", None);
        check("/mnt/a share/deep/er", Some("sshfs"));
        check("/mnt/stick/x", None);
        check("/mnt/a share/local", None);
    }

    #[test]
    fn the_system_s_temporary_folder_is_local() {
        assert_eq!(network_share(&std::env::temp_dir()), None);
    }
}
