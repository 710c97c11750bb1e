//! Where the logs of this user are: one folder in the folder of the user, and in it one for each workspace.
//!
//! They do not stand beside a workspace: that may lie in a folder that others read, may be handed on with all that is
//! beside it, or may not be written at all. A workspace's folder of logs is called by a hash with a key that stays here, so
//! that neither a log nor what is handed on of it names a path, and nobody can try paths until one fits; which workspace it
//! is stands in a file beside the logs that stays here, too.
//!
//! The folder of a user may lie on a disk that does not answer. Whatever is done there at a beginning is done by a thread of
//! its own, for which nobody waits longer than a moment.

use super::result::Result;
use super::user_folder::{own_folder, write_own, write_own_at_leisure};
use lexforge_compute::installed::user_folder;
use lexforge_domain::api::{LogLevel, LogView};
use lexforge_log::rolling::tidy;
use lexforge_log::{Log, Pace};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use tracing::info;

/// File that says how much goes into the logs.
const LEVEL_FILE: &str = "level";
/// File that says of which workspace the logs beside it are.
const PATH_FILE: &str = "workspace";
/// File with the key of the names of the folders.
const KEY_FILE: &str = "key";
/// Bytes of that key.
const KEY_BYTES: usize = 32;
/// A beginning waits so long for the folder of the logs.
const PATIENCE: Duration = Duration::from_secs(1);
/// So many workspaces have logs; those that were not opened for the longest time go.
const WORKSPACES: usize = 12;
/// Digits by which a workspace's folder of logs is called.
const DIGITS: usize = 12;

/// The folder of the open workspace's logs.
static OPEN: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Workspaces that were opened: what comes late of an earlier one counts no more.
static OPENED: AtomicU64 = AtomicU64::new(0);

/// The folder of the logs of the user who runs the program.
pub(crate) fn log_folder() -> PathBuf {
    user_folder().join("logs")
}

/// Begins the log of a program; keep what comes back until the end of `main`. Where the folder of the logs does not answer,
/// the program goes on: lines wait as long as there is room, and are then counted as lost.
///
/// # Errors
/// Where the folder of the logs cannot be made or written. The program can do without.
pub fn begin_log(program: &'static str) -> Result<Log> {
    let folder = log_folder();
    let place = folder.clone();
    let level: Option<Result<LogLevel>> = soon(move || {
        own_folder(&place)?;
        let level = kept_level();
        tidy(&place);
        Ok(level)
    });
    let level = level.unwrap_or_else(|| Ok(LogLevel::default()))?;
    Ok(lexforge_log::begin(program, &folder, level, Pace::Behind))
}

/// Does it on a thread of its own; none where it is not done in a moment, or no thread can be had.
fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (tell, told) = sync_channel(1);
    let work = move || {
        // Whoever waited may have gone on.
        let _ = tell.send(work());
    };
    std::thread::Builder::new()
        .name("log folder".to_owned())
        .spawn(work)
        .ok()?;
    told.recv_timeout(PATIENCE).ok()
}

/// Where the logs are, and how much goes into them.
pub fn log_view() -> LogView {
    let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    LogView {
        folder: log_folder().display().to_string(),
        workspace: open.as_ref().map(|folder| folder.display().to_string()),
        level: lexforge_log::level(),
        by_variable: matches!(lexforge_log::level_of_variable(), Ok(Some(_))),
        lost: lexforge_log::lost(),
    }
}

/// From now on so much goes into the logs of this user, unless the variable says otherwise.
///
/// # Errors
/// Where the setting cannot be kept.
pub fn set_log_level(level: LogLevel) -> Result<LogView> {
    let folder = log_folder();
    own_folder(&folder)?;
    write_own(&folder.join(LEVEL_FILE), level.tag().as_bytes())?;
    if !matches!(lexforge_log::level_of_variable(), Ok(Some(_))) {
        lexforge_log::set_level(level);
    }
    info!(level = level.tag(), "the level was set");
    Ok(log_view())
}

fn kept_level() -> LogLevel {
    let kept = std::fs::read_to_string(log_folder().join(LEVEL_FILE));
    kept.ok()
        .and_then(|word| LogLevel::of_tag(word.trim()))
        .unwrap_or_default()
}

/// From now on this program writes to the log of a workspace. Where that cannot be, it goes on with the log that it has.
pub(super) fn log_of_workspace(path: &Path) {
    if !lexforge_log::begun() {
        return;
    }
    let number = OPENED.fetch_add(1, Ordering::SeqCst) + 1;
    let path = path.to_owned();
    soon(move || {
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        let Some((name, folder)) = folder_for(&path) else {
            return;
        };
        if OPENED.load(Ordering::SeqCst) != number {
            return;
        }
        info!(workspace = name.as_str(), "a workspace is opened");
        lexforge_log::switch(&folder);
        tidy(&folder);
        *OPEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder);
        remove_old();
    });
}

