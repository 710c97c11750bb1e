//! One rule: its words beside those of its statement, the differences, the relation, the reason, and the history.

use super::by_method::ByMethod;
use super::deeds::{refresh, relate};
use super::differences::{Differences, of_policy, of_rule};
use super::history::History;
use super::list::Severe;
use super::nearest::Nearest;
use super::place::STALE;
use super::proposed::Proposed;
use super::texts::{Source, Words};
use super::words;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::Sign;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tf, tn, tnf};
use crate::state::use_app;
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::{MatchDifference, MatchRelation, MatchVerdict, MatchedRule};

/// The rule that is shown.
#[component]
pub fn Detail() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    // What was read last stays until the next rule is there.
    let rule = Memo::new(move |_| place.detail.value.get());
    // The next rule is read from its beginning, wherever the one before was left.
    let sheet = NodeRef::<Div>::new();
    let shown = Memo::new(move |_| rule.with(|rule| rule.as_ref().map(|r| r.row.rule.id)));
    Effect::new(move |_| {
        if shown.get().is_some()
            && let Some(sheet) = sheet.get_untracked()
        {
            sheet.set_scroll_top(0);
        }
    });
    let at = move || {
        let (at, count) = place.at()?;
        Some(tf(
            "match.rule_of",
            &[
                ("n", &format::count(at as u64 + 1)),
                ("of", &format::count(count as u64)),
            ],
        ))
    };
    view! {
        <div class="scroll" id="match-detail" tabindex="0" aria-label=t("match.rule") node_ref=sheet>
            <div class="m-sheet">
                {move || place.detail.failure.get().map(|failure| view! {
                    <ErrorPanel failure>
                        <button class="btn sm" on:click=move |_| refresh(app)>{t("action.again")}</button>
                    </ErrorPanel>
                })}
                {move || rule.get().map(|rule| view! {
                    <div class="row wrap m-verdict">
                        <Verdict rule=rule.clone()/>
                        <span class="push t-small t-mute nowrap">{at}</span>
                    </div>
                    <Shown rule/>
                })}
            </div>
        </div>
    }
}

#[component]
fn Verdict(rule: MatchedRule) -> impl IntoView {
    let app = use_app();
    let found = (rule.verdict != rule.row.verdict).then(|| {
        tf(
            "match.found_was",
            &[("verdict", &words::verdict(rule.row.verdict))],
        )
    });
    let (rests, means) = rests_on(&rule);
    let probability = tf(
        "match.probability",
        &[("p", &format::short_share(rule.row.probability))],
    );
    // Three kinds of scores for words; vectors are the fourth.
    let kinds = app.matching.overview.value.with_untracked(|o| {
        let overview = o.as_ref().and_then(Option::as_ref);
        if overview.is_some_and(|o| o.encoder.is_some()) {
            4
        } else {
            3
        }
    });
    let votes = rule.row.policies.iter().find(|p| p.covers).map(|p| {
        let (n, of) = (p.votes.to_string(), kinds.to_string());
        tf("match.votes", &[("n", &n), ("of", &of)])
    });
    view! {
        <span class=words::badge(rule.verdict) id="match-verdict" data-verdict=rule.verdict.tag()>
            <Sign icon=words::sign(rule.verdict) small=true/>{words::verdict(rule.verdict)}
        </span>
        <Severe severity=rule.severity/>
        <span class="t-small" id="match-probability" title=means>{probability}{votes.map(|v| format!(" · {v}"))}</span>
        <span class="t-small t-mute" id="match-rests">{rests}</span>
        {found.map(|text| view! { <span class="t-small t-mute">{text}</span> })}
    }
}

/// What the probability of a rule rests on, and what it means then.
fn rests_on(rule: &MatchedRule) -> (String, String) {
    let Some(learned) = rule.row.learned else {
        return (t("match.rests_plain"), t("match.probability_is"));
    };
    let n = learned.decisions as u64;
    let rests = if learned.pooled {
        tnf(
            "match.rests_pooled",
            n,
            &[
                ("all", &format::count(learned.of_all as u64)),
                ("needed", &learned.needed.to_string()),
            ],
        )
    } else {
        tn("match.rests_own", n)
    };
    (rests, t("match.probability_learned"))
}

