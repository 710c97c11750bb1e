//! A rule or a statement in the document's own words, with its place, and with what differs underlined and numbered.

use super::deeds::open;
use super::marks::{cut, marks};
use super::words;
use crate::components::law::lang_tag;
use crate::i18n::tf;
use crate::reading::use_reading;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::MatchText;

/// The place of a text, with a link to its page.
#[component]
pub fn Source(
    text: MatchText,
    /// The label before it, for example "Rule".
    label: String,
) -> impl IntoView {
    let reading = use_reading();
    let known = StoredValue::new(text.clone());
    let place = Memo::new(move |_| {
        known.with_value(|text| {
            let title = reading
                .row(text.document)
                .map(|d| d.title)
                .unwrap_or_default();
            (words::place(&title, text), title)
        })
    });
    let imprint = move || {
        let about = known
            .with_value(|text| reading.row(text.document))?
            .metadata;
        Some(words::imprint(&about)).filter(|text| !text.is_empty())
    };
    // A long title is cut before the section, which is what differs between the texts of a document.
    let section = words::section(&text);
    let shown = move || {
        let title = place.with(|(_, title)| title.clone());
        // The dot stays with the title, so that no line begins with it.
        let dot = (!title.is_empty() && !section.is_empty()).then_some("\u{a0}·");
        view! { <span class="m-titled"><span class="m-title" title=title.clone()>{title.clone()}</span>{dot}</span>" "{section.clone()} }
    };
    let whole = text.section.clone();
    let named = move || {
        let place = place.with(|(place, _)| place.clone());
        tf(
            "match.open_page",
            &[
                ("label", &label),
                ("place", &place),
                ("n", &known.with_value(|t| t.page.to_string())),
            ],
        )
    };
    view! {
        <div class="m-src">
            <span class="stack g-0">
                <b class="wrap-anywhere" title=whole>{shown}</b>
                {move || imprint().map(|text| view! { <small class="t-mute wrap-anywhere">{text}</small> })}
            </span>
            <OpenPage text named=Signal::derive(named)/>
        </div>
    }
}

/// The page of a text; a press opens it.
#[component]
fn OpenPage(
    text: MatchText,
    /// What it says to a screen reader.
    named: Signal<String>,
) -> impl IntoView {
    let app = use_app();
    let (id, page) = (text.id, text.page.to_string());
    let here = move || {
        app.matching
            .open
            .with(|spot| spot.as_ref().is_some_and(|s| s.sentence == id))
    };
    view! {
        <button
            class="cite"
            data-page-of=id.to_string()
            aria-label=named
            aria-current=move || here().then_some("true")
            on:click=move |_| open(app, &text)
        >
            {tf("count.page_n", &[("n", &page)])}
        </button>
    }
}

/// The words, with what differs underlined and numbered.
#[component]
pub fn Words(
    text: MatchText,
    /// The numbers of differences, and the words to find.
    #[prop(optional)]
    differing: Vec<(usize, String)>,
    /// In a list, smaller.
    #[prop(optional)]
    small: bool,
) -> impl IntoView {
    let reading = use_reading();
    let document = text.document;
    let lang = move || {
        let language = reading.row(document)?.language;
        Some(lang_tag(language)).filter(|tag| !tag.is_empty())
    };
    let found = marks(&text.text, &differing);
    let pieces = cut(&text.text, &found)
        .into_iter()
        .map(|(piece, number)| match number {
            None => view! { {piece} }.into_any(),
            Some(n) => view! { <em class="df">{piece}<sup>{n.to_string()}</sup></em> }.into_any(),
        })
        .collect_view();
    let class = if small { "law sm" } else { "law" };
    view! { <p class=class lang=lang>{pieces}</p> }
}
