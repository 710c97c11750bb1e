//! What a bench still has to score and about how long that takes, as text.

use crate::bench_words;
use crate::output::{count, counted};
use lexforge_domain::api::{BenchAhead, BenchPlan, BenchTime};
use std::fmt::Write as _;

/// A plan as a person reads it.
pub fn shown(plan: &BenchPlan) -> String {
    let mut text = format!(
        "To be scored: {}; answers that are stored: {}",
        counted(plan.open(), "question"),
        count(plan.kept())
    );
    // A long name widens the column for all rows, so that the columns stand below each other.
    let name = |one: &BenchAhead| one.system.chars().count();
    let width = plan.systems.iter().map(name).max().unwrap_or_default();
    for one in &plan.systems {
        let time = match one.seconds {
            Some(range) => words(range),
            None if one.open > 0 => "time not known yet".to_owned(),
            None => String::new(),
        };
        let line = format!(
            "{:<width$}  open {:<8}stored {:<8}{time}",
            one.system,
            count(one.open),
            count(one.kept)
        );
        let _ = write!(text, "\n  {}", line.trim_end());
    }
    text.push_str(&bench_words::missing(&plan.missing));
    text.push_str(&time(&plan.time));
    if plan.more {
        text.push_str(
            "\n  General language, BERTScore and a judge take more time, which is not counted here.",
        );
    }
    text + "\nNothing was scored (--plan)."
}

fn time(time: &BenchTime) -> String {
    let mut text = String::new();
    if let Some(range) = time.seconds {
        let _ = write!(
            text,
            "\n  On this machine, by its earlier measurements: {}.",
            words(range)
        );
    }
    match (time.unknown, time.seconds) {
        (0, _) => {}
        (_, None) => text.push_str(
            "\n  How long that takes cannot be told yet: this machine has not measured such systems before.",
        ),
        (n, Some(_)) => {
            let _ = write!(
                text,
                " {} more {} time that cannot be told yet.",
                count(n),
                if n == 1 { "system takes" } else { "systems take" }
            );
        }
    }
    text
}

/// ` · 3 to 5 min left`, for a line of progress; empty if nothing is known.
pub fn left(time: &BenchTime) -> String {
    let mut text = String::new();
    if let Some(range) = time.seconds {
        let _ = write!(text, " · {} left", words(range));
        if time.unknown > 0 {
            let _ = write!(
                text,
                " and {} of unknown pace",
                counted(time.unknown, "system")
            );
        }
    }
    text
}

/// A range in words: `about 3 min`, `up to 5 s`, `3 min to 1 h 10 min`.
fn words([least, most]: [f64; 2]) -> String {
    let (from, to) = (about(least), about(most));
    match least <= 0.0 {
        true => format!("up to {to}"),
        false if from == to => format!("about {to}"),
        false => format!("{from} to {to}"),
    }
}

fn about(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 3_600, whole / 60 % 60) {
        (0, 0) => format!("{whole} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(seconds: Option<[f64; 2]>, unknown: u64) -> BenchPlan {
        let one = |system: &str, open, kept, seconds| BenchAhead {
            system: system.to_owned(),
            open,
            kept,
            seconds,
        };
        BenchPlan {
            systems: vec![
                one("run 1", 1_200, 0, seconds),
                one("base minilm", 0, 164, None),
                one("base new", 164 * unknown, 0, None),
            ],
            time: BenchTime { seconds, unknown },
            ..BenchPlan::default()
        }
    }

    #[test]
    fn a_range_is_told_in_words() {
        for (range, expected) in [
            ([0.0, 5.0], "up to 5 s"),
            ([10.0, 50.0], "10 s to 50 s"),
            ([120.0, 120.0], "about 2 min"),
            ([180.0, 4_200.0], "3 min to 1 h 10 min"),
        ] {
            assert_eq!(words(range), expected);
        }
    }

    #[test]
    fn a_long_name_does_not_run_into_the_next_column() {
        let mut plan = plan(None, 1);
        plan.systems[0].system = "base multilingual-e5-small-q4".to_owned();
        let text = shown(&plan);
        assert!(
            text.contains("base multilingual-e5-small-q4  open 1,200"),
            "{text}"
        );
        let open = |line: &&str| line.starts_with("  base") || line.starts_with("  run");
        let columns: Vec<_> = text
            .lines()
            .filter(open)
            .map(|line| line.find("  open "))
            .collect();
        assert_eq!(columns.len(), 3);
        assert!(
            columns.iter().all(|at| at.is_some() && *at == columns[0]),
            "{text}"
        );
    }

    #[test]
    fn a_time_is_told_only_where_it_is_known() {
        let known = shown(&plan(Some([60.0, 120.0]), 0));
        assert!(
            known.contains("To be scored: 1,200 questions; answers that are stored: 164"),
            "{known}"
        );
        assert!(
            known.contains("by its earlier measurements: 1 min to 2 min."),
            "{known}"
        );
        assert!(!known.contains("cannot be told"), "{known}");
        let some = shown(&plan(Some([60.0, 120.0]), 1));
        assert!(
            some.contains("min. 1 more system takes time that cannot be told yet."),
            "{some}"
        );
        let none = shown(&plan(None, 2));
        assert!(
            none.contains("How long that takes cannot be told yet"),
            "{none}"
        );
        assert!(
            none.contains("time not known yet") && !none.contains("earlier measurements"),
            "{none}"
        );
    }

    #[test]
    fn the_rest_of_a_running_bench_is_told_only_where_it_is_known() {
        let left = |seconds, unknown| left(&BenchTime { seconds, unknown });
        assert_eq!(left(None, 3), "");
        assert_eq!(left(Some([60.0, 120.0]), 0), " · 1 min to 2 min left");
        assert_eq!(
            left(Some([60.0, 60.0]), 1),
            " · about 1 min left and 1 system of unknown pace"
        );
    }
}
