//! Remembers where this user's encrypted workspaces are. If a file at such a place is not encrypted, somebody else may
//! have put it there. So it is not opened as the workspace.

use super::user_folder::{own_folder, write_own};
use lexforge_domain::{Code, Failure};
use std::path::{Path, PathBuf};

/// The file in the user's folder, a path a line, the one noted last at the end.
const NAME: &str = "encrypted";
/// The most places that are kept.
const MOST: usize = 1_000;

/// Notes that the workspace at `path` is encrypted.
pub(super) fn note(path: &Path) {
    put(&folder(), path, true);
}

/// Notes that the workspace at `path` need not be encrypted. Says whether it was.
pub(super) fn forget(path: &Path) -> bool {
    put(&folder(), path, false)
}

/// Refuses an unencrypted file at `path` if the workspace there was encrypted before.
///
/// # Errors
/// If the file is not encrypted and the workspace there was.
pub(super) fn refuse_plain(path: &Path) -> Result<(), Failure> {
    if !places(&folder()).contains(&line_of(path)) {
        return Ok(());
    }
    let failure = Failure::new(
        Code::WorkspaceMoved,
        "The workspace that was last opened here is encrypted. The file that stands there now is not: another one was put \
         in its place.",
        "Find out who put it there. If it is the one that you want, give it another name and open it under that.",
    );
    let shown = path.display().to_string();
    Err(failure.in_file(shown.clone()).at_path(shown))
}

#[cfg(not(test))]
fn folder() -> PathBuf {
    super::user_folder()
}

/// Tests leave the user's own folder alone.
#[cfg(test)]
fn folder() -> PathBuf {
    static FOLDER: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    let name = format!("lexforge-test-places-{}", std::process::id());
    FOLDER
        .get_or_init(|| std::env::temp_dir().join(name))
        .clone()
}

fn line_of(path: &Path) -> String {
    let real = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    real.as_deref().unwrap_or(path).display().to_string()
}

fn places(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(NAME)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Adds a place to the list or removes it. Returns whether the place was in the list before. If the list cannot be
/// written, there is only a warning, so that the user can continue to work.
fn put(folder: &Path, path: &Path, encrypted: bool) -> bool {
    let line = line_of(path);
    let mut places = places(folder);
    let was = places.contains(&line);
    if was == encrypted {
        return was;
    }
    places.retain(|place| *place != line);
    if encrypted && !line.contains('\n') {
        places.push(line);
        places.drain(..places.len().saturating_sub(MOST));
    }
    let text: String = places.iter().map(|place| format!("{place}\n")).collect();
    let noted = own_folder(folder).and_then(|()| write_own(&folder.join(NAME), text.as_bytes()));
    if noted.is_err() {
        tracing::warn!("the places of encrypted workspaces could not be noted");
    }
    was
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_noted_once_and_taken_out() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (
            folder.path().join("a b.lexforge"),
            folder.path().join("法.lexforge"),
        );
        let there = |folder: &Path| places(folder);
        assert!(!put(folder.path(), &one, false));
        assert!(!put(folder.path(), &one, true) && put(folder.path(), &one, true));
        put(folder.path(), &other, true);
        assert_eq!(there(folder.path()).len(), 2);
        assert!(put(folder.path(), &one, false) && !put(folder.path(), &one, false));
        assert_eq!(there(folder.path()), [other.display().to_string()]);
        let many: String = (0..MOST).map(|number| format!("/{number}\n")).collect();
        std::fs::write(folder.path().join(NAME), many).unwrap();
        put(folder.path(), &one, true);
        let kept = there(folder.path());
        assert_eq!((kept.len(), kept[0].as_str()), (MOST, "/1"));
        assert_eq!(kept.last(), Some(&one.display().to_string()));
    }
}
