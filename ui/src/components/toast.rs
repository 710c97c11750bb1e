//! A word about what was just done, with a way back. Never for a failure.

use super::icon::{Icon, Sign};
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use std::time::Duration;

/// How long it stays, unless somebody is at it.
const STAY: Duration = Duration::from_secs(6);

/// The latest word, at the foot of the screen.
#[component]
pub fn Toasts() -> impl IntoView {
    let app = use_app();
    let held = RwSignal::new(false);
    let turn = StoredValue::new(0_u64);
    Effect::new(move |_| {
        if app.toast.with(Option::is_none) || held.get() {
            return;
        }
        let now = turn.try_update_value(|turn| {
            *turn += 1;
            *turn
        });
        set_timeout(
            move || {
                if turn.try_get_value() == now && !held.try_get_untracked().unwrap_or(true) {
                    app.toast.set(None);
                }
            },
            STAY,
        );
    });
    view! {
        <div class="toasts" aria-live="polite">
            {move || app.toast.get().map(|toast| view! {
                <div
                    class="toast"
                    on:pointerenter=move |_| held.set(true)
                    on:pointerleave=move |_| held.set(false)
                    on:focusin=move |_| held.set(true)
                    on:focusout=move |_| held.set(false)
                >
                    <Sign icon=Icon::Check/>
                    <span class="grow">{toast.text}</span>
                    {toast.undo.map(|undo| view! {
                        <button class="btn ghost sm" id="toast-undo" on:click=move |_| { app.toast.set(None); undo.run(()); }>{t("deed.undo")}</button>
                    })}
                    <button class="btn ghost icon sm" aria-label=t("action.close") on:click=move |_| app.toast.set(None)>
                        <Sign icon=Icon::Close small=true/>
                    </button>
                </div>
            })}
        </div>
    }
}
