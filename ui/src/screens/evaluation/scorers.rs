//! A decoder's questions scored in several ways: whether the finding hangs on the way of asking.

use super::compared::{Compared, heads, reach};
use crate::format;
use crate::i18n::{t, tag, tn};
use leptos::prelude::*;
use lexforge_domain::metrics::{Comparison, Evaluation};

/// One row for each scorer, the primary one first. Nothing is shown for an encoder, which has only one.
#[component]
pub fn Scorers(
    /// The figures.
    evaluation: Evaluation,
) -> impl IntoView {
    let too_long =
        (evaluation.too_long > 0).then(|| tn("evaluation.too_long", evaluation.too_long as u64));
    if evaluation.scorers.is_empty() && too_long.is_none() {
        return ().into_any();
    }
    let rows = rows(&evaluation);
    let reach = reach(rows.iter().filter_map(|row| row.comparison.as_ref()));
    let lines = rows
        .into_iter()
        .map(|row| view! { <Line row reach/> })
        .collect_view();
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("evaluation.scorers")}</h2></div>
            <div class="table-wrap">
                <table class="table" id="scorers">
                    <thead>
                        <tr>
                            <th>{t("evaluation.scorer")}</th>
                            <th class="num">"n"</th>
                            {heads()}
                            <th class="num" title=t("evaluation.unparseable_tip")>{t("evaluation.unparseable")}</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
            <div class="card-body stack g-1">
                {too_long.map(|text| view! { <p class="t-small" id="too-long">{text}</p> })}
                <p class="t-small">{t("evaluation.scorers_text")}</p>
                <p class="t-small t-mute">{t("evaluation.unparseable_tip")}</p>
            </div>
        </article>
    }
    .into_any()
}

/// A scorer's line.
#[derive(Debug, PartialEq)]
struct Row {
    scorer: String,
    primary: bool,
    n: usize,
    comparison: Option<Comparison>,
    /// Answers that name no choice, before and after, where answers are written.
    unparseable: Option<(usize, usize)>,
}

fn rows(evaluation: &Evaluation) -> Vec<Row> {
    let primary = Row {
        scorer: evaluation.scorer.clone(),
        primary: true,
        n: evaluation.after.n,
        comparison: evaluation
            .comparisons
            .iter()
            .find(|c| c.measure == "accuracy")
            .cloned()
            // Corrected over the measures of one scorer, which the other rows are not.
            .map(|c| Comparison { p_holm: None, ..c }),
        unparseable: None,
    };
    let others = evaluation
        .scorers
        .iter()
        .filter(|row| row.scorer != evaluation.scorer)
        .map(|row| Row {
            scorer: row.scorer.clone(),
            primary: false,
            n: row.after.n,
            comparison: Some(row.comparison.clone()),
            unparseable: (row.scorer == "generation")
                .then_some((row.unparseable_before, row.unparseable_after)),
        });
    std::iter::once(primary).chain(others).collect()
}

#[component]
fn Line(row: Row, reach: f64) -> impl IntoView {
    let name = tag("scorer", &row.scorer);
    let mark = row
        .primary
        .then(|| view! { <span class="badge info">{t("evaluation.primary")}</span> });
    let unparseable = row.unparseable.map_or_else(
        || "–".to_owned(),
        |(before, after)| {
            format!(
                "{} → {}",
                format::count(before as u64),
                format::count(after as u64)
            )
        },
    );
    view! {
        <tr class:primary=row.primary>
            <td><span class="row wrap">{name} {mark}</span></td>
            <td class="num">{format::count(row.n as u64)}</td>
            <Compared comparison=row.comparison reach/>
            <td class="num">{unparseable}</td>
        </tr>
    }
}
