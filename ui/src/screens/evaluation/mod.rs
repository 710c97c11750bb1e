//! How good systems are: a run before and after its training, any number of systems side by side, and whether the texts
//! that they read have changed.

mod bench;
mod candidate;
mod changed;
mod compared;
mod drift;
mod ended;
mod export;
mod figures;
mod gate;
mod groups;
mod papers;
pub mod place;
mod policy;
mod provenance;
mod scorers;
mod shortcuts;
mod term_space;
mod verdict;

use crate::components::tabs::{Tab, Tabs};
use crate::i18n::t;
use crate::state::use_app;
use bench::{Bench, BenchHead, measurable};
use candidate::{Candidate, CandidateHead, looked};
use drift::{Drift, DriftHead, alarms, watched};
use leptos::prelude::*;
use place::EvaluationTab;

/// The screen.
#[component]
pub fn Evaluation() -> impl IntoView {
    let app = use_app();
    let now = app.evaluation.tab;
    let looked = looked();
    let measurable = measurable();
    let watched = watched();
    let tabs = vec![
        Tab {
            key: EvaluationTab::Candidate,
            id: "tab-candidate",
            name: t("evaluation.candidate"),
            count: Signal::derive(|| None),
        },
        Tab {
            key: EvaluationTab::Bench,
            id: "tab-bench",
            name: t("systems.title"),
            count: measurable.count(),
        },
        Tab {
            key: EvaluationTab::Drift,
            id: "tab-drift",
            name: t("drift.title"),
            count: alarms(watched),
        },
    ];
    view! {
        <div class="head">
            <h1>{t("nav.evaluation")}</h1>
            <Tabs label=t("nav.evaluation") tabs now/>
            {move || match now.get() {
                EvaluationTab::Candidate => view! { <CandidateHead looked/> }.into_any(),
                EvaluationTab::Bench => view! { <BenchHead measurable/> }.into_any(),
                EvaluationTab::Drift => view! { <DriftHead view=watched/> }.into_any(),
            }}
        </div>
        {move || match now.get() {
            EvaluationTab::Candidate => view! { <Candidate looked/> }.into_any(),
            EvaluationTab::Bench => view! { <Bench measurable/> }.into_any(),
            EvaluationTab::Drift => view! { <Drift view=watched/> }.into_any(),
        }}
    }
}

/// The keys of texts that are found by a value and stand in no call.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    let jobs = [
        "task.activate",
        "task.drift",
        "task.gate_general",
        "task.gate_plan",
        "task.paper",
    ]
    .map(str::to_owned);
    let mut keys = drift::keys();
    keys.extend(gate::keys());
    keys.extend(bench::keys());
    keys.extend(term_space::keys());
    keys.extend(jobs);
    keys
}
