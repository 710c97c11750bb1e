//! The key that signs heads of audit chains: an Ed25519 key, kept in the operating system's key ring or in a file that
//! only its owner can read. It is never stored in a workspace. Otherwise somebody who alters a workspace could also
//! sign the alteration.

use super::files::io_failure;
use super::key_ring::{SERVICE, key_missing, no_ring, secret_of_file};
use super::result::Result;
use lexforge_domain::api::SignedHead;
use lexforge_domain::{Code, Failure, Remedy};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use std::io::Write;
use std::path::Path;

/// The name of the key in the key ring.
const ENTRY: &str = "audit signing key";

#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyPlace<'a> {
    /// The key ring of this user.
    Ring,
    /// A file with the key's 64 hexadecimal digits.
    File(&'a Path),
}

impl<'a> KeyPlace<'a> {
    /// The file if there is one, or else the key ring.
    pub fn of(file: Option<&'a Path>) -> Self {
        file.map_or(Self::Ring, Self::File)
    }
}

/// The existing key. If there is none and `make` is set, a new key is made.
pub(crate) fn find(place: &KeyPlace, make: bool) -> Result<Ed25519KeyPair> {
    let there = match place {
        KeyPlace::Ring => from_ring()?,
        KeyPlace::File(path) if std::fs::symlink_metadata(path).is_ok() => {
            Some(secret_of_file(path)?)
        }
        KeyPlace::File(_) => None,
    };
    match there {
        Some(text) => key(&text),
        None if make => made(place),
        None => Err(key_missing(
            match place {
                KeyPlace::Ring => "There is no key for signing in this user's key ring.".to_owned(),
                KeyPlace::File(path) => format!("There is no key file {}.", path.display()),
            },
            Remedy::MakeSigningKey,
        )),
    }
}

/// The public key of the existing key; `None` if there is none. A key ring that does not answer counts as empty.
pub(crate) fn public(place: &KeyPlace) -> Result<Option<String>> {
    match place {
        KeyPlace::Ring => Ok(from_ring()
            .ok()
            .flatten()
            .and_then(|text| key(&text).ok())
            .map(|key| public_of(&key))),
        KeyPlace::File(path) => Ok(Some(public_of(&key(&secret_of_file(path)?)?))),
    }
}

/// The public half, hexadecimal.
pub(crate) fn public_of(key: &Ed25519KeyPair) -> String {
    hex::encode(key.public_key())
}

/// The signature over a head, hexadecimal.
pub(crate) fn sign(key: &Ed25519KeyPair, head: &SignedHead) -> String {
    hex::encode(key.sign(&message(head)))
}

/// Whether a head's signature fits what it says.
pub(crate) fn verifies(head: &SignedHead) -> bool {
    let (Ok(key), Ok(signature)) = (hex::decode(&head.public_key), hex::decode(&head.signature))
    else {
        return false;
    };
    UnparsedPublicKey::new(&ED25519, key)
        .verify(&message(head), &signature)
        .is_ok()
}

/// All fields except the signature, each with its length before it.
fn message(head: &SignedHead) -> Vec<u8> {
    let rows = head.rows.to_string();
    let mut bytes = Vec::new();
    for field in [
        &head.format,
        &head.workspace,
        &rows,
        &head.head,
        &head.time,
        &head.public_key,
    ] {
        bytes.extend_from_slice(&(field.len() as u64).to_le_bytes());
        bytes.extend_from_slice(field.as_bytes());
    }
    bytes
}

fn key(text: &str) -> Result<Ed25519KeyPair> {
    let seed = hex::decode(text.lines().next().unwrap_or_default().trim()).unwrap_or_default();
    Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| {
        key_missing(
            "What is kept as key for signing is none.".to_owned(),
            Remedy::OtherKeyFile,
        )
    })
}

fn made(place: &KeyPlace) -> Result<Ed25519KeyPair> {
    let mut seed = [0; 32];
    SystemRandom::new().fill(&mut seed).map_err(|_| {
        Failure::new(
            Code::Internal,
            "This system gives no random numbers.",
            "Try again; report it if it stays.",
        )
    })?;
    let text = hex::encode(seed);
    match place {
        KeyPlace::Ring => entry()
            .and_then(|entry| entry.set_password(&text))
            .map_err(|e| ring_failure(&e))?,
        KeyPlace::File(path) => {
            let write = || {
                let mut options = std::fs::OpenOptions::new();
                options.write(true).create_new(true);
                #[cfg(unix)]
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
                let mut file = options.open(path)?;
                writeln!(file, "{text}")?;
                file.sync_all()
            };
            write().map_err(|e| io_failure(&e, path))?;
        }
    }
    key(&text)
}

fn entry() -> keyring::v1::Result<keyring::v1::Entry> {
    keyring::v1::Entry::new(SERVICE, ENTRY)
}

fn from_ring() -> Result<Option<String>> {
    match entry().and_then(|entry| entry.get_password()) {
        Ok(text) => Ok(Some(text)),
        Err(keyring::v1::Error::NoEntry) => Ok(None),
        Err(error) => Err(ring_failure(&error)),
    }
}

fn ring_failure(error: &keyring::v1::Error) -> Failure {
    no_ring(error).with_advice(Remedy::UnlockRingOrKeyFile)
}
