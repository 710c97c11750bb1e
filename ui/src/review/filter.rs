//! The choice of the items in a queue.

use super::class;
use crate::backend::{call, commands};
use crate::components::check::Check;
use crate::components::icon::{Icon, Sign};
use crate::components::picker::Picker;
use crate::fetched::Fetched;
use crate::i18n::{t, tag, tf};
use crate::state::{App, use_app};
use leptos::html::Button;
use leptos::prelude::*;
use lexforge_domain::api::{DocumentRow, QueueFilter};
use lexforge_domain::review::SubjectKind;
use lexforge_domain::term::FoundBy;
use lexforge_domain::text::Language;

/// Languages that are offered.
pub const LANGUAGES: [Language; 4] = [Language::En, Language::Zh, Language::Ko, Language::Other];

/// A button that says which items the queue has, and the fields that change this.
#[component]
pub fn QueueFilters(
    /// What it holds.
    filter: RwSignal<QueueFilter>,
) -> impl IntoView {
    let app = use_app();
    let open = RwSignal::new(false);
    let button = NodeRef::<Button>::new();
    // This hears the keys of the button, too, because the button keeps the focus when it opens the form.
    let leave = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" && open.get_untracked() {
            event.stop_propagation();
            open.set(false);
            if let Some(button) = button.get_untracked() {
                let _ = button.focus();
            }
        }
    };
    let documents = Fetched::<Vec<DocumentRow>>::default();
    Effect::new(move |_| {
        app.changes.track();
        documents.refresh(call(commands::Documents {}));
    });
    let titles = Signal::derive(move || {
        let all = documents.value.get().unwrap_or_default();
        all.into_iter()
            .map(|d| (d.id.to_string(), d.title))
            .collect::<Vec<_>>()
    });
    let failed = move || {
        let failure = documents.failure.get()?;
        let why = crate::said::said(&failure.message);
        Some(tf("library.titles_failed", &[("why", &why)]))
    };
    let said = move || {
        let parts = filter.with(|filter| parts(app, filter, &titles.get()));
        if parts.is_empty() {
            t("review.filter_none")
        } else {
            parts.join(" · ")
        }
    };
    view! {
        <span class="menu-holder" on:keydown=leave>
            <button class="btn ghost clip" id="queue-filter" node_ref=button aria-expanded=move || open.get().to_string() title=said on:click=move |_| open.update(|on| *on = !*on)>
                <Sign icon=Icon::Filter/>
                <span class="clip">{said}</span>
            </button>
            {move || open.get().then(|| view! {
                <div class="menu-veil" on:click=move |_| open.set(false)></div>
                <div class="menu-list filter-form" role="dialog" aria-label=t("review.filter")>
                    <Fields filter titles/>
                    {move || failed().map(|text| view! { <p class="t-small t-mute" role="status">{text}</p> })}
                    <Foot filter open/>
                </div>
            })}
        </span>
    }
}

/// The buttons that take the choice back and close the form.
#[component]
fn Foot(filter: RwSignal<QueueFilter>, open: RwSignal<bool>) -> impl IntoView {
    let all = move |_| {
        filter.update(|f| {
            let kind = if of_terms(f.kind) {
                SubjectKind::Term
            } else {
                f.kind
            };
            *f = QueueFilter::of(kind);
        });
    };
    view! {
        <div class="row">
            <button class="btn sm" on:click=all>{t("review.no_filter")}</button>
            <button class="btn sm push" on:click=move |_| open.set(false)>{t("action.close")}</button>
        </div>
    }
}

/// Whether a queue is one of the Terms screen.
fn of_terms(kind: SubjectKind) -> bool {
    matches!(kind, SubjectKind::Term | SubjectKind::Pair)
}

fn parts(app: App, filter: &QueueFilter, titles: &[(String, String)]) -> Vec<String> {
    let document = filter.document.map(|id| id.to_string());
    let title = document.and_then(|id| {
        titles
            .iter()
            .find(|(value, _)| *value == id)
            .map(|(_, title)| title.clone())
    });
    [
        match filter.kind {
            SubjectKind::Term | SubjectKind::Question => None,
            SubjectKind::Pair => Some(t("subject.pairs")),
            SubjectKind::Triplet => Some(t("subject.triplets")),
            SubjectKind::Similarity => Some(t("subject.similarities")),
        },
        filter.class.as_deref().map(|name| class::title(app, name)),
        filter.found.map(|found| tag("found", found.tag())),
        title,
        filter
            .language
            .map(|language| tag("language", language.tag())),
        filter.mine.then(|| t("review.mine")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[component]
fn Fields(filter: RwSignal<QueueFilter>, titles: Signal<Vec<(String, String)>>) -> impl IntoView {
    let app = use_app();
    let shows_terms = move || filter.with(|f| of_terms(f.kind));
    let founds = FoundBy::ALL
        .map(|found| (found.tag().to_owned(), tag("found", found.tag())))
        .to_vec();
    let languages = LANGUAGES
        .map(|l| (l.tag().to_owned(), tag("language", l.tag())))
        .to_vec();
    let kind = move |kind: SubjectKind, name: String| {
        view! {
            <button id=format!("queue-{}", kind.tag()) aria-pressed=move || (filter.with(|f| f.kind) == kind).to_string() on:click=move |_| filter.update(|f| f.kind = kind)>{name}</button>
        }
    };
    view! {
        {move || (!shows_terms()).then(|| view! {
            <div class="seg">{kind(SubjectKind::Question, t("subject.questions"))}{kind(SubjectKind::Triplet, t("subject.triplets"))}{kind(SubjectKind::Similarity, t("subject.similarities"))}</div>
        })}
        {move || shows_terms().then(|| view! {
            <div class="seg">{kind(SubjectKind::Term, t("subject.terms"))}{kind(SubjectKind::Pair, t("subject.pairs"))}</div>
            <Picker all=t("terms.all_classes") choices=Signal::derive(move || class::choices(app)) now=Signal::derive(move || filter.with(|f| f.class.clone())) chosen=move |name: String| filter.update(|f| f.class = (!name.is_empty()).then_some(name))/>
        })}
        {
            let founds = founds.clone();
            move || shows_terms().then(|| view! {
                <Picker all=t("terms.all_found") choices=founds.clone() now=Signal::derive(move || filter.with(|f| f.found.map(|x| x.tag().to_owned()))) chosen=move |tag: String| filter.update(|f| f.found = FoundBy::from_tag(&tag))/>
            })
        }
        <Picker all=t("review.all_documents") choices=titles now=Signal::derive(move || filter.with(|f| f.document.map(|id| id.to_string()))) chosen=move |id: String| filter.update(|f| f.document = id.parse().ok())/>
        <Picker all=t("terms.all_languages") choices=languages now=Signal::derive(move || filter.with(|f| f.language.map(|l| l.tag().to_owned()))) chosen=move |tag: String| filter.update(|f| f.language = (!tag.is_empty()).then(|| Language::from_tag(&tag)))/>
        <Check id="queue-mine" on=move || filter.with(|f| f.mine) tick=move |on: bool| filter.update(|f| f.mine = on)>{t("review.mine")}</Check>
    }
}
