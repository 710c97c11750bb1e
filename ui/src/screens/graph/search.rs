//! The way into the graph: terms and sentences by their words.

use super::place::Crumb;
use crate::backend::{call, commands};
use crate::components::chooser::walk;
use crate::components::icon::{Icon, Sign};
use crate::components::law::{MarkedAll, from_first_mark, lang_tag};
use crate::fetched::Fetched;
use crate::format;
use crate::found::found;
use crate::i18n::{t, tf};
use crate::said::Told;
use crate::state::use_app;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use lexforge_domain::api::{DocumentRow, NodeRef, Rows, SearchHit, TermFilter};
use lexforge_domain::term::Term;
use lexforge_domain::text::Language;

/// Terms, and sentences, that are offered.
const OFFERED: u64 = 6;
/// Terms that are looked through for these: what is looked for may stand in a term's definition only.
const LOOKED_THROUGH: u64 = 60;
/// Scalar values that are shown before the words that were found in a long sentence.
const BEFORE_MARK: usize = 24;

/// Something that can be put in the centre.
#[derive(Clone)]
enum Offer {
    Term(Term),
    Sentence(SearchHit, String, Language),
}

impl Offer {
    fn is_term(&self) -> bool {
        matches!(self, Self::Term(_))
    }

    fn crumb(&self) -> Crumb {
        match self {
            Self::Term(term) => Crumb {
                node: NodeRef::term(term.id),
                name: term.text.clone(),
                language: term.language,
            },
            Self::Sentence(hit, title, language) => {
                let name = tf(
                    "graph.place_page",
                    &[("document", title), ("page", &hit.page.to_string())],
                );
                Crumb {
                    node: NodeRef::sentence(hit.id),
                    name,
                    language: *language,
                }
            }
        }
    }
}

/// The terms that fit the typed text. Empty while nothing is typed.
fn found_terms(query: RwSignal<String>) -> Fetched<Rows<Term>> {
    let terms = Fetched::<Rows<Term>>::default();
    Effect::new(move |_| {
        let words = query.get().trim().to_owned();
        if words.is_empty() {
            terms.forget();
            return;
        }
        let filter = TermFilter {
            query: Some(words),
            limit: LOOKED_THROUGH,
            ..TermFilter::default()
        };
        terms.ask(call(commands::Terms { filter }));
    });
    terms
}

/// What was found for the typed text, and what of it is offered.
#[derive(Clone, Copy)]
struct Fitting {
    terms: Fetched<Rows<Term>>,
    hits: Fetched<Vec<SearchHit>>,
    offers: Memo<Vec<Same>>,
}

impl Fitting {
    /// What fits the typed text, with the titles of the documents.
    fn to(query: RwSignal<String>, documents: Fetched<Vec<DocumentRow>>) -> Self {
        let terms = found_terms(query);
        let hits = found(query, OFFERED as usize);
        let offers = Memo::new(move |_| {
            let terms = terms.value.get().map(|found| found.rows);
            let hits = hits.value.get().unwrap_or_default();
            documents.value.with(|documents| {
                let documents = documents.as_deref().unwrap_or_default();
                let terms = terms.unwrap_or_default();
                query.with(|words| offered(words, terms, hits, documents))
            })
        });
        Self {
            terms,
            hits,
            offers,
        }
    }
}

/// The field, and what fits the words in it: ↑ ↓ Enter, Esc leaves.
#[component]
pub fn Search(
    /// The documents, for their titles.
    documents: Fetched<Vec<DocumentRow>>,
) -> impl IntoView {
    let app = use_app();
    let place = app.graph;
    let query = RwSignal::new(String::new());
    let open = RwSignal::new(false);
    let chosen = RwSignal::new(0_usize);
    let fitting = Fitting::to(query, documents);
    let offers = fitting.offers;
    Effect::new(move |_| {
        query.track();
        chosen.set(0);
    });
    let pick = Callback::new(move |at: usize| {
        if let Some(offer) = offers.with_untracked(|offers| offers.get(at).cloned()) {
            place.centre(offer.0.crumb());
            open.set(false);
            query.set(String::new());
            request_animation_frame(|| {
                crate::keys::focus("#graph-tree");
            });
        }
    });
    let keydown = move |event: KeyboardEvent| {
        let leave = || {
            let was = open.get_untracked();
            open.set(false);
            was
        };
        let many = offers.with_untracked(Vec::len);
        walk(&event, many, chosen, |at| pick.run(at), leave);
    };
    let shown = move || open.get() && query.with(|words| !words.trim().is_empty());
    view! {
        <div class="search graph-search">
            <Sign icon=Icon::Search/>
            <input
                class="input"
                id="find"
                type="search"
                role="combobox"
                aria-expanded=move || shown().to_string()
                aria-controls="offers"
                aria-activedescendant=move || shown().then(|| format!("offer-{}", chosen.get()))
                autocomplete="off"
                placeholder=t("graph.find")
                aria-label=t("graph.find")
                prop:value=move || query.get()
                on:input:target=move |event| { query.set(event.target().value()); open.set(true); }
                on:focus=move |_| open.set(true)
                on:blur=move |_| open.set(false)
                on:keydown=keydown
            />
            {move || shown().then(|| view! { <Offers fitting chosen pick/> })}
        </div>
    }
}

