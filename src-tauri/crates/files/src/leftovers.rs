//! Removes the files of killed programs. They are found by their names. Files of running programs are never removed.

use crate::owner::{is_held, lives};
use crate::scratch::OWNER_FILE;
use crate::{aside, scratch};
use std::fs::Metadata;
use std::path::Path;
use std::time::Duration;

/// Lock of a worker that a killed program has started and that still works.
const WORKER_LOCK: &str = "lock";
/// A folder without its owner's file that changed so recently may be one that is just being made.
const SETTLED: Duration = Duration::from_secs(60);
/// An unfinished copy of model files has no lock, and another machine may be making it. So it counts as a leftover only
/// if nothing in it has changed for this long.
const QUIET: Duration = Duration::from_secs(3600);
/// Entries of a folder that are looked at.
const MOST_ENTRIES: usize = 100_000;

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leftovers {
    pub folders: u64,
    pub files: u64,
    /// Bytes of them all.
    pub bytes: u64,
}

impl Leftovers {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.folders + self.files == 0
    }

    /// In words: `3 folders and 1 file (148.0 MB)`.
    pub fn words(&self) -> String {
        let some = |n: u64, one: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {one}s")),
        };
        let counted: Vec<String> = [some(self.folders, "folder"), some(self.files, "file")]
            .into_iter()
            .flatten()
            .collect();
        format!(
            "{} ({:.1} MB)",
            counted.join(" and "),
            self.bytes as f64 / 1e6
        )
    }
}

impl std::ops::AddAssign for Leftovers {
    fn add_assign(&mut self, other: Self) {
        self.folders += other.folders;
        self.files += other.files;
        self.bytes += other.bytes;
    }
}

/// Whether a file or folder of this name is one that a program is just making or working in, or has left so.
pub fn is_unfinished(name: &str) -> bool {
    scratch::process_of(name).is_some() || aside::process_of(name).is_some()
}

/// Removes what killed programs of this product left in a folder. Files that cannot be removed (because they belong to
/// another user) stay and are not counted. A missing folder counts as empty.
pub fn remove_leftovers(folder: &Path) -> Leftovers {
    let mut removed = Leftovers::default();
    for entry in std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .take(MOST_ENTRIES)
    {
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str() else { continue };
        // The entry itself is examined: the program makes no links, so a link is not its own.
        let Ok(meta) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        let of_killed = || aside::process_of(name).is_some_and(|process| !lives(process));
        if meta.is_dir() {
            let is_scratch =
                scratch::process_of(name).is_some_and(|process| is_left_folder(&path, process));
            let is_left = is_scratch || (of_killed() && is_quiet(&path));
            if !is_left {
                continue;
            }
            let bytes = bytes_below(&path);
            if std::fs::remove_dir_all(&path).is_ok() {
                removed += Leftovers {
                    folders: 1,
                    files: 0,
                    bytes,
                };
            }
        } else if meta.is_file()
            && of_killed()
            && !is_held(&path)
            && std::fs::remove_file(&path).is_ok()
        {
            removed += Leftovers {
                folders: 0,
                files: 1,
                bytes: meta.len(),
            };
        }
    }
    removed
}

/// Whether nobody works in a scratch folder any more.
fn is_left_folder(folder: &Path, process: u32) -> bool {
    let lives = if process == std::process::id() {
        scratch::is_ours(folder)
    } else {
        lives(process)
    };
    if lives || is_held(&folder.join(OWNER_FILE)) || is_held(&folder.join(WORKER_LOCK)) {
        return false;
    }
    folder.join(OWNER_FILE).exists() || settled(folder)
}

fn settled(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder).is_ok_and(|meta| is_older(&meta, SETTLED))
}

fn is_older(meta: &Metadata, than: Duration) -> bool {
    meta.modified()
        .is_ok_and(|at| at.elapsed().is_ok_and(|age| age > than))
}

/// Whether nothing in a folder, nor the folder, has changed for long.
fn is_quiet(folder: &Path) -> bool {
    let itself = std::fs::symlink_metadata(folder).is_ok_and(|meta| is_older(&meta, QUIET));
    itself && below(folder).iter().all(|meta| is_older(meta, QUIET))
}

/// Bytes of the files in a folder, at any depth; links count as nothing.
fn bytes_below(folder: &Path) -> u64 {
    below(folder)
        .iter()
        .filter(|meta| meta.is_file())
        .map(Metadata::len)
        .sum()
}

