//! The key of an encrypted workspace.
//!
//! An encrypted workspace is a file of SQLCipher 4 with its usual settings: AES-256 for the pages, an HMAC-SHA512 over
//! each page, and a key that PBKDF2-HMAC-SHA512 makes from the passphrase and a salt. The salt is the first 16 bytes of
//! the file. So other programs that know SQLCipher can open it with the passphrase. Our salts begin with a mark by
//! which such a file is recognised without its key.

use crate::error::{Result, StoreError};
use lexforge_cipher::{BLOCK, TAG, decrypt, derive_key, random, tag_holds};
use rusqlite::{Connection, OpenFlags};
use std::num::NonZeroU32;
use std::path::Path;
use zeroize::Zeroizing;

/// How the salt of a workspace begins. No text begins so.
const MARK: [u8; 6] = [0x8F, b'L', b'e', b'x', b'F', 0x1A];
/// Rounds that a passphrase costs, as SQLCipher 4 has them.
const ROUNDS: NonZeroU32 = NonZeroU32::new(256_000).expect("it is not zero");
/// Rounds from a page's key to the key of its HMAC.
const HMAC_ROUNDS: NonZeroU32 = NonZeroU32::new(2).expect("it is not zero");
/// What the salt of the HMAC's key differs by.
const HMAC_SALT: u8 = 0x3A;
/// Bytes of a page.
pub(crate) const PAGE: usize = 4096;

/// What an encrypted file begins with, and what its key is made from besides the passphrase.
pub type Salt = [u8; 16];

/// The key of an encrypted workspace. It is overwritten when it goes.
#[derive(Clone)]
pub struct Key {
    bytes: Zeroizing<[u8; 32]>,
    salt: Salt,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// The key that a passphrase makes for the file with this salt. It takes a tenth of a second or more, by design.
    pub fn of(passphrase: &str, salt: Salt) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        derive_key(passphrase.as_bytes(), &salt, ROUNDS, &mut *bytes);
        Self { bytes, salt }
    }

    /// A key for a file that will be made. The key gets a new random salt.
    ///
    /// # Errors
    /// Where the system gives no random numbers.
    pub fn fresh(passphrase: &str) -> Result<Self> {
        let mut salt = [0; 16];
        if !random(&mut salt) {
            return Err(StoreError::Io(std::io::Error::other(
                "this system gives no random numbers",
            )));
        }
        salt[..MARK.len()].copy_from_slice(&MARK);
        Ok(Self::of(passphrase, salt))
    }

    /// The salt of the file that it opens.
    pub fn salt(&self) -> Salt {
        self.salt
    }

    /// The key as one line, to be kept where secrets are kept.
    pub fn to_line(&self) -> Zeroizing<String> {
        let both = [self.bytes.as_slice(), &self.salt].concat();
        Zeroizing::new(hex::encode(Zeroizing::new(both)))
    }

    /// The key of such a line.
    pub fn from_line(line: &str) -> Option<Self> {
        let both = Zeroizing::new(hex::decode(line.trim()).ok()?);
        let (key, salt) = both.split_at_checked(32)?;
        Some(Self {
            bytes: Zeroizing::new(key.try_into().ok()?),
            salt: salt.try_into().ok()?,
        })
    }

    /// How SQLCipher takes a key that is made already.
    pub(crate) fn literal(&self) -> Zeroizing<String> {
        Zeroizing::new(format!("x'{}'", *self.to_line()))
    }

    /// Lets a connection read and write with this key. It must not have been used before.
    pub(crate) fn give_to(&self, connection: &Connection) -> Result<()> {
        let sql = Zeroizing::new(format!("PRAGMA key = \"{}\"", *self.literal()));
        run(connection, &sql)
    }

    /// What stands on page `number` of a file or its log; none if it was not written with this key.
    pub(crate) fn page(&self, number: u32, page: &[u8]) -> Option<Vec<u8>> {
        // The first page begins with the salt. Nobody asks for it.
        if number < 2 || page.len() != PAGE {
            return None;
        }
        // At the end of a page stand what its encryption began with, and its tag.
        let (written, tag) = page.split_at(PAGE - TAG);
        if !tag_holds(&*self.tag_key(), &[written, &number.to_le_bytes()], tag) {
            return None;
        }
        let (text, beginning) = written.split_at(written.len() - BLOCK);
        let mut text = text.to_vec();
        if !decrypt(&*self.bytes, beginning, &mut text) {
            return None;
        }
        text.resize(PAGE, 0);
        Some(text)
    }

    fn tag_key(&self) -> Zeroizing<[u8; 32]> {
        let salt = self.salt.map(|byte| byte ^ HMAC_SALT);
        let mut key = Zeroizing::new([0; 32]);
        derive_key(&*self.bytes, &salt, HMAC_ROUNDS, &mut *key);
        key
    }
}

