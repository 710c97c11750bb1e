//! Training through a real Slurm: nothing is submitted twice, and a scheduler that is silent makes no run fail.

use lexforge_tests::product::{Product, refused};
use lexforge_tests::repository::sample;
use lexforge_tests::slurm_cluster::SlurmCluster;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const WS: &str = "a.lexforge";
const TRAIN: [&str; 12] = [
    "train",
    WS,
    "--base",
    "lexforge-demo",
    "--threads",
    "1",
    "--seed",
    "7",
    "--checkpoint-every",
    "2",
    "--max-steps",
    "6",
];

fn with_cluster() -> Option<(Product, SlurmCluster)> {
    let lexforge = Product::with_decoder()?;
    let cluster = SlurmCluster::start()?;
    let lexforge = lexforge
        .with("LEXFORGE_SSH", cluster.ssh())
        .with("LEXFORGE_PATIENCE", "60");
    let folder = cluster.path("there").display().to_string();
    let add = |name: &str, partition: &str| {
        lexforge.json(&[
            "compute",
            "add",
            name,
            "--slurm",
            "login",
            "--partition",
            partition,
            "--folder",
            &folder,
        ])
    };
    add("cluster", "gpu");
    add("wrong", "no-such");
    lexforge.json(&["compute", "install", "cluster"]);
    Some((lexforge, cluster))
}

fn snapshot(lexforge: &Product) {
    let file = sample().display().to_string();
    lexforge.json(&["import", WS, &file]);
    lexforge.json(&["terms", "extract", WS]);
    lexforge.json(&["graph", "build", WS]);
    lexforge.json(&["augment", WS, "--offline"]);
    lexforge.json(&["dataset", "freeze", WS]);
}

fn run_of(lexforge: &Product, id: &Value) -> Value {
    let runs = lexforge.lines(&["runs", "list", WS]);
    runs.into_iter().find(|run| run["id"] == *id).unwrap()
}

#[test]
fn a_run_in_the_queue_gives_the_adapter_that_it_gives_here() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    let checks = lexforge.run(&["compute", "check", "wrong", "--json"]);
    let line = checks
        .out
        .lines()
        .find(|l| l.contains("schedulers"))
        .unwrap();
    assert!(
        line.contains("\"ok\":false") && line.contains("no-such"),
        "{line}"
    );
    let checks = lexforge.run(&["compute", "check", "cluster", "--json"]);
    assert_eq!(checks.code, 0, "{}", checks.out);
    let script = lexforge.json(&["compute", "manifest", "cluster"])["manifest"].to_string();
    assert!(script.contains("#SBATCH --partition=gpu"), "{script}");

    snapshot(&lexforge);
    lexforge.lines(&TRAIN);
    // The first answer of sbatch is lost: the job is found by its name.
    cluster.lose_an_answer();
    let events = lexforge.lines(&[&TRAIN[..], &["--on", "cluster"]].concat());
    let numbers: Vec<u64> = events.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
    assert_eq!(cluster.jobs().len(), 1, "submitted twice");
    let runs = lexforge.lines(&["runs", "list", WS]);
    assert_eq!(runs[0]["state"], "finished");
    assert_eq!(runs[0]["adapter"], runs[1]["adapter"]);
}

#[test]
fn notice_of_the_limit_and_a_silent_scheduler_are_no_failures() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    snapshot(&lexforge);
    let long = [
        "train",
        WS,
        "--base",
        "lexforge-demo",
        "--threads",
        "1",
        "--seed",
        "7",
        "--checkpoint-every",
        "2",
        "--max-steps",
        "25",
    ];
    lexforge.lines(&long);
    let started = lexforge.json(&[&long[..], &["--on", "cluster", "--detach"]].concat());
    let id = &started["id"];
    let number = cluster.jobs().pop().unwrap();
    // Once it trains, it is told what it is told some time before its limit.
    let since = Instant::now();
    let said = || {
        let found = cluster.run(&format!(
            "cat {}/jobs/*/events.jsonl",
            cluster.path("there").display()
        ));
        found
            .lines()
            .filter(|l| l.contains("\"event\":\"progress\""))
            .count()
    };
    while said() < 4 {
        assert!(
            since.elapsed() < Duration::from_secs(120),
            "it does not begin"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    cluster.run(&format!("scancel --signal=USR1 --batch {number}"));
    // The scheduler falls silent: nothing is known, and nothing has failed.
    cluster.signal("slurmctld", "STOP");
    let mut follower = lexforge.start(&["runs", "follow", WS]);
    std::thread::sleep(Duration::from_secs(25));
    let state = run_of(&lexforge, id)["state"].clone();
    assert!(
        [json!("unknown"), json!("running"), json!("queued")].contains(&state),
        "{state}"
    );
    cluster.signal("slurmctld", "CONT");
    let _ = follower.wait();
    lexforge.lines(&["runs", "follow", WS]);
    let runs = lexforge.lines(&["runs", "list", WS]);
    assert_eq!(
        (&runs[0]["state"], &runs[0]["adapter"]),
        (&json!("finished"), &runs[1]["adapter"])
    );
    assert_eq!(cluster.jobs(), [number], "submitted twice");
}

#[test]
fn what_slurm_does_not_take_is_told_and_nothing_is_left() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    snapshot(&lexforge);
    lexforge.json(&["compute", "install", "wrong"]);
    let done = lexforge.run(&[&TRAIN[..], &["--on", "wrong", "--json"]].concat());
    assert!(
        refused(&done, "target_unready").contains("partition"),
        "{}",
        done.out
    );
    assert_eq!(cluster.jobs(), Vec::<String>::new());
    assert_eq!(lexforge.lines(&["runs", "list", WS])[0]["state"], "failed");
}
