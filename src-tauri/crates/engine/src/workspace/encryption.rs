//! Encrypted workspaces: where the passphrase comes from, and encrypting, decrypting and changing the passphrase.
//!
//! The key of the file is made from the passphrase ([`lexforge_store::Key`]). A key that opened a workspace stays in
//! the memory of this process, so that the user is asked only once. It is stored there under the salt of the file. It
//! can also be kept in the key ring. The key ring then holds the key of this one file and not the passphrase.

use super::actor::actor;
use super::encrypted_places;
use super::key_ring::{SERVICE, kept_in_file, no_ring};
use super::passphrase;
use super::result::Result;
use lexforge_domain::limits::SHORTEST_PASSPHRASE;
use lexforge_domain::{Code, Failure};
use lexforge_store::{Key, Salt, StoreError, Workspace};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The variable that holds the passphrase where nobody can be asked.
const VARIABLE: &str = "LEXFORGE_WORKSPACE_PASSPHRASE";
/// The variable that names a file with it.
const FILE_VARIABLE: &str = "LEXFORGE_WORKSPACE_PASSPHRASE_FILE";

/// Keys of the files that this process has opened.
static OPENED: Mutex<BTreeMap<Salt, Key>> = Mutex::new(BTreeMap::new());

/// Opens the workspace at `path` with `open`, which is given the key if the file is encrypted. If no key is known, the
/// passphrase is taken from the environment or the key ring, or the user is asked.
pub(super) fn opened(
    path: &Path,
    open: impl Fn(Option<&Key>) -> lexforge_store::Result<Workspace>,
) -> Result<Workspace> {
    let Some(salt) = Workspace::salt_of(path)? else {
        encrypted_places::refuse_plain(path)?;
        return Ok(open(None)?);
    };
    let workspace = opened_encrypted(path, salt, open)?;
    encrypted_places::note(path);
    Ok(workspace)
}

fn opened_encrypted(
    path: &Path,
    salt: Salt,
    open: impl Fn(Option<&Key>) -> lexforge_store::Result<Workspace>,
) -> Result<Workspace> {
    if let Some(key) = known(salt) {
        return Ok(open(Some(&key))?);
    }
    if let Some(passphrase) = of_environment()? {
        return with(&Key::of(&passphrase, salt), open);
    }
    if let Some(key) = of_ring(salt) {
        match with(&key, &open) {
            // What is kept there is damaged.
            Err(failure) if failure.code == Code::WorkspaceLocked => {}
            opened => return opened,
        }
    }
    match passphrase::asked(path) {
        Some(passphrase) => with(&Key::of(&passphrase, salt), open),
        None => Ok(open(None)?),
    }
}

/// Opens the workspace at `path` with `open`. If the workspace is encrypted and its key is not known yet, this function
/// fails. The user is not asked for the passphrase.
pub(super) fn opened_unasked(
    path: &Path,
    open: impl Fn(Option<&Key>) -> lexforge_store::Result<Workspace>,
) -> Result<Workspace> {
    let key = Workspace::salt_of(path)?.and_then(known);
    Ok(open(key.as_ref())?)
}

fn with(
    key: &Key,
    open: impl Fn(Option<&Key>) -> lexforge_store::Result<Workspace>,
) -> Result<Workspace> {
    let workspace = open(Some(key))?;
    keep(key);
    Ok(workspace)
}

fn known(salt: Salt) -> Option<Key> {
    let opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.get(&salt).cloned()
}

pub(super) fn keep(key: &Key) {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.insert(key.salt(), key.clone());
}

fn of_environment() -> Result<Option<String>> {
    let of = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
    match (of(VARIABLE), of(FILE_VARIABLE)) {
        (Some(passphrase), _) => Ok(Some(passphrase)),
        (None, Some(file)) => {
            let text = kept_in_file(Path::new(&file))?;
            Ok(text.lines().next().map(str::to_owned))
        }
        (None, None) => Ok(None),
    }
}

/// A key for a workspace that is to be made or encrypted.
pub(super) fn fresh(passphrase: &str) -> Result<Key> {
    if passphrase.chars().count() < SHORTEST_PASSPHRASE {
        return Err(Failure::invalid(
            format!("A passphrase of a workspace has at least {SHORTEST_PASSPHRASE} characters."),
            "Take four or five words that do not belong together; nothing was changed.",
        ));
    }
    Ok(Key::fresh(passphrase)?)
}

/// Whether the workspace at `path` is encrypted. The passphrase is not needed for this.
///
/// # Errors
/// When it is missing or cannot be read.
pub fn is_encrypted(path: &Path) -> Result<bool> {
    Ok(Workspace::salt_of(path)?.is_some())
}

/// Unlocks an encrypted workspace until this program ends; with `remember`, its key is also kept in the key ring.
///
/// # Errors
/// When it is not encrypted or the passphrase is wrong. Also when the key ring does not answer; the workspace is
/// unlocked then nevertheless.
pub fn unlock_workspace(path: &Path, passphrase: &str, remember: bool) -> Result<()> {
    let key = of_passphrase(path, passphrase)?;
    keep(&key);
    if remember {
        put_into_ring(&key).map_err(but_unlocked)?;
    }
    Ok(())
}

/// Encrypts the workspace at `path` with a passphrase; with `remember`, its key is also kept in the key ring. No
/// program may have it open.
///
/// # Errors
/// When it is encrypted already, the passphrase is too short, another program has the workspace open, it cannot be
/// written, the disk is full, or its audit chain does not hold. It is unchanged then. Also when the key ring does not
/// answer; the workspace is encrypted then nevertheless.
pub fn encrypt_workspace(path: &Path, passphrase: &str, remember: bool) -> Result<()> {
    if is_encrypted(path)? {
        return Err(Failure::invalid(
            "The workspace is encrypted already.",
            "Change its passphrase if it is to have another one.",
        ));
    }
    let key = fresh(passphrase)?;
    Workspace::rewrite(path, None, Some(&key), &actor())?;
    keep(&key);
    encrypted_places::note(path);
    if remember {
        put_into_ring(&key).map_err(but_encrypted)?;
    }
    Ok(())
}

