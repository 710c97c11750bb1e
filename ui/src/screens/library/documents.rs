//! The list of documents, or the passages that a search found.

use super::hits::Hits;
use crate::backend::{call, commands};
use crate::components::blocks::Blocks;
use crate::components::error_panel::ErrorPanel;
use crate::components::find::Find;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::fetched::Fetched;
use crate::format::today;
use crate::i18n::{t, tag, tn};
use crate::out_of_force::why;
use crate::place::Place;
use crate::reading::{Detail, Reading, use_reading};
use crate::state::{App, use_app};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::{
    DiffCounts, DocumentRow, SearchHit, SearchMode, SearchRequest, ValidityProposal,
};
use std::time::Duration;

/// How long typing must rest before the corpus is searched.
const REST: Duration = Duration::from_millis(250);
/// Passages shown.
const TOP: usize = 50;
/// About how high a document's row is, in pixels.
const ROW: f64 = 86.0;

/// The passages that hold what is looked for, in all documents or in the open one; none while nothing is looked for.
fn found_as_one_types(app: App) -> Fetched<Vec<SearchHit>> {
    let query = app.query;
    let hits = Fetched::<Vec<SearchHit>>::default();
    let search = move || {
        let wanted = query.get_untracked();
        let document = app.place.get_untracked().document;
        let document = document.filter(|_| app.in_document.get_untracked());
        if wanted.trim().is_empty() {
            hits.forget();
        } else {
            hits.ask(call(commands::Search {
                request: SearchRequest {
                    query: wanted,
                    mode: SearchMode::Lexical,
                    document,
                    top: TOP,
                    encoder: None,
                },
            }));
        }
    };
    let open = Memo::new(move |_| app.place.get().document);
    Effect::new(move |_| {
        if app.in_document.get() {
            open.track();
        }
        search();
    });
    let timer = StoredValue::new(None::<TimeoutHandle>);
    // Follows changes of the words, made here or in the palette. The search for the first words is above.
    Effect::new(move |before: Option<()>| {
        query.track();
        if before.is_some() {
            if let Some(handle) = timer.get_value() {
                handle.clear();
            }
            timer.set_value(set_timeout_with_handle(search, REST).ok());
        }
    });
    hits
}

