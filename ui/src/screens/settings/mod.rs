//! How the window looks and speaks, the keyboard, and whether the machine has what is needed.

mod bench;
mod checks;
mod endpoints;
mod machine_form;
mod machines;
mod people;
mod plan;
mod preferences;
mod prompts;
mod queue_keys;
mod schemas;

use crate::i18n::t;
use checks::Checks;
use endpoints::Endpoints;
use leptos::prelude::*;
use machines::Machines;
use people::People;
use plan::Plan;
use preferences::Preferences;
use prompts::Prompts;
use queue_keys::QueueKeys;
use schemas::Schemas;

/// Preferences are kept at once; there is nothing to save.
#[component]
pub fn Settings() -> impl IntoView {
    view! {
        <div class="head">
            <h1>{t("nav.settings")}</h1>
            <span class="t-mute clip">{t("settings.lead")}</span>
        </div>
        <div class="scroll" data-pane="list">
            <div class="page-body settings">
                <Preferences/>
                <QueueKeys/>
                <People/>
                <Plan/>
                <Schemas/>
                <Endpoints/>
                <Machines/>
                <Prompts/>
                <Checks/>
            </div>
        </div>
    }
}
