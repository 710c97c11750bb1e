//! The file of pairs by which general language is measured.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::i18n::t;
use crate::screens::evaluation::gate::file_of;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::gate::GeneralSet;

/// The file that is remembered, and the choice of another.
#[component]
pub fn GeneralFile() -> impl IntoView {
    let app = use_app();
    let set = Fetched::<Option<GeneralSet>>::default();
    Effect::new(move |_| {
        app.changes.track();
        set.refresh(call(commands::GateGeneral {}));
    });
    let choose = move |_| {
        let kept = async {
            let extensions = ["csv", "tsv", "jsonl"].map(str::to_owned).to_vec();
            let Some(path) = call(commands::PickOpen { extensions }).await? else {
                return Ok(None);
            };
            call(commands::KeepGateGeneral { path }).await.map(Some)
        };
        app.attempt_once(t("wait.choose"), kept, move |kept| {
            if kept.is_some() {
                app.changes.update(|n| *n += 1);
            }
        });
    };
    let acts = move || app.waits.has(&t("wait.choose"));
    let file = move || {
        set.value.get().map(|set| {
            let (path, words) = match set {
                Some(set) => (set.path.clone(), file_of(&set)),
                None => (String::new(), t("rule.general_none")),
            };
            view! { <span class="t-small" id="rule-general-chosen" title=path>{words}</span> }
        })
    };
    view! {
        <span class="row wrap">
            <button class="btn sm" id="rule-general-file" title=t("rule.general_tip") disabled=acts on:click=choose>{t("rule.general_choose")}</button>
            {file}
            {move || set.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        </span>
    }
}
