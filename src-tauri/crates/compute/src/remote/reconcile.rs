//! Decides what a job is doing, from its files and from the queue.

use super::slurm::{COMPLETING, Listed, Seen};
use lexforge_domain::protocol::{LEAVING, QueueEnd, TargetState};

/// What the files of an attempt in the queue say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// Its batch script has begun.
    pub(super) has_started: bool,
    /// It was submitted a moment ago, and the answer is not there yet or was lost.
    pub(super) is_on_its_way: bool,
    /// The user asked it to stop.
    pub(super) is_stopped: bool,
    /// How Slurm ended it, or why it put it back.
    pub(super) end: Option<QueueEnd>,
}

/// Files and queue together. The queue says whether anybody may still write; the files say how it ended.
pub(super) fn reconcile(by_files: TargetState, seen: Seen, facts: Facts) -> TargetState {
    match seen {
        Seen::Silent(reason) => match by_files {
            TargetState::Running | TargetState::Paused => by_files,
            _ => TargetState::Unknown { reason },
        },
        Seen::Known(job) if job.is_at_work() => match by_files {
            TargetState::Running | TargetState::Paused => by_files,
            // The job has ended, but Slurm still holds its machine. This takes long if the machine does not answer.
            _ if job.state == COMPLETING => waiting(
                Listed {
                    reason: LEAVING.to_owned(),
                    starts: None,
                    ..job
                },
                None,
            ),
            // On another node the lock may not be seen.
            _ if facts.has_started => TargetState::Running,
            _ => TargetState::Starting,
        },
        Seen::Known(job) if job.is_alive() => {
            let put_back = || facts.end.unwrap_or(QueueEnd::Requeued);
            let after = facts.has_started.then(put_back);
            waiting(job, after)
        }
        Seen::Known(job) => left(by_files, job.number, facts),
        // The new attempt has written nothing yet, so the files tell of the attempt before it.
        Seen::Gone if facts.is_on_its_way => match by_files {
            TargetState::Running | TargetState::Paused => by_files,
            _ => TargetState::Starting,
        },
        Seen::Gone => left(by_files, String::new(), facts),
    }
}

/// A job in the queue that nobody works on.
fn waiting(job: Listed, after: Option<QueueEnd>) -> TargetState {
    TargetState::Waiting {
        number: job.number,
        reason: job.reason,
        since: job.since,
        starts: job.starts,
        place: job.place,
        after,
    }
}