/// Makes the folder of a workspace's logs, and says what it is called and where it is.
fn folder_for(path: &Path) -> Option<(String, PathBuf)> {
    let name = name_of(path, &key_of(&log_folder())?);
    let folder = log_folder().join(&name);
    own_folder(&folder).ok()?;
    let file = folder.join(PATH_FILE);
    write_own_at_leisure(&file, path.as_os_str().as_encoded_bytes()).ok()?;
    Some((name, folder))
}

/// Removes the logs of workspaces that were not opened for the longest time, and those of folders that are called otherwise:
/// earlier versions called them by a hash without a key.
fn remove_old() {
    let kept = workspace_logs();
    let kept: Vec<&PathBuf> = kept.iter().take(WORKSPACES).map(|(_, f)| f).collect();
    let all = std::fs::read_dir(log_folder())
        .into_iter()
        .flatten()
        .flatten();
    for folder in all.map(|entry| entry.path()) {
        if is_name(&folder) && folder.join(PATH_FILE).is_file() && !kept.contains(&&folder) {
            // What cannot be removed is a little more on the disk.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Workspaces that have logs by the path of their file, with the folder of these, the newest first.
pub(crate) fn workspace_logs() -> Vec<(PathBuf, PathBuf)> {
    let Some(key) = key_of(&log_folder()) else {
        return Vec::new();
    };
    let mut found: Vec<(SystemTime, PathBuf, PathBuf)> = std::fs::read_dir(log_folder())
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let file = entry.path().join(PATH_FILE);
            let opened = last_written(&entry.path())?;
            let path = std::fs::read_to_string(&file).ok()?;
            Some((opened, PathBuf::from(path), entry.path()))
        })
        .filter(|(_, path, folder)| folder.ends_with(name_of(path, &key)))
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    found
        .into_iter()
        .map(|(_, path, folder)| (path, folder))
        .collect()
}

/// When something was written into a folder last: a window that is open for days has logs that are new.
fn last_written(folder: &Path) -> Option<SystemTime> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let times = entries.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    times.max()
}

/// What the folder of a workspace's logs is called.
fn name_of(path: &Path, key: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    let mut name = hex::encode(hmac::sign(&key, path.as_os_str().as_encoded_bytes()));
    name.truncate(DIGITS);
    name
}

/// Whether a folder is called as those of workspaces are, now or by earlier versions.
fn is_name(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.len() == DIGITS && name.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The key of the names, drawn at first need; none where it can be neither read nor kept.
fn key_of(folder: &Path) -> Option<Vec<u8>> {
    let file = folder.join(KEY_FILE);
    let read = || std::fs::read(&file).ok().filter(|k| k.len() == KEY_BYTES);
    if let Some(key) = read() {
        return Some(key);
    }
    let mut key = [0; KEY_BYTES];
    SystemRandom::new().fill(&mut key).ok()?;
    write_own_at_leisure(&file, &key).ok()?;
    // Another program may have written its own a moment later.
    read()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_folder_of_a_workspace_is_called_by_its_path_and_does_not_tell_it() {
        let path = Path::new("/data/somebody/secret.lexforge");
        let name = name_of(path, b"key");
        assert!(is_name(Path::new(&name)), "{name}");
        assert_eq!(name, name_of(path, b"key"));
        assert_ne!(
            name,
            name_of(Path::new("/data/somebody/other.lexforge"), b"key")
        );
        // Whoever has no key cannot try paths.
        assert_ne!(name, name_of(path, b"another key"));
        let unsalted = hex::encode(Sha256::digest(path.as_os_str().as_encoded_bytes()));
        assert!(!unsalted.starts_with(&name));
    }

    #[test]
    fn the_key_is_drawn_once_and_is_its_owners_alone() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let key = key_of(folder.path()).unwrap();
        assert_eq!(key_of(folder.path()), Some(key.clone()));
        assert_ne!(key_of(other.path()), Some(key));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let about = std::fs::metadata(folder.path().join(KEY_FILE)).unwrap();
            assert_eq!(about.permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(key_of(&folder.path().join("nowhere")), None);
    }

    #[test]
    fn nobody_waits_longer_than_a_moment() {
        assert_eq!(soon(|| 7), Some(7));
        let (release, released) = sync_channel::<()>(0);
        let waits = soon(move || released.recv().is_ok());
        assert_eq!(waits, None);
        // It goes on behind.
        release.send(()).unwrap();
    }
}
