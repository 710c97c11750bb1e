//! Which files of a run go to its target.

use crate::models::{BaseModel, folder_of};
use crate::targets::hashes;
use crate::workspace::{Result, file_failure, io_failure};
use lexforge_compute::Bundle;
use lexforge_compute::remote::LocalFile;
use lexforge_domain::protocol::JOB_FILE;
use lexforge_domain::{Code, Failure};
use lexforge_files::inside;
use std::path::Path;

/// Weights that are of no use to the worker.
const NOT_SENT: [&str; 8] = ["bin", "pt", "pth", "h5", "msgpack", "onnx", "ot", "gguf"];

/// The files of a base model, without weights in formats that the worker does not read.
pub(super) fn model_files(base: &BaseModel) -> Result<Vec<LocalFile>> {
    let folder = folder_of(base).ok_or_else(|| {
        Failure::new(
            Code::ModelMissing,
            format!(
                "The folder of the model {} was not found on this machine.",
                base.name
            ),
            "Name it by the path of its folder.",
        )
    })?;
    let mut known = hashes();
    let mut files = Vec::new();
    gather(&folder, "", &mut |path, place| {
        let ending = place
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        if !NOT_SENT.contains(&ending) {
            files.push(known.local_file(place, path)?);
        }
        Ok(())
    })?;
    known.keep();
    Ok(files)
}

/// Lists the files below a folder with their paths, without hidden ones. Links are followed, because models are often
/// stored behind links.
fn gather(
    folder: &Path,
    below: &str,
    found: &mut dyn FnMut(&str, &Path) -> Result<()>,
) -> Result<()> {
    let mut entries = std::fs::read_dir(folder)
        .and_then(|all| all.collect::<std::io::Result<Vec<_>>>())
        .map_err(|e| io_failure(&e, folder))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (name, place) = (
            entry.file_name().to_string_lossy().into_owned(),
            entry.path(),
        );
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{below}{name}");
        if place.is_file() {
            found(&path, &place)?;
        } else if place.is_dir() && below.matches('/').count() < 2 {
            gather(&place, &format!("{path}/"), found)?;
        }
    }
    Ok(())
}

/// The files of a bundle that are sent to the target: the job, its inputs, and the adapter that it starts from.
pub(super) fn bundle_files(bundle: &Bundle) -> Result<Vec<LocalFile>> {
    let mut known = hashes();
    let mut paths = vec![JOB_FILE.to_owned()];
    for folder in ["inputs", "adapter"] {
        let place = match inside::folder(bundle.folder(), folder) {
            Err(e) if e.is_absent() => continue,
            other => other.map_err(file_failure)?,
        };
        let names = inside::files(&place).map_err(file_failure)?;
        paths.extend(names.into_iter().map(|name| format!("{folder}/{name}")));
    }
    paths
        .iter()
        .map(|path| known.local_file(&bundle.path(path)?, path))
        .collect()
}
