//! The files of an export into a folder: all of them, or none.

use crate::workspace::{Result, file_failure, io_failure};
use lexforge_files::Aside;
use std::io;
use std::path::{Path, PathBuf};

/// Files that were written. If this is dropped before [`Written::keep`], they are removed, so that the export can be
/// tried again into the same folder.
#[derive(Default)]
pub(super) struct Written(Vec<PathBuf>);

impl Written {
    /// Writes a file that is not there yet.
    pub(super) fn write(
        &mut self,
        path: &Path,
        fill: impl FnOnce(&mut Aside) -> io::Result<()>,
    ) -> Result<()> {
        let mut file = Aside::begin(path).map_err(file_failure)?;
        fill(&mut file).map_err(|e| io_failure(&e, path))?;
        file.finish_new().map_err(file_failure)?;
        self.0.push(path.to_owned());
        Ok(())
    }

    /// The export is complete.
    pub(super) fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        for path in &self.0 {
            // A file that cannot be removed stays. Then the next attempt reports that the folder is not empty.
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::{ErrorKind, Write};

    #[test]
    fn an_export_that_fails_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        for (problem, left) in [(Some(ErrorKind::StorageFull), 0), (None, 2)] {
            let mut written = Written::default();
            let first = folder.path().join("train.json");
            written.write(&first, |out| out.write_all(b"one")).unwrap();
            let second = written.write(&folder.path().join("test.json"), |out| {
                out.write_all(b"two")?;
                problem.map_or(Ok(()), |kind| Err(io::Error::from(kind)))
            });
            assert_eq!(second.is_err(), problem.is_some());
            if second.is_ok() {
                written.keep();
            } else {
                drop(written);
            }
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), left);
        }
    }
}
