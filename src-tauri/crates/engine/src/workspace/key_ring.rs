//! Secrets of this user: the key ring of the operating system, and files that their owner alone can read.

use super::result::Result;
use lexforge_domain::{Advice, Code, Failure, Remedy};
use std::path::Path;

/// Name under which our entries stand in the key ring.
pub(crate) const SERVICE: &str = "lexforge";
/// Most bytes of a key file.
const LONGEST: u64 = 16 << 10;

/// A key ring that cannot be used. The error's own words are ours to leave out: some carry what was to be kept.
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

/// The text of a key file, which must be its owner's alone.
pub(crate) fn secret_of_file(path: &Path) -> Result<String> {
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

/// Other systems have no such bits; their folders of a user are closed to others by default.
#[cfg(not(unix))]
fn readable_by_others(_: &std::fs::Metadata) -> bool {
    false
}

/// A key that cannot be had.
pub(crate) fn key_missing(message: String, advice: impl Into<Advice>) -> Failure {
    Failure::new(Code::KeyMissing, message, advice)
}
