//! The frozen questions that the run learns from.

use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tf};
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
        &[("train", &part(dataset.train)), ("dev", &part(dataset.dev)), ("test", &part(dataset.test))],
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
        <p class="t-small">{t("training.policy")}</p>
    }
}
