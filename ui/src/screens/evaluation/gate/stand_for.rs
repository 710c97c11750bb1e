//! Making a run active against the gate: a person gives a name and a reason, and accepts what the gate found.

use crate::components::dialog::{Dialog, Foot};
use crate::components::waiting::Waiting;
use crate::i18n::{t, tf};
use crate::screens::evaluation::gate::activating::{Activating, activating};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{GateOverride, LEAST_REASON};

/// The dialog that asks for name, reason and acceptance.
#[component]
pub fn StandFor(
    run: RunId,
    /// Puts it away.
    close: Callback<()>,
    /// Makes the run active.
    activate: Callback<Option<GateOverride>>,
) -> impl IntoView {
    let said = RwSignal::new(GateOverride::default());
    let app = use_app();
    let incomplete = move || activating(app) || said.with(|said| !said.is_complete());
    let length = move || {
        let written = said.with(GateOverride::reason_length).to_string();
        let least = LEAST_REASON.to_string();
        tf("gate.reason_length", &[("n", &written), ("least", &least)])
    };
    let make = move |_| activate.run(Some(said.get_untracked()));
    let title = tf("gate.override_title", &[("n", &run.to_string())]);
    view! {
        <Dialog label=title.clone() close id="gate-stand-for" class="padded">
            <h2>{title}</h2>
            <p class="t-small">{t("gate.override_text")}</p>
            <div class="field">
                <label for="gate-by">{t("gate.by")}</label>
                <input class="input" id="gate-by" autofocus=true autocomplete="off" on:input:target=move |event| said.update(|said| said.by = event.target().value())/>
            </div>
            <div class="field">
                <label for="gate-reason">{t("gate.reason")}</label>
                <textarea class="textarea" id="gate-reason" aria-describedby="gate-reason-length" on:input:target=move |event| said.update(|said| said.reason = event.target().value())></textarea>
                <span class="hint" id="gate-reason-length">{length}</span>
            </div>
            <label class="check">
                <input type="checkbox" id="gate-accepts" on:change:target=move |event| said.update(|said| said.accepts = event.target().checked())/>
                <span class="t-small">{t("gate.accepts")}</span>
            </label>
            <Waiting words=t("wait.activate")/>
            <Activating run/>
            <Foot cancel=close>
                <button class="btn danger" id="gate-make-active" disabled=incomplete on:click=make>{t("gate.override_do")}</button>
            </Foot>
        </Dialog>
    }
}
