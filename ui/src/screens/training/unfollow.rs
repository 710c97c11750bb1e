//! The question before following of a run on another machine stops: what stays there, and what is lost.

use crate::attempt::ended;
use crate::backend::{call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::{Failure, RunId};

/// Asks the user, and stops following the run. If the machine says that the run is still running there, the user is
/// asked once more.
#[component]
pub fn Unfollow(
    id: RunId,
    /// The machine that it was sent to.
    machine: String,
    /// Puts the dialog away.
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let failure = RwSignal::new(None::<Failure>);
    let busy = RwSignal::new(false);
    let send = move |sure: bool| {
        busy.set(true);
        failure.set(None);
        spawn_local(async move {
            let done = call(commands::StopFollowing { id, sure }).await;
            busy.try_set(false);
            ended(failure, done, |_| {
                app.reload();
                close.try_run(());
            });
        });
    };
    let title = tf("unfollow.ask", &[("n", &id.to_string())]);
    let stays = tf("unfollow.stays", &[("machine", &machine)]);
    let asking = StoredValue::new(tf("unfollow.asking", &[("machine", &machine)]));
    let refused = Memo::new(move |_| failure.with(Option::is_some));
    view! {
        <Dialog label=title.clone() close id="unfollow" class="padded">
            <h2>{title}</h2>
            <p class="t-small">{stays}</p>
            <p class="t-small">{t("unfollow.lost")}</p>
            <p class="t-small">{t("unfollow.again")}</p>
            {move || busy.get().then(|| view! { <span class="t-small" role="status">{asking.get_value()}</span> })}
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <Foot cancel=close>
                {move || match refused.get() {
                    true => view! {
                        <button class="btn danger" id="unfollow-anyway" disabled=move || busy.get() on:click=move |_| send(true)>{t("unfollow.anyway")}</button>
                    }.into_any(),
                    false => view! {
                        <button class="btn danger" id="unfollow-do" disabled=move || busy.get() on:click=move |_| send(false)>{t("unfollow.begin")}</button>
                    }.into_any(),
                }}
            </Foot>
        </Dialog>
    }
}
