//! Proposals of others about a rule. They are taken over only by a person's decision.

use super::deeds::take_over;
use super::texts::{Source, Words};
use super::words;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{MatchProposal, MatchedRule};

/// The proposals for a rule; nothing where there are none.
#[component]
pub fn Proposed(rule: MatchedRule) -> impl IntoView {
    let proposals = rule.row.proposed;
    (!proposals.is_empty()).then(|| {
        let rows = proposals
            .into_iter()
            .map(|proposal| view! { <One proposal/> })
            .collect_view();
        view! {
            <section class="card m-then" id="match-proposed">
                <h2>{t("match.proposed")}</h2>
                {rows}
            </section>
        }
    })
}

#[component]
fn One(proposal: MatchProposal) -> impl IntoView {
    let app = use_app();
    let said = match (proposal.relation, proposal.said.as_str()) {
        (Some(relation), _) => words::relation(relation),
        (None, "") if proposal.policies.is_empty() => t("match.proposed_gap"),
        (None, said) => said.to_owned(),
    };
    // The file's own word, and which file it was.
    let tip = format!("{} · {}", proposal.said, proposal.from.sha256);
    let told = tf(
        "match.proposed_from",
        &[
            ("file", &proposal.from.file),
            ("named", &proposal.named),
            ("said", &said),
        ],
    );
    let statements = proposal
        .policies
        .iter()
        .map(|text| {
            let text = text.clone();
            view! { <Source text=text.clone() label=t("match.policy")/><Words text small=true/> }
        })
        .collect_view();
    // Another's word for a relation says nothing that can be taken over.
    let gap = proposal.said.is_empty() && proposal.policies.is_empty();
    let clear = proposal.relation.is_some() || gap;
    let id = proposal.id.to_string();
    let act = if proposal.gone {
        view! { <p class="t-small t-mute">{t("match.proposed_gone")}</p> }.into_any()
    } else if clear {
        let taken = proposal.clone();
        view! { <button class="btn sm" data-take=id on:click=move |_| take_over(app, &taken)>{t("match.take_over")}</button> }.into_any()
    } else {
        view! { <p class="t-small t-mute">{t("match.proposed_other")}</p> }.into_any()
    };
    view! {
        <div class="stack g-1">
            <p class="t-small wrap-anywhere" title=tip>{told}</p>
            {statements}
            <div class="row">{act}</div>
        </div>
    }
}
