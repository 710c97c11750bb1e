//! A log file that is renamed when it is full; the oldest renamed file is deleted.
//!
//! Several programs write to the same file at the same time, so each opens it by its name for every write. Existing
//! crates for this keep the file open and count only their own bytes. With them, a second program would continue to
//! write into a renamed file, and the limits on size would not hold.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A file of this size is full.
pub const BYTES: u64 = 512 << 10;
/// The number of files of a program that are kept, including the one that is being written.
pub const FILES: usize = 4;

/// A file to which nothing was written for so long is removed.
const KEPT: Duration = Duration::from_hours(24 * 180);
/// The most bytes of all files of a folder together. If there are more, the oldest files are removed.
const TOGETHER: u64 = 8 << 20;
/// What the names of logs end with.
const ENDING: &str = ".log";

/// Lines of this process that were lost.
static LOST: AtomicU64 = AtomicU64::new(0);

/// How many lines of this process were lost.
pub fn lost() -> u64 {
    LOST.load(Ordering::Relaxed)
}

/// Whether a file has the name of a log: the name of its program, with a number if it was renamed. A log of an
/// earlier version, which wrote one file for each day, does not have such a name.
pub fn is_log(name: &str) -> bool {
    let parts: Vec<&str> = name
        .strip_suffix(ENDING)
        .map_or_else(Vec::new, |name| name.split('.').collect());
    match parts[..] {
        [program] => !program.is_empty(),
        [program, aside] => {
            let aside = aside.parse::<usize>();
            !program.is_empty() && aside.is_ok_and(|aside| (1..FILES).contains(&aside))
        }
        _ => false,
    }
}

