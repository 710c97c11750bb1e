//! Injects all cheap kinds of faults between this machine and a cluster by `tools/bench/faults.py`, which also records
//! their number. The tests use a real `sshd`, a real Slurm, and a connection that is cut.

use crate::prepared;
use lexforge_tests::product::program;
use lexforge_tests::repository;
use std::path::Path;
use std::process::Command;

const PROGRAMS: [&str; 3] = ["lexforge", "lexforge-parse", "lexforge-worker"];
const VARIABLES: [&str; 3] = ["LEXFORGE_BIN", "LEXFORGE_PARSE", "LEXFORGE_WORKER"];
/// The kinds of faults that take less than half a minute.
const KINDS: [&str; 5] = [
    "connection cut",
    "ssh killed",
    "client asleep",
    "answer of sbatch lost",
    "requeue",
];

#[test]
fn soak_injected_faults_lose_nothing_and_start_nothing_twice() {
    let mut command = Command::new("python3");
    for (variable, name) in VARIABLES.into_iter().zip(PROGRAMS) {
        let Some(path) = program(variable, name) else {
            return;
        };
        command.env(variable, path);
    }
    for name in ["slurmctld", "slurmd", "munged", "sshd"] {
        if !Path::new("/usr/sbin").join(name).is_file() {
            return lexforge_needs::missing(format!(
                "{name} is not installed (make setup installs it)"
            ));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("faults.jsonl");
    let frozen = folder.path().join("frozen.lexforge");
    prepared::frozen(&frozen).unwrap();
    // Always one run; the long form goes on for a quarter of an hour, with all kinds.
    let seconds = lexforge_needs::times(1, 900);
    command
        .arg(repository::root().join("tools/bench/faults.py"))
        .args(["run", "--seed", "7", "--record"])
        .arg(&record)
        .arg("--frozen")
        .arg(&frozen)
        .args(["--seconds", &seconds.to_string()]);
    if seconds == 1 {
        command.args(["--steps", "12", "--kinds"]).args(KINDS);
    }
    let output = command.output().unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    if output.status.code() == Some(77) {
        return lexforge_needs::unavailable(said);
    }
    assert!(output.status.success(), "{said}");
    let faults = std::fs::read_to_string(&record).unwrap();
    assert!(faults.lines().count() > 2, "too few faults met it: {said}");
}
