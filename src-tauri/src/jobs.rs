//! Background jobs of this process: what they are, how far they are, and the wish that they end.

use crate::lock::held;
use lexforge_domain::api::Task;
use lexforge_domain::{Code, Failure};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// All jobs since the application started, in the order in which they began.
#[derive(Default)]
pub struct Tasks {
    jobs: Mutex<Vec<Job>>,
}

struct Job {
    task: Task,
    cancel: Arc<AtomicBool>,
    /// Ended for something that goes first, and not because somebody wished it.
    gave_way: bool,
}

impl Tasks {
    /// The jobs as the window shows them.
    pub fn list(&self) -> Vec<Task> {
        held(&self.jobs)
            .iter()
            .map(|job| job.task.clone())
            .collect()
    }

    /// Asks a job to end at its next safe point.
    pub fn cancel(&self, id: u64) {
        if let Some(job) = held(&self.jobs).iter().find(|job| job.task.id == id) {
            job.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Asks all jobs of a kind to end.
    pub fn cancel_all(&self, kind: &str) {
        for job in held(&self.jobs).iter().filter(|j| j.task.kind == kind) {
            job.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the jobs of a kind for something that goes first.
    pub fn make_way(&self, kind: &str) {
        let mut jobs = held(&self.jobs);
        for job in jobs
            .iter_mut()
            .filter(|job| job.task.kind == kind && !job.task.done)
        {
            // A job that somebody has cancelled stays cancelled.
            job.gave_way = !job.cancel.swap(true, Ordering::Relaxed) || job.gave_way;
        }
    }

    /// Whether the latest job of a kind was ended for something that goes first.
    pub fn has_given_way(&self, kind: &str) -> bool {
        let jobs = held(&self.jobs);
        let latest = jobs.iter().rev().find(|job| job.task.kind == kind);
        latest.is_some_and(|job| job.gave_way)
    }

    /// Whether no job is at work.
    pub fn are_all_done(&self) -> bool {
        held(&self.jobs).iter().all(|job| job.task.done)
    }

    /// Whether a job of a kind is at work.
    pub fn is_at_work(&self, kind: &str) -> bool {
        let jobs = held(&self.jobs);
        jobs.iter()
            .any(|job| job.task.kind == kind && !job.task.done)
    }

    /// Drops the jobs that have ended: they were about another workspace.
    pub fn forget_ended(&self) {
        held(&self.jobs).retain(|job| !job.task.done);
    }

    /// Changes a job and returns it as it is then.
    pub fn change(&self, id: u64, change: impl FnOnce(&mut Task)) -> Option<Task> {
        let mut jobs = held(&self.jobs);
        let job = jobs.iter_mut().find(|job| job.task.id == id)?;
        change(&mut job.task);
        Some(job.task.clone())
    }

    /// Enters a job, unless a job of the same kind is running (several imports may run at once).
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if a job of the same kind is running.
    pub fn enter(&self, kind: &str, title: &str) -> Result<(Task, Arc<AtomicBool>), Failure> {
        let mut jobs = held(&self.jobs);
        if kind != "import"
            && jobs
                .iter()
                .any(|job| job.task.kind == kind && !job.task.done)
        {
            return Err(Failure::new(
                Code::InvalidRequest,
                "This job is already at work.",
                "Wait until it has ended, or cancel it in the job tray.",
            ));
        }
        // Numbers continue after jobs were forgotten, because the window distinguishes jobs by them.
        let task = Task::begun(next_number(), kind, title);
        let cancel = Arc::new(AtomicBool::new(false));
        jobs.push(Job {
            task: task.clone(),
            cancel: Arc::clone(&cancel),
            gave_way: false,
        });
        Ok((task, cancel))
    }
}

fn next_number() -> u64 {
    static LAST: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_preparation_at_a_time_and_imports_side_by_side() {
        let tasks = Tasks::default();
        let (first, _) = tasks.enter("prepare", "").unwrap();
        assert_eq!(
            tasks.enter("prepare", "").map(|_| ()).unwrap_err().code,
            Code::InvalidRequest
        );
        tasks.change(first.id, |task| task.done = true);
        assert!(!tasks.is_at_work("prepare"));
        assert!(tasks.enter("prepare", "").is_ok() && tasks.is_at_work("prepare"));
        assert!(tasks.enter("import", "").is_ok() && tasks.enter("import", "").is_ok());
    }

    #[test]
    fn the_wish_to_cancel_reaches_the_job() {
        let tasks = Tasks::default();
        let (task, cancel) = tasks.enter("import", "").unwrap();
        tasks.cancel(task.id);
        assert!(cancel.load(Ordering::Relaxed));
    }

    #[test]
    fn what_gives_way_is_told_from_what_somebody_cancelled() {
        let tasks = Tasks::default();
        let (ended, _) = tasks.enter("vectors", "").unwrap();
        tasks.change(ended.id, |task| task.done = true);
        tasks.make_way("vectors");
        assert!(!tasks.has_given_way("vectors"));
        let (giving, cancel) = tasks.enter("vectors", "").unwrap();
        tasks.make_way("vectors");
        assert!(cancel.load(Ordering::Relaxed) && tasks.has_given_way("vectors"));
        tasks.change(giving.id, |task| task.done = true);
        let (cancelled, _) = tasks.enter("vectors", "").unwrap();
        tasks.cancel(cancelled.id);
        tasks.make_way("vectors");
        assert!(!tasks.has_given_way("vectors"));
    }

    #[test]
    fn only_jobs_at_work_outlive_their_workspace() {
        let tasks = Tasks::default();
        let (ended, _) = tasks.enter("import", "").unwrap();
        let (working, _) = tasks.enter("import", "").unwrap();
        tasks.change(ended.id, |task| task.done = true);
        tasks.forget_ended();
        assert_eq!(
            tasks.list().iter().map(|t| t.id).collect::<Vec<_>>(),
            [working.id]
        );
    }
}
