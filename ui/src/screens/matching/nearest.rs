//! The statements that come nearest to a rule that nothing covers, and why each fails.

use super::texts::{Source, Words};
use super::words;
use crate::components::icon::{Icon, Sign};
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::{MatchCandidate, NearStatement};

/// A score at which the bar is full.
const FULL: f64 = 6.0;

/// The list.
#[component]
pub fn Nearest(
    /// The statements, the nearest first.
    nearest: Vec<NearStatement>,
    /// The candidates of the rule, which say what found each.
    candidates: Vec<MatchCandidate>,
) -> impl IntoView {
    let rows = nearest
        .into_iter()
        .map(|near| {
            let (reason, told) = words::why_not(&near.why_not);
            let (score, id) = (format!("{:.1}", near.score).replace('-', "−"), near.policy.id.to_string());
            let found_by = words::found_by(&candidates, near.policy.id);
            let part = format!("{:.0}%", (near.score / FULL).clamp(0.02, 1.0) * 100.0);
            view! {
                <div class="m-near" data-near=id>
                    <div class="near-score" aria-label=tf("match.score_of", &[("score", &score)])>
                        <span>{score.clone()}</span>
                        <span class="bar" aria-hidden="true" style=("--part", part)><i></i></span>
                    </div>
                    <div class="stack g-1">
                        <Words text=near.policy.clone() small=true/>
                        <span class="m-fail"><Sign icon=Icon::Close small=true/><span><b>{reason}</b>" "{told}</span></span>
                        <Source text=near.policy label=t("match.policy")/>
                        {found_by.map(|ways| view! { <span class="t-small t-mute" data-found-by="true" title=t("match.found_by_is")>{ways}</span> })}
                    </div>
                </div>
            }
        })
        .collect_view();
    view! {
        <div class="card" id="match-nearest">
            <h2 class="m-card-title">{t("match.nearest")}</h2>
            <p class="t-small t-mute m-card-note">{t("match.score_is")}</p>
            {rows}
        </div>
    }
}
