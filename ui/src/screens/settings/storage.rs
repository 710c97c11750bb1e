//! What the workspace and its models take of the disk, and how much is left.

use super::encryption::Encryption;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{Storage, StorageRow};

/// The table.
#[component]
pub fn StorageCard() -> impl IntoView {
    let app = use_app();
    let found = Fetched::<Storage>::default();
    let open = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().map(|ws| ws.path.clone()))
    });
    // Folders may be large: it is counted when the page is opened, and when somebody asks again.
    let turn = RwSignal::new(0_u32);
    let counting = RwSignal::new(false);
    Effect::new(move |_| {
        turn.track();
        if open.get().is_none() {
            return found.forget();
        }
        counting.set(true);
        found.ask(async move {
            let counted = call(commands::StorageOf {}).await;
            counting.try_set(false);
            counted
        });
    });
    let table = move || {
        found.value.get().map(|storage| {
            let lines = storage.rows.into_iter().map(line).collect_view();
            let free = storage.free.map(|free| {
                let words = tf("storage.free", &[("size", &format::bytes(free))]);
                view! { <p class="t-small" id="storage-free">{words}</p> }
            });
            let encrypted = storage.encrypted;
            let changed = move |()| turn.update(|n| *n += 1);
            view! {
                <table class="table" id="storage">
                    <thead><tr><th>{t("storage.part")}</th><th class="num">{t("storage.size")}</th><th class="num">{t("storage.files")}</th><th>{t("storage.path")}</th></tr></thead>
                    <tbody>{lines}</tbody>
                </table>
                {free}
                <Encryption encrypted changed/>
            }
        })
    };
    view! {
        {move || open.get().is_some().then(|| view! {
            <section class="card" id="storage-card">
                <div class="card-head">
                    <h2>{t("storage.title")}</h2>
                    <button class="btn sm push" disabled=counting on:click=move |_| turn.update(|n| *n += 1)>{t("storage.again")}</button>
                </div>
                <div class="card-body stack g-3">
                    <p class="t-small t-mute">{t("storage.lead")}</p>
                    {move || found.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                    {move || counting.get().then(|| view! { <p class="t-small" role="status">{t("storage.counting")}</p> })}
                    {table}
                </div>
            </section>
        })}
    }
}

fn line(row: StorageRow) -> impl IntoView {
    view! {
        <tr>
            <td>{tag("storage_part", row.part.tag())}</td>
            <td class="num nowrap">{format::bytes(row.bytes)}</td>
            <td class="num">{format::count(row.files)}</td>
            <td class="mono t-small">{row.path}</td>
        </tr>
    }
}
