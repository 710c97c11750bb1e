//! Terms that systems confuse with others, as a matrix: the right terms in rows, the chosen ones in columns. A click on
//! a cell shows its questions, and a click on a question shows its page.

use super::of_each::name;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{BenchRow, ConfusedAt, ConfusedPair};
use lexforge_domain::{DocumentId, SentenceId};
use std::collections::HashMap;

/// The commonest exchanges of one system, which can be chosen; nothing where none exchanged terms.
#[component]
pub fn Confused(
    /// The systems.
    rows: Vec<BenchRow>,
) -> impl IntoView {
    let rows: Vec<BenchRow> = rows
        .into_iter()
        .filter(|row| !row.confused.is_empty())
        .collect();
    if rows.is_empty() {
        return ().into_any();
    }
    let of = RwSignal::new(0_usize);
    let options = rows
        .iter()
        .enumerate()
        .map(|(place, row)| view! { <option value=place.to_string()>{name(row)}</option> })
        .collect_view();
    let rows = StoredValue::new(rows);
    let shown = move || {
        let row = rows.with_value(|rows| rows.get(of.get()).cloned());
        row.map(|row| view! { <OfSystem pairs=row.confused/> })
    };
    let choose = move |place: String| {
        if let Ok(place) = place.parse() {
            of.set(place);
        }
    };
    view! {
        <article class="card">
            <div class="card-head">
                <h2>{t("systems.confused")}</h2>
                <label class="row push">
                    <span class="t-mute">{t("systems.system")}</span>
                    <span class="picker bench-against">
                        <select class="select" id="bench-confused-of" on:change:target=move |event| choose(event.target().value())>{options}</select>
                    </span>
                </label>
            </div>
            <div class="card-body stack" id="bench-confused">
                <p class="t-small t-mute">{t("systems.confused_is")}</p>
                {shown}
            </div>
        </article>
    }
    .into_any()
}

/// Pairs by right term and chosen term.
#[derive(Debug, Default, PartialEq, Eq)]
struct Matrix {
    /// The right terms, the one that was missed most often first.
    rows: Vec<String>,
    /// The terms that were chosen instead, the commonest first.
    columns: Vec<String>,
    /// The index of the pair of a row and a column.
    cells: HashMap<(usize, usize), usize>,
}

fn matrix(pairs: &[ConfusedPair]) -> Matrix {
    let rows = ordered(pairs, |pair| &pair.gold);
    let columns = ordered(pairs, |pair| &pair.predicted);
    let place = |all: &[String], term: &String| all.iter().position(|one| one == term);
    let cells = pairs
        .iter()
        .enumerate()
        .filter_map(|(index, pair)| {
            let at = (place(&rows, &pair.gold)?, place(&columns, &pair.predicted)?);
            Some((at, index))
        })
        .collect();
    Matrix {
        rows,
        columns,
        cells,
    }
}

/// The different terms, the commonest first; those that are equally common as they come.
fn ordered(pairs: &[ConfusedPair], term: impl Fn(&ConfusedPair) -> &String) -> Vec<String> {
    let mut all: Vec<(String, usize)> = Vec::new();
    for pair in pairs {
        let one = term(pair);
        match all.iter_mut().find(|(known, _)| known == one) {
            Some((_, n)) => *n += pair.n,
            None => all.push((one.clone(), pair.n)),
        }
    }
    all.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    all.into_iter().map(|(term, _)| term).collect()
}

/// A pair in words.
fn told(pair: &ConfusedPair) -> String {
    let n = format::count(pair.n as u64);
    tf(
        "systems.taken",
        &[("gold", &pair.gold), ("other", &pair.predicted), ("n", &n)],
    )
}

