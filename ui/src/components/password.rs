//! A field for the password of a locked file, or for the passphrase of a key. The typed text is given only to the
//! command that uses it.

use crate::i18n::t;
use leptos::html::Input;
use leptos::prelude::*;

/// The field with its button; Enter does the same.
#[component]
pub fn Password(
    /// Uses the password.
    #[prop(into)]
    open: Callback<String>,
    /// Closes the field.
    #[prop(into)]
    close: Callback<()>,
    /// Whether it is the passphrase of a key, which is kept longer.
    #[prop(optional)]
    of_a_key: bool,
) -> impl IntoView {
    let (name, kept) = if of_a_key {
        (t("passphrase.field"), t("passphrase.kept"))
    } else {
        (t("password.field"), t("password.kept"))
    };
    let field = NodeRef::<Input>::new();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
        }
    });
    let send = move || {
        let Some(field) = field.get_untracked() else {
            return;
        };
        let password = field.value();
        if !password.is_empty() {
            field.set_value("");
            open.run(password);
        }
    };
    view! {
        <span class="password">
            <input
                class="input"
                type="password"
                autocomplete="off"
                spellcheck="false"
                placeholder=name.clone()
                aria-label=name
                node_ref=field
                on:keydown=move |event| match event.key().as_str() {
                    "Enter" if !event.is_composing() => send(),
                    "Escape" => {
                        event.stop_propagation();
                        close.run(());
                    }
                    _ => {}
                }
            />
            <button class="btn ghost sm" on:click=move |_| close.run(())>{t("action.cancel")}</button>
            <button class="btn sm password-open" on:click=move |_| send()>{t("password.open")}</button>
            <span class="t-small t-mute">{kept}</span>
        </span>
    }
}
