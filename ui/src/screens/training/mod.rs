//! Start a run, watch it, stop it, go on with it, set it beside another.

mod bring;
mod compare;
mod cost;
mod details;
mod differences;
mod follow;
mod form;
mod history;
mod live;
mod runs;
mod sweeps;
mod unfollow;

use crate::backend::{call, commands};
use crate::components::icon::{Icon, Sign};
use crate::components::run_badge::RunBadge;
use crate::components::waiting::Waiting;
use crate::i18n::{t, tf};
use crate::route::Route;
use crate::state::use_app;
use bring::{Bring, Coming};
use compare::Compared;
use details::Details;
use form::Form;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{RunRow, RunState, SentTo};
use lexforge_domain::protocol::Control;
use live::Live;
use runs::Runs;
use sweeps::Sweeps;
use unfollow::Unfollow;

/// The form, the chosen run, and all runs.
#[component]
pub fn Training() -> impl IntoView {
    let app = use_app();
    let shown = Memo::new(move |_| {
        let chosen = app.run.get();
        app.runs.with(|runs| {
            runs.iter()
                .find(|r| Some(r.id) == chosen)
                .or_else(|| runs.first())
                .cloned()
        })
    });
    provide_context(Details::follow(app));
    let id = Memo::new(move |_| shown.with(|run| run.as_ref().map(|run| run.id)));
    let leaving = RwSignal::new(None::<(RunId, String)>);
    let close = Callback::new(move |()| leaving.set(None));
    // A run that was sent to another machine and is running or done, and that machine. Its checkpoints can be fetched.
    let away = Memo::new(move |_| {
        shown.with(|run| {
            let run = run.as_ref()?;
            run.sent_to.clone().map(|sent| (run.id, sent))
        })
    });
    let bringing = RwSignal::new(None::<(RunId, SentTo)>);
    let brought = Callback::new(move |()| bringing.set(None));
    view! {
        <Head shown away bringing leaving/>
        <div class="panes training">
            <aside class="pane quiet" aria-label=t("training.next_run") data-pane="list"><Form/></aside>
            <section class="pane ground" aria-label=t("training.runs") data-pane="detail">
                <div class="scroll page-body">
                    <Coming run=Signal::derive(move || away.get().map(|(id, _)| id))/>
                    {move || match (app.compare.get(), id.get()) {
                        (Some((a, b)), _) => view! { <Compared a b/> }.into_any(),
                        (None, Some(id)) => view! { <Live id shown/> }.into_any(),
                        (None, None) => ().into_any(),
                    }}
                    <Sweeps/>
                    <Runs shown=id/>
                </div>
            </section>
        </div>
        {move || leaving.get().map(|(id, machine)| view! { <Unfollow id machine close/> })}
        {move || bringing.get().map(|(id, sent)| view! { <Bring id sent close=brought/> })}
    }
}

/// The chosen run with its state, and what can be done with it.
#[component]
fn Head(
    shown: Memo<Option<RunRow>>,
    /// The run that was sent to another machine, and that machine.
    away: Memo<Option<(RunId, SentTo)>>,
    /// Set when its checkpoints are to be brought.
    bringing: RwSignal<Option<(RunId, SentTo)>>,
    /// Set when it is to be put away.
    leaving: RwSignal<Option<(RunId, String)>>,
) -> impl IntoView {
    let state = Memo::new(move |_| {
        shown.with(|run| run.as_ref().map(|run| (run.id, run.state, run.evaluated)))
    });
    // A run that the user may stop following, and the machine that it was sent to.
    let elsewhere = Memo::new(move |_| {
        shown.with(|run| {
            let run = run.as_ref().filter(|run| may_be_put_away(run.state))?;
            run.on.clone().map(|machine| (run.id, machine))
        })
    });
    view! {
        <div class="head">
            <h1>{t("nav.training")}</h1>
            {move || state.get().map(|(id, state, _)| view! {
                <span class="t-mute nowrap">{tf("training.run_n", &[("n", &id.to_string())])}</span>
                <RunBadge state/>
            })}
            <div class="push row">
                {move || away.get().map(|of| {
                    let tip = bring_tip(of.0, &of.1);
                    view! { <button class="btn ghost" id="bring-checkpoints" title=tip on:click=move |_| bringing.set(Some(of.clone()))>{t("bring.open")}</button> }
                })}
                {move || elsewhere.get().map(|of| view! {
                    <button class="btn ghost" id="unfollow-run" title=t("unfollow.tip") on:click=move |_| leaving.set(Some(of.clone()))>{t("unfollow.begin")}</button>
                })}
                {move || state.get().map(|(id, state, evaluated)| view! { <Controls id state evaluated/> })}
            </div>
        </div>
    }
}

/// What the button for checkpoints does, or that there are none any more.
fn bring_tip(id: RunId, sent: &SentTo) -> String {
    match sent.cleaned {
        true => tf("bring.gone", &[("n", &id.to_string())]),
        false => t("bring.tip"),
    }
}

/// Whether the user may stop following a run on another machine: it is not known to be running, and it is not finished.
fn may_be_put_away(state: RunState) -> bool {
    !matches!(
        state,
        RunState::Running | RunState::Paused | RunState::Finished | RunState::Unfollowed
    )
}

/// What can be done with a run in its state.
#[component]
fn Controls(id: RunId, state: RunState, evaluated: bool) -> impl IntoView {
    let app = use_app();
    let n = id.to_string();
    let words = StoredValue::new(match state {
        RunState::Starting | RunState::Running | RunState::Paused => tf("wait.told", &[("n", &n)]),
        _ => tf("wait.resumed", &[("n", &n)]),
    });
    let tell = move |control: Control| {
        move |_| {
            let told = call(commands::ControlRun { id, control });
            app.attempt_once(words.get_value(), told, |()| ());
        }
    };
    let resume = move |_| {
        let resumed = call(commands::ResumeRun { id });
        app.attempt_once(words.get_value(), resumed, move |_| app.reload());
    };
    let waits = move || words.with_value(|words| app.waits.has(words));
    let said = words.get_value();
    match state {
        RunState::Starting | RunState::Running => view! {
            <Waiting words=said/>
            <button class="btn" id="pause-run" disabled=waits on:click=tell(Control::Pause)><Sign icon=Icon::Pause/>{t("training.pause")}</button>
            <button class="btn danger" id="stop-run" title=t("training.stop_tip") disabled=waits on:click=tell(Control::Stop)><Sign icon=Icon::Stop/>{t("training.stop")}</button>
        }
        .into_any(),
        RunState::Paused => view! {
            <Waiting words=said/>
            <button class="btn" id="go-on-run" disabled=waits on:click=tell(Control::Resume)><Sign icon=Icon::Play/>{t("training.go_on")}</button>
            <button class="btn danger" id="stop-run" title=t("training.stop_tip") disabled=waits on:click=tell(Control::Stop)><Sign icon=Icon::Stop/>{t("training.stop")}</button>
        }
        .into_any(),
        RunState::Finished => view! {
            <button class="btn" on:click=move |_| { app.run.set(Some(id)); app.go(Route::Evaluation); }>
                <Sign icon=Icon::Scales/>
                {if evaluated { t("training.show_evaluation") } else { t("training.evaluate") }}
            </button>
        }
        .into_any(),
        state if state.resumable() => view! {
            <Waiting words=said/>
            <button class="btn" id="resume-run" disabled=waits on:click=resume>
                <Sign icon=Icon::Play/>
                {t("training.resume")}
            </button>
        }
        .into_any(),
        _ => ().into_any(),
    }
}
