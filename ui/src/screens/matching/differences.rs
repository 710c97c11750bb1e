//! The differences between a rule and its statement, numbered as in the texts. Each says how the policy differs from
//! the rule.

use super::words;
use crate::components::icon::Sign;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::api::{DifferenceKind, MatchDifference};

/// Between words that the policy leaves out.
const COMMA: &str = ", ";

/// The words of the rule that differ, each with the number of its difference.
pub fn of_rule(differences: &[MatchDifference]) -> Vec<(usize, String)> {
    let numbered = (1..).zip(differences);
    let words = numbered.flat_map(|(n, d)| {
        let words: Vec<String> = if d.kind == DifferenceKind::Silent {
            d.rule.split(COMMA).map(str::to_owned).collect()
        } else {
            vec![d.rule.clone()]
        };
        words.into_iter().map(move |word| (n, word))
    });
    words.filter(|(_, word)| !word.is_empty()).collect()
}

/// The words of the policy that differ.
pub fn of_policy(differences: &[MatchDifference]) -> Vec<(usize, String)> {
    let numbered = (1..).zip(differences);
    numbered
        .filter(|(_, d)| !d.policy.is_empty())
        .map(|(n, d)| (n, d.policy.clone()))
        .collect()
}

/// The table.
#[component]
pub fn Differences(
    /// What differs.
    differences: Vec<MatchDifference>,
) -> impl IntoView {
    if differences.is_empty() {
        return view! { <p class="pad t-small t-mute">{t("match.nothing_differs")}</p> }.into_any();
    }
    let rows = (1..)
        .zip(differences)
        .map(|(n, difference): (usize, _)| {
            let (class, icon) = words::side_badge(difference.side);
            let said = |text: String| if text.is_empty() { "–".to_owned() } else { text };
            view! {
                <tr data-side=format!("{:?}", difference.side).to_lowercase()>
                    <td><span class="m-number">{n.to_string()}</span></td>
                    <td>{words::kind(difference.kind)}</td>
                    <td class="law cell">{said(difference.rule)}</td>
                    <td class="law cell">{said(difference.policy)}</td>
                    <td class="num"><span class=class><Sign icon small=true/>{words::side(difference.side)}</span></td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <table class="table m-diff" id="match-differences">
            <thead><tr>
                <th><span class="sr">{t("match.number_of")}</span></th>
                <th>{t("match.what_differs")}</th>
                <th>{t("match.rule")}</th>
                <th>{t("match.policy")}</th>
                <th class="num">{t("match.policy_is")}</th>
            </tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::DifferenceSide;

    #[test]
    fn words_that_are_left_out_are_marked_one_by_one() {
        let difference = |kind, rule: &str, policy: &str| MatchDifference {
            kind,
            rule: rule.to_owned(),
            policy: policy.to_owned(),
            side: DifferenceSide::Silent,
        };
        let all = [
            difference(DifferenceKind::Force, "shall", "may"),
            difference(DifferenceKind::Silent, "board, yearly", ""),
        ];
        let rule = of_rule(&all);
        let want = [(1, "shall"), (2, "board"), (2, "yearly")];
        assert_eq!(rule, want.map(|(n, word)| (n, word.to_owned())));
        assert_eq!(of_policy(&all), [(1, "may".to_owned())]);
    }
}
