//! The four things that a page of an encrypted file needs.

use aes::Aes256;
use cbc::cipher::block_padding::NoPadding;
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use ring::rand::{SecureRandom, SystemRandom};
use ring::{hmac, pbkdf2};
use std::num::NonZeroU32;

/// Bytes of a key.
pub const KEY: usize = 32;
/// Bytes of a block, and of what the encryption of a page begins with.
pub const BLOCK: usize = 16;
/// Bytes of a tag.
pub const TAG: usize = 64;

/// Encrypts whole blocks in their place. Says whether key, beginning and number of bytes were right.
#[must_use]
pub fn encrypt(key: &[u8], beginning: &[u8], text: &mut [u8]) -> bool {
    let bytes = text.len();
    cbc::Encryptor::<Aes256>::new_from_slices(key, beginning)
        .is_ok_and(|cipher| cipher.encrypt_padded::<NoPadding>(text, bytes).is_ok())
}

/// Decrypts whole blocks in their place. Says whether key, beginning and number of bytes were right.
#[must_use]
pub fn decrypt(key: &[u8], beginning: &[u8], text: &mut [u8]) -> bool {
    cbc::Decryptor::<Aes256>::new_from_slices(key, beginning)
        .is_ok_and(|cipher| cipher.decrypt_padded::<NoPadding>(text).is_ok())
}

/// The tag (HMAC-SHA512) that a key gives these parts, one behind the other.
pub fn tag(key: &[u8], parts: &[&[u8]]) -> [u8; TAG] {
    let mut tag = [0; TAG];
    for (to, from) in tag.iter_mut().zip(signed(key, parts).sign().as_ref()) {
        *to = *from;
    }
    tag
}

/// Whether the tag is the one of these parts, compared in a time that does not tell where it differs.
pub fn tag_holds(key: &[u8], parts: &[&[u8]], tag: &[u8]) -> bool {
    let key = hmac::Key::new(hmac::HMAC_SHA512, key);
    hmac::verify(&key, &parts.concat(), tag).is_ok()
}

fn signed(key: &[u8], parts: &[&[u8]]) -> hmac::Context {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA512, key));
    for part in parts {
        context.update(part);
    }
    context
}

/// Fills `key` with what a secret and a salt make in so many rounds (PBKDF2-HMAC-SHA512).
pub fn derive_key(secret: &[u8], salt: &[u8], rounds: NonZeroU32, key: &mut [u8]) {
    pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA512, rounds, salt, secret, key);
}

/// Fills `bytes` with random numbers of the system. Says whether it gave any.
#[must_use]
pub fn random(bytes: &mut [u8]) -> bool {
    SystemRandom::new().fill(bytes).is_ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        hex::decode(text).unwrap()
    }

    /// NIST SP 800-38A, F.2.5.
    #[test]
    fn blocks_are_those_of_the_standard() {
        let key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
        let beginning = bytes("000102030405060708090a0b0c0d0e0f");
        let plain = bytes(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
             30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        );
        let mut text = plain.clone();
        assert!(encrypt(&key, &beginning, &mut text));
        assert_eq!(
            hex::encode(&text),
            "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d\
             39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"
        );
        assert!(decrypt(&key, &beginning, &mut text));
        assert_eq!(text, plain);
        assert!(!encrypt(&key, &beginning, &mut plain[1..].to_vec()));
        assert!(!decrypt(&key[1..], &beginning, &mut plain.clone()));
        assert!(!decrypt(&key, &beginning[1..], &mut plain.clone()));
    }

    /// RFC 4231, test case 2.
    #[test]
    fn tags_are_those_of_the_standard() {
        let said = "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd\
                    caeab1a34d4a6b4b636e070a38bce737";
        let parts: [&[u8]; 2] = [b"what do ya ", b"want for nothing?"];
        let mut found = tag(b"Jefe", &parts);
        assert_eq!(hex::encode(found), said);
        assert!(tag_holds(b"Jefe", &parts, &found));
        found[63] ^= 1;
        assert!(!tag_holds(b"Jefe", &parts, &found));
    }

    /// The known answer for PBKDF2-HMAC-SHA512 with two rounds.
    #[test]
    fn keys_are_those_of_the_standard() {
        let mut key = [0; 64];
        derive_key(b"password", b"salt", NonZeroU32::new(2).unwrap(), &mut key);
        assert_eq!(
            hex::encode(key),
            "e1d9c16aa681708a45f5c7c4e215ceb66e011a2e9f0040713f18aefdb866d53c\
             f76cab2868a39b9f7840edce4fef5a82be67335c77a6068e04112754f27ccf4e"
        );
    }

    #[test]
    fn random_numbers_differ() {
        let (mut one, mut other) = ([0; 32], [0; 32]);
        assert!(random(&mut one) && random(&mut other));
        assert_ne!(one, other);
    }
}
