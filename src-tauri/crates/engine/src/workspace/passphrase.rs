//! Where the passphrase of a protected key file comes from: an environment variable, or a question to the user. The
//! user is asked for the passphrases of workspaces in the same way. An unlocked key stays only in this process's
//! memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The variable that holds it where nobody can be asked.
const VARIABLE: &str = "LEXFORGE_PASSPHRASE";

/// Asks a person for the passphrase of a file.
type Ask = fn(&Path) -> Option<String>;

static ASK: OnceLock<Ask> = OnceLock::new();
/// Secrets by what is kept of them.
static OPENED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// Sets how a person is asked for a passphrase, if a protected key file or an encrypted workspace needs one. Only the
/// first call has an effect.
pub fn ask_passphrases_with(ask: Ask) {
    let _ = ASK.set(ask);
}

/// The passphrase from the variable, or from the person who is asked.
pub(super) fn given(path: &Path) -> Option<String> {
    let of_variable = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    of_variable.or_else(|| asked(path))
}

/// The passphrase from the person who is asked, if anybody can be.
pub(super) fn asked(path: &Path) -> Option<String> {
    ASK.get().and_then(|ask| ask(path))
}

/// The secret, if it was opened before.
pub(super) fn opened(sealed: &str) -> Option<String> {
    let opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.get(sealed).cloned()
}

/// Keeps an opened secret as long as this process runs.
pub(super) fn keep(sealed: &str, secret: &str) {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.insert(sealed.to_owned(), secret.to_owned());
}
