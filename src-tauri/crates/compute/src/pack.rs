//! A pack: a libtorch that a user installed from files, for example the one for CUDA. The worker uses it instead of
//! the libtorch in its own folder.
//!
//! ```text
//! libtorch/                  in the user's folder
//!   current                  a link to the pack that is used
//!   0123456789abcdef/lib/…   a pack, by the hash of its list
//! ```

use crate::installed::{user_folder, writable_by_others};
use std::path::{Path, PathBuf};

/// Link to the pack that is used.
pub const CURRENT: &str = "current";
/// Folder of the libraries in a pack.
pub const LIBRARIES: &str = "lib";
/// Length of a pack's name.
const NAME: usize = 16;

/// The folder of this user's packs.
pub fn folder() -> PathBuf {
    let user = user_folder();
    std::path::absolute(&user).unwrap_or(user).join("libtorch")
}

/// Whether a text is the name of a pack.
pub fn is_name(name: &str) -> bool {
    let hexadecimal = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    name.len() == NAME && name.bytes().all(hexadecimal)
}

/// The pack in this folder that is used.
pub fn used(folder: &Path) -> Option<String> {
    let target = std::fs::read_link(folder.join(CURRENT)).ok()?;
    let name = target.to_str().filter(|name| is_name(name))?;
    Some(name.to_owned())
}

/// The libraries of the pack in use. `None` if there is no pack, or if somebody other than its user can write to it.
pub fn libraries() -> Option<PathBuf> {
    let folder = folder();
    // Without a home folder the path would be relative, and anybody could have made that folder here.
    folder.is_absolute().then(|| libraries_in(&folder))?
}

fn libraries_in(folder: &Path) -> Option<PathBuf> {
    let pack = folder.join(used(folder)?);
    let libraries = pack.join(LIBRARIES);
    let all = [folder, &pack, &libraries];
    let is_own = libraries.is_dir() && !all.iter().any(|place| writable_by_others(place));
    is_own.then_some(libraries)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn only_a_pack_that_its_user_alone_could_write_is_used() {
        let root = tempfile::tempdir().unwrap();
        let (folder, name) = (root.path(), "0123456789abcdef");
        let libraries = folder.join(name).join("lib");
        fs::create_dir_all(&libraries).unwrap();
        let allow = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        for path in [folder, &folder.join(name), &libraries] {
            allow(path, 0o755);
        }
        assert_eq!(libraries_in(folder), None);
        symlink(name, folder.join(CURRENT)).unwrap();
        assert_eq!(libraries_in(folder), Some(libraries.clone()));
        allow(&libraries, 0o777);
        assert_eq!(libraries_in(folder), None);
        allow(&libraries, 0o755);
        for elsewhere in ["/usr", "../0123456789abcdef", "0123"] {
            fs::remove_file(folder.join(CURRENT)).unwrap();
            symlink(elsewhere, folder.join(CURRENT)).unwrap();
            assert_eq!(libraries_in(folder), None, "{elsewhere}");
        }
    }
}
