//! The batch script that a queue gets for a run, as a text to read and copy.

use crate::backend::{call, commands};
use crate::clipboard;
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::i18n::t;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The script of a machine with a queue. It is changed by the machine's form.
#[component]
pub fn BatchScript(
    /// The name of the machine.
    name: StoredValue<String>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let script = Fetched::<String>::default();
    let copied = RwSignal::new(None::<bool>);
    let press = move |_| {
        open.update(|open| *open = !*open);
        copied.set(None);
        if open.get_untracked() {
            let name = name.get_value();
            script.ask(call(commands::TargetScript { name }));
        }
    };
    let copy = move |_| {
        let text = script.value.get_untracked().unwrap_or_default();
        spawn_local(async move {
            let done = clipboard::put(&text).await;
            copied.try_set(Some(done));
        });
    };
    let came = move || match copied.get() {
        Some(true) => t("batch_script.copied"),
        Some(false) => t("batch_script.copy_failed"),
        None => String::new(),
    };
    view! {
        <div class="stack">
            <div>
                <button class="btn ghost sm machine-script" aria-expanded=move || open.get().to_string() on:click=press>
                    {move || if open.get() { t("batch_script.close") } else { t("batch_script.open") }}
                </button>
            </div>
            {move || open.get().then(|| view! {
                <span class="t-small t-mute">{t("batch_script.lead")}</span>
                {move || script.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {move || script.value.get().map(|text| view! {
                    <pre class="mono prompt-shown machine-script-text" tabindex="0" role="region" aria-label=t("batch_script.label")>{text}</pre>
                    <div class="row wrap">
                        <button class="btn sm machine-script-copy" on:click=copy>{t("batch_script.copy")}</button>
                        <span class="t-small t-mute" role="status">{came}</span>
                    </div>
                })}
            })}
        </div>
    }
}
