//! Whole copies of a workspace: made while others work on it, and put back in its place.

mod model_files;

use super::clock::now;
use super::encrypted_places;
use super::encryption::opened;
use super::files::{file_size, stem};
use super::open::OpenWorkspace;
use super::result::Result;
use lexforge_domain::api::{BackupReport, ModelFiles, RestoreReport};
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_store::{Workspace, verify};
use model_files::{Beside, sha256_of};
use std::path::{Path, PathBuf};

impl OpenWorkspace {
    /// Copies the present workspace to a new file; with `models`, also its model files into a folder beside that file.
    /// The copy is read back and checked before it gets its name.
    ///
    /// # Errors
    /// When something with this name exists already, the disk is full, or the folder cannot be written.
    pub fn backup(&self, file: &Path, models: bool) -> Result<BackupReport> {
        let target = model_files::folder_of(file);
        refuse_taken(&target)?;
        let copied = Beside::copy(&model_files::folder_of(self.path()), &target, models)?;
        // The file comes last, so a backup that has its file is complete.
        let models = copied.put(&target)?;
        if let Err(failure) = self.store.copy_to(file) {
            model_files::remove(&target, &models);
            return Err(failure.into());
        }
        let copy = Workspace::open_unchanged_with(file, self.store.key())?;
        let (documents, audit_head) =
            copy.read(|r| Ok((r.counts()?.documents, r.audit_head()?)))?;
        Ok(BackupReport {
            file: file.display().to_string(),
            bytes: file_size(file)?,
            sha256: sha256_of(file)?,
            encrypted: self.is_encrypted(),
            documents,
            audit_head,
            audit_ok: copy.read(verify::verify).ok().map(|report| report.ok),
            models,
        })
    }
}

/// Puts a copy of the backup `file` at `workspace`. If a workspace is there already, the call is refused, unless
/// `replace` is given. With `replace`, the earlier workspace stays beside the new one under a name with the date. The
/// backup itself is only read.
///
/// # Errors
/// When the backup is not a complete workspace, something is at the target already, another program has it open, or the
/// disk is full. The earlier workspace is unchanged then.
pub fn restore(
    file: &Path,
    workspace: &Path,
    replace: bool,
    models: bool,
) -> Result<RestoreReport> {
    let source = opened(file, |key| Workspace::open_unchanged_with(file, key))?;
    let real = std::fs::canonicalize(workspace).ok();
    let place = real
        .clone()
        .filter(|_| workspace.is_symlink())
        .unwrap_or_else(|| workspace.to_owned());
    if real.is_some() && std::fs::canonicalize(file).ok() == real {
        return Err(Failure::invalid(
            "The backup is the workspace itself.",
            Remedy::NameBackup,
        ));
    }
    let aside = replace.then(|| dated(&place)).transpose()?;
    let target = model_files::folder_of(&place);
    let copied = Beside::copy(&model_files::folder_of(source.path()), &target, models)?;
    let moved = source
        .restore_to(&place, copied.path(), aside.as_deref())
        .map_err(|e| or_replace(Failure::from(e)))?;
    let models = copied.placed();
    let encrypted = source.key().is_some();
    let no_longer_encrypted = !encrypted && encrypted_places::forget(&place);
    let restored = OpenWorkspace::open(workspace)?;
    let (documents, audit_head) = restored
        .store
        .read(|r| Ok((r.counts()?.documents, r.audit_head()?)))?;
    Ok(RestoreReport {
        workspace: restored.path().display().to_string(),
        documents,
        audit_head,
        audit_ok: restored.audit_verify()?.ok,
        encrypted,
        no_longer_encrypted,
        models,
        kept: aside
            .filter(|_| moved)
            .map(|path| path.display().to_string()),
    })
}

/// A free name beside the workspace, with the time.
fn dated(workspace: &Path) -> Result<PathBuf> {
    let stem = stem(workspace);
    let time = now().replace([':', '-'], "");
    let name = |n: u32| match n {
        0 => format!("{stem}.before-{time}.lexforge"),
        n => format!("{stem}.before-{time}-{n}.lexforge"),
    };
    let mut names = (0..100).map(|n| workspace.with_file_name(name(n)));
    names
        .find(|path| std::fs::symlink_metadata(path).is_err())
        .ok_or_else(|| {
            Failure::new(
                Code::WorkspaceExists,
                "A hundred workspaces were put aside in this second.",
                "Restore again in a moment.",
            )
        })
}

fn refuse_taken(folder: &Path) -> Result<()> {
    match std::fs::symlink_metadata(folder) {
        Err(_) => Ok(()),
        Ok(_) => Err(Failure::new(
            Code::WorkspaceExists,
            format!(
                "The folder of model files {} is there already.",
                folder.display()
            ),
            "Choose another name for the backup, or move that folder away.",
        )),
    }
}

fn or_replace(failure: Failure) -> Failure {
    if failure.code != Code::WorkspaceExists {
        return failure;
    }
    failure.with_advice(Remedy::KeepBothOrReplace)
}

impl Beside {
    /// The report of files that were put in place by the store.
    fn placed(mut self) -> ModelFiles {
        std::mem::take(&mut self.report)
    }
}
