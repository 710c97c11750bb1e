//! The passages that a search found, best first.

use crate::components::error_panel::ErrorPanel;
use crate::components::law::{MarkedAll, lang_tag};
use crate::fetched::Fetched;
use crate::i18n::{t, tf, tn};
use crate::out_of_force::why;
use crate::place::Place;
use crate::reading::use_reading;
use crate::state::use_app;
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
    let app = use_app();
    move || {
        if let Some(failure) = hits.failure.get() {
            return view! { <div class="pad"><ErrorPanel failure/></div> }.into_any();
        }
        match hits.value.get() {
            None => view! { <div class="skel"></div><div class="skel"></div><div class="skel half"></div> }.into_any(),
            Some(found) if found.is_empty() => {
                let inside = app.in_document.get();
                let query_now = query.get_untracked();
                let text = if inside {
                    tf("library.not_found_here", &[("query", &query_now)])
                } else {
                    tf("library.not_found_text", &[("query", &query_now)])
                };
                view! {
                    <div class="pad stack">
                        <b>{t("library.not_found")}</b>
                        <p class="t-small">{text}</p>
                        <div class="row wrap">
                            {inside.then(|| view! {
                                <button class="btn sm" on:click=move |_| app.in_document.set(false)>{t("library.search")}</button>
                            })}
                            <button class="btn sm" on:click=move |_| query.set(String::new())>{t("library.all_documents")}</button>
                        </div>
                    </div>
                }
                .into_any()
            }
            Some(found) => {
                let many = tn("library.found", found.len() as u64);
                view! {
                    <p class="pad-row t-small" role="status">{many}</p>
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
    let title = move || reading.row(document).map(|d| d.title).unwrap_or_default();
    let lang = move || reading.row(document).map(|d| lang_tag(d.language));
    let out = hit.out_of_force.as_ref().map(why);
    let place = [
        tf("count.page_n", &[("n", &page.to_string())]),
        hit.section.clone(),
    ];
    let place = place
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ");
    view! {
        <li>
            <button
                class="doc"
                aria-current=move || (app.place.get().sentence == Some(id)).then_some("true")
                on:click=move |_| {
                    app.compared.set(None);
                    app.place.set(Place { document: Some(document), page, sentence: Some(id) });
                }
            >
                <span class="grow">
                    <span class="law sm hit" lang=lang><MarkedAll text=hit.text.clone() marks=hit.marks.clone()/></span>
                    <small class="clip" title=title>{title}</small>
                    <small>{place}</small>
                    {out.map(|why| view! { <small class="c-warn">{why}</small> })}
                </span>
            </button>
        </li>
    }
}
