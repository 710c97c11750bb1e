//! The text and its pages: the sentences that were read are shown beside the page that they are on.

pub mod check;
mod details;
mod documents;
mod force;
mod hits;
mod import_panel;
mod keys;
mod outline;
mod removed;
mod sentences;
mod trust;
mod versions;

use crate::components::empty::Empty;
use crate::components::icon::{Icon, Sign};
use crate::i18n::{t, tn};
use crate::reading::{Page, PageBar, Reading};
use crate::state::use_app;
use check::Check;
use documents::Documents;
use import_panel::ImportPanel;
use leptos::prelude::*;
use lexforge_domain::api::WorkspaceView;
use outline::Outline;
use sentences::Sentences;
use trust::Trust;
use versions::Versions;

/// Documents, a page, its sentences.
#[component]
pub fn Library() -> impl IntoView {
    let app = use_app();
    let reading = Reading::begin(app);
    provide_context(reading);
    Effect::new(move |_| reading.choose_document());
    keys::listen(reading);
    let counts = |ws: &WorkspaceView| {
        let (documents, pages) = (
            tn("count.documents", ws.documents),
            tn("count.pages", ws.pages),
        );
        [documents, pages, tn("count.sentences", ws.sentences)].join(" · ")
    };
    let summary = move || app.workspace.with(|ws| ws.as_ref().map(counts));
    let latest = Memo::new(move |_| import_panel::latest(app));
    let none = Memo::new(move |_| {
        reading
            .documents
            .value
            .with(|d| d.as_ref().is_some_and(Vec::is_empty))
    });
    view! {
        <div class="head">
            <h1>{t("nav.library")}</h1>
            <span class="t-mute clip">{summary}</span>
            <div class="push row">
                {move || (!none.get()).then(|| view! { <Check/> })}
                <button class="btn" id="import-folder" on:click=move |_| app.import_folder()>
                    <Sign icon=Icon::Folder/>
                    {t("action.import_folder")}
                </button>
                <button class="btn primary" id="import" on:click=move |_| app.import()>
                    <Sign icon=Icon::Plus/>
                    {t("action.import")}
                </button>
            </div>
        </div>
        <div class="panes library" class:bare=move || none.get()>
            <section class="pane" aria-label=t("library.documents") data-pane="documents">
                <ImportPanel latest/>
                {move || (!none.get()).then(|| view! { <Documents/> })}
            </section>
            {move || if none.get() {
                view! {
                    <section class="pane wide">
                        <Empty icon=Icon::Books title=t("library.empty") text=t("library.empty_text")>
                            <button class="btn" on:click=move |_| app.import()>{t("action.import")}</button>
                            <button class="btn ghost" id="library-sample" disabled=move || app.waits.has(&t("wait.open")) on:click=move |_| app.open_sample()>
                                {t("action.open_sample")}
                            </button>
                        </Empty>
                    </section>
                }.into_any()
            } else {
                view! { <Read/> }.into_any()
            }}
        </div>
    }
}

/// What is read: a page with its text, or how one version of a document differs from another.
#[component]
fn Read() -> impl IntoView {
    let app = use_app();
    move || match app.compared.get() {
        Some((from, to)) => view! {
            <section class="pane wide" aria-label=t("versions.title") data-pane="versions">
                <Versions from to/>
            </section>
        }
        .into_any(),
        None => view! {
            <section class="pane" aria-label=t("library.page") data-pane="page">
                <PageBar/>
                <Trust/>
                <Page/>
            </section>
            <section class="pane" aria-label=t("library.text") data-pane="text">
                <Outline/>
                <Sentences/>
            </section>
        }
        .into_any(),
    }
}
