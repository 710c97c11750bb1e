//! What a scheduler does with a run, in words. None of this is a failure of the training.

use lexforge_domain::protocol::{LEAVING, QueueEnd, QueuePlace, TargetState, is_held};

/// What there is to say of a worker that counts as running and has said nothing for long.
pub(super) const SILENT: &str = "It counts as running there, but its worker has said nothing for more than 5 minutes. Stop \
                                 the run and resume it: it goes on from its newest checkpoint.";

/// Why a job waits that only an administrator can let go on.
const HELD: &str = "An administrator holds it, and must release it.";

/// Why a job waits that the user took out of turn, with Slurm's own means.
const HELD_BY_USER: &str =
    "It is held by you, or by somebody with your account there. Resume the run to release it.";

/// Why a job waits that Slurm failed to start on a machine. Nothing but a release lets it go on.
const NOT_LAUNCHED: &str =
    "Slurm could not start it on its machine, and holds it. Resume the run to release it.";

/// The longest wait that an estimate announces, in minutes: 60 days. For a job without a time limit Slurm assumes a
/// year. So Slurm would estimate that the jobs waiting for such a job start in a year.
const FORESEEN: u64 = 60 * 24 * 60;

/// What there is to say of a run on a target beside its state; `now` in seconds since 1970.
pub(super) fn notes(state: &TargetState, now: u64) -> Vec<String> {
    match state {
        TargetState::Waiting { number, reason, .. } if reason == LEAVING => vec![format!(
            "Slurm is taking job {number} off its machine. If that lasts, the machine does not answer Slurm: ask those who \
             run the cluster."
        )],
        TargetState::Waiting {
            number,
            reason,
            since,
            starts,
            place,
            after,
        } => {
            let minutes = since.map(|since| now.saturating_sub(since) / 60);
            let mut told = vec![waits(number, reason, minutes)];
            told.extend(after.as_ref().map(put_back).map(str::to_owned));
            told.extend(why_it_waits(reason).map(str::to_owned));
            told.extend(place.as_ref().map(stands));
            let left = starts.and_then(|starts| starts.checked_sub(now));
            told.extend(left.and_then(expected));
            told
        }
        TargetState::NotStarted => vec![
            "It is on the target, but no worker has begun it. Resume the run to start it."
                .to_owned(),
        ],
        TargetState::Ended { number, end } => vec![ended(number, end), next(end).to_owned()],
        TargetState::Unknown { reason } => vec![format!(
            "What it is doing cannot be found out now: {reason}. What is in the queue goes on."
        )],
        _ => Vec::new(),
    }
}

/// How it waits, with the scheduler's own word for the reason.
fn waits(number: &str, reason: &str, minutes: Option<u64>) -> String {
    match minutes {
        None | Some(0) => format!("It waits in Slurm's queue as job {number} ({reason})."),
        Some(minutes @ 1..60) => {
            format!("It has waited in Slurm's queue for {minutes} min as job {number} ({reason}).")
        }
        Some(minutes) => {
            let (hours, minutes) = (minutes / 60, minutes % 60);
            format!(
                "It has waited in Slurm's queue for {hours} h {minutes} min as job {number} ({reason})."
            )
        }
    }
}

/// Where it stands among those that wait.
fn stands(place: &QueuePlace) -> String {
    let QueuePlace { at, of, partition } = place;
    format!(
        "By priority it is number {at} of {of} jobs that Slurm shows waiting in partition {partition}."
    )
}

/// When the scheduler expects to start the job. `None` if this is within a minute, or so far away that it is no
/// estimate.
fn expected(seconds: u64) -> Option<String> {
    let minutes = seconds / 60;
    if minutes >= FORESEEN {
        return None;
    }
    match (minutes / 1440, minutes / 60, minutes % 60) {
        (0, 0, 0) => None,
        (0, 0, minutes) => Some(format!(
            "Slurm expects to start it in about {minutes} min; that may change."
        )),
        (0, hours, minutes) => Some(format!(
            "Slurm expects to start it in about {hours} h {minutes} min; that may change."
        )),
        (days, hours, _) => {
            let hours = hours % 24;
            Some(format!(
                "Slurm expects to start it in about {days} d {hours} h; that may change."
            ))
        }
    }
}

