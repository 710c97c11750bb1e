//! The folder of this user's logs. It is inside the user's own folder and has a subfolder for each workspace.
//!
//! Logs are not stored beside a workspace. The folder of a workspace may be readable by others, may be passed on as a
//! whole, or may not be writable. The subfolder's name is a hash of the workspace's path with a key that stays on this
//! machine. So neither a log nor a copy of it shows a path, and nobody can guess the path from the name. A file beside
//! the logs, which also stays here, says which subfolder belongs to which workspace.
//!
//! The user's folder may be on a disk that does not respond. So the work there at a program's start runs in a separate
//! thread, and the program waits for it only a moment.

use super::result::Result;
use super::user_folder::{keep_own, own_folder, write_own, write_own_at_leisure};
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
/// File that says to which workspace the logs beside it belong.
const PATH_FILE: &str = "workspace";
/// File with the key of the names of the folders.
const KEY_FILE: &str = "key";
const KEY_BYTES: usize = 32;
/// A beginning waits so long for the folder of the logs.
const PATIENCE: Duration = Duration::from_secs(1);
/// The number of workspaces that have logs. Logs of those not opened for the longest time are removed.
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

/// Begins the log of a program; keep the returned value until the end of `main`. If the disk with the logs does not
/// respond, the program continues. Log lines then wait in memory. Once the reserved memory is full, further lines are
/// dropped and counted.
///
/// # Errors
/// Where the folder of the logs cannot be made or written. The program can continue without a log.
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

/// Does work on a thread of its own. `None` if it is not done within a moment, or no thread can be started.
fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (tell, told) = sync_channel(1);
    let work = move || {
        // The program that waited may have gone on.
        let _ = tell.send(work());
    };
    std::thread::Builder::new()
        .name("log folder".to_owned())
        .spawn(work)
        .ok()?;
    told.recv_timeout(PATIENCE).ok()
}

/// The place of the logs, and how much is written to them.
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

/// Sets how much is written to this user's logs from now on; the environment variable takes precedence.
///
/// # Errors
/// Where the setting cannot be stored.
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

/// From now on this program writes into the log of a workspace. If that log cannot be opened, the program keeps writing
/// into its present log.
pub(super) fn log_of_workspace(path: &Path) {
    if !lexforge_log::begun() {
        return;
    }
    let number = OPENED.fetch_add(1, Ordering::SeqCst) + 1;
    let path = path.to_owned();
    soon(move || {
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        let logs = log_folder();
        let Some((name, folder)) = folder_for(&logs, &path) else {
            return;
        };
        if OPENED.load(Ordering::SeqCst) != number {
            return;
        }
        info!(workspace = name.as_str(), "a workspace is opened");
        lexforge_log::switch(&folder);
        tidy(&folder);
        *OPEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.clone());
        remove_old(&logs, &folder);
    });
}

/// Makes the folder of a workspace's logs, and says what it is called and where it is.
fn folder_for(logs: &Path, path: &Path) -> Option<(String, PathBuf)> {
    let path = path.as_os_str().as_encoded_bytes();
    let name = name_of(path, &key_of(logs)?);
    let folder = logs.join(&name);
    own_folder(&folder).ok()?;
    write_own_at_leisure(&folder.join(PATH_FILE), path).ok()?;
    Some((name, folder))
}