#[component]
fn OfSystem(pairs: Vec<ConfusedPair>) -> impl IntoView {
    let matrix = matrix(&pairs);
    let most = pairs.iter().map(|pair| pair.n).max().unwrap_or_default();
    let open = RwSignal::new(None::<usize>);
    let heads = matrix
        .columns
        .iter()
        .map(|term| view! { <th scope="col" class="bench-chosen"><span class="law cell">{term.clone()}</span></th> })
        .collect_view();
    let cell = |row: usize, column: usize| match matrix.cells.get(&(row, column)) {
        Some(index) => {
            let pair = &pairs[*index];
            view! { <Cell index=*index n=pair.n words=told(pair) much={2 * pair.n > most} open/> }
                .into_any()
        }
        None => view! { <td></td> }.into_any(),
    };
    let lines = matrix
        .rows
        .iter()
        .enumerate()
        .map(|(row, term)| {
            let cells = (0..matrix.columns.len())
                .map(|column| cell(row, column))
                .collect_view();
            view! { <tr><th scope="row"><span class="law cell">{term.clone()}</span></th>{cells}</tr> }
        })
        .collect_view();
    let pairs = StoredValue::new(pairs);
    let shown = move || {
        let pair = pairs.with_value(|pairs| pairs.get(open.get()?).cloned());
        pair.map(|pair| view! { <Questions pair/> })
    };
    view! {
        <div class="table-wrap">
            <table class="table bench-matrix" id="bench-matrix" aria-label=t("systems.confused")>
                <thead>
                    <tr><th>{t("systems.right_and_chosen")}</th>{heads}</tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
        <div class="stack" id="bench-confused-at" aria-live="polite">{shown}</div>
    }
}

/// How often one term was taken for another; a press shows the questions, and another one hides them.
#[component]
fn Cell(
    /// Which pair of terms.
    index: usize,
    n: usize,
    words: String,
    /// Whether it is among the frequent ones.
    much: bool,
    /// The pair whose questions are shown.
    open: RwSignal<Option<usize>>,
) -> impl IntoView {
    let press = move |_| {
        open.update(|open| *open = Some(index).filter(|index| *open != Some(*index)));
    };
    view! {
        <td class="num">
            <button
                class="btn ghost sm bench-cell"
                class:much=much
                data-pair=index.to_string()
                title=words.clone()
                aria-label=words
                aria-pressed=move || (open.get() == Some(index)).to_string()
                aria-controls="bench-confused-at"
                on:click=press
            >
                {format::count(n as u64)}
            </button>
        </td>
    }
}

/// The questions of a cell.
#[component]
fn Questions(pair: ConfusedPair) -> impl IntoView {
    let head = told(&pair);
    let named = pair.at.len();
    let at = pair.at.into_iter().filter_map(placed).collect::<Vec<_>>();
    let gone = at
        .is_empty()
        .then(|| view! { <p class="t-small t-mute">{t("systems.confused_gone")}</p> });
    // Several runs of one recipe meet one question several times, so that the questions can be fewer than the times.
    let fewer = (named < pair.n).then(|| {
        let n = format::count(named as u64);
        view! { <p class="t-small t-mute">{tf("systems.confused_listed", &[("n", &n)])}</p> }
    });
    let each = at.into_iter().map(|at| view! { <At at/> }).collect_view();
    view! {
        <h3>{head}</h3>
        {gone}
        {fewer}
        <ul class="stack limits t-small">{each}</ul>
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

    fn pair(gold: &str, predicted: &str, n: usize) -> ConfusedPair {
        ConfusedPair {
            gold: gold.to_owned(),
            predicted: predicted.to_owned(),
            n,
            at: Vec::new(),
        }
    }

    #[test]
    fn rows_are_right_terms_and_columns_what_was_chosen() {
        let pairs = [
            pair("board", "auditor", 3),
            pair("clerk", "auditor", 2),
            pair("clerk", "board", 2),
            pair("auditor", "board", 1),
        ];
        let found = matrix(&pairs);
        // The clerk was missed four times, the board three times.
        assert_eq!(found.rows, ["clerk", "board", "auditor"]);
        assert_eq!(found.columns, ["auditor", "board"]);
        let n = |row, column| found.cells.get(&(row, column)).map(|at| pairs[*at].n);
        assert_eq!(
            [n(0, 0), n(0, 1), n(1, 0), n(1, 1), n(2, 0), n(2, 1)],
            [Some(2), Some(2), Some(3), None, None, Some(1)]
        );
        assert_eq!(matrix(&[]), Matrix::default());
    }

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
