//! How the window looks and speaks, the keyboard, whether the machine has what is needed, and which program this is.

mod about;
mod batch_script;
mod bench;
mod checks;
mod encryption;
mod endpoints;
mod host_key;
mod licences;
mod logs;
mod machine_form;
mod machine_holds;
mod machines;
mod packs;
mod people;
mod plan;
mod preferences;
mod prompts;
mod queue_keys;
mod schemas;
mod storage;
mod support;

use crate::components::tabs::{Tab, Tabs};
use crate::i18n::t;
use crate::place::SettingsTab;
use crate::state::use_app;
use about::About;
use checks::Checks;
use endpoints::Endpoints;
use leptos::prelude::*;
use logs::Logs;
use machines::Machines;
use people::People;
use plan::Plan;
use preferences::Preferences;
use prompts::Prompts;
use queue_keys::QueueKeys;
use schemas::Schemas;
use storage::StorageCard;
use support::Support;

/// Settings are saved at once, so there is no button for it.
#[component]
pub fn Settings() -> impl IntoView {
    let app = use_app();
    let tab = |key, id, name| Tab {
        key,
        id,
        name,
        count: Signal::derive(|| None),
    };
    let tabs = vec![
        tab(
            SettingsTab::Window,
            "settings-window",
            t("settings.tab_window"),
        ),
        tab(
            SettingsTab::Review,
            "settings-review",
            t("settings.tab_review"),
        ),
        tab(
            SettingsTab::Models,
            "settings-models",
            t("settings.tab_models"),
        ),
        tab(
            SettingsTab::Machines,
            "settings-machines",
            t("settings.tab_machines"),
        ),
        tab(SettingsTab::About, "settings-about", t("program.title")),
    ];
    let part = move || match app.settings.get() {
        SettingsTab::Window => view! { <Preferences/><StorageCard/><QueueKeys/> }.into_any(),
        SettingsTab::Review => view! { <People/><Plan/><Schemas/> }.into_any(),
        SettingsTab::Models => view! { <Endpoints/><Prompts/> }.into_any(),
        SettingsTab::About => view! { <About/> }.into_any(),
        SettingsTab::Machines => view! { <Machines/><Checks/><Logs/><Support/> }.into_any(),
    };
    view! {
        <div class="head">
            <h1>{t("nav.settings")}</h1>
            <Tabs label=t("settings.tabs") tabs now=app.settings/>
            <span class="t-mute clip push">{t("settings.lead")}</span>
        </div>
        // Each part has a place of its own to scroll in, so that it begins at its top.
        {move || view! {
            <div class="scroll" data-pane="list">
                <div class="page-body settings">{part()}</div>
            </div>
        }}
    }
}
