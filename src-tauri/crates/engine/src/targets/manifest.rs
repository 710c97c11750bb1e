//! What a target would be told, as a text to read: the batch script of a queue, or a manifest for Kubernetes.

use super::kept::target;
use crate::workspace::Result;
use lexforge_compute::remote::batch;
use lexforge_domain::protocol::JobId;
use std::path::Path;

/// The batch script of a target with a queue; for any other a PyTorchJob of Kubeflow, which is written and not submitted.
///
/// # Errors
/// When there is no such target.
pub fn manifest(name: &str) -> Result<String> {
    let target = target(name)?;
    let folder = if target.folder.is_empty() {
        "/path/to/.lexforge"
    } else {
        &target.folder
    };
    let worker = target.worker.as_deref().unwrap_or("VERSION");
    let folder = Path::new(folder);
    Ok(match &target.slurm {
        Some(settings) => batch::script(
            &folder.join("jobs/JOB/slurm"),
            &JobId::of_bytes([0; 16]),
            &folder.join("versions").join(worker).join("lexforge-worker"),
            &[folder.join("models/MODEL")],
            settings,
        ),
        None => POD.replace("NAME", &target.name.to_lowercase()),
    })
}

const POD: &str = include_str!("pytorchjob.yaml");
