//! Workspaces that were open before.

use crate::i18n::t;
use crate::prefs;
use crate::state::use_app;
use leptos::prelude::*;

/// The last few workspaces, each a press away.
#[component]
pub fn Recent() -> impl IntoView {
    let app = use_app();
    let paths: Vec<String> = prefs::read("recent")
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect();
    (!paths.is_empty()).then(|| {
        let entries = paths
            .into_iter()
            .map(|path| {
                let target = path.clone();
                let open = move |_| app.open_workspace(target.clone());
                let opening = move || app.waits.has(&t("wait.open"));
                view! { <li><button class="link mono" disabled=opening on:click=open>{path}</button></li> }
            })
            .collect_view();
        view! {
            <section class="stack">
                <h2>{t("welcome.recent")}</h2>
                <ul class="stack g-1">{entries}</ul>
            </section>
        }
    })
}
