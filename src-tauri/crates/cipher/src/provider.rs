//! The table of functions that SQLCipher is given.
//!
//! C calls these functions with addresses and numbers of bytes. SQLCipher's documentation of the table promises that
//! each address points to that many bytes, and that nobody else writes them during the call.
#![allow(unsafe_code)] // Called by C; each block says why it is sound.

use crate::page::{BLOCK, KEY, TAG, decrypt, derive_key, encrypt, random, tag};
use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::num::NonZeroU32;
use std::ptr;
use zeroize::Zeroize;

/// What SQLite calls success and failure.
const OK: c_int = 0;
const ERROR: c_int = 1;
/// The number by which SQLCipher names HMAC-SHA512 and PBKDF2-HMAC-SHA512. Files of earlier versions of SQLCipher use
/// other algorithms. These are refused.
const SHA512: c_int = 2;
/// How SQLCipher calls encryption; everything else is decryption.
const ENCRYPT: c_int = 1;

type Context = *mut c_void;
type Number = unsafe extern "C" fn(Context) -> c_int;
type Name = unsafe extern "C" fn(Context) -> *const c_char;
type Change = unsafe extern "C" fn(*mut Context) -> c_int;

/// `sqlcipher_provider`, field by field.
#[repr(C)]
pub(crate) struct Provider {
    init: Option<unsafe extern "C" fn() -> c_int>,
    shutdown: Option<unsafe extern "C" fn()>,
    provider_name: Name,
    add_random: unsafe extern "C" fn(Context, *const c_void, c_int) -> c_int,
    random: unsafe extern "C" fn(Context, *mut c_void, c_int) -> c_int,
    hmac: Hmac,
    kdf: Kdf,
    cipher: Cipher,
    cipher_name: Name,
    key_size: Number,
    iv_size: Number,
    block_size: Number,
    hmac_size: unsafe extern "C" fn(Context, c_int) -> c_int,
    context_init: Change,
    context_free: Change,
    fips_status: Number,
    provider_version: Name,
    next: *mut Provider,
}

type Hmac = unsafe extern "C" fn(
    Context,
    c_int,
    *const c_uchar,
    c_int,
    *const c_uchar,
    c_int,
    *const c_uchar,
    c_int,
    *mut c_uchar,
) -> c_int;
type Kdf = unsafe extern "C" fn(
    Context,
    c_int,
    *const c_uchar,
    c_int,
    *const c_uchar,
    c_int,
    c_int,
    c_int,
    *mut c_uchar,
) -> c_int;
type Cipher = unsafe extern "C" fn(
    Context,
    c_int,
    *const c_uchar,
    c_int,
    *const c_uchar,
    *const c_uchar,
    c_int,
    *mut c_uchar,
) -> c_int;

/// Fills the table. SQLCipher calls this function once, when SQLite starts, and finds it by this name.
///
/// # Safety
/// `table` must point to memory for one table.
#[unsafe(no_mangle)]
unsafe extern "C" fn lexforge_cipher_setup(table: *mut Provider) -> c_int {
    if table.is_null() {
        return ERROR;
    }
    let filled = Provider {
        init: None,
        shutdown: None,
        provider_name,
        add_random,
        random: fill_with_random,
        hmac,
        kdf,
        cipher,
        cipher_name,
        key_size,
        iv_size: block_size,
        block_size,
        hmac_size,
        context_init: no_context,
        context_free: no_context,
        fips_status,
        provider_version,
        next: ptr::null_mut(),
    };
    // SAFETY: SQLCipher has made room for one table there, and nothing of it is in use yet.
    unsafe { table.write(filled) };
    OK
}

/// The bytes at an address; `None` if the address is null.
///
/// # Safety
/// The address, if it is not null, must point to that many bytes, which nobody writes while they are used.
unsafe fn bytes<'b>(at: *const c_uchar, number: c_int) -> Option<&'b [u8]> {
    let number = usize::try_from(number).ok()?;
    // SAFETY: the caller says so.
    (!at.is_null()).then(|| unsafe { std::slice::from_raw_parts(at, number) })
}

