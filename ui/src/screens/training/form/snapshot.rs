//! The frozen questions that the run learns from.

use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tag, tf, tn, tnf};
use leptos::prelude::*;
use lexforge_domain::dataset::{Dataset, ReviewPolicy, ReviewRecord, SplitCounts};

/// The snapshot, its parts and its leak check.
#[component]
pub fn Snapshot(
    /// The snapshot.
    dataset: Dataset,
) -> impl IntoView {
    let part = |c: SplitCounts| format::count(u64::from(c.sentence + c.token));
    let counts = tf(
        "training.parts",
        &[
            ("train", &part(dataset.train)),
            ("dev", &part(dataset.dev)),
            ("test", &part(dataset.test)),
        ],
    );
    let clusters = dataset.clusters.get("test").map(|c| {
        tf(
            "training.clusters",
            &[
                ("clusters", &tn("units.cluster", u64::from(c.clusters))),
                ("unit", &tag("unit", dataset.clusters_by().tag())),
                ("median", &c.median.to_string()),
                ("largest", &format::count(u64::from(c.largest))),
                ("name", &c.largest_name),
            ],
        )
    });
    let old = dataset
        .of_the_old_kind()
        .map(|_| t("training.old_clusters"));
    let set_aside = (dataset.set_aside > 0).then(|| tn("training.set_aside", dataset.set_aside));
    let shares = dataset
        .shares
        .map(|shares| tf("training.shares", &[("shares", &shares.to_string())]));
    let reviewed = reviewed(dataset.policy, &dataset.review)
        .into_iter()
        .map(|text| view! { <p class="t-small">{text}</p> })
        .collect_view();
    let flagged = dataset
        .flagged
        .then(|| view! { <Note tone=Tone::Warn>{t("training.flagged")}</Note> });
    let clean = dataset.leak_check.leaks.is_empty();
    view! {
        <div class="row wrap">
            <span class="mono" title=dataset.hash.clone()>{tf("training.snapshot", &[("n", &dataset.id.to_string())])} " · " {format::short_hash(&dataset.hash)}</span>
            {if clean {
                view! { <span class="badge ok push"><Sign icon=Icon::Check small=true/>{t("training.no_leaks")}</span> }.into_any()
            } else {
                view! { <span class="badge bad push"><Sign icon=Icon::Warning small=true/>{t("training.leaks")}</span> }.into_any()
            }}
        </div>
        <p class="t-small">{counts}</p>
        {shares.map(|text| view! { <p class="t-small">{text}</p> })}
        {clusters.map(|text| view! { <p class="t-small">{text}</p> })}
        {set_aside.map(|text| view! { <p class="t-small">{text}</p> })}
        {old.map(|text| view! { <p class="t-small">{text}</p> })}
        {reviewed}
        {flagged}
    }
}

/// Which questions the rule took, what it left out, and how far the reviewers agreed.
fn reviewed(policy: ReviewPolicy, review: &ReviewRecord) -> Vec<String> {
    let mut told = vec![tf(
        "training.policy",
        &[("policy", &tag("policy", policy.tag()))],
    )];
    if review.not_admitted > 0 {
        told.push(tn("training.not_admitted", review.not_admitted));
    }
    if review.terms_gone > 0 {
        told.push(tn("training.terms_gone", review.terms_gone));
    }
    match &review.agreement {
        Some(agreement) => told.push(tnf(
            "training.agreed",
            agreement.items,
            &[("level", &format::level(agreement.alpha))],
        )),
        // If no review was required, the text does not mention that the agreement is unknown.
        None if policy == ReviewPolicy::UnreviewedAutomatic => {}
        None => told.push(t("training.agreed_unknown")),
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};
    use lexforge_domain::agreement::{AgreementRow, Interval};

    #[test]
    fn the_review_of_a_snapshot_is_told() {
        speak(Lang::En);
        let none = ReviewRecord::default();
        assert_eq!(reviewed(ReviewPolicy::UnreviewedAutomatic, &none).len(), 1);
        let unknown = reviewed(ReviewPolicy::SingleReviewer, &none);
        assert_eq!(unknown.last(), Some(&t("training.agreed_unknown")));
        let at = |value| Interval {
            value: Some(value),
            low: Some(value - 0.1),
            high: Some(value + 0.1),
            undefined: None,
        };
        let full = ReviewRecord {
            not_admitted: 12,
            terms_gone: 1,
            agreement: Some(AgreementRow {
                class: None,
                items: 40,
                single: 3,
                reviewers: 2,
                percent: at(0.9),
                alpha: at(0.8),
                fleiss: at(0.8),
                gwet: at(0.8),
            }),
            ..ReviewRecord::default()
        };
        let told = reviewed(ReviewPolicy::TwoAgree, &full).join(" ");
        for part in [
            "12 questions were",
            "1 question was left out",
            ".80 [.70, .90]",
        ] {
            assert!(told.contains(part), "{told}");
        }
    }
}
