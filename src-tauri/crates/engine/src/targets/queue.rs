//! What the queue of a target may be set to: values that become lines of a batch script.

use crate::workspace::Result;
use lexforge_compute::remote::OWN_OPTION;
use lexforge_domain::api::Target;
use lexforge_domain::protocol::SlurmSettings;
use lexforge_domain::{Code, Failure};

/// Options of `sbatch` by which a job is found again and told in time. They are always Lexforge's own.
const RESERVED: [&str; 12] = [
    "--array",
    "--comment",
    "--error",
    "--job-name",
    "--no-requeue",
    "--open-mode",
    "--output",
    "--signal",
    "-J",
    "-a",
    "-e",
    "-o",
];

/// Options with which `sbatch` would not work as it is used here, and what to do about each.
const HINDERING: [(&[&str], &str); 3] = [
    (
        &["--wait", "-W"],
        "Leave this option out: sbatch would not answer before the job has ended.",
    ),
    (
        &["--clusters", "-M"],
        "Leave this option out: the job would stand in the queue of another cluster, where it is not looked for. Add that cluster as a target of its own.",
    ),
    (
        &[
            "--test-only",
            "--help",
            "--usage",
            "--version",
            "-h",
            "-u",
            "-V",
        ],
        "Leave this option out: with it sbatch submits no job.",
    ),
];

/// Words of `sbatch` after which a further part of a job of several parts is described.
const FURTHER_PART: [&str; 2] = ["hetjob", "packjob"];
/// Short options of `sbatch` without a value: others may stand at once behind them.
const FLAGS: &str = "HIOQVWbhksuv";
/// From how many signs on, with the dashes, `sbatch` may take a beginning of a long option for the whole.
const BEGINNING: usize = 4;

/// The words of a line of the batch script that `sbatch` reads as options, without the quotes.
fn options_of(line: &str) -> Vec<String> {
    let options = line.strip_prefix(OWN_OPTION).unwrap_or_default();
    let bare = options.replace(['"', '\'', '\\'], "");
    bare.split_whitespace().map(str::to_owned).collect()
}

/// The first of these options that a line of the batch script sets.
fn set_by(line: &str, options: &[&'static str]) -> Option<&'static str> {
    let words = options_of(line);
    let sets = |option: &&&str| {
        words.iter().any(|word| {
            if word.starts_with("--") {
                let name = word.split('=').next().unwrap_or_default();
                return name.len() >= BEGINNING && option.starts_with(name);
            }
            // Behind the first option that takes a value stands this value.
            let letters = word.strip_prefix('-').unwrap_or_default();
            let value = letters.find(|c: char| !FLAGS.contains(c));
            let mut set = letters
                .char_indices()
                .filter(|(at, _)| value.is_none_or(|value| *at <= value));
            let mut letter = option.chars().skip(1);
            let is_short = option.len() == 2;
            let letter = letter.next().filter(|_| is_short);
            letter.is_some_and(|letter| set.any(|(_, c)| c == letter))
        })
    };
    options.iter().find(sets).copied()
}

/// The reserved option that a line of the batch script sets.
fn reserved(line: &str) -> Option<&'static str> {
    set_by(line, &RESERVED)
}

/// The option of a line with which `sbatch` would not submit a job and answer at once, and what to do.
fn hindering(line: &str) -> Option<(&'static str, &'static str)> {
    let found = |(options, hint): &(&[&'static str], &'static str)| {
        set_by(line, options).map(|option| (option, *hint))
    };
    HINDERING.iter().find_map(found)
}

/// Why a line of the batch script cannot stand there.
fn check_line(line: &str) -> Result<()> {
    if let Some(option) = reserved(line) {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!("A line of the batch script sets {option}, which Lexforge sets itself."),
            "Leave this option out: by it a job is found again, or told in time.",
        ));
    }
    if let Some((option, hint)) = hindering(line) {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!(
                "A line of the batch script sets {option}, with which a job cannot be followed."
            ),
            hint,
        ));
    }
    let mut words = options_of(line).into_iter();
    match words.find(|word| FURTHER_PART.contains(&word.as_str())) {
        Some(word) => Err(Failure::new(
            Code::InvalidRequest,
            format!("A line of the batch script says {word}; Lexforge starts jobs of one part."),
            "Leave this line out.",
        )),
        None => Ok(()),
    }
}

/// Checks the queue settings of a target before a job is sent to it. The settings may have been stored by an older
/// version, which accepted lines that have no effect in a batch script.
///
/// # Errors
/// When a setting is not valid.
pub(crate) fn check_queue(target: &Target) -> Result<()> {
    target.slurm.as_ref().map_or(Ok(()), check_settings)
}

