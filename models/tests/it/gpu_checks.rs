//! `tools/bench/gpu` on the CPU with small shapes: that the checks themselves work when a card is at hand.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// At least one case of each check.
const SOME: [&str; 12] = [
    "fp32: qwen3-untied",
    "bf16: qwen3-untied",
    "vectors: qwen3-untied",
    "vectors: deberta-v3",
    "classifiers: bert-classifier",
    "losses, fp32: token",
    "resume gives the same adapter: fp32",
    "1 × 16 tokens",
    "embedding",
    "decoding",
    "serving",
    "two ranks",
];

fn checks(work: &Path) -> std::io::Result<Output> {
    let script = lexforge_needs::root().join("tools/bench/gpu");
    Command::new("python3")
        .arg(script)
        .args(["--device", "cpu", "--worker"])
        .arg(env!("CARGO_BIN_EXE_lexforge-worker"))
        .arg("--work")
        .arg(work)
        .arg("--only")
        .args(SOME)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
}

#[test]
fn the_checks_of_a_gpu_work_on_the_cpu_and_are_not_done_twice() {
    let folder = tempfile::tempdir().unwrap();
    let output = match checks(folder.path()) {
        Ok(output) => output,
        Err(error) => {
            lexforge_needs::missing(format!("python3 does not run here ({error})"));
            return;
        }
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let state = std::fs::read(folder.path().join("state.json")).unwrap();
    let state: Value = serde_json::from_slice(&state).unwrap();
    let mut outcomes: BTreeMap<&str, u32> = BTreeMap::new();
    for case in state["cases"].as_object().unwrap().values() {
        *outcomes
            .entry(case["outcome"].as_str().unwrap())
            .or_default() += 1;
    }
    assert_eq!(
        outcomes,
        BTreeMap::from([("not run", 1), ("passed", 16)]),
        "{said}"
    );
    let table = std::fs::read_to_string(folder.path().join("table.md")).unwrap();
    assert!(
        table.contains("| serving | 1 | passed | requests 12"),
        "{table}"
    );

    let again = checks(folder.path()).unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(
        again.status.success() && !said.contains("passed  "),
        "{said}"
    );
    assert_eq!(
        table,
        std::fs::read_to_string(folder.path().join("table.md")).unwrap()
    );
}