/// The list under the field, or why there is none.
#[component]
fn Offers(fitting: Fitting, chosen: RwSignal<usize>, pick: Callback<usize>) -> impl IntoView {
    let Fitting {
        terms,
        hits,
        offers,
    } = fitting;
    let inside = move || match terms.failure.get().or(hits.failure.get()) {
        Some(failure) => {
            view! { <p class="pad t-small c-bad"><Told text=failure.message/></p> }.into_any()
        }
        None if offers.with(Vec::is_empty) => terms
            .value
            .with(Option::is_some)
            .then(|| view! { <p class="pad t-small">{t("graph.no_offer")}</p> })
            .into_any(),
        None => lines(offers.get(), chosen, pick).into_any(),
    };
    view! { <div class="menu menu-list offers" id="offers" role="listbox" aria-label=t("graph.find")>{inside}</div> }
}

/// What is offered, terms and sentences each under a heading.
fn lines(all: Vec<Same>, chosen: RwSignal<usize>, pick: Callback<usize>) -> impl IntoView {
    let first_sentence = all.iter().position(|offer| !offer.0.is_term());
    let line = |(at, Same(offer)): (usize, Same)| {
        let head = match at {
            _ if Some(at) == first_sentence => Some(t("graph.offer_sentences")),
            0 => Some(t("graph.offer_terms")),
            _ => None,
        };
        view! { <Line at offer head chosen pick/> }
    };
    all.into_iter().enumerate().map(line).collect_view()
}

/// The results that are offered for these words: first terms whose name contains them, then terms whose definition
/// contains them, then sentences.
fn offered(
    words: &str,
    mut terms: Vec<Term>,
    hits: Vec<SearchHit>,
    documents: &[DocumentRow],
) -> Vec<Same> {
    let words = words.trim().to_lowercase();
    terms.sort_by_key(|term| !term.text.to_lowercase().contains(&words));
    terms.truncate(OFFERED as usize);
    let named = |hit: SearchHit| {
        let found = documents.iter().find(|d| d.id == hit.document);
        let found = found.map(|d| (d.title.clone(), d.language));
        let (title, language) = found.unwrap_or_else(|| (String::new(), Language::Other));
        Same(Offer::Sentence(hit, title, language))
    };
    let terms = terms.into_iter().map(|term| Same(Offer::Term(term)));
    terms.chain(hits.into_iter().map(named)).collect()
}

/// One that is offered, under a heading where it is the first of its kind.
#[component]
fn Line(
    at: usize,
    offer: Offer,
    head: Option<String>,
    chosen: RwSignal<usize>,
    #[prop(into)] pick: Callback<usize>,
) -> impl IntoView {
    let body = match offer {
        Offer::Term(term) => view! {
            <span class="law cell clip grow" lang=lang_tag(term.language)>{term.text.clone()}</span>
            <span class="hint">{format::count(u64::from(term.mentions))}</span>
        }
        .into_any(),
        Offer::Sentence(hit, title, language) => {
            let page = tf("count.page_n", &[("n", &hit.page.to_string())]);
            let (text, marks) = from_first_mark(&hit.text, &hit.marks, BEFORE_MARK);
            view! {
                <span class="stack g-half grow">
                    <span class="law cell two-lines" lang=lang_tag(language)><MarkedAll text marks/></span>
                    <small class="t-small t-mute stands"><span class="clip stands-title">{title}</span><span class="nowrap">{page}</span></small>
                </span>
            }
            .into_any()
        }
    };
    view! {
        {head.map(|head| view! { <p class="offer-head" role="presentation">{head}</p> })}
        <button
            role="option"
            tabindex="-1"
            id=format!("offer-{at}")
            aria-selected=move || (chosen.get() == at).to_string()
            on:mousedown=|event| event.prevent_default()
            on:click=move |_| pick.run(at)
        >
            {body}
        </button>
    }
}

/// Offers are compared by what they lead to.
#[derive(Clone)]
struct Same(Offer);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (self.0.crumb(), other.0.crumb());
        one == other
    }
}