/// Values that become lines of a batch script: of one line each.
pub(super) fn check_settings(settings: &SlurmSettings) -> Result<()> {
    let SlurmSettings {
        partition,
        account,
        time,
        gres,
        constraint,
        cpus,
        memory,
        modules,
        container,
        lines,
        ..
    } = settings;
    let one_word = [partition, account, time, gres, constraint, cpus, memory];
    let spread = one_word
        .iter()
        .find(|value| value.contains(char::is_whitespace));
    let broken = modules.iter().chain(lines).chain([container]);
    let broken = broken
        .into_iter()
        .find(|value| value.contains(['\n', '\r']));
    match spread.copied().or(broken) {
        None if !settings.nodes.is_empty() && settings.ranks_a_node().is_none() => {
            let (ranks, nodes) = (settings.ranks.max(1), &settings.nodes);
            Err(Failure::new(
                Code::InvalidRequest,
                format!(
                    "{ranks} processes cannot be shared out among {nodes:?} nodes, as many on each."
                ),
                "Give a number of nodes by which the number of processes can be divided, or none.",
            ))
        }
        None => lines.iter().try_for_each(|line| check_line(line)),
        Some(value) => Err(Failure::new(
            Code::InvalidRequest,
            format!("{value:?} cannot be a setting of the queue: it has a blank or a line break."),
            "Give each setting as sbatch takes it.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::TargetPlace;
    use lexforge_domain::protocol::JobId;

    #[test]
    fn a_line_of_the_script_sets_no_option_by_which_a_job_is_found_again() {
        for (line, expected) in [
            ("#SBATCH --array=1-3", Some("--array")),
            ("#SBATCH --qos=high --output /tmp/x", Some("--output")),
            ("#SBATCH -a1-3", Some("-a")),
            ("#SBATCH -J x", Some("-J")),
            ("#SBATCH --arr=1-3", Some("--array")),
            ("#SBATCH --job x", Some("--job-name")),
            ("#SBATCH \"--array=1-3\"", Some("--array")),
            ("#SBATCH -Ha1-3", Some("-a")),
            ("#SBATCH -A account -p a", None),
            ("#SBATCH --qos=high", None),
            ("#SBATCH --account=a --reservation=x", None),
            ("#SBATCH --output-of-nothing", None),
            ("export ARRAY=--array", None),
        ] {
            assert_eq!(reserved(line), expected, "{line}");
        }
    }

    #[test]
    fn a_line_with_which_no_job_can_be_followed_is_refused_with_the_reason() {
        for (line, expected) in [
            ("#SBATCH -W", Some("-W")),
            ("#SBATCH -HW", Some("-W")),
            ("#SBATCH --wait", Some("--wait")),
            ("#SBATCH --qos=high --wai", Some("--wait")),
            ("#SBATCH -M other", Some("-M")),
            ("#SBATCH -Mother", Some("-M")),
            ("#SBATCH --cluster=other", Some("--clusters")),
            ("#SBATCH --test-only", Some("--test-only")),
            ("#SBATCH -V", Some("-V")),
            ("#SBATCH --wait-all-nodes=1", None),
            ("#SBATCH --cluster-constraint=x", None),
            ("#SBATCH -w gpu1", None),
            ("#SBATCH -pWide", None),
            ("#SBATCH --verbose", None),
            ("#SBATCH -Q -H", None),
            ("echo --wait -W", None),
        ] {
            assert_eq!(
                hindering(line).map(|(option, _)| option),
                expected,
                "{line}"
            );
            assert_eq!(check_line(line).is_ok(), expected.is_none(), "{line}");
        }
    }

    /// What an older version kept is looked at again before a run is placed there.
    #[test]
    fn a_queue_with_a_line_that_is_refused_takes_no_run() {
        for (line, expected) in [
            ("#SBATCH --array=1-3", false),
            ("#SBATCH --arr 1-3", false),
            ("#SBATCH hetjob", false),
            ("#SBATCH packjob", false),
            ("#SBATCH --qos=high", true),
            ("export A=hetjob", true),
        ] {
            let target = Target {
                name: "box".into(),
                id: JobId::of_bytes([1; 16]),
                place: TargetPlace::Here,
                folder: String::new(),
                slurm: Some(SlurmSettings {
                    lines: vec![line.into()],
                    ..SlurmSettings::default()
                }),
                worker: None,
                added: "2026-01-01T00:00:00Z".to_owned(),
                price: None,
            };
            assert_eq!(check_queue(&target).is_ok(), expected, "{line}");
        }
    }

    #[test]
    fn a_setting_becomes_one_line() {
        let with = |partition: &str, line: &str| SlurmSettings {
            partition: partition.into(),
            lines: vec![line.into()],
            ..SlurmSettings::default()
        };
        assert!(check_settings(&with("gpu", "export A=b c")).is_ok());
        assert!(check_settings(&with("gpu\n#SBATCH x", "")).is_err());
        assert!(check_settings(&with("gpu", "a\nb")).is_err());
    }

    #[test]
    fn processes_are_shared_out_among_nodes_evenly() {
        for (ranks, nodes, expected) in [
            (0, "", true),
            (3, "", true),
            (4, "2", true),
            (4, "4", true),
            (0, "1", true),
            (4, "3", false),
            (2, "4", false),
            (4, "0", false),
            (4, "2-4", false),
            (4, "two", false),
        ] {
            let settings = SlurmSettings {
                ranks,
                nodes: nodes.into(),
                ..SlurmSettings::default()
            };
            assert_eq!(
                check_settings(&settings).is_ok(),
                expected,
                "{ranks} {nodes}"
            );
        }
    }
}