/// The metadata of all entries of a folder, at any depth. Links are not followed.
fn below(folder: &Path) -> Vec<Metadata> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(meta) = std::fs::symlink_metadata(entry.path()) else {
                continue;
            };
            if meta.is_dir() {
                folders.push(entry.path());
            }
            found.push(meta);
        }
    }
    found
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::Scratch;
    use std::fs::File;
    use std::time::SystemTime;

    /// The number of a process that has ended.
    fn dead() -> u32 {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        pid
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .flatten()
            .map(|e| e.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_the_dead_left_goes_and_what_the_living_have_stays() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: String| folder.path().join(name);
        let (dead, here) = (dead(), std::process::id());
        // Of the dead: with its owner's file, without it but old, two files.
        let left = at(format!("lexforge-export-{dead}-0"));
        std::fs::create_dir_all(left.join("out.part")).unwrap();
        std::fs::write(left.join(OWNER_FILE), "").unwrap();
        std::fs::write(left.join("out.part/model.safetensors"), [0; 1000]).unwrap();
        let old = at(format!("lexforge-embed-{dead}-1"));
        std::fs::create_dir(&old).unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(3600);
        File::open(&old).unwrap().set_modified(long_ago).unwrap();
        std::fs::write(at(format!("a.lexforge.{dead}.new")), [0; 24]).unwrap();
        std::fs::write(at(format!("a.lexforge.{dead}.new-wal")), "").unwrap();
        // A restored file that never got its place, and model files that were being copied, one of them an hour ago.
        std::fs::write(at(format!("c.lexforge.{dead}.restored.{dead}.new")), "").unwrap();
        let copied = at(format!("c.lexforge.artifacts.{dead}.new"));
        std::fs::create_dir(&copied).unwrap();
        let weights = File::create_new(copied.join("weights")).unwrap();
        weights.set_modified(SystemTime::now() - 2 * QUIET).unwrap();
        File::open(&copied)
            .unwrap()
            .set_modified(SystemTime::now() - 2 * QUIET)
            .unwrap();
        let copying = at(format!("d.lexforge.artifacts.{dead}.new"));
        std::fs::create_dir(&copying).unwrap();
        // Of our own number, but of an earlier life.
        let earlier = at(format!("lexforge-score-{here}-9999999"));
        std::fs::create_dir(&earlier).unwrap();
        std::fs::write(earlier.join(OWNER_FILE), "").unwrap();
        // What stays: a folder in use, one just being made, one whose worker runs, a stranger's, a link.
        let ours = Scratch::new(folder.path(), "inspect").unwrap();
        let new = at(format!("lexforge-embed-{dead}-2"));
        std::fs::create_dir(&new).unwrap();
        let worked = at(format!("lexforge-export-{dead}-3"));
        std::fs::create_dir(&worked).unwrap();
        std::fs::write(worked.join(OWNER_FILE), "").unwrap();
        let worker = File::create(worked.join(WORKER_LOCK)).unwrap();
        worker.lock().unwrap();
        std::fs::write(at(format!("b.lexforge.{here}.new")), "").unwrap();
        std::fs::create_dir(at(format!("lexforge-letters-{dead}-0"))).unwrap();
        std::os::unix::fs::symlink(ours.path(), at(format!("lexforge-export-{dead}-7"))).unwrap();
        let removed = remove_leftovers(folder.path());
        assert_eq!(
            removed,
            Leftovers {
                folders: 4,
                files: 3,
                bytes: 1024
            }
        );
        assert_eq!(removed.words(), "4 folders and 3 files (0.0 MB)");
        let stay = names(folder.path());
        assert_eq!(stay.len(), 7, "{stay:?}");
        assert!(ours.path().is_dir() && new.is_dir() && worked.is_dir() && copying.is_dir());
        assert!(remove_leftovers(folder.path()).is_empty());
        drop(worker);
        assert_eq!(remove_leftovers(folder.path()).folders, 1);
        assert!(remove_leftovers(&folder.path().join("absent")).is_empty());
    }

    #[test]
    fn what_is_not_finished_is_known_by_its_name() {
        for name in ["lexforge-embed-42-0", "b.lexforge.42.new"] {
            assert!(is_unfinished(name), "{name}");
        }
        for name in ["run-1-7", "lexforge-letters-42-0", "b.lexforge", "adapters"] {
            assert!(!is_unfinished(name), "{name}");
        }
    }
}
