//! The figures of written answers for which the table has no room, and how far each lies from the baseline's.

use super::names::named;
use crate::format;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::api::WrittenFigures;
use lexforge_domain::statistics::PairedComparison;

/// All figures of the words, folded away.
#[component]
pub fn More(
    /// The systems that write.
    rows: Vec<(String, WrittenFigures)>,
) -> impl IntoView {
    let lines = rows
        .iter()
        .map(|(system, written)| view! { <Line system=system.clone() written=written.clone()/> })
        .collect_view();
    let changes: Vec<(String, PairedComparison)> = rows
        .iter()
        .flat_map(|(system, written)| {
            let against = written.against.iter().cloned();
            against.map(|one| (system.clone(), one))
        })
        .collect();
    let compared = (!changes.is_empty()).then(|| view! { <Changes changes/> });
    view! {
        <details class="history" id="bench-written-more">
            <summary>{t("written.more")}</summary>
            <div class="table-wrap">
                <table class="table" aria-label=t("written.more")>
                    <thead>
                        <tr>
                            <th>{t("systems.system")}</th>
                            <th class="num">"BLEU-1"</th>
                            <th class="num">"BLEU-2"</th>
                            <th class="num">"BLEU-3"</th>
                            <th class="num">"BLEU-4"</th>
                            <th class="num">"ROUGE-1"</th>
                            <th class="num">"ROUGE-2"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
            {compared}
        </details>
    }
}

#[component]
fn Line(system: String, written: WrittenFigures) -> impl IntoView {
    // A table of an earlier version does not have them.
    let none = || "–".to_owned();
    let bleu = |at: usize| {
        let found = written.shorter_bleu.map(|bleu| bleu[at]);
        found.map_or_else(none, |one| format!("{one:.1}"))
    };
    view! {
        <tr data-writer=system.clone()>
            <td>{named(&system).name}</td>
            <td class="num">{bleu(0)}</td>
            <td class="num">{bleu(1)}</td>
            <td class="num">{bleu(2)}</td>
            <td class="num">{format!("{:.1}", written.bleu)}</td>
            <td class="num">{written.rouge1.map_or_else(none, format::share)}</td>
            <td class="num">{written.rouge2.map_or_else(none, format::share)}</td>
        </tr>
    }
}

#[component]
fn Changes(changes: Vec<(String, PairedComparison)>) -> impl IntoView {
    let lines = changes
        .into_iter()
        .map(|(system, one)| {
            let measure = one.comparison.measure.clone();
            let d = one.comparison.difference;
            let of = |value: f64| moved(&measure, value);
            view! {
                <tr>
                    <td>{named(&system).name}</td>
                    <td>{title(&measure)}</td>
                    <td class="num">{of(d.value)}" "<small class="t-mute">{format!("[{}, {}]", of(d.low), of(d.high))}</small></td>
                    <td class="num">{format::p_value(one.p_holm)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="table-wrap">
            <table class="table" id="bench-written-changes" aria-label=t("written.against")>
                <thead>
                    <tr>
                        <th>{t("systems.system")}</th>
                        <th>{t("written.measure")}</th>
                        <th class="num">{t("written.against")}</th>
                        <th class="num">{t("systems.p")}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
}

/// The measure as the field writes it.
fn title(measure: &str) -> String {
    match measure {
        "rouge_l" => "ROUGE-L",
        "meteor" => "METEOR",
        "chrf" => "chrF",
        "bleu" => "BLEU-4",
        other => other,
    }
    .to_owned()
}

/// A change of a measure: BLEU and chrF are counted in hundredths.
fn moved(measure: &str, value: f64) -> String {
    match measure {
        "chrf" | "bleu" => format!("{value:+.1}").replace('-', "−"),
        _ => format::change(value),
    }
}
