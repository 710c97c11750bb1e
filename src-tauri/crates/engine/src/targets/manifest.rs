//! What a target would be told, as a text to read: the batch script of a queue, or a manifest for Kubernetes.

use super::kept::target;
use crate::workspace::Result;
use lexforge_compute::remote::batch_script;
use lexforge_domain::protocol::JobId;
use std::path::Path;

/// The batch script of a target with a queue. For any other target it is a PyTorchJob of Kubeflow as text; nothing is
/// submitted.
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
        Some(settings) => batch_script(
            &folder.join("jobs/JOB/slurm"),
            &JobId::of_bytes([0; 16]),
            &folder.join("versions").join(worker).join("lexforge-worker"),
            &[folder.join("models/MODEL")],
            settings,
        ),
        None => POD.replace("NAME", &of_kubernetes(&target.name)),
    })
}

const POD: &str = include_str!("pytorchjob.yaml");

/// A name that Kubernetes accepts: small letters, digits and dashes, with a letter or digit at its end. It has at most
/// 30 characters, because `lexforge-` comes before it and the pods of a job have longer names than the job.
fn of_kubernetes(name: &str) -> String {
    const LONGEST: usize = 30;
    let plain = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    let name: String = name.chars().map(plain).take(LONGEST).collect();
    match name.trim_matches('-') {
        "" => "target".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_has_a_name_that_kubernetes_takes() {
        for (name, expected) in [
            ("box", "box"),
            ("My_Box.2", "my-box-2"),
            ("a #b", "a--b"),
            ("box_", "box"),
            ("机器", "target"),
        ] {
            assert_eq!(of_kubernetes(name), expected, "{name}");
        }
        assert!(of_kubernetes(&"x".repeat(64)).len() <= 30);
        assert!(POD.contains("name: lexforge-NAME\n"));
    }
}
