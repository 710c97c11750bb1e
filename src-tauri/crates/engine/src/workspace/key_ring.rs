//! Secrets of this user: the key ring of the operating system, and files that their owner alone can read.

use super::passphrase;
use super::result::Result;
use super::sealed::{self, Closed};
use lexforge_domain::{Advice, Code, Failure, Remedy};
use std::path::Path;

/// Name under which our entries stand in the key ring.
pub(crate) const SERVICE: &str = "lexforge";
/// Most bytes of a key file, also of one that is behind a passphrase, which makes it about twice as long.
const LONGEST: u64 = 64 << 10;
/// Most bytes of a key that is put behind a passphrase.
pub(super) const LONGEST_TO_SEAL: usize = 16 << 10;

/// A key ring that cannot be used. The error's own words are left out: some contain the secret.
pub(crate) fn no_ring(error: &keyring::v1::Error) -> Failure {
    let why = match error {
        keyring::v1::Error::NoStorageAccess(_) => "it is locked, or access was denied",
        keyring::v1::Error::NoDefaultStore => "this system has none that answers",
        keyring::v1::Error::BadEncoding(_) | keyring::v1::Error::BadDataFormat(..) => {
            "the entry is damaged"
        }
        keyring::v1::Error::Ambiguous(_) => "it has several entries of this name",
        _ => "it does not answer",
    };
    key_missing(
        format!("The key ring of this system cannot be used: {why}."),
        Remedy::UnlockKeyRing,
    )
}

/// The secret of a key file, which must be its owner's alone. Where it is behind a passphrase, that is asked for once.
pub(crate) fn secret_of_file(path: &Path) -> Result<String> {
    let text = kept_in_file(path)?;
    if !sealed::is_sealed(&text) {
        return Ok(text);
    }
    if let Some(secret) = passphrase::opened(&text) {
        return Ok(secret);
    }
    let shown = path.display();
    let given = passphrase::given(path).ok_or_else(|| {
        locked(
            path,
            format!("The key file {shown} is protected by a passphrase."),
        )
    })?;
    let secret = open_sealed(path, &text, &given)?;
    passphrase::keep(&text, &secret);
    Ok(secret)
}

/// Opens what is kept in a protected key file.
pub(super) fn open_sealed(path: &Path, text: &str, passphrase: &str) -> Result<String> {
    let shown = path.display();
    sealed::open(text, passphrase).map_err(|closed| match closed {
        Closed::WrongPassphrase => locked(
            path,
            format!("The passphrase does not open the key file {shown}."),
        ),
        Closed::Damaged => key_missing(
            format!("The key file {shown} is damaged: it is no key that was protected here."),
            "Put a copy of it back.".to_owned(),
        ),
    })
}

/// The failure for a key file without a passphrase, or with a wrong one.
fn locked(path: &Path, message: String) -> Failure {
    Failure::new(Code::KeyLocked, message, Remedy::GivePassphrase)
        .at_path(path.display().to_string())
}

/// A key file that is to be protected, and is already.
pub(super) fn already_protected(path: &Path) -> Failure {
    key_missing(
        format!(
            "The key file {} is protected by a passphrase already.",
            path.display()
        ),
        "Take its passphrase away first to give it another one.".to_owned(),
    )
}

/// The failure for a file that is too long to be a key file.
pub(super) fn too_long(path: &Path) -> Failure {
    key_missing(
        format!("{} is no key file.", path.display()),
        "Name a file that holds the key on its first line and nothing else.".to_owned(),
    )
}

/// The failure for a key file that has a second name (a hard link).
pub(super) fn several_names(path: &Path) -> Failure {
    key_missing(
        format!(
            "The key file {} has a second name, under which it would stay as it is.",
            path.display()
        ),
        "Remove the other name (a hard link), then try again.".to_owned(),
    )
}

/// A key file that a passphrase was given for, and that needs none.
pub(super) fn not_protected(path: &Path) -> Failure {
    key_missing(
        format!(
            "The key file {} is not protected by a passphrase.",
            path.display()
        ),
        "Use it as it is, or protect it first.".to_owned(),
    )
}

/// The content of a key file, which must be readable for its owner only.
pub(super) fn kept_in_file(path: &Path) -> Result<String> {
    let shown = path.display();
    let meta = std::fs::metadata(path).map_err(|e| {
        key_missing(
            format!("The key file {shown} cannot be read: {e}."),
            "Check the path and its spelling.".to_owned(),
        )
    })?;
    if !meta.is_file() || meta.len() > LONGEST {
        return Err(key_missing(
            format!("{shown} is no key file."),
            "Name a file that holds the key on its first line and nothing else.".to_owned(),
        ));
    }
    if readable_by_others(&meta) {
        return Err(key_missing(
            format!("The key file {shown} can be read by others."),
            Remedy::KeepToYourself {
                path: shown.to_string(),
                mode: "600".to_owned(),
            },
        ));
    }
    std::fs::read_to_string(path).map_err(|e| {
        key_missing(
            format!("The key file {shown} cannot be read: {e}."),
            "It must be a text file of your own.".to_owned(),
        )
    })
}

#[cfg(unix)]
fn readable_by_others(meta: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(meta) & 0o077 != 0
}

/// Other systems have no such bits. There, a user's folders are closed to others by default.
#[cfg(not(unix))]
fn readable_by_others(_: &std::fs::Metadata) -> bool {
    false
}

/// A key that cannot be had.
pub(crate) fn key_missing(message: String, advice: impl Into<Advice>) -> Failure {
    Failure::new(Code::KeyMissing, message, advice)
}
