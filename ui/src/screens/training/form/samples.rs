//! What a teacher says of a few clauses, shown before a training learns it.

use super::next::Next;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::MarginSample;

/// The samples of the plan; nothing where it has none.
#[component]
pub fn Samples() -> impl IntoView {
    let next = expect_context::<Next>();
    let samples = Memo::new(move |_| {
        next.plan.value.with(|plan| {
            let samples = plan.as_ref().map(|plan| plan.samples.clone());
            samples.unwrap_or_default()
        })
    });
    move || {
        let samples = samples.get();
        (!samples.is_empty()).then(|| {
            let lines = samples.into_iter().map(|sample| view! { <Sample sample/> });
            view! {
                <section class="part">
                    <h2>{t("training.samples")}</h2>
                    <p class="t-small">{t("training.samples_mean")}</p>
                    <ul class="stage-list" id="margin-samples">{lines.collect_view()}</ul>
                </section>
            }
        })
    }
}

#[component]
fn Sample(sample: MarginSample) -> impl IntoView {
    let margin = format!("{:+.2}", sample.margin);
    view! {
        <li>
            <div>
                <b>{sample.question}</b>
                <p class="t-small">{tf("training.margin", &[("n", &margin)])}</p>
                <p class="t-small">{tf("training.sample_own", &[("text", &sample.positive)])}</p>
                <p class="t-small">{tf("training.sample_other", &[("text", &sample.negative)])}</p>
            </div>
        </li>
    }
}
