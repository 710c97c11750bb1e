//! The question whether the checkpoints of a run on another machine come back, too, and how far that is.

use crate::backend::{call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::task_progress::Cancellable;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::{Failure, RunId};

/// The kind of the job that brings checkpoints.
const BRINGING: &str = "bring";

/// How far the checkpoints of this run are, with a button that calls the transfer off. What has arrived is kept.
#[component]
pub fn Coming(
    /// The run that is shown.
    #[prop(into)]
    run: Signal<Option<RunId>>,
) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| {
        let run = run.get()?.to_string();
        app.busy(BRINGING).filter(|task| task.title == run)
    });
    let coming = Memo::new(move |_| task.with(Option::is_some));
    move || {
        coming.get().then(|| {
            view! { <Cancellable task name="bring" tip=t("bring.cancel_tip")/> }
        })
    }
}

/// Asks, and has them brought: with the results, or at once where the results are here already.
#[component]
pub fn Bring(
    id: RunId,
    /// The machine that it was sent to.
    machine: String,
    /// Puts the dialog away.
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let failure = RwSignal::new(None::<Failure>);
    let busy = RwSignal::new(false);
    let send = move |_| {
        busy.set(true);
        failure.set(None);
        spawn_local(async move {
            let done = call(commands::BringCheckpoints { id }).await;
            busy.try_set(false);
            match done {
                Ok(_) => {
                    app.reload();
                    close.try_run(());
                }
                Err(problem) => {
                    failure.try_set(Some(problem));
                }
            }
        });
    };
    let title = tf("bring.ask", &[("n", &id.to_string())]);
    let when = tf("bring.when", &[("machine", &machine)]);
    view! {
        <Dialog label=title.clone() close id="bring" class="padded">
            <h2>{title}</h2>
            <p class="t-small">{when}</p>
            <p class="t-small">{t("bring.size")}</p>
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <Foot cancel=close>
                <button class="btn primary" id="bring-do" disabled=move || busy.get() on:click=send>{t("bring.begin")}</button>
            </Foot>
        </Dialog>
    }
}