/// Lets a connection use this key, if there is one.
pub(crate) fn give(key: Option<&Key>, connection: &Connection) -> Result<()> {
    key.map_or(Ok(()), |key| key.give_to(connection))
}

/// The salt of the encrypted workspace at `path`; `None` if the file there is not an encrypted workspace. Only SQLite
/// opens the file. Neither the file nor the log beside it is changed or locked.
pub(crate) fn salt_of(path: &Path) -> Result<Option<Salt>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    // With any key, SQLCipher reads the first bytes of the file and nothing else.
    run(
        &connection,
        &format!("PRAGMA key = \"x'{}'\"", "00".repeat(32)),
    )?;
    let salt: String = connection.query_row("PRAGMA cipher_salt", [], |row| row.get(0))?;
    let salt: Option<Salt> = hex::decode(salt).ok().and_then(|salt| salt.try_into().ok());
    Ok(salt.filter(|salt| salt.starts_with(&MARK)))
}

/// Runs a statement that holds a secret: no error of it tells its text.
fn run(connection: &Connection, sql: &str) -> Result<()> {
    // One of these answers with a row in one version of SQLCipher and with none in another.
    let asked = |sql: &str| -> rusqlite::Result<()> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    };
    // What SQLCipher itself says goes to standard error otherwise.
    let done = || asked("PRAGMA cipher_log = off").and_then(|()| asked(sql));
    done().map_err(|_| {
        StoreError::Io(std::io::Error::other(
            "the key of the workspace could not be used",
        ))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_one_of_its_line_and_is_never_shown() {
        let key = Key::fresh("correct horse 电池").unwrap();
        let line = key.to_line();
        let again = Key::from_line(&format!("{}\n", *line)).unwrap();
        assert_eq!((again.to_line(), again.salt()), (line.clone(), key.salt()));
        assert_eq!(format!("{key:?}"), "Key");
        for wrong in [
            "",
            "00",
            &line[2..],
            &format!("{}00", *line),
            &"zz".repeat(48),
        ] {
            assert!(Key::from_line(wrong).is_none(), "{wrong}");
        }
        assert_ne!(
            Key::fresh("correct horse 电池").unwrap().to_line(),
            line,
            "each file has a salt of its own"
        );
    }

    /// Another program that knows SQLCipher opens the file with the passphrase alone.
    #[test]
    fn the_file_is_one_of_sqlcipher_and_its_pages_are_read_with_the_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w");
        let key = Key::fresh("it's a passphrase").unwrap();
        let connection = Connection::open(&path).unwrap();
        key.give_to(&connection).unwrap();
        connection
            .execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES ('a plain word')")
            .unwrap();
        drop(connection);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes[..16], key.salt());
        assert_eq!(salt_of(&path).unwrap(), Some(key.salt()));

        let other = Connection::open(&path).unwrap();
        other
            .pragma_update(None, "key", "it's a passphrase")
            .unwrap();
        let word: String = other
            .query_row("SELECT x FROM t", [], |row| row.get(0))
            .unwrap();
        assert_eq!(word, "a plain word");

        let second = &bytes[PAGE..2 * PAGE];
        let plain = key.page(2, second).unwrap();
        assert!(plain.windows(12).any(|part| part == b"a plain word"));
        assert!(!bytes.windows(12).any(|part| part == b"a plain word"));
        let mut altered = second.to_vec();
        altered[100] ^= 1;
        for (number, page) in [
            (2, &altered[..]),
            (3, second),
            (2, &second[1..]),
            (1, second),
        ] {
            assert!(key.page(number, page).is_none(), "{number}");
        }
        let another = Key::of("another passphrase", key.salt());
        assert!(another.page(2, second).is_none());
    }

    #[test]
    fn other_files_have_no_salt_of_ours() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w");
        for content in [&b""[..], b"short", b"%PDF-1.7 and so on, for a while"] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(salt_of(&path).unwrap(), None);
        }
        std::fs::remove_file(&path).unwrap();
        Connection::open(&path)
            .unwrap()
            .execute_batch("CREATE TABLE t (x)")
            .unwrap();
        assert_eq!(salt_of(&path).unwrap(), None);
    }
}
