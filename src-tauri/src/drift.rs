//! Samples that show drift: taken when a user asks, after each import, and once a day while a window is open.

use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::drift::DriftRule;
use lexforge_engine::{DriftRequest, Engine, Since};
use std::sync::Arc;
use std::time::Duration;

/// The kind of job that takes a sample.
const KIND: &str = "drift";
/// How often it is looked whether a sample is due.
const PACE: Duration = Duration::from_secs(60);
/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// How long the next sample waits for one that is being taken.
const PATIENCE: Duration = Duration::from_secs(1);

/// Begins to take a sample, and says what moved, by this rule or by that of the last sample.
pub fn take(shell: &Shell, rule: Option<DriftRule>) -> Answer<u64> {
    begin(shell, KIND, "", move |engine, watch| {
        let evaluation = engine.evaluation();
        let request = evaluation.drift_as_before(rule)?;
        evaluation.drift(&request, watch).map(|_| ())
    })
}

/// Takes a sample of drift after an import, if the user has switched this on. If a sample is already being taken, it
/// may lack the new documents. So this function waits until that sample is complete, and then takes a new one.
pub fn after_import(shell: &Shell, engine: &Arc<Engine>) {
    // A workspace that cannot be read now is sampled when the next sample is due.
    if !engine.evaluation().is_watched().unwrap_or(false) {
        return;
    }
    while shell.is_open(engine) && shell.tasks().is_at_work(KIND) {
        std::thread::sleep(PATIENCE);
    }
    if shell.is_open(engine) {
        // If another import was quicker, its sample contains the documents of this one, too.
        let begun = take(shell, None);
        drop(begun);
    }
}

/// Takes a sample of drift when one is due, on a thread of its own, until another workspace is opened. A failed sample
/// is shown in the job tray and is not tried again on the same day.
pub fn watch(shell: &Shell, engine: &Arc<Engine>) {
    // Between two looks it is not held, so that it can be closed.
    let (shell, watched) = (shell.clone(), Arc::downgrade(engine));
    let every = DriftRequest::default().every_days;
    std::thread::spawn(move || {
        let mut tried: Option<Since> = None;
        loop {
            std::thread::sleep(PACE);
            let Some(engine) = watched.upgrade().filter(|engine| shell.is_open(engine)) else {
                break;
            };
            let lately = tried.is_some_and(|at| at.passed().as_secs_f64() < every * DAY);
            let due = || engine.evaluation().drift_is_due(every).unwrap_or(false);
            if !lately && !shell.tasks().is_at_work("import") && due() {
                tried = Some(Since::now());
                let begun = take(&shell, None);
                drop(begun);
            }
        }
    });
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::api::Notice;
    use std::sync::mpsc::channel;

    #[test]
    fn a_workspace_that_nobody_watches_is_not_sampled_after_an_import() {
        let folder = tempfile::tempdir().unwrap();
        let shell = Shell::new(|_| ());
        shell.create(&folder.path().join("w.lexforge")).unwrap();
        after_import(&shell, &shell.engine().unwrap());
        assert!(shell.tasks().list().is_empty());
    }

    #[test]
    fn a_sample_is_a_job_that_says_why_it_failed() {
        let folder = tempfile::tempdir().unwrap();
        let (tell, told) = channel();
        let shell = Shell::new(move |notice| drop(tell.send(notice)));
        shell.create(&folder.path().join("w.lexforge")).unwrap();
        let id = take(&shell, None).unwrap();
        let ended = std::iter::from_fn(|| told.recv_timeout(Duration::from_secs(60)).ok())
            .find_map(|notice| match notice {
                Notice::Task { task } if task.id == id && task.done => Some(task),
                _ => None,
            });
        let failure = ended.unwrap().failure.unwrap();
        assert!(!failure.message.is_empty());
    }
}
