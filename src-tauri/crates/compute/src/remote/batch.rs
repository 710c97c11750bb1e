//! The batch script with which an attempt goes into Slurm's queue.

use super::setup::quoted;
use lexforge_domain::protocol::{JobId, SlurmSettings};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Seconds of notice before the time limit.
const NOTICE: u32 = 120;
/// What an attempt's name begins with.
pub(super) const PREFIX: &str = "lexforge-";

/// Name of the file with what Slurm and the batch script say.
pub(super) const OUTPUT: &str = "output.log";

/// Seconds before the time limit at which the worker is told.
pub(super) fn notice(settings: &SlurmSettings) -> u32 {
    match settings.notice {
        0 => NOTICE,
        seconds => seconds,
    }
}

/// A path as `sbatch` reads it in an option: with blanks, and with `%` that stands for itself.
fn option(path: &Path) -> String {
    let text = path.display().to_string();
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('%', "%%"))
}

/// The batch script of an attempt: a text that its user can read.
pub fn batch_script(
    folder: &Path,
    attempt: &JobId,
    worker: &Path,
    models: &[PathBuf],
    settings: &SlurmSettings,
) -> String {
    let bundle = folder.parent().unwrap_or(folder);
    let path = |path: &Path| quoted(&path.display().to_string());
    let mut text = String::from("#!/bin/sh\n");
    let notice = notice(settings);
    let ranks = settings.ranks.max(1);
    let options = [
        ("job-name", format!("{PREFIX}{attempt}")),
        ("comment", attempt.to_string()),
        ("output", option(&folder.join(OUTPUT))),
        ("open-mode", "append".to_owned()),
        ("signal", format!("B:USR1@{notice}")),
        ("ntasks", ranks.to_string()),
        ("partition", settings.partition.clone()),
        ("account", settings.account.clone()),
        ("time", settings.time.clone()),
        ("gres", settings.gres.clone()),
        ("constraint", settings.constraint.clone()),
        ("cpus-per-task", settings.cpus.clone()),
        ("mem", settings.memory.clone()),
    ];
    for (name, value) in options.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(text, "#SBATCH {}{name}={value}", DASHES);
    }
    let _ = writeln!(text, "#SBATCH {DASHES}requeue\n");
    text.push_str("umask 077\nexport OMP_WAIT_POLICY=passive\n");
    if let Some(libraries) = worker
        .parent()
        .map(|p| p.join(super::setup::LIBTORCH_FOLDER))
    {
        let _ = writeln!(
            text,
            "export LD_LIBRARY_PATH={}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}",
            path(&libraries)
        );
    }
    for module in &settings.modules {
        let _ = writeln!(text, "module load {module}");
    }
    for line in &settings.lines {
        let _ = writeln!(text, "{line}");
    }
    let mut command = String::new();
    if ranks > 1 {
        text.push_str(
            "MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n\
             MASTER_PORT=$((20000 + SLURM_JOB_ID % 20000))\nexport MASTER_ADDR MASTER_PORT\n",
        );
        command.push_str("srun sh -c 'export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS LOCAL_RANK=$SLURM_LOCALID; exec \"$@\"' rank ");
    }
    if !settings.container.is_empty() {
        let _ = write!(command, "{} ", settings.container);
    }
    let _ = write!(command, "{} run {}", path(worker), path(bundle));
    for folder in models {
        let _ = write!(command, " {DASHES}models {}", path(folder));
    }
    let _ = write!(
        text,
        "bundle={}\nattempt={attempt}\n{}",
        path(bundle),
        BODY.replace("COMMAND", &command)
    );
    text
}

const DASHES: &str = "--";

/// What a batch script does after its settings.
const BODY: &str = include_str!("batch.sh");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_script_says_what_was_set_and_nothing_else() {
        let settings = SlurmSettings {
            partition: "gpu".into(),
            time: "01:00:00".into(),
            gres: "gpu:1".into(),
            modules: vec!["cuda/13".into()],
            ranks: 2,
            ..SlurmSettings::default()
        };
        let attempt = JobId::of_bytes([1; 16]);
        let text = batch_script(
            Path::new("/x/it's/slurm"),
            &attempt,
            Path::new("/x/v/lexforge-worker"),
            &["/x/models/m".into()],
            &settings,
        );
        for line in [
            "#SBATCH --partition=gpu",
            "#SBATCH --time=01:00:00",
            "#SBATCH --gres=gpu:1",
            "#SBATCH --signal=B:USR1@120",
            "module load cuda/13",
            "bundle='/x/it'\\''s'",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\n{text}");
        }
        assert!(text.contains(&format!("--job-name=lexforge-{attempt}")));
        assert!(text.contains("--output=\"/x/it's/slurm/output.log\"\n"));
        assert_eq!(option(Path::new("/my %j \"x")), "\"/my %%j \\\"x\"");
        assert!(
            text.contains("rank '/x/v/lexforge-worker' run '/x/it'\\''s' --models '/x/models/m'")
        );
        assert!(
            !text.contains("account") && !text.contains("COMMAND"),
            "{text}"
        );
    }
}
