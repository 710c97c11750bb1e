//! The finished run that is looked at: its figures before and after, the verdict, and what may go live.

use super::changed::Changed;
use super::export::Export;
use super::figures::Figures;
use super::gate::Gate;
use super::groups::Groups;
use super::policy::{RuleButton, RuleInUse};
use super::provenance::Provenance;
use super::scorers::Scorers;
use super::shortcuts::Shortcuts;
use super::term_space::TermSpace;
use super::verdict::VerdictPanel;
use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::i18n::{t, tf};
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{EvaluationView, RunRow, RunState};

/// The run that is looked at, and its figures.
#[derive(Clone, Copy)]
pub struct Looked {
    finished: Memo<Vec<RunRow>>,
    chosen: Memo<Option<RunRow>>,
    id: Memo<Option<RunId>>,
    view: Fetched<Option<EvaluationView>>,
}

/// Follows the chosen run.
pub fn looked() -> Looked {
    let app = use_app();
    let finished = Memo::new(move |_| {
        app.runs.with(|runs| {
            runs.iter()
                .filter(|r| r.state == RunState::Finished)
                .cloned()
                .collect::<Vec<_>>()
        })
    });
    let chosen = Memo::new(move |_| {
        let wanted = app.run.get();
        finished.with(|runs| {
            runs.iter()
                .find(|r| Some(r.id) == wanted)
                .or_else(|| runs.first())
                .cloned()
        })
    });
    let view = Fetched::<Option<EvaluationView>>::default();
    let id = Memo::new(move |_| chosen.with(|run| run.as_ref().map(|run| run.id)));
    Effect::new(move |_| {
        app.changes.track();
        match id.get() {
            Some(id) => view.ask(call(commands::Evaluation { run: id })),
            None => view.forget(),
        }
    });
    Looked {
        finished,
        chosen,
        id,
        view,
    }
}

/// The head of the screen: which run it is, and its report.
#[component]
pub fn CandidateHead(
    /// The run.
    looked: Looked,
) -> impl IntoView {
    let Looked {
        finished,
        chosen,
        view,
        ..
    } = looked;
    view! {
        <RunChoice finished chosen/>
        <div class="push row"><RuleButton/> {move || view.value.get().flatten().map(|v| view! { <Report id=v.run/> })}</div>
    }
}

/// The figures of the run.
#[component]
pub fn Candidate(
    /// The run.
    looked: Looked,
) -> impl IntoView {
    let Looked { id, view, .. } = looked;
    // A reload that brings the same figures draws nothing again, so that nothing moves under the reader.
    let known = Memo::new(move |_| view.value.get());
    view! {
        {move || view.failure.get().map(|failure| view! { <div class="pad"><ErrorPanel failure/></div> })}
        {move || match (id.get(), known.get()) {
            (None, _) => view! { <NothingYet/> }.into_any(),
            (Some(_), None) if view.failure.with(Option::is_some) => ().into_any(),
            (Some(_), None) => view! { <div class="skel"></div><div class="skel half"></div> }.into_any(),
            (Some(id), Some(None)) => view! { <NotEvaluated id/> }.into_any(),
            (Some(_), Some(Some(view))) => view! { <Shown view/> }.into_any(),
        }}
    }
}

#[component]
fn RunChoice(finished: Memo<Vec<RunRow>>, chosen: Memo<Option<RunRow>>) -> impl IntoView {
    let app = use_app();
    let options = move || {
        let now = chosen.get().map(|run| run.id);
        finished
            .get()
            .into_iter()
            .map(|run| {
                let name = tf("training.run_n", &[("n", &run.id.to_string())]);
                view! { <option value=run.id.to_string() selected=Some(run.id) == now>{name} " · " {run.base}</option> }
            })
            .collect_view()
    };
    move || {
        (!finished.with(Vec::is_empty)).then(|| {
            view! {
                <span class="picker run-choice">
                    <select class="select" aria-label=t("evaluation.run") on:change:target=move |event| app.run.set(event.target().value().parse().ok())>
                        {options()}
                    </select>
                </span>
            }
        })
    }
}

#[component]
fn Report(id: RunId) -> impl IntoView {
    let app = use_app();
    let open = move |_| {
        let opened = call(commands::OpenReport { run: id });
        app.attempt_once(t("wait.report"), opened, |()| ());
    };
    let opening = move || app.waits.has(&t("wait.report"));
    view! {
        <Waiting words=t("wait.report")/>
        <button class="btn" id="open-report" disabled=opening on:click=open>
            <Sign icon=Icon::Out/>
            {t("evaluation.open_report")}
        </button>
    }
}

/// No run has finished: there is none, or the newest is at work or was stopped.
#[component]
fn NothingYet() -> impl IntoView {
    let app = use_app();
    let newest = Memo::new(move |_| app.runs.with(|runs| runs.first().map(|run| run.id)));
    let words = move || match newest.get() {
        Some(id) => (
            tf("evaluation.unfinished", &[("n", &id.to_string())]),
            t("evaluation.unfinished_text"),
        ),
        None => (t("evaluation.empty"), t("evaluation.empty_text")),
    };
    move || {
        let (title, text) = words();
        view! {
            <Empty icon=Icon::Scales title text>
                <button class="btn primary" on:click=move |_| app.go(Route::Training)>{t("evaluation.to_training")}</button>
            </Empty>
        }
    }
}

/// The run has finished and was not evaluated.
#[component]
fn NotEvaluated(id: RunId) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy("evaluate"));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let button = move || {
        if working.get() {
            view! { <Cancellable task/> }.into_any()
        } else {
            view! {
                <button class="btn primary" id="evaluate" on:click=move |_| app.attempt(call(commands::Evaluate { run: id }), |_| ())>
                    <Sign icon=Icon::Scales/>
                    {t("training.evaluate")}
                </button>
            }
            .into_any()
        }
    };
    view! {
        <Empty icon=Icon::Scales title=tf("evaluation.not_yet", &[("n", &id.to_string())]) text=t("evaluation.not_yet_text")>
            {button}
        </Empty>
        <div class="page-body"><Export run=id/></div>
    }
}

#[component]
fn Shown(view: EvaluationView) -> impl IntoView {
    let evaluation = view.evaluation.clone();
    let run = view.run;
    let encoder = evaluation.scorers.is_empty();
    view! {
        <div class="panes evaluation">
            <section class="pane ground" aria-label=t("evaluation.figures") data-pane="list">
                <div class="scroll page-body" id="evaluation-figures">
                    <Figures evaluation=evaluation.clone()/>
                    <Scorers evaluation=evaluation.clone()/>
                    <Groups evaluation=evaluation.clone()/>
                    <Shortcuts evaluation=evaluation.clone()/>
                    {encoder.then(|| view! { <TermSpace run/> })}
                    <Changed evaluation=evaluation.clone()/>
                </div>
            </section>
            <aside class="pane" aria-label=t("evaluation.verdict") data-pane="detail">
                <div class="scroll">
                    <Gate run encoder/>
                    <RuleInUse/>
                    <VerdictPanel evaluation/>
                    <Export run encoder/>
                    <Provenance view/>
                </div>
            </aside>
        </div>
    }
}
