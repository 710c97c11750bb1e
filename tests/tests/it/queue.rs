//! Training through a real Slurm. No job is submitted twice, the actions of the scheduler on a job are reported as
//! such, and no run fails because the scheduler does not answer.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use lexforge_tests::slurm_cluster::SlurmCluster;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

mod ranks;

const WS: &str = "a.lexforge";
/// The words of a training that is the same on every machine.
macro_rules! training {
    ($($more:literal)*) => {
        [
            "train", WS, "--base", "lexforge-demo", "--threads", "1", "--seed", "7", "--checkpoint-every", "2", $($more),*
        ]
    };
}

const TRAIN: [&str; 14] = training!("--max-steps" "4" "--batch-size" "4");

/// A training of an encoder.
const ENCODER: &str =
    "train a.lexforge --base all-MiniLM-L6-v2 --threads 1 --max-steps 2 --batch-size 4";

/// A training that is at work for a while.
const LONG: [&str; 14] = training!("--max-steps" "18" "--epochs" "20");

fn with_cluster() -> Option<(Product, SlurmCluster)> {
    let lexforge = Product::with_decoder()?;
    let cluster = SlurmCluster::start()?;
    let lexforge = lexforge
        .with("LEXFORGE_SSH", cluster.ssh())
        .with("LEXFORGE_PATIENCE", "60");
    add(&lexforge, &cluster, "cluster", &["--partition", "gpu"]);
    add(&lexforge, &cluster, "wrong", &["--partition", "no-such"]);
    prepared::installed(&lexforge, "cluster", &cluster.path(THERE));
    Some((lexforge, cluster))
}

/// A folder on the cluster with a blank and a sign that Slurm reads in the names of files.
const THERE: &str = "there of %j";

/// A target on the cluster.
fn add(lexforge: &Product, cluster: &SlurmCluster, name: &str, more: &[&str]) {
    let folder = cluster.path(THERE).display().to_string();
    let words = [
        "compute", "add", name, "--slurm", "login", "--folder", &folder,
    ];
    lexforge.json(&[&words, more].concat());
}

fn snapshot(lexforge: &Product) {
    prepared::short(&lexforge.path(WS)).unwrap();
}

/// A snapshot on which [`LONG`] has been trained here already, so that its adapter can be compared with.
fn long_trained(lexforge: &Product) {
    let maker = Product::with_decoder().unwrap();
    prepared::copied("long", &lexforge.path(WS), maker, |maker| {
        prepared::short(&maker.path(prepared::MADE)).unwrap();
        let here = LONG.map(|word| if word == WS { prepared::MADE } else { word });
        maker.lines(&here).into()
    });
}

fn run_of(lexforge: &Product, id: &Value) -> Value {
    let runs = lexforge.lines(&["runs", "list", WS]);
    runs.into_iter().find(|run| run["id"] == *id).unwrap()
}

/// Waits until something is so.
#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(180), "never: {what}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Waits until the jobs there have made so many steps.
#[track_caller]
fn wait_for_steps(cluster: &SlurmCluster, steps: usize) {
    let said = || {
        let found = cluster.run(&format!(
            "cat '{}'/jobs/*/events.jsonl",
            cluster.path(THERE).display()
        ));
        found
            .lines()
            .filter(|l| l.contains("\"event\":\"progress\""))
            .count()
    };
    wait_until("it makes steps", || said() >= steps);
}

/// The notes about a run beside its state.
fn notes(run: &Value) -> String {
    let notes = run["notes"].as_array().cloned().unwrap_or_default();
    let notes = notes.iter().filter_map(Value::as_str);
    notes.collect::<Vec<_>>().join(" ")
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
    same_twice(&lexforge);
    if lexforge_needs::model("all-MiniLM-L6-v2").is_some() {
        let words: Vec<&str> = ENCODER.split(' ').collect();
        lexforge.lines(&words);
        lexforge.lines(&[&words[..], &["--on", "cluster"]].concat());
        same_twice(&lexforge);
    }
}

