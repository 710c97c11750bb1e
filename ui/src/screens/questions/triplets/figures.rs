//! How an encoder does on triplets and on scored pairs, before and after its tuning, as a table.

use super::gain_and_loss::GainAndLoss;
use super::reason::shift_name;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::said::said;
use crate::screens::ask::deeds::search_with;
use crate::screens::ask::searched_by::ChooseSearch;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{Bounded, EncoderChoice, ShiftType, TripletFigures, TripletPoint};
use std::collections::BTreeSet;

/// A figure with its interval: `.85 [.64, .95]`.
fn bounded(of: &Bounded) -> String {
    let value = format::short_share(of.value);
    match of.interval {
        Some([low, high]) => format!(
            "{value} [{}, {}]",
            format::short_share(low),
            format::short_share(high)
        ),
        None => value,
    }
}

/// The name of a point between the base model and the tuned one.
fn name(found: &TripletFigures, percent: u8) -> String {
    match percent {
        0 => tf("measuring.base", &[("model", &found.base)]),
        100 => t("measuring.tuned"),
        part => tf("measuring.part", &[("n", &part.to_string())]),
    }
}

/// The lines of the table, each with its name and the cell of each point; a cell that does not exist is a dash.
fn lines(found: &TripletFigures, shifts: &[ShiftType]) -> Vec<(String, Vec<String>)> {
    let each = |cell: &dyn Fn(&TripletPoint) -> Option<String>| -> Vec<String> {
        let cells = found.points.iter();
        cells
            .map(|point| cell(point).unwrap_or_else(|| "–".to_owned()))
            .collect()
    };
    let mut lines = Vec::new();
    if found.triplets > 0 {
        let accuracy = |point: &TripletPoint| point.accuracy.as_ref().map(bounded);
        lines.push((t("measuring.accuracy"), each(&accuracy)));
    }
    let all: BTreeSet<&String> = found
        .points
        .iter()
        .flat_map(|p| p.by_shift.keys())
        .collect();
    for shift in all {
        let n = found.points.iter().find_map(|p| p.by_shift.get(shift));
        let shown = match shift.as_str() {
            "" => t("measuring.no_shift"),
            tag => shift_name(shifts, tag),
        };
        let count = format::count(n.map_or(0, |(_, n)| *n));
        let line = tf("measuring.shift", &[("shift", &shown), ("n", &count)]);
        let share = |p: &TripletPoint| p.by_shift.get(shift).map(|(x, _)| format::short_share(*x));
        lines.push((line, each(&share)));
    }
    for (at, (set, n)) in found.sets.iter().enumerate() {
        let of = |key: String, cells: Vec<String>| (key, cells);
        let set = said(set);
        let names = [("set", set.as_str()), ("n", &format::count(*n))];
        let spearman = |p: &TripletPoint| p.similarity.get(at).map(bounded);
        let pearson = |p: &TripletPoint| p.pearson.get(at).map(bounded);
        let gained = |p: &TripletPoint| p.gained.get(at).map(bounded);
        let chance = |p: &TripletPoint| {
            let p = p.gained_p.get(at).copied().flatten()?;
            Some(format::p_value(p))
        };
        lines.push(of(tf("measuring.spearman", &names), each(&spearman)));
        lines.push(of(tf("measuring.pearson", &names), each(&pearson)));
        if found.points.iter().any(|p| p.gained.get(at).is_some()) {
            lines.push(of(tf("measuring.gained", &names), each(&gained)));
            lines.push(of(tf("measuring.p", &names), each(&chance)));
        }
    }
    lines
}

/// What was measured on, in words.
fn measured_on(found: &TripletFigures) -> String {
    match found.triplets {
        0 => t("measuring.pairs_only"),
        n => tf(
            "measuring.on",
            &[
                ("triplets", &tn("triplets.count", n)),
                ("part", &crate::i18n::tag("split_part", found.split.tag())),
                ("units", &tn("units.cluster", found.clusters)),
            ],
        ),
    }
}

