//! The decisions about a rule with their persons, oldest first. Decisions are never overwritten.

use super::words;
use crate::format;
use crate::i18n::{t, tf, tn};
use leptos::prelude::*;
use lexforge_domain::api::{MatchDecision, MatchedRule};

/// The history of a rule.
#[component]
pub fn History(rule: MatchedRule) -> impl IntoView {
    let held = (rule.held_back > 0).then(|| {
        view! { <p class="t-small t-mute" id="match-held">{tn("match.held_back", rule.held_back as u64)}</p> }
    });
    let none = rule.history.is_empty().then(|| {
        view! { <p class="t-small t-mute">{t("match.undecided")}</p> }
    });
    let rows = rule
        .history
        .into_iter()
        .map(|decision| view! { <One decision/> })
        .collect_view();
    view! {
        <section class="card m-history" id="match-history">
            <h2>{t("match.history")}</h2>
            {none}
            <ol>{rows}</ol>
            {held}
        </section>
    }
}

#[component]
fn One(decision: MatchDecision) -> impl IntoView {
    let what = match (decision.undecided, decision.accepted) {
        (true, _) => t("match.left_open"),
        (false, true) => tf(
            "match.did_accept",
            &[("verdict", &words::verdict(decision.verdict))],
        ),
        (false, false) => tf(
            "match.did_correct",
            &[("verdict", &words::verdict(decision.verdict))],
        ),
    };
    let relation = decision
        .relation
        .filter(|_| !decision.undecided)
        .map(|relation| format!(" · {}", words::relation(relation)));
    let linked = decision.policies.len() as u64;
    let linked = (linked > 0 && !decision.undecided)
        .then(|| format!(" · {}", tn("match.count_statements", linked)));
    let whose = [
        (!decision.owner.is_empty()).then(|| tf("match.owned_by", &[("owner", &decision.owner)])),
        decision
            .due
            .as_ref()
            .map(|due| tf("match.due", &[("due", due)])),
    ];
    let whose: Vec<String> = whose.into_iter().flatten().collect();
    view! {
        <li data-decision=decision.id.to_string()>
            <span><b class="wrap-anywhere">{decision.actor}</b>" "{what}{relation}{linked}</span>
            <span class="t-small t-mute" title=format::in_utc(&decision.made)>{format::minute(&decision.made)}</span>
            {(!decision.note.is_empty()).then(|| view! { <p class="m-note wrap-anywhere">{decision.note}</p> })}
            {(!whose.is_empty()).then(|| view! { <p class="t-small wrap-anywhere">{whose.join(" · ")}</p> })}
        </li>
    }
}
