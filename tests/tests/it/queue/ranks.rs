//! Trainings whose processes `srun` starts.

use super::{WS, add, snapshot, with_cluster};
use lexforge_tests::product::{Product, program};
use lexforge_tests::repository::demo_decoder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A training of a decoder: each of four ranks has two items of a batch.
const DECODER: &str = "train a.lexforge --base lexforge-demo --threads 1 --seed 7 --checkpoint-every 2 --max-steps 3 --batch-size 8";

/// The same of an encoder.
const ENCODER: &str =
    "train a.lexforge --base all-MiniLM-L6-v2 --threads 1 --seed 7 --max-steps 2 --batch-size 8";

#[test]
fn ranks_by_srun_give_the_adapter_that_as_many_ranks_give_here() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    let Some(worker) = program("LEXFORGE_WORKER", "lexforge-worker") else {
        return;
    };
    snapshot(&lexforge);
    let mut trainings = vec![(DECODER, demo_decoder())];
    let encoder = lexforge_needs::model("all-MiniLM-L6-v2");
    trainings.extend(encoder.map(|folder| (ENCODER, folder)));
    for ranks in ["2", "4"] {
        let target = format!("ranks-{ranks}");
        add(&lexforge, &cluster, &target, &["--ranks", ranks]);
        lexforge.json(&["compute", "install", &target]);
        for (words, model) in &trainings {
            let words: Vec<&str> = words.split(' ').chain(["--on", &target]).collect();
            lexforge.lines(&words);
            let run = lexforge.lines(&["runs", "list", WS])[0].clone();
            assert_eq!(run["state"], "finished", "{run}");
            let adapter = run["adapter"].as_str().unwrap();
            let found = trained_here(&lexforge, &worker, model, ranks).to_string();
            assert!(
                found.contains(adapter),
                "{words:?}: {adapter}, and here {found}"
            );
        }
    }
}

/// The result of the newest bundle, trained once more by so many processes of this machine.
fn trained_here(lexforge: &Product, worker: &Path, model: &Path, ranks: &str) -> Value {
    let bundle = newest_bundle(lexforge);
    let here = lexforge.path("here");
    if here.exists() {
        std::fs::remove_dir_all(&here).unwrap();
    }
    std::fs::create_dir(&here).unwrap();
    for part in ["job.json", "inputs"] {
        let copied = Command::new("cp")
            .arg("-r")
            .arg(bundle.join(part))
            .arg(&here)
            .status();
        assert!(copied.unwrap().success());
    }
    let trained = Command::new(worker)
        .arg("run")
        .arg(&here)
        .args(["--ranks", ranks, "--models"])
        .arg(model)
        .env("OMP_WAIT_POLICY", "passive")
        .status();
    assert!(trained.unwrap().success());
    serde_json::from_slice(&std::fs::read(here.join("result.json")).unwrap()).unwrap()
}

fn newest_bundle(lexforge: &Product) -> PathBuf {
    let bundles = lexforge.path("a.lexforge.artifacts").join("bundles");
    let all = std::fs::read_dir(bundles).unwrap().flatten();
    let newest = all.max_by_key(|entry| entry.metadata().unwrap().modified().unwrap());
    newest.unwrap().path()
}