#[component]
fn Shown(rule: MatchedRule) -> impl IntoView {
    let paired = rule.verdict != MatchVerdict::NotCovered && !rule.policies.is_empty();
    let stale = (rule.row.status == STALE).then(|| view! { <OpenAgain rule=rule.clone()/> });
    let body = if paired {
        view! { <Pair rule=rule.clone()/> }.into_any()
    } else {
        let nearest = rule.row.nearest.clone();
        let candidates = rule.row.policies.clone();
        let nearest = (!nearest.is_empty()).then(|| view! { <Nearest nearest candidates/> });
        view! {
            <div class="card m-alone">
                <span class="m-label">{t("match.rule")}</span>
                <Source text=rule.row.rule.clone() label=t("match.rule")/>
                <Words text=rule.row.rule.clone()/>
            </div>
            {nearest}
            <Note tone=Tone::Info><b>{t("match.know_better")}</b>{t("list.sentence")}{t("match.know_better_text")}</Note>
        }
        .into_any()
    };
    view! {
        {stale}
        {body}
        <Proposed rule=rule.clone()/>
        <ByMethod found=rule.by_method.clone()/>
        <History rule/>
    }
}

/// The differences between a rule and its first statement. The matching compared the rule only with the statement that
/// covers it. `None` if this is not the statement that is first now.
fn differences(rule: &MatchedRule) -> Option<Vec<MatchDifference>> {
    let covering = rule.row.policies.iter().find(|p| p.covers)?;
    let first = rule.policies.first()?;
    (first.id == covering.statement.id).then(|| rule.row.differences.clone())
}

/// Rule and statements side by side, with what differs between the rule and its first statement.
#[component]
fn Pair(rule: MatchedRule) -> impl IntoView {
    let found = differences(&rule);
    let compared = found.is_some();
    let differences = found.unwrap_or_default();
    let (in_rule, in_policy) = (of_rule(&differences), of_policy(&differences));
    let statements = rule
        .policies
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let differing = if at == 0 {
                in_policy.clone()
            } else {
                Vec::new()
            };
            let found_by = words::found_by(&rule.row.policies, text.id);
            view! {
                <Source text=text.clone() label=t("match.policy")/>
                <Words text=text.clone() differing/>
                {found_by.map(|ways| view! { <span class="t-small t-mute" data-found-by="true" title=t("match.found_by_is")>{ways}</span> })}
            }
        })
        .collect_view();
    let verdict = rule.verdict;
    let why = (verdict == rule.row.verdict).then(|| {
        view! {
            <Note tone=Tone::Info><b>{tf("match.why", &[("verdict", &words::verdict(verdict))])}</b>{t("list.sentence")}{words::why(verdict)}</Note>
        }
    });
    view! {
        <div class="card">
            <div class="m-pair">
                <div>
                    <span class="m-label">{t("match.rule")}</span>
                    <Source text=rule.row.rule.clone() label=t("match.rule")/>
                    <Words text=rule.row.rule.clone() differing=in_rule/>
                </div>
                <div>
                    <span class="m-label">{t("match.policy_statement")}</span>
                    {statements}
                </div>
            </div>
            {if compared {
                view! { <Differences differences/> }.into_any()
            } else {
                view! { <p class="pad t-small t-mute">{t("match.not_compared")}</p> }.into_any()
            }}
            <Relations chosen=rule.relation/>
        </div>
        {why}
    }
}

/// The relations to choose from, and what the chosen one means.
#[component]
fn Relations(chosen: Option<MatchRelation>) -> impl IntoView {
    let app = use_app();
    let relations = MatchRelation::ALL
        .into_iter()
        .map(|relation| {
            view! {
                <button
                    data-relation=relation.tag()
                    aria-pressed=(chosen == Some(relation)).to_string()
                    title=words::relation_means(relation)
                    on:click=move |_| if chosen != Some(relation) { relate(app, relation) }
                >
                    {words::relation(relation)}
                </button>
            }
        })
        .collect_view();
    view! {
        <div class="m-relation">
            <div class="seg" role="group" aria-label=t("match.relation")>{relations}</div>
            <p class="t-small">{chosen.map(words::relation_means)}</p>
        </div>
    }
}

/// What was decided before a text changed, as it read then.
#[component]
fn OpenAgain(rule: MatchedRule) -> impl IntoView {
    let changed = rule.rule_changed;
    rule.row.decision.map(|before| {
        let text = if changed { t("match.rule_changed") } else { t("match.policy_changed") };
        let verdict = tf(
            "match.decided_then",
            &[
                ("actor", &before.actor),
                ("verdict", &words::verdict(before.verdict)),
                ("when", &format::minute(&before.made)),
            ],
        );
        let then = if changed { vec![before.rule] } else { before.policies };
        let then = then
            .into_iter()
            .map(|text| view! { <Source text=text.clone() label=t("match.read_then")/><Words text small=true/> })
            .collect_view();
        view! {
            <div class="card m-then" id="match-open-again">
                <h2>{t("match.open_again")}</h2>
                <p class="t-small">{format::sentences(&[text, verdict])}</p>
                <span class="m-label">{t("match.read_then")}</span>
                {then}
            </div>
        }
    })
}