/// Removes the logs of the workspaces that were not opened for the longest time. It also removes folders that earlier
/// versions named by a hash without a key. The logs of the open workspace stay. If the key cannot be read now, old and
/// new names cannot be told apart. Then all folders stay.
fn remove_old(logs: &Path, open: &Path) {
    let Some(known) = known(logs) else {
        return;
    };
    let kept: Vec<&Path> = known.iter().take(WORKSPACES).map(|(_, f)| &**f).collect();
    let all = std::fs::read_dir(logs).into_iter().flatten().flatten();
    for folder in all.map(|entry| entry.path()) {
        let stays = folder == open || kept.contains(&&*folder);
        if is_name(&folder) && folder.join(PATH_FILE).is_file() && !stays {
            // What cannot be removed is a little more on the disk.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Workspaces that have logs by the path of their file, with the folder of these, the newest first.
pub(crate) fn workspace_logs() -> Vec<(PathBuf, PathBuf)> {
    let known = known(&log_folder()).unwrap_or_default();
    let pairs = known.into_iter();
    pairs
        .filter_map(|(path, folder)| Some((path_of(path)?, folder)))
        .collect()
}

/// The paths of workspaces with their log folders, newest first. The paths are bytes, because a path need not be valid
/// text. `None` if the key cannot be read.
fn known(logs: &Path) -> Option<Vec<(Vec<u8>, PathBuf)>> {
    let key = key_of(logs)?;
    let entries = std::fs::read_dir(logs).into_iter().flatten().flatten();
    let mut found: Vec<(SystemTime, Vec<u8>, PathBuf)> = entries
        .filter_map(|entry| {
            let folder = entry.path();
            let opened = last_written(&folder)?;
            let path = std::fs::read(folder.join(PATH_FILE)).ok()?;
            Some((opened, path, folder))
        })
        .filter(|(_, path, folder)| folder.ends_with(name_of(path, &key)))
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    Some(found.into_iter().map(|(_, path, f)| (path, f)).collect())
}

/// A path from these bytes; `None` if the system has no such path.
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        Some(std::ffi::OsString::from_vec(bytes).into())
    }
    #[cfg(not(unix))]
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// When something was written into a folder last: a window that is open for days has logs that are new.
fn last_written(folder: &Path) -> Option<SystemTime> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let times = entries.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    times.max()
}

/// The name of the folder for the logs of the workspace at a path.
fn name_of(path: &[u8], key: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    let mut name = hex::encode(hmac::sign(&key, path));
    name.truncate(DIGITS);
    name
}

/// Whether a folder is called as those of workspaces are, now or by earlier versions.
fn is_name(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.len() == DIGITS && name.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The key of the names, drawn at first need; `None` where it can be neither read nor kept.
fn key_of(folder: &Path) -> Option<Vec<u8>> {
    let file = folder.join(KEY_FILE);
    let kept = std::fs::read(&file).ok();
    let whole = |key: &Vec<u8>| key.len() == KEY_BYTES;
    if kept.as_ref().is_some_and(whole) {
        return kept;
    }
    let mut key = [0; KEY_BYTES];
    SystemRandom::new().fill(&mut key).ok()?;
    match kept {
        // A broken key is of no use to anybody.
        Some(_) => write_own_at_leisure(&file, &key).ok()?,
        // If another program stored a key at the same moment, that key counts for both.
        None => keep_own(&file, &key).ok()?,
    }
    std::fs::read(&file).ok().filter(whole)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_folder_of_a_workspace_is_called_by_its_path_and_does_not_tell_it() {
        let path = b"/data/somebody/secret.lexforge";
        let name = name_of(path, b"key");
        assert!(is_name(Path::new(&name)), "{name}");
        assert_eq!(name, name_of(path, b"key"));
        assert_ne!(name, name_of(b"/data/somebody/other.lexforge", b"key"));
        // Without the key nobody can find a path by trying.
        assert_ne!(name, name_of(path, b"another key"));
        let unsalted = hex::encode(Sha256::digest(path));
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
    fn programs_that_begin_together_have_one_key() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let keys: Vec<Vec<u8>> = std::thread::scope(|scope| {
                let programs = [(); 8].map(|()| scope.spawn(|| key_of(folder.path()).unwrap()));
                programs.map(|program| program.join().unwrap()).into()
            });
            assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
        }
    }

    #[test]
    fn a_broken_key_is_drawn_anew() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(KEY_FILE), b"").unwrap();
        assert!(key_of(folder.path()).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn the_logs_of_a_path_that_is_no_text_stay() {
        use std::os::unix::ffi::OsStrExt;
        let logs = tempfile::tempdir().unwrap();
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/data/a\xff.lexforge"));
        let (_, folder) = folder_for(logs.path(), path).unwrap();
        let (_, other) = folder_for(logs.path(), Path::new("/data/b.lexforge")).unwrap();
        remove_old(logs.path(), &other);
        assert!(folder.is_dir() && other.is_dir());
        let known = known(logs.path()).unwrap();
        assert!(
            known
                .into_iter()
                .any(|(bytes, _)| path_of(bytes).unwrap() == path)
        );
    }

    #[test]
    fn old_logs_go_and_those_of_the_open_workspace_stay() {
        let logs = tempfile::tempdir().unwrap();
        // Called as if by an earlier version, and so by a name that no key gives.
        let folder_of = |name: &str| {
            let folder = logs.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join(PATH_FILE), "/data/a.lexforge").unwrap();
            folder
        };
        let (open, old) = (folder_of("0123456789ab"), folder_of("ba9876543210"));
        remove_old(logs.path(), &open);
        assert!(open.is_dir() && !old.is_dir());
        // Without the key it is not known which folders are old.
        let old = folder_of("ba9876543210");
        std::fs::remove_file(logs.path().join(KEY_FILE)).unwrap();
        std::fs::create_dir(logs.path().join(KEY_FILE)).unwrap();
        remove_old(logs.path(), &open);
        assert!(old.is_dir());
    }

    #[test]
    fn nobody_waits_longer_than_a_moment() {
        assert_eq!(soon(|| 7), Some(7));
        let (release, released) = sync_channel::<()>(0);
        let waits = soon(move || released.recv().is_ok());
        assert_eq!(waits, None);
        // The work continues in the background.
        release.send(()).unwrap();
    }
}
