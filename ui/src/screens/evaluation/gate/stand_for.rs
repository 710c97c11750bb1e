//! Making a run active against the gate: who stands for it, and why.

use crate::components::dialog::Dialog;
use crate::components::field::Field;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::GateOverride;

/// The dialog that asks for name and reason.
#[component]
pub fn StandFor(
    run: RunId,
    /// Puts it away.
    close: Callback<()>,
    /// Makes the run active.
    activate: Callback<Option<GateOverride>>,
) -> impl IntoView {
    let said = RwSignal::new((String::new(), String::new()));
    let incomplete =
        move || said.with(|(by, reason)| by.trim().is_empty() || reason.trim().is_empty());
    let make = move |_| {
        let (by, reason) = said.get_untracked();
        activate.run(Some(GateOverride { by, reason }));
    };
    let title = tf("gate.override_title", &[("n", &run.to_string())]);
    view! {
        <Dialog label=title.clone() close id="gate-stand-for" class="padded">
            <h2>{title}</h2>
            <p class="t-small">{t("gate.override_text")}</p>
            <Field id="gate-by" label=t("gate.by")>
                <input class="input" id="gate-by" autofocus=true autocomplete="off" on:input:target=move |event| said.update(|said| said.0 = event.target().value())/>
            </Field>
            <Field id="gate-reason" label=t("gate.reason")>
                <textarea class="textarea" id="gate-reason" on:input:target=move |event| said.update(|said| said.1 = event.target().value())></textarea>
            </Field>
            <div class="row">
                <button class="btn primary" id="gate-make-active" disabled=incomplete on:click=make>{t("gate.override_do")}</button>
                <button class="btn" on:click=move |_| close.run(())>{t("action.cancel")}</button>
            </div>
        </Dialog>
    }
}
