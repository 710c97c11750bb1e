//! Where the logs of this user are: one folder in the folder of the user, and in it one for each workspace.
//!
//! They do not stand beside a workspace: that may lie in a folder that others read, may be handed on with all that is
//! beside it, or may not be written at all. A workspace's folder of logs is called by a hash, so that neither a log nor
//! what is handed on of it names a path; which workspace it is stands in a file beside them that stays here.

use super::result::Result;
use super::user_folder::{own_folder, write_own};
use lexforge_compute::installed::user_folder;
use lexforge_domain::api::{LogLevel, LogView};
use lexforge_log::{Log, Pace};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use tracing::info;

/// File that says how much goes into the logs.
const LEVEL_FILE: &str = "level";
/// File that says of which workspace the logs beside it are.
const PATH_FILE: &str = "workspace";
/// So many workspaces have logs; those that were not opened for the longest time go.
const WORKSPACES: usize = 12;
/// Digits by which a workspace's folder of logs is called.
const DIGITS: usize = 12;

/// The folder of the open workspace's logs.
static OPEN: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The folder of the logs of the user who runs the program.
pub(crate) fn log_folder() -> PathBuf {
    user_folder().join("logs")
}

/// Begins the log of a program; keep what comes back until the end of `main`.
///
/// # Errors
/// Where the folder of the logs cannot be made or written. The program can do without.
pub fn begin_log(program: &'static str) -> Result<Log> {
    let folder = log_folder();
    own_folder(&folder)?;
    Ok(lexforge_log::begin(
        program,
        &folder,
        kept_level(),
        Pace::Behind,
    ))
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
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = log_folder().join(name_of(&path));
    let kept = own_folder(&folder)
        .and_then(|()| write_own(&folder.join(PATH_FILE), path.as_os_str().as_encoded_bytes()));
    if kept.is_err() {
        return;
    }
    let name = name_of(&path);
    info!(workspace = name.as_str(), "a workspace is opened");
    lexforge_log::switch(&folder);
    *OPEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder);
    for (_, folder) in workspace_logs().into_iter().skip(WORKSPACES) {
        // What cannot be removed is a little more on the disk.
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Workspaces that have logs by the path of their file, with the folder of these, the newest first.
pub(crate) fn workspace_logs() -> Vec<(PathBuf, PathBuf)> {
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
        .filter(|(_, path, folder)| folder.ends_with(name_of(path)))
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
fn name_of(path: &Path) -> String {
    let mut name = hex::encode(Sha256::digest(path.as_os_str().as_encoded_bytes()));
    name.truncate(DIGITS);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_workspace_is_called_by_its_path_and_does_not_tell_it() {
        let name = name_of(Path::new("/data/somebody/secret.lexforge"));
        assert_eq!(name.len(), DIGITS);
        assert!(name.chars().all(|c| c.is_ascii_hexdigit()));
        assert_ne!(name, name_of(Path::new("/data/somebody/other.lexforge")));
    }
}
