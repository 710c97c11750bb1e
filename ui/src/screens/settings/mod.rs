//! How the window looks and speaks, the keyboard, and whether the machine has what is needed.

mod checks;
mod endpoints;
mod preferences;

use crate::i18n::t;
use checks::Checks;
use endpoints::Endpoints;
use leptos::prelude::*;
use preferences::Preferences;

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
                <Endpoints/>
                <Checks/>
            </div>
        </div>
    }
}
