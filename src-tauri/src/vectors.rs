//! Vectors for the search. They are made automatically as soon as no other job is running: after an import, after a
//! workspace was opened in which some vectors are missing, and once another program that changed it is done.

use crate::shell::{Answer, Shell};
use crate::tasks::{VECTORS, begin_then};
use crate::watch::Watch;
use lexforge_domain::api::RunState;
use lexforge_domain::{Code, Failure, RunId};
use lexforge_engine::Engine;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often it is looked whether other jobs are at work.
const PACE: Duration = Duration::from_secs(1);
/// Looks in a row that must find no other job: somebody may be about to begin one.
const QUIET: u32 = 2;
/// How long the window waits for the worker's end when it closes.
const PATIENCE: Duration = Duration::from_secs(2);

/// Begins to make the vectors that the search lacks.
pub fn make(shell: &Shell) -> Answer<u64> {
    start(shell, missing)
}

/// Begins the job. If the job is stopped to let a more urgent one run, the rest is done after that one.
fn start(shell: &Shell, work: fn(&Engine, &Watch) -> Answer<()>) -> Answer<u64> {
    begin_then(shell, VECTORS, "", work, |shell, engine| {
        if shell.tasks().has_given_way(VECTORS) {
            make_when_quiet(shell, engine);
        }
    })
}

/// Makes the missing vectors in a separate thread, as soon as no other job is running in the workspace. If the worker
/// or the encoder is missing, searches use only words, and every answer says so. If the search with words only was
/// certified, or a ranker was trained for it, no vectors are made, because the certificate or the ranker would no
/// longer be valid.
pub fn make_when_quiet(shell: &Shell, engine: &Arc<Engine>) {
    let (shell, watched) = (shell.clone(), Arc::downgrade(engine));
    let open = move |shell: &Shell| watched.upgrade().filter(|engine| shell.is_open(engine));
    std::thread::spawn(move || {
        let mut quiet = 0;
        while quiet < QUIET {
            std::thread::sleep(PACE);
            let Some(engine) = open(&shell) else {
                return;
            };
            quiet = match shell.tasks().are_all_done() && !is_training(&engine) {
                true => quiet + 1,
                false => 0,
            };
        }
        let Some(engine) = open(&shell) else {
            return;
        };
        // What cannot be read now is looked at again after the next import.
        if engine.answering().awaits_vectors().unwrap_or(false) {
            let begun = start(&shell, |engine, watch| {
                missing(engine, watch).or_else(unless_not_installed)
            });
            drop(begun);
        }
    });
}

/// Ends the job for a run that has begun on this machine: both would be slow side by side.
pub fn make_way_for(shell: &Shell, engine: &Engine, run: RunId) {
    if !engine.runs().is_elsewhere(run).unwrap_or(false) {
        shell.tasks().make_way(VECTORS);
    }
}

/// Whether a run trains on this machine.
fn is_training(engine: &Engine) -> bool {
    let runs = engine.runs().runs().unwrap_or_default();
    runs.iter().any(|run| {
        matches!(run.state, RunState::Starting | RunState::Running)
            && !engine.runs().is_elsewhere(run.id).unwrap_or(false)
    })
}

/// Ends the job before the window closes, so that no worker goes on without it.
pub fn end(shell: &Shell) {
    shell.tasks().cancel_all(VECTORS);
    let begun = Instant::now();
    while shell.tasks().is_at_work(VECTORS) && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn missing(engine: &Engine, watch: &Watch) -> Answer<()> {
    loop {
        let made = engine.answering().make_vectors(watch)?;
        // Documents may have come in meanwhile.
        if made.made == 0 || engine.answering().missing_vectors()? == 0 {
            return Ok(());
        }
    }
}

fn unless_not_installed(failure: Failure) -> Answer<()> {
    match failure.code {
        Code::WorkerMissing | Code::WorkerIncompatible | Code::ModelMissing => Ok(()),
        _ => Err(failure),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::tasks::begin;

    #[test]
    fn another_workspace_is_opened_without_the_job_of_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let shell = Shell::new(|_| ());
        shell.create(&folder.path().join("a.lexforge")).unwrap();
        let (task, cancel) = shell.tasks().enter(VECTORS, "").unwrap();
        shell.create(&folder.path().join("b.lexforge")).unwrap();
        assert!(cancel.load(std::sync::atomic::Ordering::Relaxed));
        assert!(!shell.tasks().has_given_way(VECTORS));
        shell.tasks().change(task.id, |task| task.done = true);
    }

    #[test]
    fn nothing_is_begun_where_no_sentence_lacks_a_vector() {
        let folder = tempfile::tempdir().unwrap();
        let shell = Shell::new(|_| ());
        shell.create(&folder.path().join("w.lexforge")).unwrap();
        make_when_quiet(&shell, &shell.engine().unwrap());
        std::thread::sleep(PACE * (QUIET + 1));
        assert!(shell.tasks().list().is_empty());
    }

    #[test]
    fn what_is_not_installed_fails_no_job_that_nobody_asked_for() {
        let of = |code| unless_not_installed(Failure::new(code, "message", "hint"));
        assert!(of(Code::WorkerMissing).is_ok() && of(Code::ModelMissing).is_ok());
        assert_eq!(of(Code::Cancelled).unwrap_err().code, Code::Cancelled);
    }

    #[test]
    fn a_build_of_the_graph_ends_the_job_that_makes_its_vectors() {
        let folder = tempfile::tempdir().unwrap();
        let shell = Shell::new(|_| ());
        shell.create(&folder.path().join("w.lexforge")).unwrap();
        let (task, cancel) = shell.tasks().enter(VECTORS, "").unwrap();
        begin(&shell, "verify", "", |_, _| Ok(())).unwrap();
        assert!(!cancel.load(std::sync::atomic::Ordering::Relaxed));
        begin(&shell, "graph", "", |_, _| Ok(())).unwrap();
        assert!(cancel.load(std::sync::atomic::Ordering::Relaxed));
        shell.tasks().change(task.id, |task| task.done = true);
        end(&shell);
    }
}
