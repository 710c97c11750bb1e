//! The sentences of the page, in reading order.

use crate::components::blocks::Blocks;
use crate::components::empty::Empty;
use crate::components::icon::{Icon, Sign};
use crate::components::law::{Linked, lang_tag};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::reading::{Reading, unhover, use_reading};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{ReferenceView, SentenceView};
use lexforge_domain::text::{Language, SentenceKind};

/// About how high a sentence's row is, in pixels.
const ROW: f64 = 96.0;

/// The sentences that begin on the page.
#[component]
pub fn Sentences() -> impl IntoView {
    let reading = use_reading();
    let list = NodeRef::<Div>::new();
    let moved = RwSignal::new(0);
    let many = move || {
        reading.page.value.with(|p| {
            p.as_ref()
                .map(|p| tn("library.on_page", p.sentences.len() as u64))
        })
    };
    let language = Memo::new(move |_| reading.document().map_or(Language::En, |d| d.language));
    let wanted = Memo::new(move |_| wanted(reading));
    let target = Signal::derive(move || {
        let wanted = wanted.get()?;
        reading.page.value.with(|p| {
            p.as_ref()?
                .sentences
                .iter()
                .position(|s| s.sentence.id == wanted)
        })
    });
    Effect::new(move |_| {
        reading.page.value.track();
        let (Some(list), Some(id)) = (list.get(), wanted.get()) else {
            return;
        };
        request_animation_frame(move || bring_into_view(&list, id));
    });
    begin_pages_at_top(reading, list, moved);
    let rows = move || {
        let language = language.get();
        reading.page.value.get().map(|page| {
            if page.sentences.is_empty() {
                return view! { <NoText scanned=page.scanned/> }.into_any();
            }
            let each = move |view: SentenceView| view! { <Sentence view language/> };
            view! { <Blocks items=page.sentences each estimate=ROW scroller=list moved target/> }
                .into_any()
        })
    };
    view! {
        <div class="pane-head">
            <h2>{t("library.sentences")}</h2>
            <span class="t-mute t-small nowrap">{many}</span>
        </div>
        <div class="scroll" node_ref=list on:scroll:target=move |event| moved.set(event.target().scroll_top())>
            {move || (reading.page.value.with(Option::is_none) && reading.page.failure.with(Option::is_none)).then(|| view! {
                <div class="skel"></div><div class="skel"></div><div class="skel half"></div>
            })}
            {rows}
        </div>
    }
}

/// The sentence that must be in view: the one whose region the pointer is on, else the pinned one.
fn wanted(reading: Reading) -> Option<SentenceId> {
    let hovered = reading.hovered.get().filter(|_| reading.from_page.get());
    hovered.or(reading.app.place.get().sentence)
}

/// Another page begins at its top.
fn begin_pages_at_top(reading: Reading, list: NodeRef<Div>, moved: RwSignal<i32>) {
    let page = reading.page_shown();
    Effect::new(move |_| {
        page.track();
        if let Some(list) = list.get_untracked() {
            list.set_scroll_top(0);
        }
        moved.update(|n| *n += 1);
    });
}

/// Scrolls the list to a sentence that is not wholly in view, to a third of its height.
fn bring_into_view(list: &web_sys::Element, id: SentenceId) {
    let row = list.query_selector(&format!("[data-sentence='{id}']"));
    let Some(row) = row.ok().flatten() else {
        return;
    };
    let (frame, place) = (
        list.get_bounding_client_rect(),
        row.get_bounding_client_rect(),
    );
    if place.top() < frame.top() || place.bottom() > frame.bottom() {
        let by = place.top() - frame.top() - (frame.height() - place.height()).max(0.0) / 3.0;
        list.set_scroll_top(list.scroll_top() + by as i32);
    }
}

/// A page on which no sentence begins.
#[component]
fn NoText(
    /// It is an image.
    scanned: bool,
) -> impl IntoView {
    let text = if scanned {
        t("library.no_text_scanned")
    } else {
        t("library.no_text")
    };
    view! { <Empty icon=Icon::File title=t("library.no_sentences") text/> }
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
    let complete = sentence
        .complete
        .clone()
        .filter(|complete| *complete != sentence.text);
    view! {
        <div
            class="sent"
            class:on=move || reading.lit() == Some(id)
            data-sentence=id.to_string()
            tabindex="0"
            role="group"
            aria-current=move || pinned().to_string()
            on:pointerenter=move |_| { reading.from_page.set(false); reading.hovered.set(Some(id)); }
            on:pointerleave=move |_| unhover(reading, id)
            on:focus=move |_| { reading.from_page.set(false); reading.hovered.set(Some(id)); }
            on:blur=move |_| unhover(reading, id)
            on:click=move |_| reading.pin(id)
            on:keydown=move |event| if event.key() == "Enter" && event.target() == event.current_target() { reading.pin(id) }
        >
            <span class="place">{format::count(u64::from(sentence.position) + 1)}</span>
            <p class="law sm" class:strong=heading lang=lang_tag(language)>
                <Linked text=sentence.text.clone() terms=view.terms/>
            </p>
            {complete.map(|complete| view! {
                <p class="reads-as">
                    <span class="reads-as-label">{t("library.reads_as")}</span>
                    <span class="law" lang=lang_tag(language)>{complete}</span>
                </p>
            })}
            <div class="meta">
                <span class=class>{tag("kind", sentence.kind.tag())}</span>
                {(!sentence.section.is_empty()).then(|| view! { <span>{sentence.section.clone()}</span> })}
                {view.references.into_iter().map(|reference| view! { <Reference reference/> }).collect_view()}
                {(terms > 0).then(|| view! { <span class="nowrap">{tn("count.terms", terms)}</span> })}
            </div>
        </div>
    }
}

/// A reference to another clause: a link that opens it, or its words where the workspace does not hold it.
#[component]
fn Reference(reference: ReferenceView) -> impl IntoView {
    let reading = use_reading();
    let words = reference.text;
    match reference.target {
        Some(target) => {
            let place = [
                target.title.clone(),
                target.section.clone(),
                tf("count.page_n", &[("n", &target.page.to_string())]),
            ];
            let tip = place
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" · ");
            view! {
                <button
                    class="link reference"
                    title=tip
                    on:click=move |event| {
                        event.stop_propagation();
                        reading.app.open_sentence(target.document, target.page, Some(target.sentence));
                    }
                >
                    <Sign icon=Icon::Link small=true/>
                    {words}
                </button>
            }
            .into_any()
        }
        None => {
            let tip = match &reference.instrument {
                Some(name) => tf("library.reference_elsewhere", &[("name", name)]),
                None => t("library.reference_missing"),
            };
            view! { <span class="reference" title=tip><Sign icon=Icon::Link small=true/>{words}</span> }.into_any()
        }
    }
}
