//! Measuring an encoder on triplets and on the pairs that people scored: which one, on what, and the figures.

use super::figures::Figures;
use crate::backend::{call, commands};
use crate::components::check::Check;
use crate::components::dialog::{Foot, Titled};
use crate::components::picker::Picker;
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::i18n::{t, tag, tf};
use crate::outcomes;
use crate::screens::ask::deeds::SEARCHING;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{Outcome, OwnPairs, Preset, RunRow, ShiftType, TripletsMeasured};
use lexforge_domain::qca::Split;

/// The kind of job that measures.
const MEASURING: &str = "measure_triplets";
/// Hundredths of the tuning that are measured between the base model and the tuned one.
const BETWEEN: [u8; 3] = [25, 50, 75];

/// Whether a run tuned an encoder that makes vectors: a cross-encoder makes none.
pub fn is_measurable(run: &RunRow) -> bool {
    run.is_of_encoder() && run.adapter.is_some() && run.preset() != Some(Preset::Rerank)
}

/// The runs that tuned an encoder, the newest first.
fn encoders(runs: &[RunRow]) -> Vec<(String, String)> {
    let tuned = runs.iter().filter(|run| is_measurable(run));
    tuned
        .map(|run| {
            let name = tf("training.run_n", &[("n", &run.id.to_string())]);
            (run.id.0.to_string(), format!("{name} · {}", run.base))
        })
        .collect()
}

/// The hundredths of the tuning that are measured.
fn percents(between: bool) -> Vec<u8> {
    let more = between.then_some(BETWEEN).into_iter().flatten();
    more.chain([100]).collect()
}

/// The choice of what to measure, and the figures of the newest measurement. It is one component, because the whole
/// choice goes into one request.
#[component]
pub fn Measure(
    /// Whether the pairs that were scored here are measured, and the triplets beside them.
    own: OwnPairs,
    /// The run that is measured to begin with; the newest, if none is named.
    #[prop(optional)]
    of: Option<RunId>,
    /// Puts it away; a measurement that has begun goes on.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let with_triplets = own != OwnPairs::Wanted;
    // Each step of a run changes the list of runs, and would close the list of choices.
    let runs = Memo::new(move |_| app.runs.with(|runs| encoders(runs)));
    let newest = runs.with_untracked(|runs| runs.first().map(|(run, _)| run.clone()));
    let run = RwSignal::new(of.map(|run| run.0.to_string()).or(newest));
    let split = RwSignal::new(Split::Test);
    let between = RwSignal::new(true);
    let files = RwSignal::new(Vec::<String>::new());
    let task = Memo::new(move |_| app.busy(MEASURING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let shifts = Fetched::<Vec<ShiftType>>::default();
    shifts.ask(call(commands::ShiftTypes { file: None }));
    follow_search(app);
    let begin = move |_| {
        let wanted = TripletsMeasured {
            run: run
                .get_untracked()
                .and_then(|run| run.parse().ok())
                .map(RunId),
            base: None,
            percents: percents(between.get_untracked()),
            split: with_triplets.then(|| split.get_untracked()),
            own,
            sets: Vec::new(),
        };
        let files = files.get_untracked();
        let begun = call(commands::MeasureTriplets { wanted, files });
        app.attempt_once(t("wait.begin"), begun, |_| ());
    };
    let newest = outcomes::newest_here(app, MEASURING);
    let found = move || match newest.get() {
        Some(Outcome::TripletFigures(found)) => Some(*found),
        _ => None,
    };
    view! {
        <Titled title=t("measuring.title") close id="measure" wide=true>
            <p class="t-small t-mute">{t("measuring.text")}</p>
            <div class="row wrap">
                <Picker all=t("measuring.base_alone") choices=runs now=run
                    chosen=move |chosen: String| run.set((!chosen.is_empty()).then_some(chosen)) id="measure-run" label=t("measuring.which")/>
                {with_triplets.then(|| view! { <Part split/> })}
                <Check id="measure-between" on=between tick=move |on: bool| between.set(on) off=Signal::derive(move || run.with(Option::is_none))>
                    <span>{t("measuring.between")}</span>
                </Check>
            </div>
            <PairFiles files/>
            {move || found().map(|found| view! { <Figures found shifts=shifts.value.get().unwrap_or_default()/> })}
            <Waiting words=t("wait.begin")/>
            {move || working.get().then(|| view! { <Cancellable task name="measure"/> })}
            <Foot cancel=close word=t("action.close")>
                <button class="btn primary" id="measure-begin" disabled=working on:click=begin>{t("measuring.begin")}</button>
            </Foot>
        </Titled>
    }
}

/// Follows what is searched with: it stands below the figures, where a point can be taken.
fn follow_search(app: App) {
    let searching = Memo::new(move |_| app.busy(SEARCHING).is_some());
    Effect::new(move |_| {
        app.changes.track();
        searching.track();
        app.ask.encoders.refresh(call(commands::SearchEncoders {}));
    });
}

/// Which part of the triplets is measured.
#[component]
fn Part(split: RwSignal<Split>) -> impl IntoView {
    let option = move |part: Split| {
        let (this, name) = (part.tag(), tag("split_part", part.tag()));
        view! { <option value=this selected=move || split.get().tag() == this>{name}</option> }
    };
    view! {
        <span class="picker">
            <select class="select" id="measure-part" aria-label=t("questions.split")
                on:change:target=move |event| if let Some(chosen) = Split::from_tag(&event.target().value()) { split.set(chosen); }>
                {Split::ALL.map(option).collect_view()}
            </select>
        </span>
    }
}

/// The files of scored pairs that are measured, too, and the button that adds one.
#[component]
fn PairFiles(files: RwSignal<Vec<String>>) -> impl IntoView {
    let app = use_app();
    let add = move |_| {
        let extensions = ["csv", "tsv"].map(str::to_owned).to_vec();
        let picked = call(commands::PickOpen { extensions });
        app.attempt_once(t("wait.choose"), picked, move |file| {
            if let Some(file) = file {
                files.update(|files| files.push(file));
            }
        });
    };
    let named = move || {
        let names = files.get();
        names
            .into_iter()
            .map(|file| view! { <span class="badge line" title=file.clone()>{file.clone()}</span> })
            .collect_view()
    };
    view! {
        <div class="row g-1 wrap">
            <button class="btn sm" id="measure-file" on:click=add>{t("measuring.file")}</button>
            {named}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tuned_model_is_always_measured() {
        assert_eq!(percents(false), [100]);
        assert_eq!(percents(true), [25, 50, 75, 100]);
    }
}
