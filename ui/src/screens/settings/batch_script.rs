//! The batch script that a queue gets for a run, as a text to read and copy. It is shown for the stored settings of a
//! machine, and for the settings that are being typed in its form.

use crate::backend::{Answer, call, commands};
use crate::clipboard;
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::i18n::t;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::protocol::SlurmSettings;

/// The script of a machine with a queue. It is changed by the machine's form.
#[component]
pub fn BatchScript(
    /// The name of the machine.
    name: StoredValue<String>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let script = Fetched::<String>::default();
    let press = move |_| {
        open.update(|open| *open = !*open);
        if open.get_untracked() {
            let name = name.get_value();
            script.ask(call(commands::TargetScript { name }));
        }
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
                <Text script/>
            })}
        </div>
    }
}

/// The script with what is typed in a form and not kept yet. While it is open, it follows the fields.
#[derive(Clone, Copy, Default)]
pub struct Preview {
    open: RwSignal<bool>,
    script: Fetched<String>,
}

impl Preview {
    /// Updates the script after a field has changed, if it is open. `typed` returns the folder and the settings, or
    /// `None` if a field is not valid; the form then shows an error at the field.
    pub fn follow(self, typed: impl FnOnce() -> Option<(String, SlurmSettings)>) {
        if self.open.get_untracked() {
            self.draw(typed());
        }
    }

    fn draw(self, typed: Option<(String, SlurmSettings)>) {
        if let Some((folder, slurm)) = typed {
            self.script.ask(with(folder, slurm));
        }
    }

    /// The button, and below it the script.
    pub fn view(
        self,
        typed: impl Fn() -> Option<(String, SlurmSettings)> + 'static,
    ) -> impl IntoView {
        let Self { open, script } = self;
        let press = move |_| {
            open.update(|open| *open = !*open);
            if open.get_untracked() {
                self.draw(typed());
            }
        };
        view! {
            <div>
                <button class="btn ghost sm machine-preview" type="button" aria-expanded=move || open.get().to_string() on:click=press>
                    {move || if open.get() { t("batch_script.close") } else { t("batch_script.preview") }}
                </button>
            </div>
            {move || open.get().then(|| view! {
                <span class="t-small t-mute">{t("batch_script.preview_lead")}</span>
                <Text script/>
            })}
        }
    }
}

async fn with(folder: String, slurm: SlurmSettings) -> Answer<String> {
    call(commands::ScriptWith { folder, slurm }).await
}

/// A script that came, with a button that copies it; or why it did not.
#[component]
fn Text(script: Fetched<String>) -> impl IntoView {
    let copied = RwSignal::new(None::<bool>);
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
        {move || script.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || script.value.get().filter(|_| script.failure.with(Option::is_none)).map(|text| view! {
            <pre class="mono prompt-shown machine-script-text" tabindex="0" role="region" aria-label=t("batch_script.label")>{text}</pre>
            <div class="row wrap">
                <button class="btn sm machine-script-copy" type="button" on:click=copy>{t("batch_script.copy")}</button>
                <span class="t-small t-mute" role="status">{came}</span>
            </div>
        })}
    }
}
