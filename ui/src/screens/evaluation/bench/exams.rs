//! Systems on an exam: of questions with choices, or of pairs, of similarity and of texts with a class.

use super::general::{bounded, change};
use super::names::named;
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::api::{ExamFigures, ExamLine, ExamTable, TaskLine, TaskTable};

/// On questions with choices.
#[component]
pub fn Exam(
    /// What was measured.
    table: ExamTable,
) -> impl IntoView {
    let asked = match table.sample {
        Some(sample) => tf(
            "bench_on.sampled",
            &[
                ("n", &format::count(table.n as u64)),
                ("of", &format::count(table.of as u64)),
                ("each", &format::count(sample.each as u64)),
            ],
        ),
        None => tf("bench_on.asked", &[("n", &format::count(table.n as u64))]),
    };
    let against = table.baseline.as_deref().map(|name| named(name).name);
    let against = against.map(|baseline| tf("bench_on.against", &[("baseline", &baseline)]));
    let subjects = table
        .systems
        .iter()
        .filter(|row| row.by_subject.len() > 1)
        .cloned()
        .map(|row| view! { <Subjects row/> })
        .collect_view();
    let rows = table
        .systems
        .into_iter()
        .map(|row| view! { <Line row/> })
        .collect_view();
    view! {
        <p class="t-small t-mute">{asked}" "{against}</p>
        <div class="table-wrap">
            <table class="table bench-table" id="bench-exam-table" aria-label=table.exam>
                <thead>
                    <tr>
                        <th>{t("systems.system")}</th>
                        <th>{t("evaluation.scorer")}</th>
                        <th class="num">"n"</th>
                        <th class="num">{tag("measure", "accuracy")}</th>
                        <th class="num">{t("bench_on.chance")}</th>
                        <th class="num">{t("evaluation.change")}</th>
                        <th class="num">{t("systems.p")}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {subjects}
    }
}

#[component]
fn Line(row: ExamLine) -> impl IntoView {
    let words = named(&row.system);
    let (difference, bounds, p) = match &row.against {
        Some(one) => {
            let d = one.comparison.difference;
            (
                format::change(d.value),
                format::change_interval(d.low, d.high),
                format::p_value(one.p_holm),
            )
        }
        None => ("–".to_owned(), String::new(), "–".to_owned()),
    };
    let figures = row.figures;
    view! {
        <tr data-system=row.system>
            <td>{words.name}<small class="t-mute">{words.is}</small></td>
            <td>{tag("scorer", &row.scorer)}</td>
            <td class="num">{format::count(figures.n as u64)}</td>
            <td class="num">{accuracy(&figures)}</td>
            <td class="num">{format::share(figures.chance)}</td>
            <td class="num">{difference}<small class="t-mute">{bounds}</small></td>
            <td class="num">{p}</td>
        </tr>
    }
}

/// An accuracy with its interval.
fn accuracy(figures: &ExamFigures) -> impl IntoView + use<> {
    let [low, high] = figures.ci95;
    view! { <span class="strong">{format::share(figures.accuracy)}</span><small class="t-mute">{format::interval(low, high)}</small> }
}

/// The figures of a system by subject, folded.
#[component]
fn Subjects(row: ExamLine) -> impl IntoView {
    let name = format!(
        "{} · {}",
        named(&row.system).name,
        tag("scorer", &row.scorer)
    );
    let subjects = row
        .by_subject
        .into_iter()
        .map(|(subject, figures)| {
            view! {
                <tr>
                    <td>{subject}</td>
                    <td class="num">{format::count(figures.n as u64)}</td>
                    <td class="num">{accuracy(&figures)}</td>
                    <td class="num">{format::share(figures.chance)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <details class="history">
            <summary>{name}" "<span class="t-small t-mute">{t("bench_on.by_subject")}</span></summary>
            <div class="table-wrap">
                <table class="table bench-table">
                    <thead>
                        <tr>
                            <th>{t("bench_on.subject")}</th>
                            <th class="num">"n"</th>
                            <th class="num">{tag("measure", "accuracy")}</th>
                            <th class="num">{t("bench_on.chance")}</th>
                        </tr>
                    </thead>
                    <tbody>{subjects}</tbody>
                </table>
            </div>
        </details>
    }
}

/// On pairs, similarity or texts with a class.
#[component]
pub fn Task(
    /// What was measured.
    table: TaskTable,
) -> impl IntoView {
    let names: Vec<String> = table
        .systems
        .first()
        .map(|row| {
            row.figures
                .iter()
                .map(|one| tag("measure", one.measure.tag()))
                .collect()
        })
        .unwrap_or_default();
    let first = names.first().cloned().unwrap_or_default();
    let items = tf(
        "bench_on.items",
        &[
            ("n", &format::count(table.n as u64)),
            ("clusters", &format::count(table.clusters as u64)),
        ],
    );
    let against = table.baseline.as_deref().map(|name| named(name).name);
    let against = against.map(|baseline| tf("bench_on.against", &[("baseline", &baseline)]));
    let heads = names
        .into_iter()
        .map(|name| view! { <th class="num">{name}</th> })
        .collect_view();
    let rows = table
        .systems
        .into_iter()
        .map(|row| view! { <Measured row/> })
        .collect_view();
    view! {
        <p class="t-small t-mute">{items}" "{against}</p>
        <div class="table-wrap">
            <table class="table bench-table" id="bench-task-table" aria-label=table.exam>
                <thead>
                    <tr>
                        <th>{t("systems.system")}</th>
                        <th class="num">"n"</th>
                        {heads}
                        <th class="num">{tf("bench_on.change_in", &[("measure", &first)])}</th>
                        <th class="num">{t("systems.p")}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Measured(row: TaskLine) -> impl IntoView {
    let words = named(&row.system);
    let figures = row
        .figures
        .into_iter()
        .map(|one| view! { <td class="num">{bounded(one.of)}</td> })
        .collect_view();
    let p = row.against.as_ref().and_then(|gain| gain.p_holm);
    let gain = row.against.map(|gain| change(gain.difference));
    let (gain, bounds) = gain.unwrap_or_else(|| ("–".to_owned(), String::new()));
    let p = p.map_or_else(|| "–".to_owned(), format::p_value);
    view! {
        <tr data-system=row.system>
            <td>{words.name}<small class="t-mute">{words.is}</small></td>
            <td class="num">{format::count(row.n as u64)}</td>
            {figures}
            <td class="num">{gain}<small class="t-mute">{bounds}</small></td>
            <td class="num">{p}</td>
        </tr>
    }
}
