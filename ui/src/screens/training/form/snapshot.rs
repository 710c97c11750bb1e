//! The frozen questions that the run learns from.

use crate::choices::policy_tag;
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use leptos::prelude::*;
use lexforge_domain::dataset::{Dataset, SplitCounts};

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
                ("n", &format::count(u64::from(c.clusters))),
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
    let taken = tf(
        "training.policy",
        &[("policy", &tag("policy", policy_tag(dataset.policy)))],
    );
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
        <p class="t-small">{taken}</p>
    }
}
