//! The passages that a search found, best first.

use super::reading::use_reading;
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::i18n::{t, tf, tn};
use crate::state::{Place, use_app};
use leptos::prelude::*;
use lexforge_domain::api::SearchHit;

/// The passages found.
#[component]
pub fn Hits(
    /// What was found.
    hits: Fetched<Vec<SearchHit>>,
    /// What was looked for.
    query: RwSignal<String>,
) -> impl IntoView {
    move || {
        if let Some(failure) = hits.failure.get() {
            return view! { <div class="pad"><ErrorPanel failure/></div> }.into_any();
        }
        match hits.value.get() {
            None => view! { <div class="skel"></div><div class="skel"></div><div class="skel half"></div> }.into_any(),
            Some(found) if found.is_empty() => view! {
                <div class="pad stack">
                    <b>{t("library.not_found")}</b>
                    <p class="t-small">{tf("library.not_found_text", &[("query", &query.get_untracked())])}</p>
                    <div><button class="btn sm" on:click=move |_| query.set(String::new())>{t("library.all_documents")}</button></div>
                </div>
            }
            .into_any(),
            Some(found) => {
                let many = tn("library.found", found.len() as u64);
                view! {
                    <p class="pad t-small" role="status">{many}</p>
                    <ul>{found.into_iter().map(|hit| view! { <Hit hit/> }).collect_view()}</ul>
                }
                .into_any()
            }
        }
    }
}

#[component]
fn Hit(hit: SearchHit) -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let (document, page, id) = (hit.document, hit.page, hit.id);
    let title = move || {
        reading.documents.value.with(|all| {
            all.as_ref()
                .and_then(|all| all.iter().find(|d| d.id == document))
                .map(|d| d.title.clone())
                .unwrap_or_default()
        })
    };
    let place = [tf("count.page_n", &[("n", &page.to_string())]), hit.section.clone()];
    let place = place.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    view! {
        <li>
            <button
                class="doc"
                aria-current=move || (app.place.get().sentence == Some(id)).then_some("true")
                on:click=move |_| app.place.set(Place { document: Some(document), page, sentence: Some(id) })
            >
                <span class="grow">
                    <span class="law sm hit">{hit.text.clone()}</span>
                    <small class="clip">{title}</small>
                    <small>{place}</small>
                </span>
            </button>
        </li>
    }
}
