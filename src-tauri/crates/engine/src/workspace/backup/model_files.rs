//! The folder of model files beside a workspace, copied file by file; every copy is read again.

use crate::workspace::files::{io_failure, make_dir};
use crate::workspace::result::Result;
use lexforge_domain::api::ModelFiles;
use lexforge_domain::{Code, Failure};
use lexforge_files::is_unfinished;
use lexforge_store::make_own_folder;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The file of an adapter's weights, by whose hash its folder is named.
const WEIGHTS: &str = "adapter_model.safetensors";
/// Deeper folders are not entered.
const DEPTH: usize = 16;

/// The folder that belongs to a workspace.
pub(super) fn folder_of(workspace: &Path) -> PathBuf {
    let mut name = workspace.as_os_str().to_owned();
    name.push(".artifacts");
    PathBuf::from(name)
}

/// A folder of model files under another name, until it is put in its place; removed if it never is.
pub(super) struct Beside {
    folder: Option<PathBuf>,
    pub(super) report: ModelFiles,
}

impl Beside {
    /// Copies the content of `from` into a new folder beside `target`. Copies nothing if `wanted` is false or if `from`
    /// does not exist. Folders in which jobs are working now are not copied, because they are not model files.
    pub(super) fn copy(from: &Path, target: &Path, wanted: bool) -> Result<Self> {
        let mut made = Self {
            folder: None,
            report: ModelFiles {
                included: wanted,
                ..ModelFiles::default()
            },
        };
        if !wanted || !from.is_dir() {
            return Ok(made);
        }
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let folder = PathBuf::from(name);
        if folder.exists() {
            // Left by a process that had this number before and was killed.
            fs::remove_dir_all(&folder).map_err(|e| io_failure(&e, &folder))?;
        }
        make_own_folder(&folder).map_err(|e| io_failure(&e, &folder))?;
        made.folder = Some(folder.clone());
        made.enter(from, &folder, Path::new(""), 0)?;
        Ok(made)
    }

    fn enter(&mut self, from: &Path, to: &Path, inside: &Path, depth: usize) -> Result<()> {
        let entries = match fs::read_dir(from.join(inside)) {
            Ok(entries) => entries,
            // A job ended meanwhile and took its folder away.
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(io_failure(&e, &from.join(inside))),
        };
        for entry in entries {
            let entry = entry.map_err(|e| io_failure(&e, from))?;
            if entry.file_name().to_str().is_some_and(is_unfinished) {
                continue;
            }
            let inside = inside.join(entry.file_name());
            let kind = entry
                .file_type()
                .map_err(|e| io_failure(&e, &entry.path()))?;
            if kind.is_dir() && depth < DEPTH {
                make_dir(&to.join(&inside))?;
                self.enter(from, to, &inside, depth + 1)?;
            } else if kind.is_file() {
                self.file(&entry.path(), &to.join(&inside), &inside)?;
            } else {
                self.report.left_out.push(inside.display().to_string());
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &Path, to: &Path, inside: &Path) -> Result<()> {
        let Some((bytes, hash)) = copy_file(from, to)? else {
            return Ok(());
        };
        if sha256_of(to)? != hash {
            return Err(Failure::new(
                Code::Damaged,
                format!("{} was written and is not what was read.", to.display()),
                "Check the disk, and make the copy on another one.",
            ));
        }
        self.report.files += 1;
        self.report.bytes += bytes;
        let named: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        if let [adapters, name, file] = &named[..]
            && adapters == "adapters"
            && file == WEIGHTS
            && *name != hash
        {
            self.report.altered.push(name.to_string());
        }
        Ok(())
    }

    /// Where the files are now, if there are any.
    pub(super) fn path(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Gives the folder its name.
    pub(super) fn put(mut self, target: &Path) -> Result<ModelFiles> {
        if let Some(folder) = &self.folder {
            fs::rename(folder, target).map_err(|e| io_failure(&e, target))?;
            self.folder = None;
        }
        Ok(std::mem::take(&mut self.report))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // A folder that cannot be removed costs space and nothing else.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Removes a folder that was put in its place for a backup that failed after it.
pub(super) fn remove(folder: &Path, report: &ModelFiles) {
    if report.included {
        let _ = fs::remove_dir_all(folder);
    }
}

/// Bytes and hash of what was copied; `None` where the file went away before it was opened.
fn copy_file(from: &Path, to: &Path) -> Result<Option<(u64, String)>> {
    let mut source = match File::open(from) {
        Ok(file) => file,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(io_failure(&e, from)),
    };
    let mut copy = File::create_new(to).map_err(|e| io_failure(&e, to))?;
    let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 20]);
    loop {
        let n = source.read(&mut buffer).map_err(|e| io_failure(&e, from))?;
        if n == 0 {
            break;
        }
        hash.update(&buffer[..n]);
        copy.write_all(&buffer[..n])
            .map_err(|e| io_failure(&e, to))?;
        bytes += n as u64;
    }
    copy.sync_all().map_err(|e| io_failure(&e, to))?;
    Ok(Some((bytes, hex::encode(hash.finalize()))))
}

/// SHA-256 of a file.
pub(super) fn sha256_of(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(|e| io_failure(&e, path))?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer).map_err(|e| io_failure(&e, path))? {
            0 => return Ok(hex::encode(hash.finalize())),
            n => hash.update(&buffer[..n]),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn folders_in_which_jobs_are_working_are_not_copied() {
        let place = tempfile::tempdir().unwrap();
        let from = place.path().join("a.lexforge.artifacts");
        for name in ["run-1-7/job.json", "lexforge-embed-42-0/job.json"] {
            let file = from.join("bundles").join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "{}").unwrap();
        }
        let target = place.path().join("b.lexforge.artifacts");
        let report = Beside::copy(&from, &target, true)
            .unwrap()
            .put(&target)
            .unwrap();
        assert_eq!((report.files, report.left_out.len()), (1, 0));
        assert!(target.join("bundles/run-1-7/job.json").is_file());
        assert!(!target.join("bundles/lexforge-embed-42-0").exists());
    }
}
