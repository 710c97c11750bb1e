//! Tests of `slurm`.

use super::*;
use std::time::Instant;

#[test]
fn what_sbatch_says_may_leave_it_open_whether_a_job_was_taken() {
    let said = "sbatch: error: Batch job submission failed: ";
    for (why, expected) in [
        ("Socket timed out on send/recv operation", true),
        ("Unable to contact slurm controller (connect failure)", true),
        ("Zero Bytes were transmitted or received", true),
        ("Message receive failure", true),
        ("Connection reset by peer", true),
        ("Invalid partition name specified", false),
        ("Requested node configuration is not available", false),
    ] {
        assert_eq!(is_unclear(&format!("{said}{why}")), expected, "{why}");
    }
}

/// A program of Slurm's that was ended by the machine may have sent the job before, whatever it said until then.
#[test]
fn a_program_that_a_signal_ended_leaves_it_open_what_it_did() {
    for (script, expected) in [
        ("kill -9 $$", true),
        ("echo 'sbatch: lua: checked' >&2; kill -15 $$", true),
        ("exit 1", true),
        ("echo 'sbatch: error: Invalid account' >&2; exit 1", false),
    ] {
        let why = run(Command::new("sh").args(["-c", script])).unwrap_err();
        assert_eq!(is_unclear(&why), expected, "{why}");
    }
    assert_eq!(
        run(Command::new("sh").args(["-c", "echo 7"])).unwrap(),
        "7\n"
    );
    // One that hangs is ended, with what holds its output open.
    let began = Instant::now();
    let mut hangs = Command::new("sh");
    let said = run_within(
        hangs.args(["-c", "sleep 60; echo 7"]),
        Duration::from_millis(20),
    );
    assert_eq!(said, Err(ENDED.to_owned()));
    assert!(began.elapsed() < Duration::from_secs(50));
}

#[test]
fn a_number_is_found_below_what_a_cluster_prints_and_is_never_made_up() {
    for (said, expected) in [
        ("7\n", Some("7")),
        ("7;cluster\n", Some("7")),
        (
            "Your account: x\n2 nodes are free\n7;cluster\n\n",
            Some("7"),
        ),
        ("Submitted batch job 7\n", None),
        ("", None),
        (";", None),
    ] {
        assert_eq!(number_of(said).as_deref(), expected, "{said:?}");
    }
}

#[test]
fn a_line_of_the_queue_is_read_with_a_reason_of_several_words() {
    let line = "7|PENDING|lexforge-ab|1795626225|N/A|gpu|launch failed | held";
    let (attempt, job) = row(line).unwrap().unwrap();
    assert_eq!(attempt, "ab");
    assert_eq!(
        (job.number.as_str(), job.state.as_str(), job.since),
        ("7", "PENDING", Some(1_795_626_225))
    );
    assert_eq!(
        (job.reason.as_str(), job.starts),
        ("launch failed | held", None)
    );
    let line = "7|PENDING|lexforge-ab|1795626225|1795630000|gpu,long|Resources";
    let (_, job) = row(line).unwrap().unwrap();
    assert_eq!(
        (job.reason.as_str(), job.starts),
        ("Resources", Some(1_795_630_000))
    );
    assert_eq!(job.partition, "gpu,long");
    assert!(job.is_waiting() && !job.is_at_work());
    // Not ours, and not of a job.
    for line in [
        "8|RUNNING|other|1|2|gpu|None",
        "",
        "2026 | maintenance",
        "Welcome",
    ] {
        assert_eq!(row(line), Ok(None), "{line}");
    }
    // A line that was cut may be that of our job: its job is not gone.
    for cut in [
        "7|PENDING|lexforge-ab|17",
        "7|PENDING|lexforge-ab|17|18",
        "7|PENDING|lexforge-ab|17|18|gpu",
        "7|PEND",
        "7",
    ] {
        assert_eq!(row(cut), Err(CUT.to_owned()), "{cut}");
    }
}

#[test]
fn of_two_jobs_of_an_attempt_that_counts_which_trains_or_waits() {
    for (states, expected) in [
        (vec!["COMPLETED", "RUNNING", "CANCELLED"], Some("RUNNING")),
        (vec!["PENDING", "RUNNING"], Some("RUNNING")),
        (vec!["FAILED", "PENDING"], Some("PENDING")),
        (vec!["TIMEOUT"], Some("TIMEOUT")),
        (vec![], None),
    ] {
        let listed = |state: &&str| Listed {
            state: (*state).to_owned(),
            ..Listed::default()
        };
        let mut rows: Vec<_> = states
            .iter()
            .map(|state| ("ab".to_owned(), listed(state)))
            .collect();
        rows.push(("other".to_owned(), listed(&"RUNNING")));
        let found = match of("ab", rows) {
            Seen::Known(job) => Some(job.state),
            _ => None,
        };
        assert_eq!(found.as_deref(), expected, "{states:?}");
    }
}

#[test]
fn last_states_are_understood() {
    let cancelled = |by: &str| Some(QueueEnd::Cancelled { by: by.into() });
    for (state, expected) in [
        ("CANCELLED by 1000", cancelled("1000")),
        ("CANCELLED", cancelled("")),
        ("CANCELLED+", cancelled("")),
        ("TIMEOUT", Some(QueueEnd::TimeLimit)),
        ("PREEMPTED", Some(QueueEnd::Preempted)),
        ("NODE_FAIL", Some(QueueEnd::NodeFailed)),
        ("OUT_OF_MEMORY", Some(QueueEnd::OutOfMemory)),
        ("COMPLETED", None),
        ("FAILED", None),
        ("", None),
    ] {
        assert_eq!(end_of(state), expected, "{state}");
    }
}

#[test]
fn what_the_output_says_last_of_this_job_counts() {
    let stepd = "slurmstepd-gpu1: error: *** JOB 7 ON gpu1 CANCELLED AT 2026-11-25T17:03:58";
    let lines = |lines: &[&str]| last_word(&lines.join("\n"), "7");
    let due = |why: &str| format!("{stepd} DUE TO {why} ***");
    let begins = "lexforge-job 7 begins";
    let near = "lexforge-job 7 limit";
    let check = |found: Option<QueueEnd>, expected: Option<QueueEnd>| {
        assert_eq!(found, expected);
    };
    check(lines(&[begins]), None);
    check(
        lines(&[begins, &due("PREEMPTION")]),
        Some(QueueEnd::Preempted),
    );
    check(lines(&[begins, &due("PREEMPTION"), begins]), None);
    check(
        lines(&[begins, &due("TIME LIMIT")]),
        Some(QueueEnd::TimeLimit),
    );
    check(
        lines(&[&due("NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS")]),
        Some(QueueEnd::NodeFailed),
    );
    check(lines(&[&due("JOB REQUEUE")]), Some(QueueEnd::Requeued));
    check(
        lines(&[near, &due("JOB REQUEUE")]),
        Some(QueueEnd::TimeLimit),
    );
    check(
        lines(&[near, "lexforge-job 7 stuck"]),
        Some(QueueEnd::NoProgress),
    );
    check(
        lines(&[&format!("{stepd} ***")]),
        Some(QueueEnd::Cancelled { by: String::new() }),
    );
    check(
        lines(&["slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch cgroup."]),
        Some(QueueEnd::OutOfMemory),
    );
    // Of another job, whose number only begins alike.
    check(last_word(&due("PREEMPTION"), "77"), None);
    check(last_word(near, "77"), None);
}
