//! A sentence of a document in law type, with the marker on what it is shown for and the way to its page.

use crate::components::icon::{Icon, Sign};
use crate::components::law::{Marked, lang_tag};
use crate::format;
use crate::i18n::tf;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::TermContext;
use lexforge_domain::text::Language;

/// The place of a sentence: `DORA › Article 19(1) › page 34`.
pub fn place(title: &str, section: &str, page: u32) -> String {
    let page = tf("count.page_n", &[("n", &page.to_string())]);
    let parts = [title, section, &page];
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" › ")
}

/// Where a sentence is, in one line: a long title is cut to the space there is; section and page are always shown.
#[component]
pub fn Stands(
    /// The document's title.
    title: String,
    /// The path of its sections; may be empty.
    section: String,
    page: u32,
) -> impl IntoView {
    let whole = place(&title, &section, page);
    // Text before the first section has the title as its section. The title is shown only once.
    let section = if !section.is_empty() && title.starts_with(&section) {
        String::new()
    } else {
        section
    };
    let within = place("", &section, page);
    view! {
        <span class="stands" title=whole>
            <Sign icon=Icon::File small=true/>
            {(!title.is_empty()).then(|| view! { <span class="clip stands-title">{title}</span><span aria-hidden="true">"›"</span> })}
            <span class="wrap-anywhere">{within}</span>
        </span>
    }
}

/// The link to the place of a sentence.
#[component]
pub fn PlaceLink(
    /// The sentence with its document.
    context: TermContext,
    /// Its id, for the one that a key opens.
    #[prop(optional)]
    id: Option<&'static str>,
) -> impl IntoView {
    let app = use_app();
    let s = context.sentence;
    let (title, section) = (context.document_title, s.section);
    let (document, page, sentence) = (s.document, s.page, s.id);
    view! {
        <button class="link t-small" id=id on:click=move |_| app.open_sentence(document, page, Some(sentence))>
            <Stands title section page/>
        </button>
    }
}

/// The sentence on its card; children stand at the end of its foot.
#[component]
pub fn ContextCard(
    /// The sentence.
    context: TermContext,
    language: Language,
    /// The content at the end of its foot.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let number = tf(
        "review.sentence_n",
        &[(
            "n",
            &format::count(u64::from(context.sentence.position) + 1),
        )],
    );
    let (text, start, end) = (context.sentence.text.clone(), context.start, context.end);
    view! {
        <section class="card ctx">
            <p class="law" lang=lang_tag(language)><Marked text start end/></p>
            <div class="src">
                <PlaceLink context id="open-page"/>
                <span class="t-small t-mute">{number}</span>
                {children.map(|children| view! { <span class="push row">{children()}</span> })}
            </div>
        </section>
    }
}
