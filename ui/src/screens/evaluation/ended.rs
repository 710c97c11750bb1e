//! How the last job of a kind ended, where nothing came of it.

use crate::components::error_panel::ErrorPanel;
use crate::components::note::{Note, Tone};
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Code;

/// A note that it was stopped, or why it failed, until somebody dismisses it.
#[component]
pub fn Ended(
    /// The kind of job.
    kind: &'static str,
    /// The text if somebody stopped it.
    stopped: String,
) -> impl IntoView {
    let app = use_app();
    let last = Memo::new(move |_| {
        let task = app
            .tasks
            .with(|tasks| tasks.iter().rev().find(|t| t.kind == kind).cloned())?;
        let seen = app.seen.with(|seen| seen.contains(&task.id));
        Some((task.id, task.failure.filter(|_| !seen)?))
    });
    move || {
        last.get().map(|(id, failure)| {
            if failure.code == Code::Cancelled {
                let text = stopped.clone();
                return view! { <div id=format!("{kind}-stopped")><Note tone=Tone::Info>{text}</Note></div> }
                    .into_any();
            }
            view! {
                <div id=format!("{kind}-failed")>
                    <ErrorPanel failure>
                        <button class="btn sm" on:click=move |_| app.seen.update(|seen| seen.push(id))>{t("error.put_away")}</button>
                    </ErrorPanel>
                </div>
            }
            .into_any()
        })
    }
}
