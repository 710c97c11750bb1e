//! What labelled questions teach: the order of the clauses, and how much of a tuning of the search is to count.

use super::deeds::{CURVE, RANKING, search_with};
use super::ranked::Ranked;
use super::to_training::ToTraining;
use crate::backend::{call, commands};
use crate::components::blend::{Blend, Share};
use crate::components::task_progress::Cancellable;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::outcomes;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{
    BlendPoint, EncoderChoice, LabelCurve, LabelsOverview, Outcome, Preset, RankerReport,
};

/// Fewer questions than this make a curve uncertain.
const FEW: u64 = 30;

/// The order of the clauses: words and vectors with equal weight, or learned.
#[component]
pub fn Order(
    /// What labels there are.
    overview: Fetched<LabelsOverview>,
) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(RANKING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let missing = Memo::new(move |_| {
        overview
            .value
            .with(|labels| labels.as_ref().map_or(0, |l| l.missing_for_ranker))
    });
    let state = move || {
        overview.value.get().map(|labels| match labels.ranker {
            Some(ranker) => tn("labels.ranked", ranker.questions),
            None if labels.missing_for_ranker > 0 => {
                tn("labels.ranker_missing", labels.missing_for_ranker)
            }
            None => t("labels.half"),
        })
    };
    let newest = outcomes::newest_here(app, RANKING);
    let came = move || match newest.get() {
        Some(Outcome::Ranker(report)) => Some(report),
        _ => None,
    };
    view! {
        <h3>{t("labels.order")}</h3>
        <p id="labels-ranker">{state}</p>
        {move || if working.get() {
            view! { <Cancellable task/> }.into_any()
        } else {
            view! {
                <div class="row">
                    <button
                        class="btn"
                        id="rank-train"
                        disabled=move || { missing.get() > 0 }
                        on:click=move |_| app.attempt(call(commands::TrainRanker {}), |_| ())
                    >
                        {t("labels.rank")}
                    </button>
                </div>
            }.into_any()
        }}
        {move || came().map(|report| view! { <Learned report=*report/> })}
    }
}

/// The weights that were learned, beside equal weights.
#[component]
fn Learned(report: RankerReport) -> impl IntoView {
    let said = outcomes::line(&Outcome::Ranker(Box::new(report.clone())));
    let orders = [
        (t("labels.half_short"), report.half),
        (t("labels.ranked_short"), report.ranked),
    ];
    view! {
        <Ranked id="ranker-figures" label=t("labels.order") orders/>
        <p class="t-small" id="ranker-said">{said}</p>
    }
}

/// How much of a tuning pays: gain in finding against what is forgotten of general language.
#[component]
pub fn Tuning() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(CURVE));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let general = RwSignal::new(None::<String>);
    let chosen = RwSignal::new(None::<RunId>);
    let tuned = Memo::new(move |_| {
        let rows = app.ask.encoders.value.get().unwrap_or_default();
        let run = |row: lexforge_domain::api::SearchEncoderRow| {
            Some((row.choice.and_then(|choice| choice.run)?, row.model))
        };
        rows.into_iter().filter_map(run).collect::<Vec<_>>()
    });
    let newest = outcomes::newest_here(app, CURVE);
    let came = move || match newest.get() {
        Some(Outcome::Curve(curve)) => Some(curve),
        _ => None,
    };
    view! {
        <h3>{t("labels.tuning")}</h3>
        {move || if tuned.with(Vec::is_empty) {
            view! {
                <p class="t-mute" id="curve-none">{t("labels.tuning_none")}</p>
                <ToTraining preset=Preset::Retrieval id="search-train"/>
            }
            .into_any()
        } else if working.get() {
            view! { <Cancellable task/> }.into_any()
        } else {
            view! { <Measure tuned chosen general/> }.into_any()
        }}
        {move || came().map(|curve| view! { <Points curve/> })}
    }
}

/// Chooses a run and a file of general language, and begins to measure.
#[component]
fn Measure(
    /// The runs that tuned an encoder, with its name.
    tuned: Memo<Vec<(RunId, String)>>,
    chosen: RwSignal<Option<RunId>>,
    /// The file.
    general: RwSignal<Option<String>>,
) -> impl IntoView {
    let app = use_app();
    let run = move || {
        chosen
            .get_untracked()
            .or_else(|| tuned.with_untracked(|t| t.first().map(|t| t.0)))
    };
    let pick = move |_| {
        let extensions = ["csv", "tsv"].map(str::to_owned).to_vec();
        let picked = call(commands::PickOpen { extensions });
        app.attempt_once(t("wait.choose"), picked, move |file| {
            general.try_set(file);
        });
    };
    let begin = move |_| {
        if let Some(run) = run() {
            let general = general.get_untracked();
            app.attempt(call(commands::MeasureCurve { run, general }), |_| ());
        }
    };
    let options = move || {
        let option = |(run, model): (RunId, String)| {
            let name = tf("training.run_n", &[("n", &run.to_string())]);
            view! { <option value=run.to_string()>{format!("{name} · {model}")}</option> }
        };
        tuned.get().into_iter().map(option).collect_view()
    };
    let choose = move |value: String| chosen.set(value.parse().ok().map(RunId));
    let file = move || {
        general.get().map_or_else(
            || t("labels.general_none"),
            |file| tf("labels.general_file", &[("file", &file)]),
        )
    };
    view! {
        <p class="t-mute">{t("labels.tuning_text")}</p>
        <div class="row g-1 wrap">
            <span class="picker">
                <select class="select" id="curve-run" aria-label=t("labels.tuning") on:change:target=move |event| choose(event.target().value())>
                    {options}
                </select>
            </span>
            <button class="btn" id="curve-general" title=t("labels.general_tip") on:click=pick>{t("labels.general")}</button>
            <button class="btn" id="curve-measure" on:click=begin>{t("labels.curve")}</button>
        </div>
        <p class="t-small t-mute">{file}</p>
    }
}

