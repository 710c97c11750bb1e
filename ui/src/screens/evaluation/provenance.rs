//! Everything that the figures rest on, by hash.

use crate::format;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::EvaluationView;

/// Snapshot, hashes, and the report's file.
#[component]
pub fn Provenance(
    /// The evaluation.
    view: EvaluationView,
) -> impl IntoView {
    let hashes = view.hashes;
    let line = |name: String, hash: String| {
        view! {
            <dt>{name}</dt>
            <dd class="mono" title=hash.clone()>{format::short_hash(&hash)}</dd>
        }
    };
    let documents = hashes
        .documents
        .iter()
        .map(|(file, hash)| view! { <dt class="clip doc-hash" title=file.clone()>{file.clone()}</dt><dd class="mono" title=hash.clone()>{format::short_hash(hash)}</dd> })
        .collect_view();
    let number = view.dataset.id.to_string();
    let snapshot = if view.created.is_empty() {
        tf("training.snapshot", &[("n", &number)])
    } else {
        tf(
            "evaluation.snapshot",
            &[("n", &number), ("created", &format::minute(&view.created))],
        )
    };
    view! {
        <section class="part">
            <h2>{t("evaluation.rests_on")}</h2>
            <p class="t-small">{snapshot}</p>
            <dl class="kv t-small">
                {documents}
                {line(t("evaluation.hash_corpus"), hashes.corpus)}
                {line(t("evaluation.hash_dataset"), hashes.dataset)}
                {line(t("evaluation.hash_base"), hashes.base)}
                {line(t("evaluation.hash_adapter"), hashes.adapter)}
                {line(t("evaluation.hash_audit"), hashes.audit_head)}
            </dl>
        </section>
        <section class="part">
            <h2>{t("evaluation.report_file")}</h2>
            <p class="mono" id="report-path">{view.report}</p>
        </section>
    }
}
