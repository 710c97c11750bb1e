//! What SQLCipher computes a page of an encrypted workspace with: AES-256 in CBC mode, HMAC-SHA512, PBKDF2-HMAC-SHA512 and
//! random numbers, from the crates `aes`, `cbc` and `ring`.
//!
//! SQLCipher leaves this to a library, which it knows as a table of functions (`sqlcipher_provider` of its source). The
//! usual one is OpenSSL. It would take minutes to compile, would name the folder that it was compiled in, and would read
//! settings of the machine. So the table is filled here. The flag `SQLCIPHER_CRYPTO_CUSTOM` in `.cargo/config.toml` has
//! SQLCipher ask for it by the name of `provider`'s one function.
//!
//! **Invariant:** nothing here knows of files or workspaces. `unsafe` stands in `provider` alone, since C calls it.

mod page;
mod provider;

pub use page::{BLOCK, KEY, TAG, decrypt, derive_key, encrypt, random, tag, tag_holds};
