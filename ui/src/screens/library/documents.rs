//! The list of documents, or the passages that a search found.

use super::hits::Hits;
use super::reading::use_reading;
use crate::backend;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::fetched::Fetched;
use crate::i18n::{t, tag, tn};
use crate::state::{Place, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{DocumentRow, SearchHit};
use std::time::Duration;

/// How long typing must rest before the corpus is searched.
const REST: Duration = Duration::from_millis(250);
/// Passages shown.
const TOP: usize = 50;

/// Search field, then documents or passages.
#[component]
pub fn Documents() -> impl IntoView {
    let reading = use_reading();
    let query = RwSignal::new(String::new());
    let hits = Fetched::<Vec<SearchHit>>::default();
    let search = move || {
        let wanted = query.get_untracked();
        if wanted.trim().is_empty() {
            hits.forget();
        } else {
            hits.ask(async move { backend::library::search(&wanted, TOP).await });
        }
    };
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let typed = move |text: String| {
        query.set(text);
        if let Some(handle) = timer.get_value() {
            handle.clear();
        }
        timer.set_value(set_timeout_with_handle(search, REST).ok());
    };
    let rows = move || {
        reading
            .documents
            .value
            .get()
            .unwrap_or_default()
            .into_iter()
            .map(|document| view! { <Document document/> })
            .collect_view()
    };
    let searching = move || query.with(|q| !q.trim().is_empty());
    view! {
        <div class="pane-head">
            <div class="search grow">
                <Sign icon=Icon::Search/>
                <input
                    class="input"
                    id="find"
                    type="search"
                    placeholder=t("library.search")
                    aria-label=t("library.search")
                    prop:value=query
                    on:input:target=move |event| typed(event.target().value())
                />
            </div>
        </div>
        {move || reading.documents.failure.get().map(|failure| view! { <div class="pad"><ErrorPanel failure/></div> })}
        <div class="scroll">
            {move || if searching() {
                view! { <Hits hits query/> }.into_any()
            } else {
                view! { <ul>{rows}</ul> }.into_any()
            }}
        </div>
    }
}

#[component]
fn Document(document: DocumentRow) -> impl IntoView {
    let app = use_app();
    let id = document.id;
    let mut remarks = Vec::new();
    if document.scanned_pages > 0 {
        remarks.push(tn("library.scanned", u64::from(document.scanned_pages)));
    }
    let others = document.warnings.iter().filter(|w| w.code != "scanned_page").count();
    if others > 0 {
        remarks.push(tn("library.warnings", others as u64));
    }
    let figures = format!(
        "{} · {}",
        tn("count.pages", u64::from(document.pages)),
        tn("count.sentences", u64::from(document.sentences))
    );
    view! {
        <li>
            <button
                class="doc"
                aria-current=move || (app.place.get().document == Some(id)).then_some("true")
                on:click=move |_| app.place.set(Place { document: Some(id), page: 1, sentence: None })
            >
                <Sign icon=Icon::File/>
                <span class="grow">
                    <b lang=lang_tag(document.language)>{document.title.clone()}</b>
                    <small class="clip" title=document.file.clone()>{tag("language", document.language.tag())} " · " {document.file.clone()}</small>
                    <small>{figures}</small>
                    {(!remarks.is_empty()).then(|| view! { <small class="c-warn">{remarks.join(" · ")}</small> })}
                </span>
            </button>
        </li>
    }
}
