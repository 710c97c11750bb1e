//! How the last measuring ended, where it gave no table.

use super::measurable::BENCH;
use crate::components::error_panel::ErrorPanel;
use crate::components::note::{Note, Tone};
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Code;

/// That it was stopped, or why it failed, until somebody has put it away.
#[component]
pub fn Ended() -> impl IntoView {
    let app = use_app();
    let last = Memo::new(move |_| {
        let task = app
            .tasks
            .with(|tasks| tasks.iter().rev().find(|t| t.kind == BENCH).cloned())?;
        let seen = app.seen.with(|seen| seen.contains(&task.id));
        Some((task.id, task.failure.filter(|_| !seen)?))
    });
    move || {
        last.get().map(|(id, failure)| {
            if failure.code == Code::Cancelled {
                return view! { <div id="bench-stopped"><Note tone=Tone::Info>{t("systems.stopped")}</Note></div> }
                    .into_any();
            }
            view! {
                <div id="bench-failed">
                    <ErrorPanel failure>
                        <button class="btn sm" on:click=move |_| app.seen.update(|seen| seen.push(id))>{t("error.put_away")}</button>
                    </ErrorPanel>
                </div>
            }
            .into_any()
        })
    }
}