/// As [`bytes`], but the bytes can be written.
///
/// # Safety
/// As [`bytes`]. Also, nobody else may read the bytes while they are used.
unsafe fn room<'b>(at: *mut c_uchar, number: c_int) -> Option<&'b mut [u8]> {
    let number = usize::try_from(number).ok()?;
    // SAFETY: the caller says so.
    (!at.is_null()).then(|| unsafe { std::slice::from_raw_parts_mut(at, number) })
}

fn said(done: bool) -> c_int {
    if done { OK } else { ERROR }
}

unsafe extern "C" fn hmac(
    _: Context,
    algorithm: c_int,
    key: *const c_uchar,
    key_bytes: c_int,
    first: *const c_uchar,
    first_bytes: c_int,
    second: *const c_uchar,
    second_bytes: c_int,
    out: *mut c_uchar,
) -> c_int {
    // SAFETY: SQLCipher passes each address with the bytes that it has there.
    let (key, first) = unsafe { (bytes(key, key_bytes), bytes(first, first_bytes)) };
    // SAFETY: as above; there need be no second part.
    let second = unsafe { bytes(second, second_bytes) }.unwrap_or_default();
    let (Some(key), Some(first)) = (key, first) else {
        return ERROR;
    };
    if algorithm != SHA512 || out.is_null() {
        return ERROR;
    }
    let tag = tag(key, &[first, second]);
    // SAFETY: SQLCipher has as many bytes there as `hmac_size` says. The tag is made, so that it may lie within a part.
    unsafe { ptr::copy_nonoverlapping(tag.as_ptr(), out, TAG) };
    OK
}

unsafe extern "C" fn kdf(
    _: Context,
    algorithm: c_int,
    secret: *const c_uchar,
    secret_bytes: c_int,
    salt: *const c_uchar,
    salt_bytes: c_int,
    rounds: c_int,
    key_bytes: c_int,
    key: *mut c_uchar,
) -> c_int {
    // SAFETY: SQLCipher passes each address with the bytes that it has there.
    let (secret, salt) = unsafe { (bytes(secret, secret_bytes), bytes(salt, salt_bytes)) };
    let rounds = u32::try_from(rounds).ok().and_then(NonZeroU32::new);
    let length = usize::try_from(key_bytes).ok();
    let (Some(secret), Some(salt), Some(rounds), Some(length)) = (secret, salt, rounds, length)
    else {
        return ERROR;
    };
    if algorithm != SHA512 || length > TAG {
        return ERROR;
    }
    let mut made = [0; TAG];
    let made_bytes = made.get_mut(..length).unwrap_or_default();
    derive_key(secret, salt, rounds, made_bytes);
    // SAFETY: SQLCipher has that many bytes for the key, and the secret was read before.
    let written = unsafe { room(key, key_bytes) }.map(|key| key.copy_from_slice(made_bytes));
    made.zeroize();
    said(written.is_some())
}

unsafe extern "C" fn cipher(
    _: Context,
    mode: c_int,
    key: *const c_uchar,
    key_bytes: c_int,
    beginning: *const c_uchar,
    from: *const c_uchar,
    number: c_int,
    out: *mut c_uchar,
) -> c_int {
    let block = c_int::try_from(BLOCK).unwrap_or_default();
    // SAFETY: SQLCipher passes the key with its bytes, and as many to begin with as `block_size` says.
    let (key, beginning) = unsafe { (bytes(key, key_bytes), bytes(beginning, block)) };
    let length = usize::try_from(number).ok();
    let (Some(key), Some(beginning), Some(length)) = (key, beginning, length) else {
        return ERROR;
    };
    if from.is_null() || out.is_null() {
        return ERROR;
    }
    // SAFETY: SQLCipher has that many bytes in both places, which may be the same.
    unsafe { ptr::copy(from, out, length) };
    // SAFETY: as above. What is read afterwards lies elsewhere.
    let Some(text) = (unsafe { room(out, number) }) else {
        return ERROR;
    };
    said(if mode == ENCRYPT {
        encrypt(key, beginning, text)
    } else {
        decrypt(key, beginning, text)
    })
}

