//! Why the last matching gave nothing.

use super::deeds::MATCHING;
use crate::components::error_panel::ErrorPanel;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Code;

/// The failure of the last matching, until somebody has put it away. A cancelled matching is not shown as a failure.
#[component]
pub fn Failed() -> impl IntoView {
    let app = use_app();
    let last = Memo::new(move |_| {
        let task = app
            .tasks
            .with(|tasks| tasks.iter().rev().find(|t| t.kind == MATCHING).cloned())?;
        let seen = app.seen.with(|seen| seen.contains(&task.id));
        let failure = task
            .failure
            .filter(|f| f.code != Code::Cancelled && !seen)?;
        Some((task.id, failure))
    });
    move || {
        last.get().map(|(id, failure)| {
            view! {
                <div id="match-failed">
                    <ErrorPanel failure>
                        <button class="btn sm" on:click=move |_| app.seen.update(|seen| seen.push(id))>{t("error.put_away")}</button>
                    </ErrorPanel>
                </div>
            }
        })
    }
}
