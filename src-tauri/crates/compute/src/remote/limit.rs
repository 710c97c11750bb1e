//! Whether the time limit of a job leaves time for a training.

use super::batch::notice;
use super::slurm::run;
use lexforge_domain::protocol::SlurmSettings;
use lexforge_domain::{Code, Failure};
use std::process::Command;

/// Slurm counts limits in minutes, and may announce the end this many seconds too early.
const MINUTE: u64 = 60;

/// Refuses a time limit that is so short that Slurm sends its warning as soon as the job starts. The job would be put
/// back into the queue again and again, and would never make a step. A limit that is not known is accepted.
pub(super) fn check(settings: &SlurmSettings) -> Result<(), Failure> {
    let said = if settings.time.is_empty() {
        of_partition(&settings.partition)
    } else {
        Some(settings.time.clone())
    };
    let Some(limit) = said.as_deref().and_then(seconds) else {
        return Ok(());
    };
    let limit = limit.div_ceil(MINUTE) * MINUTE;
    let notice = u64::from(notice(settings));
    if limit >= notice + MINUTE {
        return Ok(());
    }
    Err(Failure::new(
        Code::TargetUnready,
        format!(
            "The time limit of {limit} s leaves no time to train: the worker has to write its checkpoint {notice} s before it, and Slurm may say so a minute earlier."
        ),
        "Nothing was submitted. Give the target a longer time limit, or a shorter notice before it, and start the run again.",
    ))
}

/// The time limit that a partition sets for a job that names no limit. If `partition` is empty, it is the limit of the
/// cluster's default partition.
fn of_partition(partition: &str) -> Option<String> {
    let mut command = Command::new("sinfo");
    command.args(["--noheader", "--format=%P|%L|%l"]);
    if !partition.is_empty() {
        command.args(["--partition", partition]);
    }
    limit_in(&run(&mut command).ok()?, !partition.is_empty())
}

fn limit_in(said: &str, is_named: bool) -> Option<String> {
    let mut rows = said.lines().map(|line| line.trim().splitn(3, '|'));
    rows.find_map(|mut row| {
        let (name, default, most) = (row.next()?, row.next()?, row.next()?);
        if !is_named && !name.ends_with('*') {
            return None;
        }
        let has_default = !matches!(default, "n/a" | "NONE" | "");
        Some(if has_default { default } else { most }.to_owned())
    })
}

/// A time in seconds, written in one of the forms that `sbatch` takes: `30`, `30:00`, `1:00:00`, `1-0`, `1-0:30`,
/// `1-0:30:00`. `None` if there is no limit, and for a text that is not a time; `sbatch` itself rejects such a text.
fn seconds(text: &str) -> Option<u64> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(days.parse::<u64>().ok()?), rest),
        None => (None, text),
    };
    let parts: Vec<u64> = rest
        .split(':')
        .map(|part| part.trim().parse().ok())
        .collect::<Option<_>>()?;
    let [hours, minutes, seconds] = match (days, parts.as_slice()) {
        (Some(_), [h]) => [*h, 0, 0],
        (Some(_), [h, m]) => [*h, *m, 0],
        (_, [h, m, s]) => [*h, *m, *s],
        (None, [m, s]) => [0, *m, *s],
        (None, [m]) => [0, *m, 0],
        _ => return None,
    };
    let hours = days
        .unwrap_or_default()
        .checked_mul(24)?
        .checked_add(hours)?;
    hours
        .checked_mul(60)?
        .checked_add(minutes)?
        .checked_mul(60)?
        .checked_add(seconds)
        // Slurm writes 0 if there is no limit.
        .filter(|seconds| *seconds > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_sbatch_reads_them() {
        for (text, expected) in [
            ("30", Some(1800)),
            ("30:10", Some(1810)),
            ("01:00:00", Some(3600)),
            ("1-0", Some(86_400)),
            ("1-01:30", Some(91_800)),
            ("1-01:30:05", Some(91_805)),
            ("infinite", None),
            ("UNLIMITED", None),
            ("0", None),
            ("", None),
            ("1:2:3:4", None),
            ("99999999999999999999", None),
            ("9999999999999999999-1", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn a_limit_that_is_not_longer_than_its_notice_is_refused() {
        for (time, notice, expected) in [
            ("00:02:00", 0, false),
            ("2", 0, false),
            ("3", 0, true),
            ("00:02:10", 0, true),
            ("1", 1, false),
            ("2", 60, true),
            ("10", 600, false),
            ("1-0", 86_400, false),
            ("infinite", 600, true),
        ] {
            let settings = SlurmSettings {
                time: time.into(),
                notice,
                ..SlurmSettings::default()
            };
            assert_eq!(check(&settings).is_ok(), expected, "{time} {notice}");
        }
    }

    #[test]
    fn the_partition_says_the_limit_where_the_user_does_not() {
        let said = "gpu*|n/a|1:00:00\nlong|2:00|infinite\n";
        assert_eq!(limit_in(said, false).as_deref(), Some("1:00:00"));
        assert_eq!(
            limit_in("long|2:00|infinite\n", true).as_deref(),
            Some("2:00")
        );
        assert_eq!(limit_in("long|n/a|infinite\n", false), None);
    }
}