/// The last two runs made the same adapter.
fn same_twice(lexforge: &Product) {
    let runs = lexforge.lines(&["runs", "list", WS]);
    assert_eq!(runs[0]["state"], "finished");
    assert_eq!(runs[0]["adapter"], runs[1]["adapter"]);
}

#[test]
fn notice_of_the_limit_and_a_silent_scheduler_are_no_failures() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    long_trained(&lexforge);
    let started = lexforge.json(&[&LONG[..], &["--on", "cluster", "--detach"]].concat());
    let id = &started["id"];
    let number = cluster.jobs().pop().unwrap();
    // While the run trains, it gets the warning that comes some time before its limit.
    wait_for_steps(&cluster, 4);
    cluster.run(&format!("scancel --signal=USR1 --batch {number}"));
    // The scheduler falls silent: nothing is known, and nothing has failed.
    cluster.signal("slurmctld", "STOP");
    let mut follower = lexforge.start(&["runs", "follow", WS]);
    std::thread::sleep(Duration::from_secs(25));
    let state = run_of(&lexforge, id)["state"].clone();
    assert!(
        ["unknown", "running", "starting", "queued"].contains(&state.as_str().unwrap_or_default()),
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

#[test]
fn a_limit_that_leaves_no_time_is_refused_and_a_job_without_a_step_does_not_go_round() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    snapshot(&lexforge);
    add(&lexforge, &cluster, "short", &["--time", "00:02:00"]);
    lexforge.json(&["compute", "install", "short"]);
    let done = lexforge.run(&[&TRAIN[..], &["--on", "short", "--json"]].concat());
    let said = refused(&done, "target_unready");
    assert!(said.contains("120 s leaves no time"), "{said}");
    assert_eq!(cluster.jobs(), Vec::<String>::new());
    assert_eq!(lexforge.lines(&["runs", "list", WS])[0]["state"], "failed");

    // The worker never begins, and the notice comes twice.
    add(
        &lexforge,
        &cluster,
        "slow",
        &["--container", "sh -c 'exec sleep 600' in"],
    );
    lexforge.json(&["compute", "install", "slow"]);
    let started = lexforge.json(&[&TRAIN[..], &["--on", "slow", "--detach"]].concat());
    let number = cluster.jobs().pop().unwrap();
    let mut follower = lexforge.start(&["runs", "follow", WS]);
    for restarts in 0..2 {
        wait_until("it runs", || {
            let said = cluster.run(&format!("scontrol show job {number}"));
            said.contains("JobState=RUNNING") && said.contains(&format!("Restarts={restarts} "))
        });
        std::thread::sleep(Duration::from_secs(2));
        cluster.run(&format!("scancel --signal=USR1 --batch {number}"));
    }
    let status = follower.wait().unwrap();
    assert!(status.success(), "{status}");
    let run = run_of(&lexforge, &started["id"]);
    assert_eq!(run["state"], "stopped", "{run}");
    assert!(notes(&run).contains("twice before it made a step"), "{run}");
    assert_eq!(cluster.jobs(), [number]);
}

#[test]
fn what_slurm_does_to_a_job_is_told_and_is_no_failure() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    long_trained(&lexforge);
    let started = lexforge.json(&[&LONG[..], &["--on", "cluster", "--detach"]].concat());
    let id = &started["id"];
    let first = cluster.jobs().pop().unwrap();
    wait_for_steps(&cluster, 3);

    // Other jobs come first: the job gives up its place, waits, and goes on.
    let mut follower = lexforge.start(&["runs", "follow", WS]);
    cluster.urgent_job(20);
    let mut seen = Vec::new();
    wait_until("it waits and says why", || {
        let run = run_of(&lexforge, id);
        seen.push(run["state"].clone());
        run["state"] == "queued" && notes(&run).contains("made room for other jobs")
    });
    let waiting = run_of(&lexforge, id);
    assert!(
        notes(&waiting).contains(&format!("job {first}")),
        "{waiting}"
    );
    for state in ["died", "failed", "stopped"] {
        assert!(!seen.contains(&json!(state)), "{seen:?}");
    }
    wait_until("it trains again", || {
        run_of(&lexforge, id)["state"] == "running"
    });

    // An administrator takes it out of the queue.
    cluster.run(&format!("scancel {first}"));
    let status = follower.wait().unwrap();
    assert!(status.success(), "{status}");
    let run = run_of(&lexforge, id);
    assert_eq!(run["state"], "stopped", "{run}");
    assert!(notes(&run).contains("by an administrator"), "{run}");

    // The run continues from where it was stopped.
    lexforge.run(&["runs", "resume", WS, "--json"]);
    let runs = lexforge.lines(&["runs", "list", WS]);
    assert_eq!(
        (&runs[0]["state"], &runs[0]["adapter"]),
        (&json!("finished"), &runs[1]["adapter"])
    );
    // It, the urgent one, and the second attempt.
    assert_eq!(cluster.taken(), 3);
}

