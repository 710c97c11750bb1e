//! The gate's rule in plain words.

use super::written::plain;
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::gate::{GatePolicy, Margin};

/// A margin: `2.5 points`, or `.02` of a gap.
pub fn margin(m: &Margin) -> String {
    if m.measure.is_share() {
        points(m.margin)
    } else {
        plain(m.margin)
    }
}

fn points(share: f64) -> String {
    tf("gate.points", &[("n", &plain(share * 100.0))])
}

/// The rule, a sentence each.
pub fn sentences(policy: &GatePolicy) -> Vec<String> {
    let mut said: Vec<String> = policy
        .measures
        .iter()
        .map(|m| {
            let (measure, margin) = (tag("measure", m.measure.tag()), margin(m));
            tf(
                "rule.tolerated",
                &[("measure", &measure), ("margin", &margin)],
            )
        })
        .collect();
    let level = plain(policy.level * 100.0);
    said.push(tf("rule.level", &[("level", &level)]));
    said.push(tf(
        "rule.least",
        &[
            ("anchors", &format::count(policy.least_anchors.into())),
            ("questions", &format::count(policy.least_questions.into())),
        ],
    ));
    let shortcut = points(policy.shortcut);
    said.push(tf("rule.shortcut", &[("margin", &shortcut)]));
    if policy.leaks {
        said.push(t("rule.leaks"));
    }
    if policy.reviewed {
        said.push(t("rule.reviewed"));
    }
    if let Some(floor) = policy.general_floor {
        said.push(tf("rule.general", &[("margin", &plain(floor))]));
    }
    if let Some(floor) = policy.attack_floor {
        said.push(tf("rule.attack", &[("margin", &points(floor))]));
    }
    if policy.export_parity {
        said.push(t("rule.export"));
    }
    said
}

/// The rule as a list.
#[component]
pub fn Rule(policy: GatePolicy) -> impl IntoView {
    let each = sentences(&policy)
        .into_iter()
        .map(|said| view! { <li>{said}</li> })
        .collect_view();
    view! { <ul class="stack limits t-small">{each}</ul> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn each_part_of_a_rule_is_said_and_no_other() {
        let usual = GatePolicy::default();
        let more = GatePolicy {
            general_floor: Some(0.02),
            attack_floor: Some(0.05),
            export_parity: true,
            ..usual.clone()
        };
        let less = GatePolicy {
            leaks: false,
            reviewed: false,
            ..usual.clone()
        };
        for (lang, margin) in [(Lang::En, "2 points"), (Lang::Zh, "2 个百分点")] {
            speak(lang);
            for (rule, parts) in [(&usual, 7), (&more, 10), (&less, 5)] {
                let said = sentences(rule);
                assert_eq!(said.len(), parts, "{said:?}");
                assert!(said[0].contains(margin), "{said:?}");
                assert!(said[1].contains(".02"), "{said:?}");
                assert!(!said.concat().contains('{'), "{said:?}");
            }
        }
        speak(Lang::En);
    }
}
