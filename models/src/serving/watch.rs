//! Whether the files that were loaded are still those on the disk.

use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How often the disk is asked.
const EVERY: Duration = Duration::from_millis(250);

/// The data about a file by which a change of its content is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Print {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Print {
    fn of(path: &Path) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        Ok(Self {
            bytes: data.len(),
            modified: data.modified().ok(),
        })
    }
}

/// The files of a model's folder as they were when it was loaded.
#[derive(Debug, Default)]
pub struct Watch {
    files: Vec<(PathBuf, Print)>,
    asked: Option<Instant>,
    change: Option<String>,
}

impl Watch {
    /// Remembers the files of a folder on which results depend.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn add(&mut self, folder: &Path) -> Result<()> {
        for entry in std::fs::read_dir(folder).map_err(Error::io(folder))? {
            let path = entry.map_err(Error::io(folder))?.path();
            let told = path.extension().is_some_and(|end| {
                ["json", "safetensors", "jinja", "txt"]
                    .iter()
                    .any(|e| end == *e)
            });
            if told && path.is_file() {
                let print = Print::of(&path).map_err(Error::io(&path))?;
                self.files.push((path, print));
            }
        }
        Ok(())
    }

    /// The first change since then, in words without the folder's path. A change that was found is remembered.
    pub fn change(&mut self) -> Option<&str> {
        let due = self.asked.is_none_or(|at| at.elapsed() >= EVERY);
        if self.change.is_none() && due {
            self.asked = Some(Instant::now());
            self.change = self.files.iter().find_map(|(path, print)| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                match Print::of(path) {
                    Ok(now) if now == *print => None,
                    Ok(now) if now.bytes < print.bytes => Some(format!("{name} became shorter")),
                    Ok(_) => Some(format!("{name} is another one")),
                    Err(_) => Some(format!("{name} is gone")),
                }
            });
        }
        self.change.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_done_to_a_file_is_told() {
        let check = |act: fn(&Path), expected: Option<&str>| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("model.safetensors");
            std::fs::write(&path, "0123456789").unwrap();
            let mut watch = Watch::default();
            watch.add(folder.path()).unwrap();
            assert_eq!(watch.change(), None);
            act(&path);
            watch.asked = None;
            assert_eq!(watch.change(), expected);
        };
        check(|_| {}, None);
        check(
            |path| std::fs::write(path.with_file_name("README.md"), "x").unwrap(),
            None,
        );
        check(
            |path| std::fs::write(path, "01234").unwrap(),
            Some("model.safetensors became shorter"),
        );
        check(
            |path| std::fs::write(path, "0123456789ab").unwrap(),
            Some("model.safetensors is another one"),
        );
        check(
            |path| std::fs::remove_file(path).unwrap(),
            Some("model.safetensors is gone"),
        );
    }
}
