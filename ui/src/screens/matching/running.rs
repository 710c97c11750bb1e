//! How far the matching is, how long it will take, and the way to end it.

use super::deeds::MATCHING;
use crate::components::task_progress::Cancellable;
use crate::format;
use crate::i18n::tf;
use crate::state::use_app;
use leptos::prelude::*;

/// The job that matches.
#[component]
pub fn Running() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(MATCHING));
    let amount = move || {
        let progress = task.with(|task| task.as_ref()?.progress.clone())?;
        let (done, of) = (format::count(progress.done), format::count(progress.of));
        (progress.of > 0).then(|| tf("match.done_of", &[("done", &done), ("of", &of)]))
    };
    view! {
        <span class="row wrap" id="match-running">
            <Cancellable task name="match"/>
            <span class="t-small t-mute nowrap">{amount}</span>
        </span>
    }
}