/// Search field, then documents or passages.
#[component]
pub fn Documents() -> impl IntoView {
    let reading = use_reading();
    let app = reading.app;
    let query = app.query;
    let hits = found_as_one_types(app);
    let searching = Memo::new(move |_| query.with(|q| !q.trim().is_empty()));
    let scope = move |inside: bool, name: String| {
        view! {
            <button
                aria-pressed=move || (app.in_document.get() == inside).to_string()
                on:click=move |_| app.in_document.set(inside)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="pane-head">
            <Find label=t("library.search") hint=Signal::derive(move || if app.in_document.get() { t("library.search_here") } else { t("library.search") })
                text=query typed=move |text: String| query.set(text)/>
        </div>
        {move || searching.get().then(|| view! {
            <div class="scope">
                <div class="seg" role="group" aria-label=t("library.search_scope") id="search-scope">
                    {scope(false, t("library.scope_all"))}
                    {scope(true, t("library.scope_document"))}
                </div>
            </div>
        })}
        {move || reading.documents.failure.get().map(|failure| view! {
            <div class="pad">
                <ErrorPanel failure><button class="btn sm" on:click=move |_| app.changes.update(|n| *n += 1)>{t("action.again")}</button></ErrorPanel>
            </div>
        })}
        {move || if searching.get() {
            view! { <div class="scroll"><Hits hits query/></div> }.into_any()
        } else {
            view! { <List/> }.into_any()
        }}
    }
}

#[component]
fn List() -> impl IntoView {
    let reading = use_reading();
    let scroller = NodeRef::<Div>::new();
    let moved = RwSignal::new(0);
    let proposed = Fetched::<Vec<ValidityProposal>>::default();
    Effect::new(move |_| {
        reading.app.changes.track();
        proposed.refresh(call(commands::ValidityProposals {}));
    });
    let rows = move || {
        reading.documents.value.get().map(|items| {
            let open = reading.app.place.get_untracked().document;
            let at = items.iter().position(|d| Some(d.id) == open);
            view! {
                <Blocks items each=move |document| view! { <Document document proposed/> } estimate=ROW scroller moved target=Signal::stored(at)/>
            }
        })
    };
    let comes = move || {
        let documents = reading.documents;
        documents.value.with(Option::is_none) && documents.failure.with(Option::is_none)
    };
    view! {
        <div class="scroll" role="list" node_ref=scroller on:scroll:target=move |event| moved.set(event.target().scroll_top())>
            {move || comes().then(|| view! {
                <div class="skel"></div><div class="skel half"></div><div class="skel"></div>
            })}
            {rows}
        </div>
    }
}

/// One line with a document's issuer or jurisdiction, number, year, language and version; or the file's name if the
/// document states none of these.
fn imprint(document: &DocumentRow) -> String {
    let about = &document.metadata;
    let year = about
        .date
        .as_deref()
        .and_then(|date| date.get(..4))
        .map(str::to_owned);
    let issuer = about.issuer.clone().or(about.jurisdiction.clone());
    let number = about.identifier.clone();
    let file = (issuer.is_none() && number.is_none()).then(|| document.file.clone());
    let language = Some(tag("language", document.language.tag()));
    [issuer, number, year, language, about.version.clone(), file]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
}

/// What a reader must know of a document: it is out of force, or was not read as it should be.
fn remarks(document: &DocumentRow) -> Vec<String> {
    let mut remarks = Vec::new();
    remarks.extend(document.out_of_force(&today()).as_ref().map(why));
    if document.scanned_pages > 0 {
        remarks.push(tn("library.scanned", u64::from(document.scanned_pages)));
    }
    if document.engines.ocr > 0 {
        remarks.push(tn("library.by_ocr", u64::from(document.engines.ocr)));
    }
    let counted = ["scanned_page", "ocr_page"];
    let others = document
        .warnings
        .iter()
        .filter(|w| !counted.contains(&w.code.as_str()))
        .count();
    if others > 0 {
        remarks.push(tn("library.warnings", others as u64));
    }
    remarks
}

#[component]
fn Document(
    document: DocumentRow,
    /// What documents say of how long others are in force, where nobody decided yet.
    proposed: Fetched<Vec<ValidityProposal>>,
) -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let id = document.id;
    let remarks = remarks(&document);
    let figures = format!(
        "{} · {}",
        tn("count.pages", u64::from(document.pages)),
        tn("count.sentences", u64::from(document.sentences))
    );
    let open = move |_| {
        app.compared.set(None);
        if app.place.get_untracked().document != Some(id) {
            app.place.set(Place {
                document: Some(id),
                page: 1,
                sentence: None,
            });
        }
    };
    let predecessor = document.predecessor;
    let shown = document.short_title();
    let shown = shown.unwrap_or_else(|| document.title.clone());
    let is_proposed = move || {
        let of_this = |all: &Vec<ValidityProposal>| all.iter().any(|p| p.document == id);
        proposed.value.with(|all| all.as_ref().is_some_and(of_this))
    };
    view! {
        <div class="doc-item" role="listitem" aria-current=move || (app.place.get().document == Some(id)).then_some("true")>
            <button
                class="doc"
                aria-current=move || (app.place.get().document == Some(id)).then_some("true")
                on:click=open
            >
                <Sign icon=Icon::File/>
                <span class="grow">
                    <b lang=lang_tag(document.language) title=document.title.clone()>{shown}</b>
                    <small title=document.file.clone()>{imprint(&document)}</small>
                    <small>{figures}</small>
                    {(!remarks.is_empty()).then(|| view! { <small class="c-warn">{remarks.join(" · ")}</small> })}
                    {move || is_proposed().then(|| view! { <small class="c-warn">{t("library.force_proposed")}</small> })}
                </span>
            </button>
            {predecessor.map(|from| view! { <Changes reading from to=id/> })}
        </div>
    }
}

/// How much a new version changes; a press shows what.
#[component]
fn Changes(
    reading: Reading,
    from: lexforge_domain::DocumentId,
    to: lexforge_domain::DocumentId,
) -> impl IntoView {
    let counts = Fetched::<DiffCounts>::default();
    match reading
        .counts
        .with_value(|known| known.get(&(from, to)).copied())
    {
        Some(known) => counts.value.set(Some(known)),
        None => counts.ask(async move {
            let found = call(commands::DiffCounts { from, to }).await?;
            reading
                .counts
                .try_update_value(|known| known.insert((from, to), found));
            Ok(found)
        }),
    }
    let words = move || match counts.value.get() {
        Some(counts) => {
            let n = counts.added + counts.removed + counts.changed;
            if n == 0 {
                t("library.new_version_same")
            } else {
                tn("library.new_version", n)
            }
        }
        None => t("library.new_version_of"),
    };
    let older = move || reading.row(from).map(|d| d.title).unwrap_or_default();
    view! {
        <button
            class="changes-link link"
            title=older
            on:click=move |_| {
                reading.detail.set(None::<Detail>);
                reading.app.compared.set(Some((from, to)));
            }
        >
            {words}
        </button>
    }
}
