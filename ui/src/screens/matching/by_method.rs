//! The statements that each single method finds for a rule, side by side.

use super::texts::{Source, Words};
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::api::{MatchFound, MatchText};

/// Statements shown of each method.
const SHOWN: usize = 3;

/// Shows for each method the statements that it ranked first. They are folded until a user opens them. If the matching
/// did not store them, nothing is shown.
#[component]
pub fn ByMethod(
    /// What each finds.
    found: Vec<MatchFound<MatchText>>,
) -> impl IntoView {
    (!found.is_empty()).then(|| {
        let methods = found
            .into_iter()
            .map(|one| {
                let statements = one
                    .statements
                    .into_iter()
                    .take(SHOWN)
                    .map(|text| view! { <Source text=text.clone() label=t("match.policy")/><Words text small=true/> })
                    .collect_view();
                view! {
                    <div class="stack g-1" data-method=one.method.clone()>
                        <span class="m-label">{name(&one.method)}</span>
                        {statements}
                    </div>
                }
            })
            .collect_view();
        view! {
            <details class="card m-then" id="match-by-method">
                <summary><b>{t("match.by_method")}</b></summary>
                <p class="t-small t-mute">{t("match.by_method_is")}</p>
                {methods}
            </details>
        }
    })
}

/// The name of a method. A method of a newer version is shown by its own word.
fn name(method: &str) -> String {
    match method {
        "bm25" => t("match.method_bm25"),
        "tfidf" => t("match.method_tfidf"),
        "grams" => t("match.method_grams"),
        "vectors" => t("match.method_vectors"),
        "graph" => t("match.method_graph"),
        "terms" => t("match.method_terms"),
        "combined" => t("match.method_combined"),
        other => other.to_owned(),
    }
}