#[test]
fn a_job_that_waits_is_stopped_or_it_is_said_that_it_could_not_be_told() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    snapshot(&lexforge);
    cluster.urgent_job(600);
    wait_until("the nodes are taken", || {
        cluster
            .run("squeue --noheader --states=running")
            .contains("urgent")
    });
    let started = lexforge.json(&[&TRAIN[..], &["--on", "cluster", "--detach"]].concat());
    let id = &started["id"];
    let number = cluster.jobs().pop().unwrap();
    let mut follower = lexforge.start(&["runs", "follow", WS]);
    wait_until("it says how it waits", || {
        let run = run_of(&lexforge, id);
        run["state"] == "queued" && notes(&run).contains(&format!("job {number} ("))
    });
    // What waits for a job without a limit has no estimate that anybody can use.
    let foretold = || notes(&run_of(&lexforge, id)).contains("Slurm expects to start it in about");
    assert!(!foretold());
    cluster.run(
        "for job in $(squeue --noheader --states=running --format=%i); do \
         scontrol update jobid=$job timelimit=10; done",
    );
    wait_until("it says when Slurm expects to start it", foretold);
    // What is held in the user's name the user releases; what an administrator holds stays held.
    for (hold, told, is_released) in [
        ("uhold", "held by you", true),
        ("hold", "An administrator holds it", false),
    ] {
        cluster.run(&format!("scontrol {hold} {number}"));
        wait_until(told, || notes(&run_of(&lexforge, id)).contains(told));
        lexforge.json(&["runs", "resume", WS, "--detach"]);
        let reason = cluster.run(&format!("squeue --noheader --format=%r --jobs {number}"));
        assert_eq!(!reason.contains("JobHeld"), is_released, "{hold}: {reason}");
    }
    cluster.run(&format!("scontrol release {number}"));
    cluster.signal("slurmctld", "STOP");
    let done = lexforge.run(&["runs", "stop", WS, "--json"]);
    cluster.signal("slurmctld", "CONT");
    let said = refused(&done, "target_unready");
    assert!(said.contains("could not be told"), "{said}");
    wait_until("the scheduler answers", || {
        !cluster.run("squeue --noheader").is_empty()
    });
    let stopped = lexforge.json(&["runs", "stop", WS]);
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    let status = follower.wait().unwrap();
    assert!(status.success(), "{status}");
    assert!(
        cluster
            .run(&format!("scontrol show job {number}"))
            .contains("JobState=CANCELLED")
    );
}

