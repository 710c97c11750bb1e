//! Accuracy by level and by type of question.

use crate::format;
use crate::i18n::{t, tag};
use leptos::prelude::*;
use lexforge_domain::metrics::{Evaluation, GroupMetrics};

const WIDTH: f64 = 140.0;
const HEIGHT: f64 = 24.0;

/// One row a group: base above, tuned below.
#[component]
pub fn Groups(
    /// The figures.
    evaluation: Evaluation,
) -> impl IntoView {
    // Only vectors have a cosine gap.
    let gap = evaluation.scorer == "embedding";
    let groups = |kind: &'static str| {
        let (before, after) = match kind {
            "level" => (&evaluation.before.by_level, &evaluation.after.by_level),
            _ => (&evaluation.before.by_type, &evaluation.after.by_type),
        };
        after
            .iter()
            .map(|(name, after)| {
                let before = before.get(name).copied().unwrap_or_default();
                view! { <Line name=tag(kind, name) before after=*after gap/> }
            })
            .collect_view()
    };
    // Without rows, the head is left out.
    let some = !(evaluation.after.by_level.is_empty() && evaluation.after.by_type.is_empty());
    some.then(|| {
        view! {
            <article class="card">
                <div class="card-head">
                    <h2>{t("evaluation.by_group")}</h2>
                    <div class="legend push">
                        <span><svg class="chart" width="16" height="10" aria-hidden="true"><rect class="before" x="0.5" y="1.5" width="15" height="7"></rect></svg>{t("evaluation.base")}</span>
                        <span><svg class="chart" width="16" height="10" aria-hidden="true"><rect class="after" x="0" y="1" width="16" height="8"></rect></svg>{t("evaluation.tuned")}</span>
                    </div>
                </div>
                <div class="table-wrap">
                    <table class="table">
                        <thead>
                            <tr>
                                <th>{t("evaluation.group")}</th>
                                <th class="num">"n"</th>
                                <th>{t("evaluation.accuracy_scale")}</th>
                                <th class="num">{t("evaluation.base")}</th>
                                <th class="num">{t("evaluation.tuned")}</th>
                                {gap.then(|| view! {
                                    <th class="num">{t("evaluation.gap_base")}</th>
                                    <th class="num">{t("evaluation.gap_tuned")}</th>
                                })}
                            </tr>
                        </thead>
                        <tbody>{groups("level")} {groups("question_type")}</tbody>
                    </table>
                </div>
                <p class="card-body t-small">{t("evaluation.group_note")}</p>
            </article>
        }
    })
}

#[component]
fn Line(name: String, before: GroupMetrics, after: GroupMetrics, gap: bool) -> impl IntoView {
    let wide = |share: f64| (share.clamp(0.0, 1.0) * WIDTH).round();
    view! {
        <tr>
            <td>{name}</td>
            <td class="num">{format::count(after.n as u64)}</td>
            <td>
                <svg class="chart" width=WIDTH height=HEIGHT aria-hidden="true">
                    <line class="axis" x1="0.5" x2="0.5" y1="0" y2=HEIGHT></line>
                    <rect class="before" x="0.5" y="2.5" width=wide(before.accuracy) height="8"></rect>
                    <rect class="after" x="0" y="12" width=wide(after.accuracy) height="9"></rect>
                </svg>
            </td>
            <td class="num">{format::share(before.accuracy)}</td>
            <td class="num"><span class="strong">{format::share(after.accuracy)}</span> " " <span class="t-mute">{format::interval(after.ci95[0], after.ci95[1])}</span></td>
            {gap.then(|| view! {
                <td class="num t-mute">{format::share(before.choice_cosine_gap)}</td>
                <td class="num">{format::share(after.choice_cosine_gap)}</td>
            })}
        </tr>
    }
}