/// Removes old logs from a folder: logs of earlier versions, logs that were not written to for half a year, and the
/// oldest logs if all logs together are too large. Files that cannot be removed stay.
pub fn tidy(folder: &Path) {
    let mut logs: Vec<(SystemTime, u64, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(ENDING))
        .filter_map(|entry| {
            let about = entry.metadata().ok().filter(|about| about.is_file())?;
            let known = is_log(&entry.file_name().to_string_lossy());
            let written = about.modified().ok().filter(|_| known);
            // A file with a name of an earlier version counts as the oldest of all.
            let written = written.unwrap_or(SystemTime::UNIX_EPOCH);
            Some((written, about.len(), entry.path()))
        })
        .collect();
    logs.sort_by(|a, b| b.cmp(a));
    let (now, mut together) = (SystemTime::now(), 0);
    for (written, bytes, path) in logs {
        together += bytes;
        let age = now.duration_since(written).unwrap_or_default();
        if age > KEPT || together > TOGETHER {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A line is lost.
pub(crate) fn lose() {
    LOST.fetch_add(1, Ordering::Relaxed);
}

/// Writes whole lines to the log of a program in a folder. Writing never fails: what cannot be written is counted.
pub(crate) struct Rolling {
    folder: PathBuf,
    program: String,
    full: u64,
    /// Lost lines that the log knows of.
    told: u64,
}

impl Rolling {
    pub(crate) fn new(folder: &Path, program: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            program: program.to_owned(),
            full: BYTES,
            told: lost(),
        }
    }

    /// Writes a line, or counts it.
    pub(crate) fn put(&mut self, line: &[u8]) {
        if self.append(line).is_err() {
            lose();
            return;
        }
        let lost = lost();
        if lost > self.told {
            // A line that was cut off in the middle ends here.
            let note = format!("\n{} lines of the log were lost here\n", lost - self.told);
            if self.append(note.as_bytes()).is_ok() {
                self.told = lost;
            }
        }
    }

    fn append(&self, line: &[u8]) -> io::Result<()> {
        let path = self.file(0);
        let mut file = open(&path)?;
        if file.metadata()?.len().saturating_add(line.len() as u64) > self.full {
            drop(file);
            self.put_aside()?;
            file = open(&path)?;
        }
        file.write_all(line)
    }

    /// Puts the full file aside, and each that was put aside before one place further.
    fn put_aside(&self) -> io::Result<()> {
        let lock = open(&self.folder.join("lock"))?;
        lock.lock()?;
        // Another program may have done it while this one waited.
        let now = std::fs::metadata(self.file(0)).map_or(0, |about| about.len());
        if now <= self.full / 2 {
            return Ok(());
        }
        for older in (0..FILES - 1).rev() {
            let from = self.file(older);
            if from.exists() {
                std::fs::rename(from, self.file(older + 1))?;
            }
        }
        Ok(())
    }

    /// The file that is written to (0), or the file that was moved aside `aside` times since.
    fn file(&self, aside: usize) -> PathBuf {
        self.folder.join(match aside {
            0 => format!("{}.log", self.program),
            _ => format!("{}.{aside}.log", self.program),
        })
    }
}

/// Opens a file to append lines. Only its owner can read it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn rolling(folder: &Path, full: u64) -> Rolling {
        Rolling {
            full,
            // Lines that other tests lose do not matter here.
            told: u64::MAX,
            ..Rolling::new(folder, "it")
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn size_and_number_are_bounded_and_the_newest_lines_stay() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = rolling(folder.path(), 100);
        for number in 0..200 {
            log.put(format!("line {number}\n").as_bytes());
        }
        assert_eq!(
            names(folder.path()),
            ["it.1.log", "it.2.log", "it.3.log", "it.log", "lock"]
        );
        let mut text = String::new();
        for aside in (0..FILES).rev() {
            let part = std::fs::read_to_string(log.file(aside)).unwrap();
            assert!(part.len() <= 100, "{}", part.len());
            text.push_str(&part);
        }
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 30, "{lines:?}");
        for (line, number) in lines.iter().rev().zip((0..200).rev()) {
            assert_eq!(*line, format!("line {number}"));
        }
    }

    #[test]
    fn two_programs_write_to_one_log_and_its_limit_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        std::thread::scope(|scope| {
            for writer in ["a", "b"] {
                scope.spawn(move || {
                    let mut log = rolling(path, 2000);
                    for number in 0..200 {
                        log.put(format!("{writer} {number}\n").as_bytes());
                    }
                });
            }
        });
        let log = rolling(path, 2000);
        let kept: String = (0..FILES)
            .rev()
            .filter_map(|aside| std::fs::read_to_string(log.file(aside)).ok())
            .inspect(|part| assert!(part.len() < 2100, "{}", part.len()))
            .collect();
        // 2 × 200 lines fit into the kept files: none is lost and none is mixed with another.
        assert_eq!(kept.lines().count(), 400);
        for writer in ["a", "b"] {
            let mine: Vec<&str> = kept.lines().filter(|l| l.starts_with(writer)).collect();
            let expected: Vec<String> = (0..200).map(|n| format!("{writer} {n}")).collect();
            assert_eq!(mine, expected);
        }
    }

    #[test]
    fn what_earlier_versions_left_and_what_is_old_or_too_much_goes() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, days: u64, bytes: u64| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_len(bytes).unwrap();
            let then = SystemTime::now() - Duration::from_hours(24 * days);
            file.set_modified(then).unwrap();
        };
        file("it.log", 0, 100);
        file("it.1.log", 1, 100);
        file("other.log", 2, TOGETHER - 200);
        file("other.1.log", 3, 100);
        file("gone.log", 181, 0);
        // A file a day, as an earlier version wrote it.
        file("it.2026-11-24.log", 0, 100);
        file("workspace", 400, 10);
        tidy(folder.path());
        assert_eq!(
            names(folder.path()),
            ["it.1.log", "it.log", "other.log", "workspace"]
        );
        assert!(is_log("lexforge-app.3.log") && !is_log("lexforge-app.4.log"));
        assert!(!is_log(".log") && !is_log("it.txt") && !is_log("it.1.2.log"));
    }

    #[cfg(unix)]
    #[test]
    fn a_log_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        rolling(folder.path(), 100).put(b"line\n");
        let mode = std::fs::metadata(folder.path().join("it.log"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_costs_lines_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/full", folder.path().join("it.log")).unwrap();
        let before = lost();
        rolling(folder.path(), 100).put(b"line\n");
        assert!(lost() > before);
    }

    #[test]
    fn what_cannot_be_written_is_counted_and_the_log_says_so_later() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("logs");
        let mut log = Rolling::new(&there, "it");
        let before = lost();
        log.put(b"one\n");
        log.put(b"two\n");
        assert!(lost() >= before + 2);
        std::fs::create_dir(&there).unwrap();
        log.put(b"three\n");
        let text = std::fs::read_to_string(there.join("it.log")).unwrap();
        assert!(text.starts_with("three\n"), "{text}");
        assert!(text.contains("lines of the log were lost here"), "{text}");
    }
}
