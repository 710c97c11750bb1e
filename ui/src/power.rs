//! What test questions can show, in words.

use crate::format;
use crate::i18n::{tf, tn};
use lexforge_domain::statistics::Power;

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

/// The differences that a snapshot can show of a run that is not trained yet.
pub fn before_a_run(power: &Power) -> String {
    let text = tf(
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
    );
    shown_and_more(text, power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn what_a_run_can_show_is_told_before_it_is_trained() {
        speak(Lang::En);
        let more = [("1", 840), ("3", 0)];
        let power = Power {
            power: 0.8,
            n: 135,
            clusters: 17,
            smallest_difference: 0.127,
            more_clusters: more.map(|(points, n)| (points.to_owned(), n)).into(),
            ..Power::default()
        };
        assert_eq!(
            before_a_run(&power),
            "Its 135 test questions in 17 clusters will show a difference of 12.7 points or more in 80 of 100 cases. \
             840 more clusters would show 1 point."
        );
    }
}
