//! What test questions can show, in words.

use crate::format;
use crate::i18n::{t, tf, tn};
use lexforge_domain::statistics::{Power, Reach};

/// What can be shown, then how many more clusters would show fewer points, a sentence each.
pub fn shown_and_more(shown: String, power: &Power) -> String {
    let more = power.more_clusters.iter().filter(|(_, more)| **more > 0);
    let more = more.map(|(points, more)| {
        let more = format::count(*more);
        match points.as_str() {
            "1" => tf("systems.power_more_one", &[("more", &more)]),
            _ => tf("systems.power_more", &[("points", points), ("more", &more)]),
        }
    });
    let sentences: Vec<String> = std::iter::once(shown).chain(more).collect();
    format::sentences(&sentences)
}

/// The differences that a snapshot can show of a run that is not trained yet, and what that assumes.
pub fn before_a_run(power: &Power) -> String {
    let text = match power.reach() {
        Reach::Nothing => tf(
            "training.power_nothing",
            &[
                ("n", &format::count(power.n as u64)),
                ("clusters", &tn("units.cluster", power.clusters as u64)),
            ],
        ),
        Reach::Hints | Reach::Decides => differences(power),
    };
    let hint = (power.reach() == Reach::Hints).then(|| t("training.power_hint"));
    let told = [
        Some(shown_and_more(text, power)),
        hint,
        Some(assumed(power)),
    ];
    format::sentences(&told.into_iter().flatten().collect::<Vec<_>>())
}

/// How differently two models are taken to answer, and where that is from.
fn assumed(power: &Power) -> String {
    let share = format!("{:.1}", 100.0 * power.discordant);
    match power.taken_from {
        Some(run) => tf(
            "training.power_like",
            &[("share", &share), ("run", &run.to_string())],
        ),
        None => tf("training.power_usual", &[("share", &share)]),
    }
}

fn differences(power: &Power) -> String {
    tf(
        "training.power",
        &[
            ("n", &format::count(power.n as u64)),
            ("clusters", &tn("units.cluster", power.clusters as u64)),
            (
                "points",
                &format!("{:.1}", 100.0 * power.smallest_difference),
            ),
            ("times", &format!("{:.0}", 100.0 * power.power)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};
    use lexforge_domain::RunId;

    #[test]
    fn what_a_run_can_show_is_told_before_it_is_trained() {
        speak(Lang::En);
        let more = [("1", 840), ("3", 0)];
        let power = Power {
            power: 0.8,
            n: 135,
            clusters: 17,
            discordant: 0.1,
            smallest_difference: 0.127,
            more_clusters: more.map(|(points, n)| (points.to_owned(), n)).into(),
            ..Power::default()
        };
        assert_eq!(
            before_a_run(&power),
            "Its 135 test questions in 17 clusters will show a difference of 12.7 points or more in 80 of 100 cases; a \
             smaller one mostly stays undecided. 840 more clusters would show 1 point. This assumes that of 100 questions \
             two models answer 10.0 differently, one rightly and one wrongly, which is usual; no report of this workspace \
             says how many."
        );
        let like = Power {
            taken_from: Some(RunId(3)),
            measured: true,
            ..power.clone()
        };
        assert!(before_a_run(&like).ends_with("as in the report of run 3."));
        let at = |clusters| {
            before_a_run(&Power {
                clusters,
                ..power.clone()
            })
        };
        assert!(at(8).contains("for a hint"));
        assert!(at(5).contains("can decide nothing") && !at(5).contains("12.7"));
    }
}
