//! What a teacher says of a few clauses, shown before a training learns it.

use super::next::Next;
use crate::format;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::MarginSample;

/// The samples of the plan; nothing where it has none.
#[component]
pub fn Samples() -> impl IntoView {
    let next = expect_context::<Next>();
    let samples = Memo::new(move |_| {
        next.plan.value.with(|plan| {
            let plan = plan.as_ref().filter(|plan| next.suits(plan));
            let samples = plan.map(|plan| plan.samples.clone());
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
    // A clause speaks in the regulator's own type.
    let said = |who: String, text: String| {
        view! { <p class="t-small"><span class="t-mute">{who}</span>" "<span class="law cell">{text}</span></p> }
    };
    let margin = format::change(sample.margin);
    view! {
        <li>
            <div>
                <b>{sample.question}</b>
                <p class="t-small">{tf("training.margin", &[("n", &margin)])}</p>
                {said(t("training.sample_own"), sample.positive)}
                {said(t("training.sample_other"), sample.negative)}
            </div>
        </li>
    }
}
