//! The sentences of the page, in reading order.

use super::page::unhover;
use super::reading::use_reading;
use crate::components::empty::Empty;
use crate::components::icon::Icon;
use crate::components::law::{Linked, lang_tag};
use crate::format;
use crate::i18n::{t, tag, tn};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::SentenceView;
use lexforge_domain::text::{Language, SentenceKind};
use wasm_bindgen::JsCast;

/// The sentences that begin on the page.
#[component]
pub fn Sentences() -> impl IntoView {
    let reading = use_reading();
    let list = NodeRef::<Div>::new();
    let many = move || reading.page.value.with(|p| p.as_ref().map(|p| tn("library.on_page", p.sentences.len() as u64)));
    let language = move || reading.document().map_or(Language::En, |d| d.language);
    Effect::new(move |_| {
        let pinned = reading.app.place.get().sentence;
        let hovered = reading.hovered.get().filter(|_| reading.from_page.get_untracked());
        let lit = hovered.or(pinned);
        reading.page.value.track();
        let (Some(list), Some(id)) = (list.get(), lit) else { return };
        request_animation_frame(move || {
            let row = list.query_selector(&format!("[data-sentence='{id}']")).ok().flatten();
            if let Some(row) = row.and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok()) {
                let (top, height) = (row.offset_top() - list.offset_top(), row.offset_height());
                let (from, shown) = (list.scroll_top(), list.client_height());
                if top < from || top + height > from + shown {
                    list.set_scroll_top(top - (shown - height).max(0) / 3);
                }
            }
        });
    });
    let rows = move || {
        let language = language();
        reading.page.value.get().map(|page| {
            if page.sentences.is_empty() {
                let text = if page.scanned { t("library.no_text_scanned") } else { t("library.no_text") };
                return view! { <Empty icon=Icon::File title=t("library.no_sentences") text/> }.into_any();
            }
            page.sentences.into_iter().map(|view| view! { <Sentence view language/> }).collect_view().into_any()
        })
    };
    view! {
        <div class="pane-head">
            <h2>{t("library.sentences")}</h2>
            <span class="t-mute t-small nowrap">{many}</span>
        </div>
        <div class="scroll" node_ref=list>{rows}</div>
    }
}

#[component]
fn Sentence(view: SentenceView, language: Language) -> impl IntoView {
    let reading = use_reading();
    let sentence = view.sentence;
    let id = sentence.id;
    let class = match sentence.kind {
        SentenceKind::Definition => "badge ok",
        SentenceKind::Rule => "badge info",
        _ => "badge",
    };
    let heading = sentence.kind == SentenceKind::Heading;
    let terms = view.terms.len() as u64;
    let pinned = move || reading.app.place.get().sentence == Some(id);
    view! {
        <div
            class="sent"
            class:on=move || reading.lit() == Some(id)
            data-sentence=id.to_string()
            tabindex="0"
            role="button"
            aria-pressed=move || pinned().to_string()
            on:pointerenter=move |_| { reading.from_page.set(false); reading.hovered.set(Some(id)); }
            on:pointerleave=move |_| unhover(reading, id)
            on:focus=move |_| reading.hovered.set(Some(id))
            on:blur=move |_| unhover(reading, id)
            on:click=move |_| reading.pin(id)
            on:keydown=move |event| if event.key() == "Enter" && event.target() == event.current_target() { reading.pin(id) }
        >
            <span class="place">{format::count(u64::from(sentence.position) + 1)}</span>
            <p class="law sm" class:strong=heading lang=lang_tag(language)>
                <Linked text=sentence.text.clone() terms=view.terms/>
            </p>
            <div class="meta">
                <span class=class>{tag("kind", sentence.kind.tag())}</span>
                {(!sentence.section.is_empty()).then(|| view! { <span>{sentence.section.clone()}</span> })}
                {(terms > 0).then(|| view! { <span class="nowrap">{tn("count.terms", terms)}</span> })}
            </div>
        </div>
    }
}
