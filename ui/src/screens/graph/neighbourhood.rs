//! One term and the terms that the model may confuse with it.

use crate::backend;
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tn};
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::TermId;
use lexforge_domain::api::{Rows, TermDetail, TermFilter};
use lexforge_domain::term::Term;

/// Terms offered while somebody types.
const OFFERED: u64 = 8;

/// The neighbourhood of the chosen term; at first, of the term with the best score.
#[component]
pub fn Neighbourhood() -> impl IntoView {
    let app = use_app();
    let query = RwSignal::new(String::new());
    let offered = Fetched::<Rows<Term>>::default();
    let detail = Fetched::<TermDetail>::default();
    Effect::new(move |_| {
        app.changes.track();
        let words = query.get();
        let wanted = (!words.trim().is_empty()).then_some(words);
        let filter = TermFilter { query: wanted, limit: OFFERED, ..TermFilter::default() };
        offered.ask(async move { backend::terms::terms(&filter).await });
    });
    Effect::new(move |_| {
        if app.term.get().is_none()
            && let Some(first) = offered.value.with(|rows| rows.as_ref()?.rows.first().map(|t| t.id))
        {
            app.term.set(Some(first));
        }
    });
    Effect::new(move |_| {
        app.changes.track();
        match app.term.get() {
            Some(id) => detail.ask(backend::terms::term(id)),
            None => detail.forget(),
        }
    });
    let chips = move || {
        offered
            .value
            .get()
            .map(|rows| rows.rows)
            .unwrap_or_default()
            .into_iter()
            .map(|term| view! { <Offer term/> })
            .collect_view()
    };
    view! {
        <div class="pane-head">
            <div class="search grow">
                <Sign icon=Icon::Search/>
                <input class="input" id="find" type="search" placeholder=t("graph.find") aria-label=t("graph.find")
                    on:input:target=move |event| query.set(event.target().value())/>
            </div>
        </div>
        <div class="offers">{chips}</div>
        <div class="scroll">
            {move || detail.failure.get().map(|failure| view! { <div class="pad"><ErrorPanel failure/></div> })}
            {move || match detail.value.get() {
                Some(detail) => view! { <Centre detail/> }.into_any(),
                None if app.term.get().is_none() => view! { <Empty icon=Icon::Graph title=t("graph.choose") text=t("graph.choose_text")/> }.into_any(),
                None => view! { <div class="skel half"></div><div class="skel"></div> }.into_any(),
            }}
        </div>
    }
}

#[component]
fn Offer(term: Term) -> impl IntoView {
    let app = use_app();
    let id = term.id;
    view! {
        <button class="chip law-chip" lang=lang_tag(term.language) aria-pressed=move || (app.term.get() == Some(id)).to_string() on:click=move |_| app.term.set(Some(id))>
            {term.text.clone()}
            <span class="n">{format::count(u64::from(term.mentions))}</span>
        </button>
    }
}

#[component]
fn Centre(detail: TermDetail) -> impl IntoView {
    let app = use_app();
    let term = detail.term;
    let id = term.id;
    let near = detail.confusable;
    let many = near.len() as u64;
    let rows = near.into_iter().map(|(term, cosine)| view! { <Near term cosine/> }).collect_view();
    view! {
        <section class="part">
            <div class="row between wrap">
                <span class="centre law" lang=lang_tag(term.language)>{term.text.clone()}</span>
                <button class="btn sm" on:click=move |_| app.open_term(id)>{t("graph.open_term")}</button>
            </div>
            <p class="t-small">{tn("count.mentions", u64::from(term.mentions))} " · " {tn("graph.similar", many)}</p>
            {(many == 0).then(|| view! { <p>{t("terms.no_confusable")}</p> })}
            <ul class="near">{rows}</ul>
            <p class="t-small t-mute">{t("terms.cosine_tip")}</p>
        </section>
    }
}

#[component]
fn Near(term: Term, cosine: f32) -> impl IntoView {
    let app = use_app();
    let id: TermId = term.id;
    let definition = term.definition.clone().unwrap_or_default();
    let language = lang_tag(term.language);
    view! {
        <li class="near-row">
            <svg class="edge similar" width="40" height="8" aria-hidden="true"><line x1="1" x2="39" y1="4" y2="4"></line></svg>
            <span class="num">{format::share(f64::from(cosine))}</span>
            <button class="centre law near-term" lang=language title=t("graph.centre") on:click=move |_| app.term.set(Some(id))>{term.text.clone()}</button>
            <span class="law cell clip t-mute" lang=language title=definition.clone()>{definition.clone()}</span>
            <button class="btn ghost sm" on:click=move |_| { app.term.set(Some(id)); app.go(Route::Terms); }>{t("graph.open")}</button>
        </li>
    }
}
