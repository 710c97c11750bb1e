//! Figures that are watched beside the vectors, as they are now.

use crate::format;
use crate::i18n::{t, tf, tn};
use leptos::prelude::*;
use lexforge_domain::drift::DriftAround;

/// Term gap, refusals, unreviewed terms, age of the graph.
#[component]
pub fn Around(
    /// The figures.
    around: DriftAround,
) -> impl IntoView {
    let rows = rows(&around)
        .into_iter()
        .map(|(name, value, is)| {
            view! { <dt>{name}</dt><dd><span class="strong">{value}</span><small class="t-mute">{is}</small></dd> }
        })
        .collect_view();
    view! {
        <article class="card" id="drift-around">
            <div class="card-head"><h2>{t("drift.around")}</h2></div>
            <div class="card-body"><dl class="kv t-small">{rows}</dl></div>
        </article>
    }
}

/// Name, value, and what is to be known of it.
fn rows(around: &DriftAround) -> [(String, String, String); 4] {
    let share =
        |value: Option<f64>, shown: fn(f64) -> String| value.map_or_else(|| "–".to_owned(), shown);
    let against =
        |now: String, before: String| tf("drift.against", &[("now", &now), ("before", &before)]);
    let gap = against(
        share(around.term_gap, format::share),
        share(around.term_gap_before, format::share),
    );
    let whole = |value: f64| format!("{:.0} %", 100.0 * value);
    let refused = against(
        share(around.refused, whole),
        share(around.refused_before, whole),
    );
    let age = around.graph_age_days.map_or_else(
        || t("drift.no_graph"),
        |days| tn("drift.days", days.floor() as u64),
    );
    [
        (t("drift.term_gap"), gap, t("drift.term_gap_is")),
        (
            t("drift.refused"),
            refused,
            tn("drift.refused_is", around.questions.into()),
        ),
        (
            t("drift.unreviewed"),
            format::count(around.unreviewed_terms),
            t("drift.unreviewed_is"),
        ),
        (t("drift.graph_age"), age, t("drift.graph_age_is")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn what_is_not_known_is_a_dash() {
        speak(Lang::En);
        let nothing = rows(&DriftAround::default());
        assert!(nothing[0].1.contains('–') && nothing[1].1.contains('–'));
        let known = rows(&DriftAround {
            questions: 4,
            refused: Some(0.25),
            refused_before: Some(0.1),
            unreviewed_terms: 12,
            graph_age_days: Some(1.9),
            term_gap: Some(0.12),
            term_gap_before: None,
        });
        assert!(
            known[0].1.contains(".120") && known[1].1.contains("25 %"),
            "{known:?}"
        );
        assert!(known[3].1.starts_with('1'), "{known:?}");
    }
}