/// The points of a curve; each can be used for searching.
#[component]
fn Points(curve: LabelCurve) -> impl IntoView {
    let app = use_app();
    let run = curve.run;
    let base = app.ask.encoders.value.with_untracked(|rows| {
        let rows = rows.as_deref().unwrap_or_default();
        let of_run = rows
            .iter()
            .find(|row| row.choice.as_ref().and_then(|choice| choice.run) == Some(run));
        of_run.map(|row| row.model.clone())
    });
    let rows = curve
        .points
        .iter()
        .map(|point| {
            let percent = point.percent;
            let choice = EncoderChoice::at(run, base.clone(), percent);
            let general = point.general.map_or_else(|| "–".to_owned(), format::share);
            view! {
                <tr data-point=percent.to_string()>
                    <td class="num">{format!("{percent}\u{a0}%")}</td>
                    <td class="num">{figure(point, "recall@10", point.recall_10)}</td>
                    <td class="num">{figure(point, "map@10", point.map_10)}</td>
                    <td class="num">{general}</td>
                    <td>
                        <button class="btn sm" on:click=move |_| search_with(app, Some(choice.clone()))>{t("labels.take")}</button>
                    </td>
                </tr>
            }
        })
        .collect_view();
    let measured = measured_on(&curve);
    let shares = curve.points.iter().map(|point| Share {
        percent: point.percent,
        gain: Some(point.map_10),
        general: point.general,
    });
    view! {
        <Blend points=shares.collect() gain=t("labels.found") general=t("labels.general_rho")/>
        <div class="table-wrap" tabindex="0">
            <table class="table tight" id="curve-points" aria-label=t("labels.tuning")>
                <thead>
                    <tr>
                        <th class="num">{t("labels.share")}</th>
                        <th class="num">"Recall@10"</th>
                        <th class="num">"MAP@10"</th>
                        <th class="num">{t("labels.general_rho")}</th>
                        <th></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="t-small t-mute" id="curve-on">{measured}</p>
    }
}

/// A figure of a point with its interval, where that is known.
fn figure(point: &BlendPoint, name: &str, value: f64) -> String {
    let value = format::share(value);
    match point.intervals.get(name) {
        Some([low, high]) => format!("{value} {}", format::interval(*low, *high)),
        None => value,
    }
}

/// On how many questions a curve stands, and what that means.
fn measured_on(curve: &LabelCurve) -> String {
    let mut sentences = vec![tn("labels.curve_on", curve.questions)];
    if curve.points.iter().any(|point| !point.intervals.is_empty()) {
        sentences.push(t("labels.curve_intervals"));
    }
    if curve.questions < FEW {
        sentences.push(t("labels.curve_few"));
    }
    if curve.learned > 0 {
        sentences.push(tn("labels.curve_learned", curve.learned));
    }
    format::sentences(&sentences)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_few_questions_says_that_they_tell_little() {
        use crate::i18n::{Lang, speak};
        let point = BlendPoint {
            percent: 50,
            recall_10: 0.7,
            map_10: 0.5,
            questions: 6,
            intervals: [("map@10".to_owned(), [0.25, 0.75])].into(),
            general: None,
            pairs: 0,
        };
        assert_eq!(figure(&point, "map@10", 0.5), ".500 [.250, .750]");
        assert_eq!(figure(&point, "recall@10", 0.7), ".700");
        let curve = |questions, points: Vec<BlendPoint>| LabelCurve {
            run: RunId(3),
            questions,
            learned: 0,
            points,
        };
        for (lang, few, intervals) in [
            (Lang::En, "tell little", "95 %"),
            (Lang::Zh, "说明不了多少", "95 %"),
        ] {
            speak(lang);
            let said = measured_on(&curve(6, vec![point.clone()]));
            assert!(said.contains(few) && said.contains(intervals), "{said}");
            let said = measured_on(&curve(FEW, Vec::new()));
            assert!(!said.contains(few) && !said.contains(intervals), "{said}");
        }
        speak(Lang::En);
    }
}
