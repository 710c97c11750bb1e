//! What test questions will be able to show, as a person reads it before a run.

use crate::output::{count, counted};
use lexforge_domain::statistics::{Power, Reach};

/// The sentences, each on a line of its own behind two blanks.
pub fn before_a_run(power: &Power) -> String {
    let questions = format!(
        "{} in {}",
        counted(power.n as u64, "test question"),
        counted(power.clusters as u64, "cluster")
    );
    let mut lines = Vec::new();
    if power.reach() == Reach::Nothing {
        lines.push(format!(
            "{questions} can decide nothing: however much better a model is, its report will stay undecided"
        ));
    } else {
        lines.push(format!(
            "{questions} will show a difference of {:.1} points or more in {:.0} of 100 cases; a smaller one mostly stays undecided",
            100.0 * power.smallest_difference,
            100.0 * power.power
        ));
    }
    if power.reach() == Reach::Hints {
        lines.push(
            "with so few clusters, take what a report says for a hint: import more documents before you decide"
                .to_owned(),
        );
    }
    let more = power.more_clusters.iter().filter(|(_, more)| **more > 0);
    let more: Vec<String> = more
        .map(|(points, more)| {
            let word = if points == "1" { "point" } else { "points" };
            format!("{points} {word}: {}", count(*more))
        })
        .collect();
    if !more.is_empty() {
        lines.push(format!("more clusters that would show {}", more.join(", ")));
    }
    let assumed = format!(
        "assumed: two models are not both right or both wrong on {:.1} of 100 questions",
        100.0 * power.discordant
    );
    lines.push(match (power.taken_from, power.measured) {
        (Some(run), _) => format!("{assumed}, as in the report of run {run}"),
        (None, true) => format!("{assumed}, as was measured"),
        (None, false) => {
            format!("{assumed}, which is usual; no report of this workspace says how many")
        }
    });
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::RunId;

    fn power(clusters: usize, taken_from: Option<RunId>) -> Power {
        Power {
            power: 0.8,
            n: 135,
            clusters,
            discordant: 0.1,
            measured: taken_from.is_some(),
            taken_from,
            smallest_difference: 0.127,
            more_clusters: [("1", 2_840), ("2", 700), ("3", 0)]
                .map(|(points, n)| (points.to_owned(), n))
                .into(),
            ..Power::default()
        }
    }

    #[test]
    fn what_questions_can_show_is_told_with_what_it_assumes() {
        let told = before_a_run(&power(17, None));
        for part in [
            "135 test questions in 17 clusters will show a difference of 12.7 points or more in 80 of 100 cases",
            "more clusters that would show 1 point: 2,840, 2 points: 700\n",
            "on 10.0 of 100 questions, which is usual",
        ] {
            assert!(told.contains(part), "{told}");
        }
        assert!(before_a_run(&power(17, Some(RunId(3)))).contains("the report of run 3"));
        assert!(before_a_run(&power(8, None)).contains("for a hint"));
        let nothing = before_a_run(&power(5, None));
        assert!(nothing.contains("can decide nothing") && !nothing.contains("12.7"));
    }
}
