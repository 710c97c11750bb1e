//! Making a run active, as long as it takes: a rule may ask for attacks that were not measured yet.

use crate::components::task_progress::Cancellable;
use crate::i18n::t;
use crate::screens::evaluation::ended::Ended;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::RunId;

/// The kind of job that makes a run active.
const ACTIVATE: &str = "activate";

/// How far making a run active is, with a button that stops it, and how it ended where nothing came of it.
#[component]
pub fn Activating(run: RunId) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(ACTIVATE));
    let working = Memo::new(move |_| task.with(Option::is_some));
    view! {
        {move || working.get().then(|| view! { <Cancellable task name="gate-activating"/> })}
        <Ended kind=ACTIVATE title=run.to_string() stopped=t("gate.activate_stopped")/>
    }
}

/// Whether a run is being made active.
pub fn activating(app: App) -> bool {
    app.waits.has(&t("wait.activate")) || app.busy(ACTIVATE).is_some()
}
