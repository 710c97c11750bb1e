//! Finds the user password of a PDF. This is needed if the user typed the owner password instead.
//!
//! Up to revision 4 of the standard encryption, the readers can open a file only with the user password. Such a file
//! contains its user password, encrypted with the owner password (ISO 32000-1, 7.6.3.4). Files of revisions 5 and 6 can
//! be opened with either password.

use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use md5::{Digest, Md5};
use pdf_extract::{Dictionary, Document, Object};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What fills a password up to 32 bytes.
const PADDING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];

/// The password that the readers need: the one that was given, or the user password if that was the owner's.
pub fn for_readers(bytes: &Arc<Vec<u8>>, given: Option<String>) -> Option<String> {
    let given = given?;
    if !is_locked(bytes, &given) || !is_locked(bytes, "") {
        return Some(given);
    }
    // The reader of the dictionary panics on some files.
    let entries = catch_unwind(AssertUnwindSafe(|| Entries::of(bytes)));
    let found = entries.ok().flatten().and_then(|entries| {
        spellings(&given)
            .iter()
            .filter_map(|owner| entries.user_password(owner))
            .find(|user| !is_locked(bytes, user))
    });
    Some(found.unwrap_or(given))
}

fn is_locked(bytes: &Arc<Vec<u8>>, password: &str) -> bool {
    matches!(
        Pdf::new_with_password(bytes.clone(), password),
        Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))
    )
}

/// The bytes that a typed password may stand for: programs wrote letters beyond ASCII in one of two ways.
fn spellings(password: &str) -> Vec<Vec<u8>> {
    let mut spellings = vec![password.as_bytes().to_vec()];
    if !password.is_ascii() {
        let latin: Option<Vec<u8>> = password.chars().map(|c| u8::try_from(c).ok()).collect();
        spellings.extend(latin);
    }
    spellings
}

/// What the encryption dictionary says that is needed here.
struct Entries {
    revision: i64,
    /// Bytes of the key.
    key: usize,
    /// The user password under the owner password.
    owner: Vec<u8>,
}

impl Entries {
    /// Those of a file; `None` if it has none that can be read, or is of a revision that has no such entry.
    fn of(bytes: &[u8]) -> Option<Self> {
        let document = Document::load_mem(bytes).ok()?;
        let entry = document.trailer.get(b"Encrypt").ok()?;
        let dictionary = match entry {
            Object::Reference(id) => document.get_dictionary(*id).ok()?,
            direct => direct.as_dict().ok()?,
        };
        Self::read(dictionary)
    }

    fn read(dictionary: &Dictionary) -> Option<Self> {
        let number = |name: &[u8]| dictionary.get(name).and_then(Object::as_i64).ok();
        let revision = number(b"R").filter(|revision| (2..=4).contains(revision))?;
        let usual = if number(b"V")? == 4 { 128 } else { 40 };
        let bits = if revision == 2 {
            40
        } else {
            number(b"Length").unwrap_or(usual)
        };
        let key = usize::try_from(bits / 8).ok()?;
        let owner = dictionary.get(b"O").and_then(Object::as_str).ok()?;
        Some(Self {
            revision,
            key: Some(key).filter(|key| (5..=16).contains(key))?,
            owner: owner.get(..32)?.to_vec(),
        })
    }

    /// Decrypts the user password of the file with this owner password (algorithm 7). `None` if the result is not valid
    /// text. A wrong owner password may also give valid text, so the caller must try to open the file with the result.
    fn user_password(&self, owner: &[u8]) -> Option<String> {
        let given = owner.iter().take(32);
        let padded: Vec<u8> = given.chain(&PADDING).take(32).copied().collect();
        let mut hash = Md5::digest(padded);
        let again = if self.revision > 2 { 50 } else { 0 };
        for _ in 0..again {
            hash = Md5::digest(hash);
        }
        let key = hash.get(..self.key)?;
        let rounds = if self.revision > 2 { 20_u8 } else { 1 };
        let mut user = self.owner.clone();
        for round in (0..rounds).rev() {
            let key: Vec<u8> = key.iter().map(|byte| byte ^ round).collect();
            rc4(&key, &mut user);
        }
        let length =
            (0..=32).find(|at| PADDING.starts_with(user.get(*at..).unwrap_or_default()))?;
        user.truncate(length);
        String::from_utf8(user).ok()
    }
}

/// Encrypts, and decrypts, with RC4.
fn rc4(key: &[u8], data: &mut [u8]) {
    let mut state: Vec<u8> = (0..=255).collect();
    let mut other = 0_u8;
    for (at, byte) in (0..256).zip(key.iter().cycle()) {
        other = other.wrapping_add(state[at]).wrapping_add(*byte);
        state.swap(at, usize::from(other));
    }
    let (mut at, mut other) = (0_u8, 0_u8);
    for byte in data {
        at = at.wrapping_add(1);
        other = other.wrapping_add(state[usize::from(at)]);
        state.swap(usize::from(at), usize::from(other));
        let sum = state[usize::from(at)].wrapping_add(state[usize::from(other)]);
        *byte ^= state[usize::from(sum)];
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rc4_is_rc4() {
        let mut text = *b"Plaintext";
        rc4(b"Key", &mut text);
        assert_eq!(text, [0xBB, 0xF3, 0x16, 0xE8, 0xD9, 0x40, 0xAF, 0x0A, 0xD3]);
    }

    /// The empty password under the owner password “owner”, by revision 2.
    #[test]
    fn an_empty_user_password_is_all_padding() {
        let padded: Vec<u8> = b"owner".iter().chain(&PADDING).take(32).copied().collect();
        let mut owner = PADDING.to_vec();
        rc4(Md5::digest(padded).get(..5).unwrap(), &mut owner);
        let entries = Entries {
            revision: 2,
            key: 5,
            owner,
        };
        assert_eq!(entries.user_password(b"owner"), Some(String::new()));
        assert_ne!(entries.user_password(b"other"), Some(String::new()));
    }

    #[test]
    fn letters_beyond_ascii_have_two_spellings() {
        assert_eq!(spellings("owner").len(), 1);
        assert_eq!(spellings("é"), [vec![0xC3, 0xA9], vec![0xE9]]);
        assert_eq!(spellings("主").len(), 1);
    }
}
