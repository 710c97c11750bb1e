//! The result of the figures in a sentence, and the limits of what they show.

use crate::components::icon::{Icon, Sign};
use crate::components::whisker::{Verdict, verdict};
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::said::Told;
use leptos::prelude::*;
use lexforge_domain::metrics::Evaluation;

/// The verdict on the accuracy, then the limits.
#[component]
pub fn VerdictPanel(
    /// The figures.
    evaluation: Evaluation,
) -> impl IntoView {
    let accuracy = evaluation
        .comparisons
        .iter()
        .find(|c| c.measure == "accuracy");
    let panel = accuracy.map(|c| {
        let values = [
            ("change", format::change(c.difference.value)),
            (
                "interval",
                format::change_interval(c.difference.low, c.difference.high),
            ),
            (
                "questions",
                tn("count.test_questions", evaluation.after.n as u64),
            ),
        ];
        let values: Vec<(&str, &str)> = values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let (class, icon, head, text) = match verdict(c.difference) {
            Verdict::Better => (
                "verdict good",
                Icon::Check,
                t("evaluation.better"),
                tf("evaluation.better_text", &values),
            ),
            Verdict::Worse => (
                "verdict poor",
                Icon::Warning,
                t("evaluation.worse"),
                tf("evaluation.worse_text", &values),
            ),
            Verdict::Open => (
                "verdict",
                Icon::Info,
                t("evaluation.open"),
                tf("evaluation.open_text", &values),
            ),
        };
        view! {
            <section class=class id="verdict">
                <div class="row"><Sign icon/><h2 class="t-role">{head}</h2></div>
                <p>{text}</p>
            </section>
        }
    });
    let limits = evaluation.limits.clone();
    view! {
        {panel}
        <section class="part">
            <h2>{t("evaluation.limits")}</h2>
            <ul class="stack limits">{limits.into_iter().map(|text| view! { <li><Told text/></li> }).collect_view()}</ul>
        </section>
    }
}
