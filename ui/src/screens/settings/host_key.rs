//! The key of a machine: what it shows now beside what is known of it, and a new key that is trusted for a reason.

use crate::backend::{call, commands};
use crate::components::check::Check;
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::note::{Note, Tone};
use crate::components::ssh_asks::grouped;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{HostKey, HostKeyState, HostKeys, KnownKey};
use lexforge_domain::limits::SHORTEST_KEY_REASON;

/// The dialog in which the keys are shown and compared.
#[component]
pub fn HostKeyDialog(
    /// The name of the machine.
    name: StoredValue<String>,
    /// It is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    move || open.get().then(|| view! { <Keys name open/> })
}

#[component]
fn Keys(name: StoredValue<String>, open: RwSignal<bool>) -> impl IntoView {
    let keys = Fetched::<HostKeys>::default();
    let asking = name.get_value();
    keys.ask(call(commands::TargetKey { name: asking }));
    // Replacing is a second dialog: nothing in the first can trust a key.
    let replacing = RwSignal::new(false);
    let close = Callback::new(move |()| open.set(false));
    let back = Callback::new(move |()| replacing.set(false));
    let title = tf("host_key.title", &[("name", &name.get_value())]);
    move || match (replacing.get(), keys.value.get()) {
        (true, Some(shown)) => view! { <Replace name shown back close/> }.into_any(),
        (_, found) => {
            let title = title.clone();
            let changed = found
                .as_ref()
                .is_some_and(|keys| keys.state == HostKeyState::Changed);
            view! {
                <Dialog label=title.clone() close id="host-key" class="padded wide">
                    <h2>{title}</h2>
                    {move || keys.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                    {match found {
                        Some(found) => view! { <Beside keys=found/> }.into_any(),
                        None => view! {
                            {move || keys.failure.with(Option::is_none).then(|| view! {
                                <p class="t-small" role="status">{t("host_key.asking")}</p>
                            })}
                        }
                        .into_any(),
                    }}
                    <Foot cancel=close word=t("action.close") id="host-key-close" focus=true>
                        {changed.then(|| view! {
                            <button class="btn danger" id="host-key-replace" on:click=move |_| replacing.set(true)>{t("host_key.replace")}</button>
                        })}
                    </Foot>
                </Dialog>
            }
            .into_any()
        }
    }
}

/// The known keys and the one that is shown, side by side.
#[component]
fn Beside(keys: HostKeys) -> impl IntoView {
    let HostKeys {
        host,
        state,
        shown,
        known,
    } = keys;
    let (tone, words) = match state {
        HostKeyState::Same => (Tone::Ok, tf("host_key.same", &[("host", &host)])),
        HostKeyState::Unknown => (Tone::Info, tf("host_key.unknown", &[("host", &host)])),
        HostKeyState::Changed => (Tone::Warn, tf("host_key.changed", &[("host", &host)])),
    };
    view! {
        <Note tone>{words}</Note>
        <div class="two">
            <div class="stack" id="host-key-known">
                {known.is_empty().then(|| view! { <span class="t-small t-mute">{t("host_key.none_known")}</span> })}
                {known.into_iter().map(|known| view! { <Known known/> }).collect_view()}
            </div>
            <Fingerprint words=t("host_key.shown") key_of=shown id="host-key-shown"/>
        </div>
    }
}

/// A known key, where it stands and who trusted it.
#[component]
fn Known(known: KnownKey) -> impl IntoView {
    let line = known.line.to_string();
    let place = tf("host_key.stands", &[("line", &line), ("file", &known.file)]);
    let trusted = match &known.trusted {
        Some(trusted) => tf(
            "host_key.trusted",
            &[
                ("who", &trusted.actor),
                ("when", &format::minute(&trusted.time)),
                ("n", &trusted.sequence.to_string()),
            ],
        ),
        None => t("host_key.not_recorded"),
    };
    view! {
        <Fingerprint words=t("host_key.known") key_of=known.key/>
        <span class="t-small">{trusted}</span>
        <span class="t-small t-mute wrap-anywhere">{place}</span>
    }
}

/// A fingerprint in groups of four, with the kind of the key.
#[component]
fn Fingerprint(
    /// What the key is to the host.
    words: String,
    key_of: HostKey,
    #[prop(optional)] id: Option<&'static str>,
) -> impl IntoView {
    view! {
        <div class="fingerprint">
            <span class="t-small t-mute">{words}" · "{key_of.algorithm}</span>
            <span class="mono wrap-anywhere" id=id>{grouped(&key_of.fingerprint)}</span>
        </div>
    }
}

/// The question whether the new key is trusted, and why.
#[component]
fn Replace(
    name: StoredValue<String>,
    shown: HostKeys,
    /// Leads back to the keys.
    back: Callback<()>,
    /// Puts everything away.
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let reason = RwSignal::new(String::new());
    let compared = RwSignal::new(false);
    let done = Fetched::<HostKeys>::default();
    let busy = RwSignal::new(false);
    let fingerprint = StoredValue::new(shown.shown.fingerprint.clone());
    let no_workspace = app.workspace.with_untracked(Option::is_none);
    let incomplete = move || {
        no_workspace
            || busy.get()
            || !compared.get()
            || reason.with(|reason| reason.trim().chars().count() < SHORTEST_KEY_REASON)
    };
    let replace = move |_| {
        busy.set(true);
        let asked = commands::ReplaceTargetKey {
            name: name.get_value(),
            fingerprint: fingerprint.get_value(),
            reason: reason.get_untracked(),
        };
        done.ask(async move {
            let answer = call(asked).await;
            busy.try_set(false);
            if answer.is_ok() {
                app.reload();
                close.try_run(());
            }
            answer
        });
    };
    let title = tf("host_key.replace_title", &[("name", &name.get_value())]);
    view! {
        <Dialog label=title.clone() close=back id="host-key-replacing" class="padded wide">
            <h2>{title}</h2>
            <p class="t-small">{t("host_key.replace_text")}</p>
            <Beside keys=shown/>
            <div class="field">
                <label for="host-key-reason">{t("host_key.reason")}</label>
                <textarea class="textarea" id="host-key-reason" aria-describedby="host-key-reason-hint" on:input:target=move |event| reason.set(event.target().value())></textarea>
                <span class="hint" id="host-key-reason-hint">{tf("host_key.reason_hint", &[("least", &SHORTEST_KEY_REASON.to_string())])}</span>
            </div>
            <Check id="host-key-compared" on=compared tick=move |on: bool| compared.set(on)>
                <span>{t("ssh.compared")}</span>
            </Check>
            {no_workspace.then(|| view! { <Note tone=Tone::Warn>{t("host_key.needs_workspace")}</Note> })}
            {move || done.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <Foot cancel=back id="host-key-cancel" focus=true>
                <button class="btn danger" id="host-key-trust" disabled=incomplete on:click=replace>{t("host_key.replace_do")}</button>
            </Foot>
        </Dialog>
    }
}
