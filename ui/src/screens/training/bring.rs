//! The question whether the checkpoints of a run on another machine come back, too, and how far that is.

use crate::attempt::ended;
use crate::backend::{call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::task_progress::Cancellable;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{SentTo, Task};
use lexforge_domain::{Code, Failure, RunId};

/// The kind of the job that brings checkpoints.
const BRINGING: &str = "bring";

/// How many of this run's checkpoints have arrived, with a button that cancels the transfer. What has arrived is kept.
/// If the transfer failed, the reason is shown until it is closed.
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
    let failed = Memo::new(move |_| {
        let run = run.get()?.to_string();
        let last = app.tasks.with(|tasks| {
            let of_run = |task: &&Task| task.kind == BRINGING && task.title == run;
            tasks.iter().rev().find(of_run).cloned()
        })?;
        let seen = app.seen.with(|seen| seen.contains(&last.id));
        let failure = last
            .failure
            .filter(|failure| failure.code != Code::Cancelled);
        Some((last.id, failure.filter(|_| !seen)?))
    });
    view! {
        {move || coming.get().then(|| {
            view! { <Cancellable task name="bring" tip=t("bring.cancel_tip")/> }
        })}
        {move || failed.get().map(|(id, failure)| view! {
            <div id="bring-failed">
                <ErrorPanel failure>
                    <button class="btn sm" on:click=move |_| app.seen.update(|seen| seen.push(id))>{t("error.put_away")}</button>
                </ErrorPanel>
            </div>
        })}
    }
}

/// Asks the user and then requests the checkpoints. They are fetched together with the results, or at once if the
/// results are here already. If the machine was cleaned, this only says that they are gone.
#[component]
pub fn Bring(
    id: RunId,
    /// The machine that it was sent to.
    sent: SentTo,
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
            ended(failure, done, |_| {
                app.reload();
                close.try_run(());
            });
        });
    };
    let SentTo { machine, cleaned } = sent;
    let n = id.to_string();
    let (title, texts) = match cleaned {
        true => (
            tf("bring.gone", &[("n", &n)]),
            vec![tf("bring.cleaned", &[("machine", &machine)])],
        ),
        false => (
            tf("bring.ask", &[("n", &n)]),
            vec![tf("bring.when", &[("machine", &machine)]), t("bring.size")],
        ),
    };
    view! {
        <Dialog label=title.clone() close id="bring" class="padded">
            <h2>{title}</h2>
            {texts.into_iter().map(|text| view! { <p class="t-small">{text}</p> }).collect_view()}
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <Foot cancel=close word=if cleaned { t("action.close") } else { t("action.cancel") }>
                {(!cleaned).then(|| view! {
                    <button class="btn primary" id="bring-do" disabled=move || busy.get() on:click=send>{t("bring.begin")}</button>
                })}
            </Foot>
        </Dialog>
    }
}
