//! Where the keys of endpoints are: the key ring of the operating system, an environment variable, or a file that its
//! owner alone can read. Never the workspace, a log or a message.

use crate::Result;
use lexforge_augment::endpoint::Secret;
use lexforge_domain::endpoint::{Endpoint, KeySource};
use lexforge_domain::{Code, Failure};
use std::path::Path;

/// Name under which our entries stand in the key ring.
const SERVICE: &str = "lexforge";
/// Most bytes of a key file.
const LONGEST: u64 = 16 << 10;

/// The key of an endpoint, if it needs one.
pub(crate) fn find(endpoint: &Endpoint) -> Result<Option<Secret>> {
    let key = match &endpoint.key {
        KeySource::None => return Ok(None),
        KeySource::KeyRing => from_ring(endpoint)?,
        KeySource::Variable { name } => std::env::var(name).map_err(|_| {
            missing(
                format!("The key of {} is to stand in the variable {name}, which is not set.", endpoint.name),
                format!("Set {name}, or name another place for the key."),
            )
        })?,
        KeySource::File { path } => from_file(Path::new(path))?,
    };
    let key = Secret::new(key.lines().next().unwrap_or_default());
    if key.reveal().is_empty() {
        return Err(missing(
            format!("The key of {} ({}) is empty.", endpoint.name, endpoint.key.words()),
            "Put the key there, on one line.".to_owned(),
        ));
    }
    Ok(Some(key))
}

/// Puts the key of an endpoint into the key ring.
pub(crate) fn put(endpoint: &Endpoint, key: &Secret) -> Result<()> {
    entry(endpoint).and_then(|entry| entry.set_password(key.reveal())).map_err(|e| no_ring(&e))
}

/// Takes the key of an endpoint out of the key ring, where it is in there.
pub(crate) fn forget(endpoint: &Endpoint) {
    if endpoint.key == KeySource::KeyRing
        && let Ok(entry) = entry(endpoint)
    {
        // What is not there needs no removal, and a ring that is locked keeps what nobody asks for.
        let _ = entry.delete_credential();
    }
}

fn entry(endpoint: &Endpoint) -> keyring::v1::Result<keyring::v1::Entry> {
    keyring::v1::Entry::new(SERVICE, &format!("{} {}", endpoint.name, endpoint.url))
}

fn from_ring(endpoint: &Endpoint) -> Result<String> {
    entry(endpoint).and_then(|entry| entry.get_password()).map_err(|error| match error {
        keyring::v1::Error::NoEntry => missing(
            format!("The key of {} is not in this user's key ring.", endpoint.name),
            "Give it again: lexforge endpoints add … --key-stdin, or in the settings.".to_owned(),
        ),
        error => no_ring(&error),
    })
}

/// A key ring that cannot be used. The error's own words are ours to leave out: some carry what was to be kept.
fn no_ring(error: &keyring::v1::Error) -> Failure {
    let why = match error {
        keyring::v1::Error::NoStorageAccess(_) => "it is locked, or access was denied",
        keyring::v1::Error::NoDefaultStore => "this system has none that answers",
        keyring::v1::Error::BadEncoding(_) | keyring::v1::Error::BadDataFormat(..) => "the entry is damaged",
        keyring::v1::Error::Ambiguous(_) => "it has several entries of this name",
        _ => "it does not answer",
    };
    missing(
        format!("The key ring of this system cannot be used: {why}."),
        "Unlock it; or without one, name an environment variable (--key-env NAME) or a file that you alone can read \
         (--key-file PATH)."
            .to_owned(),
    )
}

fn from_file(path: &Path) -> Result<String> {
    let shown = path.display();
    let meta = std::fs::metadata(path).map_err(|e| {
        missing(format!("The key file {shown} cannot be read: {e}."), "Check the path and its spelling.".to_owned())
    })?;
    if !meta.is_file() || meta.len() > LONGEST {
        return Err(missing(
            format!("{shown} is no key file."),
            "Name a file that holds the key on its first line and nothing else.".to_owned(),
        ));
    }
    if readable_by_others(&meta) {
        return Err(missing(
            format!("The key file {shown} can be read by others."),
            format!("Take their rights away: chmod 600 {shown}. If others may have seen the key, have it replaced."),
        ));
    }
    std::fs::read_to_string(path).map_err(|e| {
        missing(format!("The key file {shown} cannot be read: {e}."), "It must be a text file of your own.".to_owned())
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

fn missing(message: String, hint: String) -> Failure {
    Failure::new(Code::KeyMissing, message, hint)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::endpoint::EndpointSettings;
    use std::os::unix::fs::PermissionsExt;

    fn endpoint(key: KeySource) -> Endpoint {
        let settings = EndpointSettings::default();
        Endpoint { name: "e".into(), url: "https://h/v1".into(), model: "m".into(), key, settings }
    }

    #[test]
    fn a_key_file_must_be_its_owner_s_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, "sk-one\nsecond line\n").unwrap();
        let with_mode = |mode: u32| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            find(&endpoint(KeySource::File { path: path.display().to_string() }))
        };
        assert_eq!(with_mode(0o600).unwrap().unwrap().reveal(), "sk-one");
        assert_eq!(with_mode(0o400).unwrap().unwrap().reveal(), "sk-one");
        for mode in [0o640, 0o604, 0o660] {
            let failure = with_mode(mode).unwrap_err();
            assert_eq!(failure.code, Code::KeyMissing);
            assert!(failure.hint.contains("chmod 600") && !format!("{failure:?}").contains("sk-one"));
        }
        std::fs::write(&path, "\n").unwrap();
        assert_eq!(with_mode(0o600).unwrap_err().code, Code::KeyMissing);
        let missing = find(&endpoint(KeySource::File { path: "/nowhere/key".into() }));
        assert_eq!(missing.unwrap_err().code, Code::KeyMissing);
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let source = KeySource::Variable { name: "LEXFORGE_TEST_NO_SUCH_KEY".into() };
        let failure = find(&endpoint(source)).unwrap_err();
        assert!(failure.message.contains("LEXFORGE_TEST_NO_SUCH_KEY"));
        assert_eq!(find(&endpoint(KeySource::None)).unwrap(), None);
    }
}
