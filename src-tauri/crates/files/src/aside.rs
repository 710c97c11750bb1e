//! A file that is written beside its place and gets its name when it is whole.

use crate::Error;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The text between a file's name and the number of the process that writes it.
const MARK: &str = ".lexforge";
/// The ending of the name of an incomplete file.
const END: &str = ".new";
/// All endings of such names. A backup that is being restored has an ending of its own.
const ENDS: [&str; 2] = [END, ".restored"];
/// What ends the name of a workspace's folder of model files.
const MODEL_FILES: &str = ".artifacts";
/// The endings of the files that SQLite keeps beside a database.
const COMPANIONS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// A file that is being written, with the name `NAME.NUMBER.lexforge.PROCESS.new`. The number differs for each file of
/// a process, so two files that will get the same final name are never mixed up. If the value is dropped before
/// [`Aside::finish`], the file is removed.
#[derive(Debug)]
pub struct Aside {
    target: PathBuf,
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Aside {
    /// Begins a file that will be named `target` once it is complete.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn begin(target: &Path) -> Result<Self, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self::begin_at(
            target,
            path_of(target, NEXT.fetch_add(1, Ordering::Relaxed)),
        )
    }

    fn begin_at(target: &Path, path: PathBuf) -> Result<Self, Error> {
        // A file that is already there is from a killed process with our number. It is removed; a link is not followed.
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                return Err(Error::Io { path, source: e });
            }
            _ => {}
        }
        let file = File::create_new(&path).map_err(Error::io(target))?;
        // On a file system without locks, the number of the process says whose the file is.
        let _ = file.try_lock();
        Ok(Self {
            target: target.to_owned(),
            path,
            file: Some(BufWriter::new(file)),
        })
    }

    /// Flushes the file to the disk and gives it its name, replacing a file of that name.
    ///
    /// # Errors
    /// The system refuses. Then an earlier file of that name stays.
    pub fn finish(mut self) -> Result<(), Error> {
        self.close()?;
        std::fs::rename(&self.path, &self.target).map_err(Error::io(&self.target))
    }

    /// As [`Aside::finish`], but a file of that name is not replaced.
    ///
    /// # Errors
    /// The system refuses, or something of that name is there.
    pub fn finish_new(mut self) -> Result<(), Error> {
        self.close()?;
        // A rename would replace an existing file, a hard link does not. Not every file system has hard links.
        let named = match std::fs::hard_link(&self.path, &self.target) {
            Err(e) if e.kind() != ErrorKind::AlreadyExists => {
                match std::fs::symlink_metadata(&self.target) {
                    Ok(_) => Err(ErrorKind::AlreadyExists.into()),
                    Err(_) => std::fs::rename(&self.path, &self.target),
                }
            }
            linked => linked,
        };
        named.map_err(Error::io(&self.target))
    }

    fn close(&mut self) -> Result<(), Error> {
        if let Some(mut file) = self.file.take() {
            // A person knows the name that the file was to have.
            file.flush().map_err(Error::io(&self.target))?;
            let synced = file.get_ref().sync_all();
            synced.map_err(Error::io(&self.target))?;
        }
        Ok(())
    }

    /// Writes a complete file.
    ///
    /// # Errors
    /// The system refuses. Then an earlier file of that name stays.
    pub fn write_whole(target: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut aside = Self::begin(target)?;
        aside.write_all(bytes).map_err(Error::io(target))?;
        aside.finish()
    }

    /// Writes a complete file. Fails if something with this name exists already.
    ///
    /// # Errors
    /// The system refuses, or something with this name exists.
    pub fn write_new(target: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut aside = Self::begin(target)?;
        aside.write_all(bytes).map_err(Error::io(target))?;
        aside.finish_new()
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Ok(0),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        drop(self.file.take());
        // After `finish` there is nothing of this name.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn path_of(target: &Path, number: u64) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{number}{MARK}.{}{END}", std::process::id()));
    target.with_file_name(name)
}

/// The process that made an unfinished file, read from the file's name. The name has three parts: the name of a
/// workspace, of its model files or of another file of the product; the number of a process; and a word for its work.
/// The last two may occur twice. `None` if the name does not have this form.
pub(crate) fn process_of(name: &str) -> Option<u32> {
    COMPANIONS.iter().find_map(|companion| {
        let (of, process) = ended(name.strip_suffix(companion)?)?;
        let of = ended(of).map_or(of, |(of, _)| of);
        let of = of
            .strip_suffix(MODEL_FILES)
            .unwrap_or(of)
            .strip_suffix(MARK)?;
        if of.is_empty() { None } else { Some(process) }
    })
}

/// Splits an unfinished name: the part before the number of the process, and that number.
fn ended(name: &str) -> Option<(&str, u32)> {
    let name = ENDS.iter().find_map(|end| name.strip_suffix(end))?;
    let (of, process) = name.rsplit_once('.')?;
    let digits = !process.is_empty() && process.bytes().all(|b| b.is_ascii_digit());
    Some((of, process.parse().ok().filter(|_| digits)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.html");
        Aside::write_whole(&target, b"first").unwrap();
        let mut unfinished = Aside::begin(&target).unwrap();
        unfinished.write_all(b"second").unwrap();
        drop(unfinished);
        assert_eq!(std::fs::read(&target).unwrap(), b"first");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.csv");
        for (text, is_new) in [("first", true), ("second", false)] {
            let written = Aside::write_new(&target, text.as_bytes());
            assert_eq!(written.is_ok(), is_new, "{written:?}");
            assert_eq!(std::fs::read_to_string(&target).unwrap(), "first");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn two_of_one_name_are_each_written_whole() {
        for first_ends_last in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("a.html");
            let begun = |text: &str| {
                let mut aside = Aside::begin(&target).unwrap();
                aside.write_all(text.as_bytes()).unwrap();
                aside
            };
            let (one, two) = (begun("one"), begun("two"));
            // A third one that is given up takes nothing from the two.
            drop(begun("three"));
            let ends = match first_ends_last {
                true => [(two, "two"), (one, "one")],
                false => [(one, "one"), (two, "two")],
            };
            for (aside, text) in ends {
                aside.finish().unwrap();
                assert_eq!(std::fs::read_to_string(&target).unwrap(), text);
            }
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_its_way_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, victim) = (folder.path().join("a.html"), folder.path().join("victim"));
        std::fs::write(&victim, "mine").unwrap();
        let path = path_of(&target, 7);
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        std::os::unix::fs::symlink(&victim, &target).unwrap();
        let mut aside = Aside::begin_at(&target, path).unwrap();
        aside.write_all(b"new").unwrap();
        aside.finish().unwrap();
        assert_eq!(std::fs::read(&victim).unwrap(), b"mine");
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
    }

    #[test]
    fn only_names_of_ours_are_known() {
        for (name, process) in [
            ("report.html.lexforge.12.new", Some(12)),
            ("report.html.3.lexforge.12.new", Some(12)),
            ("a.lexforge.12.new", Some(12)),
            ("a.lexforge.12.new-wal", Some(12)),
            ("a.lexforge.12.new-journal", Some(12)),
            ("a.lexforge.12.restored", Some(12)),
            ("a.lexforge.12.restored.12.new-wal", Some(12)),
            ("a.lexforge.artifacts.12.new", Some(12)),
            ("a.lexforge", None),
            ("a.lexforge.artifacts", None),
            ("a.lexforge.12", None),
            ("a.lexforge.new", None),
            ("a.12.new", None),
            ("a.lexforge.x.new", None),
            (".lexforge.12.new", None),
        ] {
            assert_eq!(process_of(name), process, "{name}");
        }
    }
}
