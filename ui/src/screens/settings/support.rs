//! A file for a request for support: versions, checks and logs, and nothing of a document.

use crate::backend::{call, commands};
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::SupportPart;

/// Where it was written, and what is in it.
type Written = (String, Vec<SupportPart>);

/// The button that writes it, and what came of it.
#[component]
pub fn Support() -> impl IntoView {
    let app = use_app();
    let written = RwSignal::new(None::<Written>);
    let write = move |_| {
        app.attempt(
            async {
                let asked = call(commands::PickSave {
                    name: "lexforge-support".to_owned(),
                    extension: "zip".to_owned(),
                });
                match asked.await? {
                    None => Ok(None),
                    Some(path) => {
                        let parts = call(commands::WriteSupport { path: path.clone() }).await?;
                        Ok(Some((path, parts)))
                    }
                }
            },
            move |done| {
                if done.is_some() {
                    written.set(done);
                }
            },
        );
    };
    view! {
        <section class="card" id="support">
            <div class="card-head">
                <h2>{t("support.title")}</h2>
                <button class="btn sm push" id="write-support" on:click=write>{t("support.write")}</button>
            </div>
            <div class="card-body stack">
                <p class="t-small">{t("support.text")}</p>
                {move || written.get().map(|written| view! { <Told written/> })}
            </div>
        </section>
    }
}

#[component]
fn Told(written: Written) -> impl IntoView {
    let (path, parts) = written;
    let lines = parts
        .into_iter()
        .map(|part| {
            view! { <li><span class="mono">{part.name}</span>" · "{format::bytes(part.bytes)}</li> }
        })
        .collect_view();
    view! {
        <div class="note ok" aria-live="polite">
            <Sign icon=Icon::Check small=true/>
            <div class="stack g-1">
                <span>{tf("support.written", &[("path", &path)])}</span>
                <ul class="t-small">{lines}</ul>
            </div>
        </div>
    }
}
