//! The scores that are possible without understanding the question.

use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::metrics::{EXPLAINED_BY, Evaluation, ShortcutRow, SpaceAudit};

/// The shortcut controls, and how the space of vectors changed.
#[component]
pub fn Shortcuts(
    /// The figures.
    evaluation: Evaluation,
) -> impl IntoView {
    let (before, after) = (evaluation.space_before, evaluation.space_after);
    let questions = evaluation.after.n;
    // Without rows, the head is left out.
    let some = !evaluation.shortcuts.is_empty();
    let measured = after.n > 0;
    view! {
        {some.then(|| view! { <Controls rows=evaluation.shortcuts/> })}
        {measured.then(|| view! { <Space before after questions/> })}
    }
}

/// The controls that score without the question.
#[component]
fn Controls(rows: Vec<ShortcutRow>) -> impl IntoView {
    let rows = rows
        .into_iter()
        .map(|row| {
            let mark = if row.flagged {
                view! { <span class="badge warn"><Sign icon=Icon::Warning small=true/>{t("evaluation.flagged")}</span> }
                    .into_any()
            } else {
                view! { <span class="badge">{t("evaluation.near_chance")}</span> }.into_any()
            };
            view! {
                <tr>
                    <td>{tag("shortcut", &row.name)}</td>
                    <td class="num">{format::count(row.n as u64)}</td>
                    <td class="num strong">{format::share(row.accuracy)}</td>
                    <td class="num">{format::share(row.chance)}</td>
                    <td>{mark}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("evaluation.shortcuts")}</h2></div>
            <div class="table-wrap">
                <table class="table" id="shortcuts">
                    <thead>
                        <tr>
                            <th>{t("evaluation.control")}</th>
                            <th class="num">"n"</th>
                            <th class="num">{t("measure.accuracy")}</th>
                            <th class="num">{t("evaluation.chance")}</th>
                            <th>{t("evaluation.meaning")}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="card-body t-small">{t("evaluation.shortcuts_text")}</p>
        </article>
    }
}

/// How the space of vectors changed.
#[component]
fn Space(
    before: SpaceAudit,
    after: SpaceAudit,
    /// Questions whose vectors were looked at.
    questions: usize,
) -> impl IntoView {
    let rows = measures(&before, &after, questions);
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("evaluation.space")}</h2></div>
            <div class="table-wrap">
                <table class="table">
                    <thead>
                        <tr>
                            <th>{t("evaluation.measure")}</th>
                            <th class="num">"n"</th>
                            <th class="num">{t("evaluation.base")}</th>
                            <th class="num">{t("evaluation.tuned")}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </article>
    }
}

/// In how many principal directions the variance is shown here; the report has all of [`EXPLAINED_BY`].
const DIRECTIONS: [usize; 3] = [1, 8, 64];

/// The rows of the measures. Shares of the variance, uniformity and alignment are missing if the evaluation was made by
/// an earlier version.
fn measures(before: &SpaceAudit, after: &SpaceAudit, questions: usize) -> impl IntoView + use<> {
    let whole = |name: String, of: fn(&SpaceAudit) -> f64| {
        (name, after.n, Some(of(before)), Some(of(after)))
    };
    let shares = EXPLAINED_BY
        .into_iter()
        .enumerate()
        .filter(|(_, n)| DIRECTIONS.contains(n))
        .map(|(at, n)| {
            let of = |space: &SpaceAudit| space.explained.map(|shares| shares[at]);
            let name = tf("evaluation.explained", &[("n", &format::count(n as u64))]);
            (name, after.n, of(before), of(after))
        });
    let compared = after.uniformity_of.unwrap_or(after.n);
    let rows: Vec<_> = [
        whole(t("evaluation.mean_cosine"), |space| {
            space.mean_pairwise_cosine
        }),
        whole(t("evaluation.isoscore"), |space| space.isoscore),
    ]
    .into_iter()
    .chain(shares)
    .chain([
        (
            t("evaluation.uniformity"),
            compared,
            before.uniformity,
            after.uniformity,
        ),
        (
            t("evaluation.alignment"),
            questions,
            before.alignment,
            after.alignment,
        ),
    ])
    .filter(|(_, _, before, after)| before.is_some() || after.is_some())
    .collect();
    let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), format::share);
    rows.into_iter()
        .map(|(name, n, before, after)| {
            view! {
                <tr>
                    <td>{name}</td>
                    <td class="num">{format::count(n as u64)}</td>
                    <td class="num">{shown(before)}</td>
                    <td class="num strong">{shown(after)}</td>
                </tr>
            }
        })
        .collect_view()
}
