//! Opens a key file that is protected by a passphrase, or an encrypted workspace, for as long as the window runs.

use super::check::Check;
use super::password::Password;
use crate::backend::{call, commands};
use crate::i18n::{lang, t};
use crate::said::translated;
use crate::state::App;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// How far it is.
#[derive(Clone, PartialEq)]
enum Step {
    /// Nobody has asked to enter anything yet.
    Closed,
    /// The field is shown, with the reason why the last passphrase was refused.
    Asked(Option<String>),
    /// The passphrase is being tried, which takes a moment by intention.
    Tried,
    /// The file is open.
    Opened,
}

/// A button that becomes a field, which becomes a word.
#[component]
pub fn Unlock(
    /// The path of the key file or of the workspace.
    path: String,
    /// Whether it is a workspace, which is shown once it is unlocked.
    of_workspace: bool,
) -> impl IntoView {
    let app = use_context::<App>();
    let step = RwSignal::new(Step::Closed);
    let remember = RwSignal::new(false);
    let open = Callback::new(move |passphrase: String| {
        let path = path.clone();
        step.set(Step::Tried);
        spawn_local(async move {
            let remembered = of_workspace.then(|| remember.get_untracked());
            let next = tried(path.clone(), passphrase, remembered).await;
            if let Some(app) = app.filter(|_| of_workspace && next == Step::Opened) {
                app.open_workspace(path);
            }
            step.try_set(next);
        });
    });
    let close = Callback::new(move |()| step.set(Step::Closed));
    move || {
        match step.get() {
        Step::Closed => view! {
            <button class="btn sm" on:click=move |_| step.set(Step::Asked(None))>{t("passphrase.enter")}</button>
        }
        .into_any(),
        Step::Asked(wrong) => view! {
            <Password open close of_a_key=true/>
            {of_workspace
                .then(|| {
                    view! {
                        <Check id="unlock-remember" on=remember tick=move |on| remember.set(on)>
                            {t("encryption.remember")}
                        </Check>
                    }
                })}
            {wrong.map(|text| view! { <span class="t-small" role="alert">{text}</span> })}
        }
        .into_any(),
        Step::Tried => view! { <span class="t-small waiting" role="status">{t("wait.unlock")}</span> }.into_any(),
        Step::Opened => {
            let said = if of_workspace { t("passphrase.unlocked") } else { t("passphrase.opened") };
            view! { <span class="t-small" role="status">{said}</span> }.into_any()
        }
    }
    }
}

/// What comes of a passphrase, for a key file or, if it is said whether it is remembered, for a workspace.
async fn tried(path: String, passphrase: String, remembered: Option<bool>) -> Step {
    let tried = match remembered {
        Some(remember) => {
            call(commands::UnlockWorkspace {
                path,
                passphrase,
                remember,
            })
            .await
        }
        None => call(commands::UnlockKeyFile { path, passphrase }).await,
    };
    match tried {
        Ok(()) => Step::Opened,
        Err(failure) => {
            let told = translated(&failure.message, lang());
            Step::Asked(Some(told.unwrap_or(failure.message)))
        }
    }
}
