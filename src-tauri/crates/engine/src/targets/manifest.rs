//! What a target would be told, as a text to read: the batch script of a queue, or a manifest for Kubernetes.

use super::kept::target;
use super::queue::check_settings;
use crate::workspace::Result;
use lexforge_compute::remote::batch_script;
use lexforge_domain::protocol::{JobId, SlurmSettings};
use std::path::Path;

/// The batch script of a target with a queue. For any other target it is a PyTorchJob of Kubeflow as text; nothing is
/// submitted.
///
/// # Errors
/// When there is no such target.
pub fn manifest(name: &str) -> Result<String> {
    let target = target(name)?;
    Ok(match &target.slurm {
        Some(settings) => script(&target.folder, target.worker.as_deref(), settings),
        None => POD.replace("NAME", &of_kubernetes(&target.name)),
    })
}

/// The batch script that a queue would get with settings that are not stored yet. This makes no connection.
///
/// # Errors
/// [`Code::InvalidRequest`](lexforge_domain::Code::InvalidRequest) if a target could not have these settings.
pub fn script_with(folder: &str, settings: &SlurmSettings) -> Result<String> {
    check_settings(settings)?;
    Ok(script(folder, None, settings))
}

fn script(folder: &str, worker: Option<&str>, settings: &SlurmSettings) -> String {
    let folder = match folder {
        "" => Path::new("/path/to/.lexforge"),
        folder => Path::new(folder),
    };
    let worker = worker.unwrap_or("VERSION");
    batch_script(
        &folder.join("jobs/JOB/slurm"),
        &JobId::of_bytes([0; 16]),
        &folder.join("versions").join(worker).join("lexforge-worker"),
        &[folder.join("models/MODEL")],
        settings,
    )
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
    fn the_script_of_settings_that_are_not_kept_yet_has_the_user_s_own_lines() {
        let with = |line: &str| {
            let settings = SlurmSettings {
                partition: "gpu".to_owned(),
                lines: vec![line.to_owned()],
                ..SlurmSettings::default()
            };
            script_with("/data/x", &settings)
        };
        let text = with("source /opt/site/setup.sh").unwrap_or_default();
        for part in [
            "--partition=gpu\n",
            "\nsource /opt/site/setup.sh\n",
            "/data/x/jobs/JOB",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(with("#SBATCH --qos=high").is_ok());
        assert!(with("#SBATCH --array=1-3").is_err());
    }

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