/// Removes the encryption of the workspace at `path`. Without a passphrase, its key is found in the same way as when
/// it is opened.
///
/// # Errors
/// When it is not encrypted, the passphrase is wrong, and as [`encrypt_workspace`].
pub fn decrypt_workspace(path: &Path, passphrase: Option<&str>) -> Result<()> {
    let key = current(path, passphrase)?;
    Workspace::rewrite(path, Some(&key), None, &actor())?;
    encrypted_places::forget(path);
    drop_from_ring(key.salt());
    Ok(())
}

/// Gives the workspace at `path` another passphrase. Without the earlier one, its key is found in the same way as when
/// it is opened. If the key was kept in the key ring, the new one is kept there as well.
///
/// # Errors
/// As [`decrypt_workspace`]; also when the new passphrase is too short, or the key ring does not answer. In the last
/// case the workspace has the new passphrase nevertheless.
pub fn change_passphrase(path: &Path, earlier: Option<&str>, new: &str) -> Result<()> {
    let key = current(path, earlier)?;
    let next = fresh(new)?;
    let kept = of_ring(key.salt()).is_some();
    Workspace::rewrite(path, Some(&key), Some(&next), &actor())?;
    keep(&next);
    encrypted_places::note(path);
    if kept {
        let put = put_into_ring(&next);
        drop_from_ring(key.salt());
        put.map_err(but_changed)?;
    }
    Ok(())
}

/// What failed after a passphrase was changed: it holds nevertheless.
fn but_changed(failure: Failure) -> Failure {
    after_all(
        &failure,
        "The workspace has its new passphrase now, and the earlier one opens it no longer. Only the key ring could not be \
         changed.",
    )
}

/// What failed after a workspace was encrypted: it is.
fn but_encrypted(failure: Failure) -> Failure {
    after_all(
        &failure,
        "The workspace is encrypted now with its passphrase. Only its key could not be put into the key ring.",
    )
}

/// What failed after a workspace was unlocked: it is, as long as this program runs.
fn but_unlocked(failure: Failure) -> Failure {
    after_all(
        &failure,
        "The workspace is unlocked until this program ends. Only its key could not be put into the key ring.",
    )
}

/// A failure of the key ring after the step itself was done.
fn after_all(failure: &Failure, done: &str) -> Failure {
    Failure::new(
        failure.code,
        format!("{done} {}", failure.message),
        "Do not repeat the step. The passphrase is asked for each time; once the key ring answers, its key can be kept \
         there.",
    )
}

/// Keeps the key of an encrypted workspace in the key ring of this user.
///
/// # Errors
/// When it is not encrypted, the passphrase is wrong, or the key ring does not answer.
pub fn remember_workspace(path: &Path) -> Result<()> {
    put_into_ring(&current(path, None)?)
}

/// Removes the key of an encrypted workspace from the key ring of this user. Says whether one was there.
///
/// # Errors
/// When it is not encrypted.
pub fn forget_workspace(path: &Path) -> Result<bool> {
    let salt = Workspace::salt_of(path)?.ok_or_else(not_encrypted)?;
    let kept = of_ring(salt).is_some();
    drop_from_ring(salt);
    Ok(kept)
}

/// The key of the workspace as it is.
fn current(path: &Path, passphrase: Option<&str>) -> Result<Key> {
    if let Some(passphrase) = passphrase {
        return of_passphrase(path, passphrase);
    }
    let workspace = opened(path, |key| Workspace::open_unchanged_with(path, key))?;
    workspace.key().cloned().ok_or_else(not_encrypted)
}

/// The key of the workspace by its passphrase. The key is tried on the file itself. So a wrong passphrase is recognised
/// even if something else is wrong with the workspace; such other problems are reported when the workspace is opened.
fn of_passphrase(path: &Path, passphrase: &str) -> Result<Key> {
    let salt = Workspace::salt_of(path)?.ok_or_else(not_encrypted)?;
    let key = Key::of(passphrase, salt);
    if Workspace::is_opened_by(path, &key)? {
        return Ok(key);
    }
    Err(StoreError::WrongKey.at(path).into())
}

fn not_encrypted() -> Failure {
    Failure::invalid(
        "The workspace is not encrypted.",
        "It opens without a passphrase. To give it one, encrypt it.",
    )
}

fn entry(salt: Salt) -> keyring::v1::Result<keyring::v1::Entry> {
    keyring::v1::Entry::new(SERVICE, &format!("workspace {}", hex::encode(salt)))
}

/// The key that is kept in the key ring. A key ring that does not answer counts as empty: the user is asked then.
fn of_ring(salt: Salt) -> Option<Key> {
    let line = entry(salt).and_then(|entry| entry.get_password()).ok()?;
    Key::from_line(&line).filter(|key| key.salt() == salt)
}

fn put_into_ring(key: &Key) -> Result<()> {
    entry(key.salt())
        .and_then(|entry| entry.set_password(&key.to_line()))
        .map_err(|e| {
            no_ring(&e).with_advice(
                "Unlock it and try again; without it, the passphrase is asked for each time.",
            )
        })
}

fn drop_from_ring(salt: Salt) {
    // What is not there need not go.
    let _ = entry(salt).and_then(|entry| entry.delete_credential());
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
