//! Terms that systems take for others.

use super::of_each::{name, of_each};
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{BenchRow, ConfusedAt, ConfusedPair};
use lexforge_domain::{DocumentId, SentenceId};

/// The commonest exchanges of each system; nothing where none exchanged terms.
#[component]
pub fn Confused(
    /// The systems.
    rows: Vec<BenchRow>,
) -> impl IntoView {
    let rows = rows.into_iter().filter(|row| !row.confused.is_empty());
    of_each(
        rows.collect(),
        "bench-confused",
        t("systems.confused"),
        t("systems.confused_is"),
        |row| view! { <OfSystem row/> }.into_any(),
    )
}

#[component]
fn OfSystem(row: BenchRow) -> impl IntoView {
    let name = name(&row);
    let first = row.confused.first().map(|pair| {
        let n = format::count(pair.n as u64);
        tf(
            "systems.taken",
            &[("gold", &pair.gold), ("other", &pair.predicted), ("n", &n)],
        )
    });
    let pairs = row
        .confused
        .into_iter()
        .map(|pair| view! { <Pair pair/> })
        .collect_view();
    view! {
        <details class="history">
            <summary>{name}" "<span class="t-small t-mute">{first}</span></summary>
            <div class="table-wrap">
                <table class="table">
                    <thead>
                        <tr>
                            <th>{t("systems.right_term")}</th>
                            <th>{t("systems.taken_for")}</th>
                            <th class="num">{t("systems.times")}</th>
                        </tr>
                    </thead>
                    <tbody>{pairs}</tbody>
                </table>
            </div>
        </details>
    }
}

#[component]
fn Pair(pair: ConfusedPair) -> impl IntoView {
    let at = pair.at.into_iter().filter_map(placed).collect::<Vec<_>>();
    let places = (!at.is_empty()).then(|| {
        let each = at.into_iter().map(|at| view! { <At at/> }).collect_view();
        view! { <tr><td colspan="3"><ul class="stack limits t-small">{each}</ul></td></tr> }
    });
    view! {
        <tr>
            <td><span class="law cell">{pair.gold}</span></td>
            <td><span class="law cell">{pair.predicted}</span></td>
            <td class="num">{format::count(pair.n as u64)}</td>
        </tr>
        {places}
    }
}

/// A question whose sentence is still in the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Placed {
    question: String,
    document: DocumentId,
    page: u32,
    sentence: SentenceId,
}

fn placed(at: ConfusedAt) -> Option<Placed> {
    Some(Placed {
        document: at.document?,
        page: at.page?,
        question: at.question,
        sentence: at.sentence,
    })
}

/// A question, which leads to its page.
#[component]
fn At(at: Placed) -> impl IntoView {
    let app = use_app();
    let Placed {
        question,
        document,
        page,
        sentence,
    } = at;
    let there = tf("count.page_n", &[("n", &page.to_string())]);
    let open = move |_| app.open_sentence(document, page, Some(sentence));
    view! {
        <li><button class="drift-mover" data-sentence=sentence.to_string() on:click=open><span class="num" title=there>{page}</span><span class="law">{question}</span></button></li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_whose_sentence_is_gone_leads_nowhere() {
        let at = ConfusedAt {
            question: "Who?".to_owned(),
            sentence: SentenceId(3),
            document: Some(DocumentId(1)),
            page: Some(4),
        };
        let there = placed(at.clone()).map(|at| (at.document, at.page, at.sentence));
        assert_eq!(there, Some((DocumentId(1), 4, SentenceId(3))));
        assert_eq!(
            placed(ConfusedAt {
                document: None,
                ..at
            }),
            None
        );
    }
}
