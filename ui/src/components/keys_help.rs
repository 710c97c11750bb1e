//! All keys.

use super::dialog::Dialog;
use super::keys_map::{Group, rows};
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;

/// The list of keys, over everything else.
#[component]
pub fn KeysHelp() -> impl IntoView {
    let app = use_app();
    let groups = move || {
        Group::ALL.into_iter().map(move |group| {
            let lines = app.bindings.with(|keys| group.lines(keys));
            view! {
                <h3>{group.title()}</h3>
                {rows(lines)}
            }
        })
    };
    let body = move || {
        view! {
            <Dialog label=t("keys.title") close=move |()| app.keys.set(false) id="keys-help">
                    <div class="row between">
                        <h2>{t("keys.title")}</h2>
                        <button class="btn sm" on:click=move |_| app.keys.set(false)>{t("action.close")} <kbd>"Esc"</kbd></button>
                    </div>
                    <div class="keys" tabindex="0">{groups().collect_view()}</div>
            </Dialog>
        }
    };
    move || app.keys.get().then(body)
}