unsafe extern "C" fn fill_with_random(_: Context, out: *mut c_void, number: c_int) -> c_int {
    // SAFETY: SQLCipher has that many bytes there.
    said(unsafe { room(out.cast(), number) }.is_some_and(random))
}

/// The system's random numbers need nothing added.
unsafe extern "C" fn add_random(_: Context, _: *const c_void, _: c_int) -> c_int {
    OK
}

/// Nothing is kept between two calls.
unsafe extern "C" fn no_context(_: *mut Context) -> c_int {
    OK
}

unsafe extern "C" fn key_size(_: Context) -> c_int {
    c_int::try_from(KEY).unwrap_or_default()
}

unsafe extern "C" fn block_size(_: Context) -> c_int {
    c_int::try_from(BLOCK).unwrap_or_default()
}

unsafe extern "C" fn hmac_size(_: Context, algorithm: c_int) -> c_int {
    if algorithm == SHA512 {
        c_int::try_from(TAG).unwrap_or_default()
    } else {
        0
    }
}

unsafe extern "C" fn fips_status(_: Context) -> c_int {
    0
}

unsafe extern "C" fn provider_name(_: Context) -> *const c_char {
    const { c"lexforge" as &CStr }.as_ptr()
}

unsafe extern "C" fn provider_version(_: Context) -> *const c_char {
    const { c"1" as &CStr }.as_ptr()
}

unsafe extern "C" fn cipher_name(_: Context) -> *const c_char {
    const { c"aes-256-cbc" as &CStr }.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> Provider {
        let mut table = std::mem::MaybeUninit::uninit();
        // SAFETY: there is room for one table, which is filled before it is taken.
        unsafe {
            assert_eq!(lexforge_cipher_setup(table.as_mut_ptr()), OK);
            table.assume_init()
        }
    }

    #[test]
    fn what_is_encrypted_in_its_place_is_decrypted_elsewhere() {
        let table = filled();
        let (key, beginning) = ([7; KEY], [9; BLOCK]);
        let (mut page, mut out) = ([1_u8; 64], [0_u8; 64]);
        // SAFETY: each address comes with its number of bytes.
        let call = |mode, from, to| unsafe {
            (table.cipher)(
                ptr::null_mut(),
                mode,
                key.as_ptr(),
                32,
                beginning.as_ptr(),
                from,
                64,
                to,
            )
        };
        let place = page.as_mut_ptr();
        assert_eq!(call(ENCRYPT, place.cast_const(), place), OK);
        assert_ne!(page, [1; 64]);
        assert_eq!(call(0, page.as_ptr(), out.as_mut_ptr()), OK);
        assert_eq!(out, [1; 64]);
        assert_eq!(call(0, ptr::null(), out.as_mut_ptr()), ERROR);
    }

    #[test]
    fn only_what_this_version_writes_is_computed() {
        let table = filled();
        let (key, text, mut out) = ([7_u8; 32], [1_u8; 32], [0_u8; TAG]);
        for algorithm in [0, 1, 2, 3] {
            let right = if algorithm == SHA512 { OK } else { ERROR };
            let at = out.as_mut_ptr();
            // SAFETY: each address comes with its number of bytes.
            unsafe {
                let none = ptr::null_mut();
                let (key, text) = (key.as_ptr(), text.as_ptr());
                let tagged = (table.hmac)(none, algorithm, key, 32, text, 32, ptr::null(), 0, at);
                assert_eq!(tagged, right);
                let made = (table.kdf)(none, algorithm, key, 32, text, 16, 2, 32, at);
                assert_eq!(made, right);
                assert_eq!(
                    (table.kdf)(none, algorithm, key, 32, text, 16, 0, 32, at),
                    ERROR
                );
                let size = (table.hmac_size)(none, algorithm);
                assert_eq!(size, if algorithm == SHA512 { 64 } else { 0 });
            }
        }
        assert_ne!(out, [0; TAG]);
    }
}
