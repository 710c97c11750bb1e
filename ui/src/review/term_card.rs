//! A term on the desk: class and count, the term, its context, its definitions, what it could be confused with.

use super::candidates::Candidates;
use super::class;
use super::context::ContextCard;
use super::definitions::Definitions;
use super::desk::Desk;
use super::edit::EditTerm;
use super::form::Mode;
use super::keys::next_mention;
use super::votes::History;
use crate::components::law::lang_tag;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::TermCard;

/// The term; what is decided about it stands on the desk.
#[component]
pub fn TermView(
    desk: Desk,
    /// The term.
    card: TermCard,
    /// Its place in the queue.
    place: Signal<String>,
) -> impl IntoView {
    let language = card.term.language;
    let contexts = StoredValue::new(card.contexts.clone());
    let many = card.contexts.len();
    let mention = move || {
        let at = desk.mention.get().min(many.saturating_sub(1));
        contexts.with_value(|all| all.get(at).cloned()).map(|context| {
            view! {
                <ContextCard context language>
                    {(many > 1).then(|| {
                        let of = [("n", &*(at + 1).to_string()), ("of", &*many.to_string())];
                        view! {
                            <span class="t-small t-mute">{tf("review.mention_of", &of)}</span>
                            <button class="link t-small" id="next-mention" on:click=move |_| next_mention(desk)>{t("deed.mention")}</button>
                        }
                    })}
                </ContextCard>
            }
        })
    };
    let flags = card
        .flags
        .iter()
        .cloned()
        .map(|flag| view! { <Note tone=Tone::Warn>{flag}</Note> })
        .collect_view();
    let (term, confusables, history, blind) = (
        card.term.id,
        card.confusables.clone(),
        card.history.clone(),
        card.blind,
    );
    let head = StoredValue::new(card.clone());
    view! {
        {move || if desk.mode.get() == Mode::Editing {
            view! { <EditTerm desk term=head.with_value(|card| card.term.clone())/> }.into_any()
        } else {
            view! { <Head desk card=head.get_value() place/> }.into_any()
        }}
        {flags}
        {mention}
        {(many == 0).then(|| view! { <p class="t-small t-mute">{t("review.no_mention")}</p> })}
        <Definitions card/>
        <Candidates marking=desk.into() term confusables/>
        <History history blind/>
    }
}

#[component]
fn Head(desk: Desk, card: TermCard, place: Signal<String>) -> impl IntoView {
    let app = use_app();
    let term = card.term;
    let language = lang_tag(term.language);
    let class = term.class.clone();
    let chosen = move || desk.class.get();
    let found = tf(
        "review.found",
        &[
            ("mentions", &tn("count.mentions", u64::from(term.mentions))),
            ("acts", &tn("count.acts", u64::from(card.documents))),
            ("found", &tag("found", term.found.tag())),
        ],
    );
    view! {
        <header class="stack g-1">
            <div class="row wrap">
                {move || match chosen() {
                    Some(name) => view! { <span class="badge info" id="term-class">{class::title(app, &name)}</span><span class="t-small c-accent">{t("review.class_waits")}</span> }.into_any(),
                    None if class.is_empty() => view! { <span class="badge line" id="term-class">{t("review.no_class")}</span> }.into_any(),
                    None => view! { <span class="badge info" id="term-class">{class::title(app, &class)}</span> }.into_any(),
                }}
                <span class="t-small t-mute">{found}</span>
                <span class="push t-small t-mute nowrap" id="place-in-queue">{place}</span>
            </div>
            <div class="row base wrap">
                <h2 class="law term" id="item-title" tabindex="-1" lang=language>{term.text.clone()}</h2>
                <div class="names-row"><Names variants=card.variants synonyms=card.synonyms text=term.text/></div>
            </div>
        </header>
    }
}

/// How else the term is written, and what else is called so.
#[component]
pub fn Names(
    /// Forms with their counts.
    variants: Vec<(String, u32)>,
    /// Other names.
    synonyms: Vec<String>,
    /// The term as it is shown.
    text: String,
) -> impl IntoView {
    let forms: Vec<String> = variants
        .into_iter()
        .filter(|(form, _)| *form != text)
        .map(|(form, n)| format!("{form} ×{}", format::count(u64::from(n))))
        .collect();
    let line = |label: String, names: Vec<String>| {
        let words = format::list(&names);
        (!names.is_empty()).then(|| {
            let whole = words.clone();
            view! { <span class="t-small t-mute names clip" title=whole>{label}<span class="law cell">{words}</span></span> }
        })
    };
    view! {
        {line(t("review.variants"), forms)}
        {line(t("review.synonyms"), synonyms)}
    }
}
