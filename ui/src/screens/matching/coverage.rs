//! How many rules have each verdict, as a bar: solid, hatched, solid in red, hollow.

use super::words;
use crate::format;
use leptos::prelude::*;
use lexforge_domain::api::MatchVerdict;

/// The verdicts from covered on, as the bar shows them.
const ORDER: [MatchVerdict; 4] = [
    MatchVerdict::Covered,
    MatchVerdict::Partly,
    MatchVerdict::Contradicted,
    MatchVerdict::NotCovered,
];

/// How many of each, in the order of [`MatchVerdict::ALL`].
pub type Counts = [u64; 4];

/// How many of these have each verdict.
pub fn counted(verdicts: impl Iterator<Item = MatchVerdict>) -> Counts {
    let mut counts = [0; 4];
    for verdict in verdicts {
        counts[place(verdict)] += 1;
    }
    counts
}

/// The place of a verdict among all.
pub fn place(verdict: MatchVerdict) -> usize {
    MatchVerdict::ALL
        .iter()
        .position(|v| *v == verdict)
        .unwrap_or_default()
}

/// The fill of a verdict, in bars and legends.
pub fn fill(verdict: MatchVerdict) -> &'static str {
    match verdict {
        MatchVerdict::Covered => "v-cov",
        MatchVerdict::Partly => "v-part",
        MatchVerdict::Contradicted => "v-con",
        MatchVerdict::NotCovered => "v-non",
    }
}

/// The counts in words, for those who do not see the bar.
pub fn told(counts: Counts) -> String {
    let parts: Vec<String> = ORDER
        .into_iter()
        .filter(|v| counts[place(*v)] > 0)
        .map(|v| format!("{} {}", words::verdict(v), format::count(counts[place(v)])))
        .collect();
    format::list(&parts)
}

/// The bar.
#[component]
pub fn Coverage(
    /// How many of each verdict.
    counts: Counts,
) -> impl IntoView {
    let all = counts.iter().sum::<u64>().max(1);
    let parts = ORDER
        .into_iter()
        .filter(|v| counts[place(*v)] > 0)
        .map(|v| {
            let part = format!("{:.2}%", counts[place(v)] as f64 / all as f64 * 100.0);
            view! { <i class=fill(v) style=("--part", part)></i> }
        })
        .collect_view();
    view! { <span class="cov" role="img" aria-label=told(counts)>{parts}</span> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_counted_by_verdict() {
        let verdicts = [
            MatchVerdict::Covered,
            MatchVerdict::NotCovered,
            MatchVerdict::Covered,
        ];
        assert_eq!(counted(verdicts.into_iter()), [0, 1, 0, 2]);
        crate::i18n::speak(crate::i18n::Lang::En);
        assert_eq!(told([0, 1, 0, 2]), "Covered 2, Not covered 1");
    }
}
