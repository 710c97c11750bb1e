//! The libtorchs that were taken in by file on this machine, for example the one for CUDA.

use crate::backend::{call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::Pack;

/// The kind of the job that takes a pack in.
const TAKING: &str = "pack";

/// Each pack, and the button that takes one in.
#[component]
pub fn Packs() -> impl IntoView {
    let app = use_app();
    let packs = Fetched::<Vec<Pack>>::default();
    let turn = RwSignal::new(0_u32);
    let task = Memo::new(move |_| app.busy(TAKING));
    let taking = Memo::new(move |_| task.with(Option::is_some));
    Effect::new(move |_| {
        turn.track();
        taking.track();
        packs.refresh(call(commands::Packs {}));
    });
    let open = Memo::new(move |_| app.workspace.with(Option::is_some));
    let take = move |_| {
        app.attempt_once(
            t("wait.choose"),
            async {
                match call(commands::PickFolder {}).await? {
                    Some(path) => call(commands::TakePackIn { path }).await.map(Some),
                    None => Ok(None),
                }
            },
            |_| (),
        );
    };
    let changed = Callback::new(move |()| turn.update(|n| *n += 1));
    view! {
        <div class="stack g-1" id="packs">
            {move || packs.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <For
                each=move || packs.value.get().unwrap_or_default()
                key=Clone::clone
                children=move |pack| view! { <Line pack changed/> }
            />
            {move || match taking.get() {
                true => view! { <Cancellable task/> }.into_any(),
                false => view! {
                    <div class="row g-1 wrap">
                        <button class="btn sm" id="pack-add" disabled=move || !open.get() on:click=take>
                            <Sign icon=Icon::Plus small=true/>{t("packs.add")}
                        </button>
                        <span class="t-small t-mute">{move || if open.get() { t("packs.lead") } else { t("packs.no_workspace") }}</span>
                    </div>
                }.into_any(),
            }}
        </div>
    }
}

#[component]
fn Line(pack: Pack, changed: Callback<()>) -> impl IntoView {
    let app = use_app();
    let id = StoredValue::new(pack.id.clone());
    let asked = RwSignal::new(false);
    let is = [
        ("version", pack.libtorch.as_str()),
        ("device", &pack.device),
    ];
    let words = StoredValue::new(tf("wait.pack", &is));
    let remove = Callback::new(move |()| {
        asked.set(false);
        let removed = call(commands::RemovePack { id: id.get_value() });
        app.attempt_once(words.get_value(), removed, move |_| {
            changed.try_run(());
        });
    });
    let close = Callback::new(move |()| asked.set(false));
    let removing = move || words.with_value(|words| app.waits.has(words));
    let size = format::bytes(pack.bytes);
    let named = [
        ("version", pack.libtorch.as_str()),
        ("device", &pack.device),
        ("size", &size),
    ];
    let is = match pack.libtorch.is_empty() {
        true => t("packs.unreadable"),
        false => tf("packs.is", &named),
    };
    let missing = (!pack.missing.is_empty()).then(|| {
        let parts = format::list(&pack.missing);
        view! { <span class="t-small c-warn">{tf("packs.missing", &[("parts", &parts)])}</span> }
    });
    view! {
        <div class="stack g-1 pack" data-pack=pack.id.clone()>
            <div class="row g-1">
                <span>{is}</span>
                {pack.used.then(|| view! { <span class="badge ok">{t("packs.used")}</span> })}
                <button class="btn ghost sm push pack-remove" disabled=removing on:click=move |_| asked.set(true)>{t("packs.remove")}</button>
            </div>
            {missing}
            <Waiting words=words.get_value()/>
            {move || asked.get().then(|| view! { <Ask close remove/> })}
        </div>
    }
}

/// Asks before a pack is removed: something may be at work with it.
#[component]
fn Ask(close: Callback<()>, remove: Callback<()>) -> impl IntoView {
    view! {
        <Dialog label=t("packs.remove_ask") close id="pack-removal" class="padded">
            <h2>{t("packs.remove_ask")}</h2>
            <p class="t-small">{t("packs.remove_text")}</p>
            <Foot cancel=close>
                <button class="btn danger" id="pack-removal-do" on:click=move |_| remove.run(())>{t("packs.remove")}</button>
            </Foot>
        </Dialog>
    }
}
