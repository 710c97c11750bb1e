//! The cryptography that SQLCipher uses for the pages of an encrypted workspace: AES-256 in CBC mode, HMAC-SHA512,
//! PBKDF2-HMAC-SHA512 and random numbers, from the crates `aes`, `cbc` and `ring`.
//!
//! SQLCipher calls a library for this, through a table of functions (`sqlcipher_provider` in its source). The usual
//! library is OpenSSL. OpenSSL would take minutes to compile, would contain the name of the folder in which it was
//! compiled, and would read settings of the machine. So this crate fills the table instead. The flag
//! `SQLCIPHER_CRYPTO_CUSTOM` in `.cargo/config.toml` makes SQLCipher call the one public function of `provider` to get
//! the table.
//!
//! **Invariant:** this crate does not use files or workspaces. `unsafe` is only in `provider`, because C calls it.

mod page;
mod provider;

pub use page::{BLOCK, KEY, TAG, decrypt, derive_key, encrypt, random, tag, tag_holds};