/// The scheduler's reason in plain words, where there are some.
fn why_it_waits(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "Priority" => "Other jobs come first.",
        "Resources" => "No machine is free for it yet.",
        "BeginTime" => "It was put back a moment ago and may start again soon.",
        "PartitionTimeLimit" => "Its time limit is longer than the partition allows.",
        "PartitionDown" | "PartitionInactive" => "The partition takes no jobs at the moment.",
        "JobHeldUser" => HELD_BY_USER,
        "JobHeldAdmin" => HELD,
        _ if is_held(reason) => NOT_LAUNCHED,
        _ if reason.starts_with("ReqNodeNotAvail") || reason.starts_with("Nodes required") => {
            "The machines that it asks for cannot be used at the moment."
        }
        _ => return None,
    })
}

/// Why it is in the queue again.
fn put_back(after: &QueueEnd) -> &'static str {
    match after {
        QueueEnd::NodeFailed => "The machine it ran on failed; it goes on where it stopped.",
        QueueEnd::Preempted => {
            "It made room for other jobs that come first; it goes on where it stopped."
        }
        QueueEnd::TimeLimit => {
            "Its time limit was near; it is in the queue again and goes on where it stopped."
        }
        _ => "It was put back into the queue; it goes on where it stopped.",
    }
}

/// How it was ended.
fn ended(number: &str, end: &QueueEnd) -> String {
    match end {
        QueueEnd::Cancelled { by } if by.is_empty() => {
            "It was taken out of Slurm's queue by an administrator, or by somebody with your account there.".to_owned()
        }
        QueueEnd::Cancelled { by } => format!("It was taken out of Slurm's queue by {by}."),
        QueueEnd::TimeLimit => "Its time limit was reached.".to_owned(),
        QueueEnd::Preempted => "It had to make room for other jobs that come first.".to_owned(),
        QueueEnd::NodeFailed => "The machine it ran on failed.".to_owned(),
        QueueEnd::OutOfMemory => "It needed more memory than the queue gives it.".to_owned(),
        QueueEnd::Requeued => "Somebody stopped it to put it back into the queue.".to_owned(),
        QueueEnd::NoProgress => format!(
            "Its time limit came twice before it made a step, so job {number} was not put back into the queue once more."
        ),
    }
}

