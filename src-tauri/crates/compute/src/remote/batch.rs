//! The batch script with which an attempt goes into Slurm's queue.

use super::setup::quoted;
use lexforge_domain::protocol::{JobId, SlurmSettings};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables that a job gets from the program that submits it: where programs are, who runs it, and in which language.
/// Any other variable may be a key or a password, which would end up in the scheduler's files and on the node.
const HANDED_ON: [&str; 10] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "XDG_CACHE_HOME",
];
/// Beginnings of the names of further variables that a job gets: settings of Slurm, of the language, of libraries for
/// computing, and of `module`. The variable `LOADEDMODULES` is left out. With it, `module` on the node would believe
/// that these modules are loaded already, and would not load them.
const HANDED_ON_FROM: [&str; 15] = [
    "SLURM_",
    "SBATCH_",
    "LC_",
    "OMP_",
    "KMP_",
    "MKL_",
    "CUDA_",
    "NCCL_",
    "GLOO_",
    "MODULEPATH",
    "MODULESHOME",
    "MODULES_CMD",
    "LMOD_",
    "BASH_FUNC_module",
    "BASH_FUNC__module",
];
/// Settings of `sbatch` that would let in more of the environment.
const NOT_HANDED_ON: [&str; 3] = ["SBATCH_EXPORT", "SBATCH_GET_USER_ENV", "SLURM_EXPORT_ENV"];
/// Makes the command `module` available, which is a function of login shells. If it is missing, the script looks for
/// the file that defines it. Some of these files only prepare for another file, so the search continues until the
/// function exists.
const MODULE: &str = "if ! command -v module >/dev/null 2>&1; then
  for start in \"$MODULESHOME/init/sh\" \"$LMOD_PKG/init/sh\" /etc/profile.d/*mod*.sh; do
    if [ -r \"$start\" ]; then . \"$start\"; command -v module >/dev/null 2>&1 && break; fi
  done
fi
";

/// Seconds of notice before the time limit.
const NOTICE: u32 = 120;
/// What a line begins with that `sbatch` reads as options. It must be above the first command.
pub const OWN_OPTION: &str = "#SBATCH ";
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
    let each = settings.ranks_a_node().map(|each| each.to_string());
    let options = [
        ("job-name", format!("{PREFIX}{attempt}")),
        ("comment", attempt.to_string()),
        ("output", option(&folder.join(OUTPUT))),
        ("open-mode", "append".to_owned()),
        ("signal", format!("B:USR1@{notice}")),
        ("ntasks", ranks.to_string()),
        ("nodes", settings.nodes.clone()),
        ("ntasks-per-node", each.unwrap_or_default()),
        ("partition", settings.partition.clone()),
        ("account", settings.account.clone()),
        ("time", settings.time.clone()),
        ("gres", settings.gres.clone()),
        ("constraint", settings.constraint.clone()),
        ("cpus-per-task", settings.cpus.clone()),
        ("mem", settings.memory.clone()),
    ];
    // Of two settings of an option sbatch takes the later one: ours hold where a line of the user's sets one, too.
    let (own_options, lines): (Vec<&String>, Vec<&String>) = settings
        .lines
        .iter()
        .partition(|line| line.starts_with(OWN_OPTION));
    for line in own_options {
        let _ = writeln!(text, "{line}");
    }
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
    if !settings.modules.is_empty() || !lines.is_empty() {
        text.push_str(MODULE);
    }
    for module in &settings.modules {
        let _ = writeln!(text, "module load {module}");
    }
    for line in lines {
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

/// The `sbatch` command for a script. It gets only the part of our environment that a job needs, and passes all of this
/// part on to the job. A list of names in `--export` would not work, because then Slurm adds what the user's login
/// shell sets on the node.
pub(super) fn submission(script: &Path) -> Command {
    let mut command = Command::new("sbatch");
    command.env_clear().envs(handed_on(std::env::vars_os()));
    command.args(["--parsable", "--export=ALL"]).arg(script);
    command
}

fn handed_on(
    all: impl Iterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (OsString, OsString)> {
    all.filter(|(name, _)| is_handed_on(name))
}

fn is_handed_on(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let wanted = HANDED_ON.contains(&&*name) || HANDED_ON_FROM.iter().any(|b| name.starts_with(b));
    wanted && !NOT_HANDED_ON.contains(&&*name)
}

const DASHES: &str = "--";

/// What a batch script does after its settings.
const BODY: &str = include_str!("batch.sh");

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test that cannot go on has failed.
mod tests {
    use super::*;

    #[test]
    fn a_job_gets_of_the_environment_what_it_needs() {
        for (name, expected) in [
            ("PATH", true),
            ("SLURM_CONF", true),
            ("SBATCH_ACCOUNT", true),
            ("BASH_FUNC_module%%", true),
            ("MODULEPATH", true),
            ("OPENAI_API_KEY", false),
            ("LEXFORGE_PASSPHRASE", false),
            ("LEXFORGE_WORKSPACE_PASSPHRASE", false),
            ("HTTPS_PROXY", false),
            ("SSH_AUTH_SOCK", false),
            ("LOADEDMODULES", false),
            ("SBATCH_EXPORT", false),
            ("PATHS", false),
        ] {
            assert_eq!(is_handed_on(OsStr::new(name)), expected, "{name}");
        }
        let command = submission(Path::new("/x/batch.sh"));
        let mut given = command.get_envs().map(|(name, _)| name);
        assert!(given.all(is_handed_on));
        let words: Vec<&OsStr> = command.get_args().collect();
        assert_eq!(words, ["--parsable", "--export=ALL", "/x/batch.sh"]);
    }

    #[cfg(unix)]
    #[test]
    fn module_is_looked_for_until_a_file_defines_it() {
        let folder = tempfile::tempdir().unwrap();
        let start = |name: &str, text: &str| {
            let init = folder.path().join(name).join("init");
            std::fs::create_dir_all(&init).unwrap();
            std::fs::write(init.join("sh"), text).unwrap();
            folder.path().join(name)
        };
        // The first one says only where modules lie.
        let prepares = start("prepares", "MODULEPATH=/modules\n");
        let defines = start("defines", "module() { echo \"$MODULEPATH $*\"; }\n");
        let done = Command::new("/bin/sh")
            .args(["-c", &format!("{MODULE}module load cuda")])
            .env_remove("BASH_ENV")
            .env("MODULESHOME", prepares)
            .env("LMOD_PKG", defines)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        // Where the machine has a `module` of its own, there is nothing to look for.
        if !std::env::vars().any(|(name, _)| name.starts_with("BASH_FUNC_module")) {
            assert_eq!(said.trim(), "/modules load cuda", "{done:?}");
        }
    }

    /// Each node gets as many ranks, which find each other by the first node's name and their numbers in the job.
    #[test]
    fn ranks_are_shared_out_among_nodes() {
        let script = |ranks: u32, nodes: &str| {
            let settings = SlurmSettings {
                ranks,
                nodes: nodes.into(),
                gres: "gpu:2".into(),
                ..SlurmSettings::default()
            };
            let attempt = JobId::of_bytes([1; 16]);
            let worker = Path::new("/x/v/lexforge-worker");
            batch_script(Path::new("/x/job/slurm"), &attempt, worker, &[], &settings)
        };
        let spread = script(4, "2");
        for line in [
            "#SBATCH --ntasks=4",
            "#SBATCH --nodes=2",
            "#SBATCH --ntasks-per-node=2",
            "#SBATCH --gres=gpu:2",
            "MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)",
            "export MASTER_ADDR MASTER_PORT",
        ] {
            assert!(spread.lines().any(|l| l == line), "{line}\n{spread}");
        }
        for variable in [
            "RANK=$SLURM_PROCID",
            "WORLD_SIZE=$SLURM_NTASKS",
            "LOCAL_RANK=$SLURM_LOCALID",
        ] {
            assert!(spread.contains(variable), "{variable}");
        }
        // Without the setting Slurm chooses.
        let left = script(4, "");
        assert!(
            !left.contains("--nodes") && !left.contains("per-node"),
            "{left}"
        );
        // A single process on a single node needs no other processes.
        let alone = script(0, "1");
        assert!(alone.contains("#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1\n"));
        assert!(!alone.contains("srun") && !alone.contains("MASTER_ADDR"));
    }

    /// `sbatch` reads no option below the first command, and of two of a name the later one.
    #[test]
    fn the_user_s_own_options_stand_above_ours_and_their_commands_below() {
        let settings = SlurmSettings {
            partition: "gpu".into(),
            lines: vec!["export A=1".into(), "#SBATCH --qos=high".into()],
            ..SlurmSettings::default()
        };
        let attempt = JobId::of_bytes([1; 16]);
        let worker = Path::new("/x/v/lexforge-worker");
        let text = batch_script(Path::new("/x/job/slurm"), &attempt, worker, &[], &settings);
        let at = |part: &str| text.find(part).unwrap();
        assert!(at("#SBATCH --qos=high\n") < at("--job-name="), "{text}");
        assert!(at("--requeue\n") < at("\numask 077"), "{text}");
        assert!(at("\numask 077") < at("\nexport A=1\n"), "{text}");
    }

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
        let (module, init) = (text.find("module load"), text.find("/init/sh"));
        assert!(init.is_some() && init < module, "{text}");
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
