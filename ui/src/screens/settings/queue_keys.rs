//! The single keys of the queues; each can be changed.

use crate::i18n::{t, tf};
use crate::review::bindings::{Bindings, Deed};
use crate::state::use_app;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

#[component]
pub fn QueueKeys() -> impl IntoView {
    let app = use_app();
    let asking = RwSignal::new(None::<Deed>);
    let rows = Deed::ALL
        .map(|deed| view! { <Key deed asking/> })
        .collect_view();
    view! {
        <section class="card" id="queue-keys">
            <div class="card-head">
                <h2>{t("keys.of_queues")}</h2>
                <button class="btn ghost sm push" disabled=move || app.bindings.with(|keys| *keys == Bindings::default()) on:click=move |_| app.bindings.set(Bindings::default())>{t("keys.usual")}</button>
            </div>
            <div class="card-body stack g-3">
                <p class="t-small t-mute">{t("keys.of_queues_lead")}</p>
                <div class="key-choices">{rows}</div>
            </div>
        </section>
    }
}

/// A deed and its key. Once the button is pressed, the next key becomes the deed's.
#[component]
fn Key(
    deed: Deed,
    /// The deed that waits for its key.
    asking: RwSignal<Option<Deed>>,
) -> impl IntoView {
    let app = use_app();
    let press = move |event: KeyboardEvent| {
        let Some(deed) = asking.get_untracked() else {
            return;
        };
        let code = event.code();
        if code == "Tab" || event.ctrl_key() || event.meta_key() {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
        if code == "Escape" {
            asking.set(None);
            return;
        }
        let taken = app
            .bindings
            .try_update(|keys| keys.bind(deed, &code))
            .unwrap_or(false);
        if taken {
            asking.set(None);
        }
    };
    view! {
        <button
            class="btn sm key-choice"
            id=format!("key-{}", deed.tag())
            aria-pressed=move || (asking.get() == Some(deed)).to_string()
            aria-label=move || tf("keys.change", &[("deed", &deed.title()), ("key", &app.bindings.with(|keys| keys.letter(deed)))])
            on:click=move |_| asking.set(Some(deed))
            on:keydown=press
            on:blur=move |_| asking.set(None)
        >
            <span>{deed.title()}</span>
            {move || if asking.get() == Some(deed) {
                view! { <span class="t-small">{t("keys.press")}</span> }.into_any()
            } else {
                view! { <kbd>{app.bindings.with(|keys| keys.letter(deed))}</kbd> }.into_any()
            }}
        </button>
    }
}