/// What to do.
fn next(end: &QueueEnd) -> &'static str {
    match end {
        QueueEnd::OutOfMemory => {
            "Give the target more memory, or train with smaller batches; nothing that was kept is lost."
        }
        QueueEnd::NoProgress => {
            "Give the target a longer time limit, or a shorter notice before it, and resume the run."
        }
        QueueEnd::Cancelled { .. } => {
            "Ask why where you did not do it yourself. Resume the run, and it goes on from its newest checkpoint."
        }
        _ => "Resume the run, and it goes on from its newest checkpoint.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_is_told_with_its_number_its_reason_and_its_time() {
        let waiting = |reason: &str, since: Option<u64>, after: Option<QueueEnd>| {
            let (number, reason) = ("7".to_owned(), reason.to_owned());
            notes(
                &TargetState::Waiting {
                    number,
                    reason,
                    since,
                    starts: None,
                    place: None,
                    after,
                },
                10_000,
            )
        };
        assert_eq!(
            waiting("Priority", None, None),
            [
                "It waits in Slurm's queue as job 7 (Priority).",
                "Other jobs come first."
            ]
        );
        assert_eq!(
            waiting("QOSGrpCpuLimit", Some(9_700), None),
            ["It has waited in Slurm's queue for 5 min as job 7 (QOSGrpCpuLimit)."]
        );
        // If the clock of the target is ahead, no negative time is shown.
        assert_eq!(
            waiting("Odd", Some(20_000), None),
            ["It waits in Slurm's queue as job 7 (Odd)."]
        );
        let said = waiting("Odd", Some(2_740), Some(QueueEnd::NodeFailed));
        assert!(said[0].contains("for 2 h 1 min"), "{said:?}");
        assert!(
            said[1].contains("failed; it goes on where it stopped"),
            "{said:?}"
        );
    }

    #[test]
    fn the_scheduler_s_own_estimate_is_told_and_no_other() {
        let told = |starts: Option<u64>| {
            let waiting = TargetState::Waiting {
                number: "7".to_owned(),
                reason: "Odd".to_owned(),
                since: None,
                starts,
                place: None,
                after: None,
            };
            notes(&waiting, 10_000).get(1).cloned()
        };
        for (starts, expected) in [
            (None, None),
            // It is before now, or as good as now.
            (Some(9_000), None),
            (Some(10_059), None),
            (Some(10_000 + 86_400 * 365), None),
            (Some(10_300), Some("in about 5 min;")),
            (Some(10_000 + 7_860), Some("in about 2 h 11 min;")),
            (Some(10_000 + 86_400 * 2 + 7_860), Some("in about 2 d 2 h;")),
        ] {
            let said = told(starts);
            let fits = match (&said, expected) {
                (Some(said), Some(part)) => said.contains(part) && said.contains("may change"),
                (said, expected) => said.is_none() && expected.is_none(),
            };
            assert!(fits, "{starts:?} {said:?}");
        }
    }

    #[test]
    fn a_place_in_the_queue_is_told_before_the_estimate() {
        let waiting = TargetState::Waiting {
            number: "7".to_owned(),
            reason: "Odd".to_owned(),
            since: None,
            starts: Some(10_300),
            place: Some(QueuePlace {
                at: 4,
                of: 12,
                partition: "gpu".to_owned(),
            }),
            after: None,
        };
        let said = notes(&waiting, 10_000);
        assert_eq!(
            said[1],
            "By priority it is number 4 of 12 jobs that Slurm shows waiting in partition gpu."
        );
        assert!(said[2].contains("in about 5 min"), "{said:?}");
    }

    /// What waits for ever unless somebody does something says so, with what to do.
    #[test]
    fn a_job_that_slurm_holds_or_cannot_clear_away_says_what_to_do() {
        for (reason, part) in [
            ("launch failed requeued held", "Resume the run to release"),
            ("launch_failed_requeued_held", "Resume the run to release"),
            ("JobHeldUser", "by you, or by somebody with your account"),
            (
                "JobHeldAdmin",
                "An administrator holds it, and must release it.",
            ),
            (LEAVING, "does not answer Slurm"),
        ] {
            let waiting = TargetState::Waiting {
                number: "7".to_owned(),
                reason: reason.to_owned(),
                since: Some(1),
                starts: None,
                place: None,
                after: None,
            };
            let said = notes(&waiting, 10_000).join(" ");
            assert!(said.contains(part) && said.contains("job 7"), "{said}");
            // What the owner may release says so.
            let expected = said.contains("Resume the run to release it.");
            assert_eq!(waiting.is_held(), expected, "{reason}");
            assert_eq!(waiting.is_held_by_user(), reason == "JobHeldUser");
        }
    }

    #[test]
    fn what_a_scheduler_ended_is_told_with_what_to_do() {
        let told = |end: QueueEnd| {
            notes(
                &TargetState::Ended {
                    number: "7".into(),
                    end,
                },
                0,
            )
        };
        let by = |by: &str| QueueEnd::Cancelled { by: by.to_owned() };
        for (end, part) in [
            (by(""), "by an administrator"),
            (by("wang"), "by wang."),
            (QueueEnd::TimeLimit, "time limit was reached"),
            (QueueEnd::Preempted, "make room"),
            (QueueEnd::NodeFailed, "failed"),
            (QueueEnd::OutOfMemory, "memory"),
            (QueueEnd::NoProgress, "twice"),
        ] {
            let said = told(end);
            assert!(said.len() == 2 && said[0].contains(part), "{said:?}");
        }
        assert!(notes(&TargetState::Running, 0).is_empty());
    }
}
