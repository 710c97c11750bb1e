//! Key files with a passphrase: adding a passphrase, removing it, and opening the file for as long as this program
//! runs.

use super::files::io_failure;
use super::key_ring::{
    LONGEST_TO_SEAL, already_protected, kept_in_file, not_protected, open_sealed, several_names,
    too_long,
};
use super::passphrase;
use super::result::Result;
use super::sealed;
use super::user_folder::write_own;
use std::path::{Path, PathBuf};

/// Encrypts a key file with a passphrase.
///
/// # Errors
/// When there is no such file, other users can read it, it is protected already, or it cannot be written.
pub fn protect_key_file(path: &Path, passphrase: &str) -> Result<()> {
    let path = &itself(path)?;
    let text = kept_in_file(path)?;
    if text.len() > LONGEST_TO_SEAL {
        return Err(too_long(path));
    }
    if sealed::is_sealed(&text) {
        return Err(already_protected(path));
    }
    write_own(
        path,
        format!("{}\n", sealed::seal(&text, passphrase)?).as_bytes(),
    )
}

/// Removes the passphrase of a key file. The file stays readable only for its owner.
///
/// # Errors
/// When there is no such file, it has a second name (a hard link), it is not protected, the passphrase is wrong, or it
/// cannot be written.
pub fn unprotect_key_file(path: &Path, passphrase: &str) -> Result<()> {
    let path = &itself(path)?;
    let text = sealed_of(path)?;
    let secret = open_sealed(path, &text, passphrase)?;
    write_own(path, secret.as_bytes())
}

/// Unlocks a key file until this program ends.
///
/// # Errors
/// When there is no such file, it is not protected, or the passphrase is wrong.
pub fn unlock_key_file(path: &Path, passphrase: &str) -> Result<()> {
    let text = sealed_of(path)?;
    let secret = open_sealed(path, &text, passphrase)?;
    passphrase::keep(&text, &secret);
    Ok(())
}

/// The file that a path leads to. It must not have a second name, because the file under that name would stay as it is.
fn itself(path: &Path) -> Result<PathBuf> {
    let real = path.canonicalize().map_err(|e| io_failure(&e, path))?;
    #[cfg(unix)]
    if std::fs::metadata(&real).is_ok_and(|about| std::os::unix::fs::MetadataExt::nlink(&about) > 1)
    {
        return Err(several_names(&real));
    }
    Ok(real)
}

fn sealed_of(path: &Path) -> Result<String> {
    let text = kept_in_file(path)?;
    if sealed::is_sealed(&text) {
        Ok(text)
    } else {
        Err(not_protected(path))
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::workspace::secret_of_file;
    use lexforge_domain::Code;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    #[test]
    fn a_protected_key_file_is_used_once_it_was_opened_and_is_what_it_was_without_its_passphrase() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, "sk-one\nsecond line\n").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        assert_eq!(
            unlock_key_file(&path, "p").unwrap_err().code,
            Code::KeyMissing,
            "it is not protected yet"
        );
        protect_key_file(&path, "a passphrase").unwrap();
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(!kept.contains("sk-one"));
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        let failure = secret_of_file(&path).unwrap_err();
        assert_eq!(failure.code, Code::KeyLocked);
        assert_eq!(failure.path.as_deref(), path.to_str());
        let wrong = unlock_key_file(&path, "another").unwrap_err();
        assert_eq!(wrong.code, Code::KeyLocked);
        assert!(wrong.message.contains("does not open"), "{wrong:?}");
        assert!(
            protect_key_file(&path, "b").is_err(),
            "twice is once too often"
        );
        assert!(unprotect_key_file(&path, "another").is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), kept);
        unlock_key_file(&path, "a passphrase").unwrap();
        assert_eq!(secret_of_file(&path).unwrap(), "sk-one\nsecond line\n");
        unprotect_key_file(&path, "a passphrase").unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "sk-one\nsecond line\n"
        );
        // A link leads to the file itself; a second name of it would keep the secret.
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        protect_key_file(&link, "a passphrase").unwrap();
        assert!(!std::fs::read_to_string(&path).unwrap().contains("sk-one"));
        unprotect_key_file(&link, "a passphrase").unwrap();
        let second = folder.path().join("second");
        std::fs::hard_link(&path, &second).unwrap();
        assert!(protect_key_file(&path, "a passphrase").is_err());
        std::fs::remove_file(second).unwrap();
        // A long key stays readable.
        let long = "k".repeat(12 << 10);
        std::fs::write(&path, &long).unwrap();
        protect_key_file(&path, "a passphrase").unwrap();
        unprotect_key_file(&path, "a passphrase").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), long);
        // Others must not be able to read a protected file either, because they could try passphrases for as long as
        // they like.
        protect_key_file(&path, "a passphrase").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        assert_eq!(secret_of_file(&path).unwrap_err().code, Code::KeyMissing);
    }
}
