//! Secrets behind a passphrase. Argon2id derives a key from the passphrase, and ChaCha20-Poly1305 encrypts the secret
//! with this key.
//!
//! The result is one line: the format, the settings of the derivation, the salt, the nonce, the encrypted secret. The
//! parts before the secret are authenticated as well.

use super::result::Result;
use argon2::{Algorithm, Argon2, Params, Version};
use lexforge_domain::{Code, Failure};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};

/// How a sealed secret begins.
const FORMAT: &str = "lexforge-sealed-1";
/// How one of any format begins.
const SEALED: &str = "lexforge-sealed-";
/// KiB of memory, rounds and lanes that a passphrase costs: a fifth of a second on a usual machine.
const COST: [u32; 3] = [64 << 10, 3, 1];
/// The highest accepted cost. A file that asks for more was not made by this program.
const HIGHEST: [u32; 3] = [1 << 20, 64, 16];
/// Bytes of the salt.
const SALT: usize = 16;

/// Why a sealed secret stays closed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// The passphrase is another one, or what is kept was altered.
    WrongPassphrase,
    /// The stored text is no sealed secret.
    Damaged,
}

/// Whether a text is a sealed secret.
pub(super) fn is_sealed(text: &str) -> bool {
    // Any version of the format counts. A secret sealed by a later version must not be used as an open key.
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with(SEALED)
}

/// Encrypts a secret with a passphrase.
///
/// # Errors
/// Where the system gives no random numbers or no memory.
pub(super) fn seal(secret: &str, passphrase: &str) -> Result<String> {
    let failed = || {
        Failure::new(
            Code::Internal,
            "The key cannot be protected: this system gives no random numbers, or not the memory for it.",
            "Close other programs and try again.",
        )
    };
    let (mut salt, mut nonce) = ([0; SALT], [0; NONCE_LEN]);
    let random = SystemRandom::new();
    random.fill(&mut salt).map_err(|_| failed())?;
    random.fill(&mut nonce).map_err(|_| failed())?;
    let [memory, rounds, lanes] = COST;
    let head = format!(
        "{FORMAT} {memory} {rounds} {lanes} {} {}",
        hex::encode(salt),
        hex::encode(nonce)
    );
    let key = key(passphrase, &salt, COST).ok_or_else(failed)?;
    let mut bytes = secret.as_bytes().to_vec();
    key.seal_in_place_append_tag(
        Nonce::assume_unique_for_key(nonce),
        Aad::from(&head),
        &mut bytes,
    )
    .map_err(|_| failed())?;
    Ok(format!("{head} {}", hex::encode(bytes)))
}

/// Opens a sealed secret.
pub(super) fn open(sealed: &str, passphrase: &str) -> std::result::Result<String, Closed> {
    let (head, bytes) = sealed.trim_end().rsplit_once(' ').ok_or(Closed::Damaged)?;
    let parts: Vec<&str> = head.split(' ').collect();
    let [FORMAT, memory, rounds, lanes, salt, nonce] = parts[..] else {
        return Err(Closed::Damaged);
    };
    let number = |text: &str, highest: u32| {
        let number = text.parse().ok().filter(|number| *number <= highest);
        number.ok_or(Closed::Damaged)
    };
    let cost = [
        number(memory, HIGHEST[0])?,
        number(rounds, HIGHEST[1])?,
        number(lanes, HIGHEST[2])?,
    ];
    let of_hex = |text: &str| hex::decode(text).map_err(|_| Closed::Damaged);
    let (salt, nonce, mut bytes) = (of_hex(salt)?, of_hex(nonce)?, of_hex(bytes)?);
    let nonce = Nonce::try_assume_unique_for_key(&nonce).map_err(|_| Closed::Damaged)?;
    let key = key(passphrase, &salt, cost).ok_or(Closed::Damaged)?;
    let secret = key
        .open_in_place(nonce, Aad::from(head), &mut bytes)
        .map_err(|_| Closed::WrongPassphrase)?;
    String::from_utf8(secret.to_vec()).map_err(|_| Closed::Damaged)
}

/// The key made from a passphrase. `None` if the cost is not valid or the salt is too short.
fn key(passphrase: &str, salt: &[u8], [memory, rounds, lanes]: [u32; 3]) -> Option<LessSafeKey> {
    let mut bytes = [0; 32];
    let params = Params::new(memory, rounds, lanes, Some(bytes.len())).ok()?;
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, &mut bytes)
        .ok()?;
    let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes).ok()?;
    Some(LessSafeKey::new(key))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_secret_opens_with_its_passphrase_alone() {
        let sealed = seal("sk-secret\n", "correct horse 电池").unwrap();
        assert!(is_sealed(&sealed) && !sealed.contains("secret") && sealed.lines().count() == 1);
        assert_eq!(open(&sealed, "correct horse 电池").unwrap(), "sk-secret\n");
        assert_eq!(
            open(&format!("{sealed}\n"), "correct horse 电池").unwrap(),
            "sk-secret\n"
        );
        for wrong in [
            "",
            "correct horse",
            "Correct horse 电池",
            "correct horse 电池 ",
        ] {
            assert_eq!(
                open(&sealed, wrong),
                Err(Closed::WrongPassphrase),
                "{wrong}"
            );
        }
        // A secret that is sealed twice looks different each time.
        assert_ne!(seal("sk-secret\n", "correct horse 电池").unwrap(), sealed);
    }

    #[test]
    fn what_was_altered_does_not_open() {
        let sealed = seal("sk-secret", "p").unwrap();
        let parts: Vec<&str> = sealed.split(' ').collect();
        let with = |at: usize, part: &str| {
            let mut parts = parts.clone();
            parts[at] = part;
            open(&parts.join(" "), "p")
        };
        let other_salt = "0".repeat(2 * SALT);
        let cases = [
            (1, "32768", Closed::WrongPassphrase),
            (2, "4", Closed::WrongPassphrase),
            (4, other_salt.as_str(), Closed::WrongPassphrase),
            (5, "000000000000000000000000", Closed::WrongPassphrase),
            (6, "00", Closed::WrongPassphrase),
            (0, "lexforge-sealed-2", Closed::Damaged),
            (1, "4294967295", Closed::Damaged),
            (1, "0", Closed::Damaged),
            (2, "100000", Closed::Damaged),
            (4, "00", Closed::Damaged),
            (5, "00", Closed::Damaged),
            (6, "no hexadecimal", Closed::Damaged),
        ];
        for (at, part, expected) in cases {
            assert_eq!(with(at, part), Err(expected), "{at} {part}");
        }
        assert_eq!(open(FORMAT, "p"), Err(Closed::Damaged));
    }
}