#[test]
fn a_job_on_its_way_has_not_died_and_is_not_submitted_again() {
    let Some((lexforge, cluster)) = with_cluster() else {
        return;
    };
    snapshot(&lexforge);
    let is_begun = || {
        let found = cluster.run(&format!(
            "ls '{}'/jobs/*/slurm/batch.sh",
            cluster.path(THERE).display()
        ));
        !found.is_empty()
    };
    let may_not_be = |run: &Value| {
        let state = run["state"].as_str().unwrap_or_default();
        assert!(!["died", "failed", "stopped"].contains(&state), "{run}");
    };

    // The scheduler is slow. A user who follows the run meanwhile sees that it is starting.
    cluster.replace_sbatch("#!/bin/sh\nsleep 8\nexec /usr/bin/sbatch \"$@\"\n");
    let mut first = lexforge.start(&[&TRAIN[..], &["--on", "cluster"]].concat());
    wait_until("it is being submitted", is_begun);
    let mut second = lexforge.start(&["runs", "follow", WS]);
    wait_until("it is taken", || {
        may_not_be(&lexforge.lines(&["runs", "list", WS])[0]);
        !cluster.jobs().is_empty()
    });
    for (who, follower) in [
        ("who started it", &mut first),
        ("who followed", &mut second),
    ] {
        let status = follower.wait().unwrap();
        assert!(status.success(), "{who}: {status}");
    }
    assert_eq!(
        lexforge.lines(&["runs", "list", WS])[0]["state"],
        "finished"
    );
    assert_eq!(cluster.taken(), 1, "submitted twice");
    lexforge.json(&["compute", "clean", "cluster"]);

    // A late error: the program that submitted the job is ended, and the job comes all the same.
    let script = cluster.path("late").display().to_string();
    cluster.replace_sbatch(&format!(
        "#!/bin/sh\nif [ -e '{script}' ]; then exec /usr/bin/sbatch \"$@\"; fi\n\
         for last; do :; done\ncp \"$last\" '{script}'\n\
         (sleep 10; /usr/bin/sbatch '{script}') >/dev/null 2>&1 </dev/null &\n\
         echo 'sbatch: error: Batch job submission failed: Unable to contact slurm controller' >&2\nexit 1\n"
    ));
    let mut first = lexforge.start(&[&TRAIN[..], &["--on", "cluster"]].concat());
    wait_until("it was submitted", || Path::new(&script).exists());
    std::thread::sleep(Duration::from_secs(1));
    first.kill().unwrap();
    first.wait().unwrap();
    lexforge.run(&["runs", "resume", WS, "--json"]);
    let run = lexforge.lines(&["runs", "list", WS])[0].clone();
    assert_eq!(run["state"], "finished", "{run}");
    assert_eq!(cluster.taken(), 2, "submitted twice");
}

/// A cluster whose login node is this machine: whoever starts the run has keys in the environment.
#[cfg(unix)]
#[test]
fn a_job_gets_no_key_of_whoever_submits_it() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    // Programs in the place of Slurm's: one that takes a job and says what it saw, and others that know of none.
    let seen = lexforge.path("seen");
    let programs = lexforge.path("slurm-programs");
    std::fs::create_dir(&programs).unwrap();
    let takes = format!("#!/bin/sh\nenv >'{}'\necho 1\n", seen.display());
    for (name, text) in [
        ("sbatch", takes.as_str()),
        ("squeue", "#!/bin/sh\n"),
        ("sinfo", "#!/bin/sh\n"),
        ("scontrol", "#!/bin/sh\n"),
        ("sacct", "#!/bin/sh\nexit 1\n"),
        ("scancel", "#!/bin/sh\n"),
    ] {
        let path = programs.join(name);
        std::fs::write(&path, text).unwrap();
        let runs = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, runs).unwrap();
    }
    let path = std::env::var("PATH").unwrap();
    let lexforge = lexforge
        .with("PATH", format!("{}:{path}", programs.display()))
        .with("FIRM_API_KEY", "sk-quincewharf")
        .with("SBATCH_EXPORT", "ALL")
        .with("MODULEPATH", "/modules");
    let folder = lexforge.path("there").display().to_string();
    lexforge.json(&[
        "compute",
        "add",
        "local",
        "--slurm-local",
        "--folder",
        &folder,
    ]);
    lexforge.json(&["compute", "install", "local"]);
    snapshot(&lexforge);
    lexforge.run(&[&TRAIN[..], &["--on", "local", "--detach", "--json"]].concat());
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(!seen.contains("quincewharf"), "{seen}");
    assert!(
        !seen.contains("LEXFORGE_") && !seen.contains("SBATCH_EXPORT"),
        "{seen}"
    );
    for kept in ["PATH=", "MODULEPATH=/modules"] {
        assert!(seen.lines().any(|line| line.starts_with(kept)), "{seen}");
    }
}
