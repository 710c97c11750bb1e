//! Key files behind a passphrase: protecting one, taking the passphrase away, opening one for as long as this program runs.

use super::key_ring::{already_protected, kept_in_file, not_protected, open_sealed};
use super::passphrase;
use super::result::Result;
use super::sealed;
use super::user_folder::write_own;
use std::path::Path;

/// Puts a key file behind a passphrase.
///
/// # Errors
/// When there is no such file of its owner's alone, it is protected already, or it cannot be written.
pub fn protect_key_file(path: &Path, passphrase: &str) -> Result<()> {
    let text = kept_in_file(path)?;
    if sealed::is_sealed(&text) {
        return Err(already_protected(path));
    }
    write_own(
        path,
        format!("{}\n", sealed::seal(&text, passphrase)?).as_bytes(),
    )
}

/// Takes the passphrase of a key file away; its owner alone can read it then as before.
///
/// # Errors
/// When there is no such file, it is not protected, the passphrase is another one, or it cannot be written.
pub fn unprotect_key_file(path: &Path, passphrase: &str) -> Result<()> {
    let text = sealed_of(path)?;
    let secret = open_sealed(path, &text, passphrase)?;
    write_own(path, secret.as_bytes())
}

/// Opens a key file for this program, as long as it runs.
///
/// # Errors
/// When there is no such file, it is not protected, or the passphrase is another one.
pub fn unlock_key_file(path: &Path, passphrase: &str) -> Result<()> {
    let text = sealed_of(path)?;
    let secret = open_sealed(path, &text, passphrase)?;
    passphrase::keep(&text, &secret);
    Ok(())
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
        // Others must not read a protected file either: it can be tried at leisure.
        protect_key_file(&path, "a passphrase").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        assert_eq!(secret_of_file(&path).unwrap_err().code, Code::KeyMissing);
    }
}
