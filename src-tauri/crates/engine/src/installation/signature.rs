//! Who made a package: its minisign signature, and the public key that the installation knows.

use crate::workspace::{Result, Watcher, cancelled, io_failure, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::{Code, Failure};
use minisign_verify::{Error, PublicKey, Signature};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};

/// The ending of the name of a signature.
const SIGNATURE: &str = "minisig";
/// The file that holds the public key, in each place where it is looked for.
pub(super) const KEY: &str = "update.pub";
/// Where an administrator puts it for every installation of the machine.
const OF_THE_MACHINE: &str = "/etc/lexforge/update.pub";
/// Keys and signatures are shorter than this.
const MOST: u64 = 8192;

/// A package whose signature is right.
#[derive(Debug)]
pub(super) struct Signed {
    /// The words that the signer wrote beside the signature. They are signed, too.
    pub(super) words: String,
    /// Hash of the bytes that the signature covers.
    pub(super) sha256: [u8; 32],
}

/// The public key, and the file that it was read from.
pub(super) struct Key {
    key: PublicKey,
    /// Its file.
    pub(super) place: PathBuf,
}

/// The places where the key is looked for, in this order: the key of the machine's administrator, the key in the folder
/// of the installation, and the key that the installed version brought. A package is never checked with a key from the
/// same package.
pub(super) fn places(root: &Path, version: &Path) -> [PathBuf; 3] {
    [
        PathBuf::from(OF_THE_MACHINE),
        root.join(KEY),
        version.join(KEY),
    ]
}

/// The key from the first of these places that holds a file.
///
/// # Errors
/// Where no place holds a file, or the content of the file is not a key.
pub(super) fn key(places: &[PathBuf]) -> Result<Key> {
    // A place that cannot be looked at may hold the administrator's key: it is not passed over.
    let is_there = |place: &&PathBuf| {
        let looked = place.symlink_metadata();
        !looked.is_err_and(|e| e.kind() == ErrorKind::NotFound)
    };
    let Some(place) = places.iter().find(is_there) else {
        let looked: Vec<String> = places.iter().map(|p| p.display().to_string()).collect();
        return Err(Failure::new(
            Code::PackageRefused,
            format!(
                "This installation knows no public key, so that it cannot tell a package from a forged one; looked for {}.",
                looked.join(", ")
            ),
            "Have an administrator put the public key there, which must have come another way than the package. Without it, \
             unpack the newer archive beside this folder by hand.",
        ));
    };
    let text = short_text(place)?;
    let read = PublicKey::decode(&text).or_else(|_| PublicKey::from_base64(text.trim()));
    let key = read.map_err(|_| {
        Failure::new(
            Code::PackageRefused,
            format!("{} holds no public key of minisign.", place.display()),
            "Put the key there as minisign writes it: a line of comment and a line that begins with RW.",
        )
    })?;
    Ok(Key {
        key,
        place: place.clone(),
    })
}

impl Key {
    /// Checks the signature in the file beside a package; it covers every byte of the package.
    ///
    /// # Errors
    /// Where there is no signature, it belongs to another key, or it does not match the package.
    pub(super) fn verify(
        &self,
        file: &mut File,
        path: &Path,
        watcher: &dyn Watcher,
    ) -> Result<Signed> {
        let place = signature_of(path);
        if !place.is_file() {
            return Err(not_signed(format!(
                "{} is unsigned: there is no {}.",
                path.display(),
                place.display()
            )));
        }
        let told = |error: Error| {
            let (package, key) = (path.display(), self.place.display());
            match error {
                Error::UnexpectedKeyId => {
                    not_signed(format!("{package} is signed with another key than {key}."))
                }
                Error::InvalidSignature => not_signed(format!(
                    "The signature of {package} does not fit: it was altered after it was signed, or is not whole."
                )),
                _ => not_signed(format!(
                    "{} is no signature that can be checked: {error}.",
                    place.display()
                )),
            }
        };
        let signature = Signature::decode(&short_text(&place)?).map_err(told)?;
        let mut verifier = self.key.verify_stream(&signature).map_err(told)?;
        let mut hash = Sha256::new();
        let unreadable = |e| io_failure(&e, path);
        let of = file.metadata().map_err(unreadable)?.len();
        file.rewind().map_err(unreadable)?;
        let (mut buffer, mut done) = (vec![0; 1 << 20], 0);
        loop {
            if watcher.cancelled() {
                return Err(cancelled("The version that runs stays."));
            }
            let n = file.read(&mut buffer).map_err(unreadable)?;
            if n == 0 {
                break;
            }
            verifier.update(&buffer[..n]);
            hash.update(&buffer[..n]);
            done += n as u64;
            tell(watcher, Stage::Update, "minisig", done, of);
        }
        verifier.finalize().map_err(told)?;
        Ok(Signed {
            words: signature.trusted_comment().to_owned(),
            sha256: hash.finalize().into(),
        })
    }
}

/// A short file of text.
fn short_text(path: &Path) -> Result<String> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MOST).read_to_string(&mut text))
        .map_err(|e| io_failure(&e, path))?;
    Ok(text)
}

fn not_signed(message: String) -> Failure {
    Failure::new(
        Code::PackageRefused,
        message,
        "Nothing was changed. Ask those who gave you the package for it and its .minisig again, and lay both into one folder; \
         if they have a new key, have an administrator put it in the old one's place.",
    )
}

/// The failure for a signed package that is refused.
pub(super) fn refused(message: String) -> Failure {
    Failure::new(
        Code::PackageRefused,
        message,
        "Nothing was changed: the version that runs stays. Ask those who made the package for another one.",
    )
}

/// The signature of a file is beside it.
pub(super) fn signature_of(path: &Path) -> PathBuf {
    let mut place = path.as_os_str().to_owned();
    place.push(format!(".{SIGNATURE}"));
    PathBuf::from(place)
}