/// A job that has left the queue.
fn left(by_files: TargetState, number: String, facts: Facts) -> TargetState {
    match by_files {
        // Somebody writes still, or the worker itself said how it ended, or another program is just starting it.
        TargetState::Running
        | TargetState::Paused
        | TargetState::Finished
        | TargetState::Failed { .. }
        | TargetState::Starting => by_files,
        _ if facts.is_stopped => TargetState::Stopped,
        by_files => match facts.end {
            Some(end) => TargetState::Ended { number, end },
            // It left the queue before a worker had reported anything.
            None if by_files == TargetState::NotStarted && facts.has_started => TargetState::Died,
            None => by_files,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(state: &str) -> Seen {
        Seen::Known(Listed {
            number: "7".into(),
            state: state.into(),
            reason: "Priority".into(),
            since: Some(5),
            starts: Some(9),
            ..Listed::default()
        })
    }

    fn waiting(after: Option<QueueEnd>) -> TargetState {
        TargetState::Waiting {
            number: "7".into(),
            reason: "Priority".into(),
            since: Some(5),
            starts: Some(9),
            place: None,
            after,
        }
    }

    #[test]
    fn files_and_queue_are_reconciled() {
        let check = |by_files: TargetState, seen: Seen, started: bool, expected: TargetState| {
            let facts = Facts {
                has_started: started,
                ..Facts::default()
            };
            assert_eq!(
                reconcile(by_files.clone(), seen.clone(), facts),
                expected,
                "{by_files:?} {seen:?} {started}"
            );
        };
        let silent = Seen::Silent("no answer".into());
        let unknown = TargetState::Unknown {
            reason: "no answer".into(),
        };
        check(
            TargetState::NotStarted,
            silent.clone(),
            false,
            unknown.clone(),
        );
        check(TargetState::Died, silent.clone(), true, unknown);
        check(TargetState::Running, silent, true, TargetState::Running);
        check(
            TargetState::NotStarted,
            known("PENDING"),
            false,
            waiting(None),
        );
        // Put back into the queue: what the files say is of before.
        check(
            TargetState::Stopped,
            known("PENDING"),
            true,
            waiting(Some(QueueEnd::Requeued)),
        );
        check(
            TargetState::NotStarted,
            known("RUNNING"),
            false,
            TargetState::Starting,
        );
        check(
            TargetState::Died,
            known("RUNNING"),
            true,
            TargetState::Running,
        );
        check(
            TargetState::Paused,
            known("RUNNING"),
            true,
            TargetState::Paused,
        );
        check(
            TargetState::Stopped,
            known("COMPLETED"),
            true,
            TargetState::Stopped,
        );
        // It ended, and its machine does not say so to Slurm: it does not run.
        let leaving = TargetState::Waiting {
            number: "7".into(),
            reason: LEAVING.into(),
            since: Some(5),
            starts: None,
            place: None,
            after: None,
        };
        check(TargetState::Died, known(COMPLETING), true, leaving);
        let running = TargetState::Running;
        check(running.clone(), known(COMPLETING), true, running);
        check(TargetState::Died, known("FAILED"), true, TargetState::Died);
        check(TargetState::NotStarted, Seen::Gone, true, TargetState::Died);
        check(
            TargetState::NotStarted,
            Seen::Gone,
            false,
            TargetState::NotStarted,
        );
        // A disk that does not answer says nothing of a worker, whatever has left the queue.
        let away = TargetState::Unknown {
            reason: "stale file handle".into(),
        };
        check(away.clone(), Seen::Gone, true, away.clone());
        check(away, known("RUNNING"), true, TargetState::Running);
    }

    #[test]
    fn what_another_program_is_just_starting_has_not_died() {
        let young = Facts {
            is_on_its_way: true,
            ..Facts::default()
        };
        for (by_files, facts, expected) in [
            // The worker holds the claim, but its record is not there yet.
            (
                TargetState::Starting,
                Facts::default(),
                TargetState::Starting,
            ),
            (
                TargetState::NotStarted,
                young.clone(),
                TargetState::Starting,
            ),
            // The files are of an attempt before.
            (TargetState::Died, young.clone(), TargetState::Starting),
            (TargetState::Stopped, young.clone(), TargetState::Starting),
            (TargetState::Running, young, TargetState::Running),
        ] {
            let found = reconcile(by_files.clone(), Seen::Gone, facts.clone());
            assert_eq!(found, expected, "{by_files:?} {facts:?}");
            assert!(found.goes_on());
        }
    }

    #[test]
    fn what_slurm_ended_is_told_in_its_word_and_what_the_worker_said_comes_first() {
        let ended = |end: QueueEnd| TargetState::Ended {
            number: "7".into(),
            end,
        };
        let facts = |end: QueueEnd| Facts {
            has_started: true,
            end: Some(end),
            ..Facts::default()
        };
        for by_files in [
            TargetState::Stopped,
            TargetState::Died,
            TargetState::NotStarted,
        ] {
            for end in [
                QueueEnd::TimeLimit,
                QueueEnd::NodeFailed,
                QueueEnd::NoProgress,
            ] {
                let found = reconcile(by_files.clone(), known("TIMEOUT"), facts(end.clone()));
                assert_eq!(found, ended(end));
                assert!(!found.goes_on());
            }
        }
        let cancelled = QueueEnd::Cancelled { by: String::new() };
        assert_eq!(
            reconcile(
                TargetState::Finished,
                known("CANCELLED"),
                facts(cancelled.clone())
            ),
            TargetState::Finished
        );
        // The user's own stop is no cancelling by others.
        let mut stopped = facts(cancelled);
        stopped.is_stopped = true;
        assert_eq!(
            reconcile(TargetState::NotStarted, known("CANCELLED"), stopped),
            TargetState::Stopped
        );
        assert_eq!(
            reconcile(
                TargetState::Stopped,
                known("PENDING"),
                facts(QueueEnd::NodeFailed)
            ),
            waiting(Some(QueueEnd::NodeFailed))
        );
    }
}