/// The table, with what was measured above it.
#[component]
pub fn Figures(found: TripletFigures, shifts: Vec<ShiftType>) -> impl IntoView {
    let what = measured_on(&found);
    let heads = found
        .points
        .iter()
        .map(|point| view! { <th class="num">{name(&found, point.percent)}</th> })
        .collect_view();
    let rows = lines(&found, &shifts)
        .into_iter()
        .map(|(line, cells)| {
            let cells = cells
                .into_iter()
                .map(|cell| view! { <td class="num">{cell}</td> })
                .collect_view();
            view! { <tr><td>{line}</td>{cells}</tr> }
        })
        .collect_view();
    let remarks = found
        .remarks
        .iter()
        .map(|text| {
            let text = said(text);
            view! { <Note tone=Tone::Warn>{text}</Note> }
        })
        .collect_view();
    let of_run = found.run.map(|run| {
        let name = tf("training.run_n", &[("n", &run.to_string())]);
        view! { <b>{name}" · "</b> }
    });
    let curve = (found.points.len() > 1).then(|| view! { <GainAndLoss found=found.clone()/> });
    let points: Vec<u8> = found.points.iter().map(|point| point.percent).collect();
    let take = found
        .run
        .map(|run| view! { <Take run base=found.base.clone() points/> });
    let searched = take.is_some().then(|| view! { <ChooseSearch/> });
    view! {
        <p class="t-small" id="measure-on">{of_run}{what}</p>
        {remarks}
        {curve}
        <div class="table-wrap" tabindex="0">
            <table class="table tight" id="measure-figures" aria-label=t("measuring.title")>
                <thead><tr><th></th>{heads}</tr></thead>
                <tbody>{rows}{take}</tbody>
            </table>
        </div>
        {searched}
        <p class="t-small t-mute">{t("measuring.means")}</p>
    }
}

/// A line with a button for each point, with which questions are searched from then on.
#[component]
fn Take(
    /// The run that tuned the encoder.
    run: RunId,
    /// Its base model.
    base: String,
    /// The hundredths of the tuning.
    points: Vec<u8>,
) -> impl IntoView {
    let app = use_app();
    let cells = points
        .into_iter()
        .map(|percent| {
            let choice = EncoderChoice::at(run, Some(base.clone()), percent);
            view! {
                <td class="num">
                    <button class="btn sm" data-point=percent.to_string() on:click=move |_| search_with(app, Some(choice.clone()))>
                        {t("labels.take")}
                    </button>
                </td>
            }
        })
        .collect_view();
    view! { <tr id="measure-take"><td>{t("measuring.take")}</td>{cells}</tr> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::qca::Split;
    use std::collections::BTreeMap;

    fn point(percent: u8, accuracy: f64, gained: bool) -> TripletPoint {
        let bounded = |value| Bounded {
            value,
            interval: Some([value - 0.1, value + 0.1]),
        };
        TripletPoint {
            percent,
            accuracy: Some(bounded(accuracy)),
            by_shift: BTreeMap::from([(String::new(), (accuracy, 4))]),
            similarity: vec![bounded(0.5)],
            pearson: vec![bounded(0.4)],
            gained: gained.then(|| bounded(0.2)).into_iter().collect(),
            gained_p: gained.then_some(Some(0.02)).into_iter().collect(),
        }
    }

    #[test]
    fn the_tuned_model_stands_beside_its_base() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let found = TripletFigures {
            run: None,
            base: "base".to_owned(),
            split: Split::Test,
            triplets: 4,
            clusters: 2,
            sets: vec![("own".to_owned(), 30)],
            own: true,
            points: vec![point(0, 0.5, false), point(100, 0.75, true)],
            remarks: Vec::new(),
        };
        let on = measured_on(&found);
        assert!(on.ends_with("in 2 clusters"), "{on}");
        let lines = lines(&found, &[]);
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[0].1, [".50 [.40, .60]", ".75 [.65, .85]"]);
        assert_eq!(lines[1].1, [".50", ".75"]);
        // The base has gained nothing over itself.
        assert_eq!(lines[4].1, ["–", ".20 [.10, .30]"]);
        assert_eq!(lines[5].1[0], "–");
        assert!(lines[2].0.contains("own") && lines[2].0.contains("30"));
        let base = name(&found, 0);
        assert!(base.contains("base") && name(&found, 50).contains("50"));
    }
}
