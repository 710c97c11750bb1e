//! Which program this is, where it keeps what, and the licences of everything in it that others wrote.

use super::licences::{Licences, Part};
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::program::Program;
use crate::fetched::Fetched;
use crate::i18n::{t, tf, tn};
use leptos::prelude::*;
use lexforge_domain::api;

/// Lines that are drawn at once; a search leads to the others.
const LINES: usize = 200;

/// The card with the version, and the card with the licences.
#[component]
pub fn About() -> impl IntoView {
    let about = Fetched::<api::About>::default();
    about.ask(call(commands::About {}));
    let shown = move |about: api::About| {
        let licences = match &about.licences {
            Some(text) => view! { <List all=Licences::of(text)/> }.into_any(),
            None => {
                let words = tf("program.no_licences", &[("path", &about.licences_at)]);
                view! { <Note tone=Tone::Info>{words}</Note> }.into_any()
            }
        };
        view! {
            <section class="card" id="about">
                <div class="card-head"><h2>{t("program.title")}</h2></div>
                <div class="card-body stack g-3">
                    <Program about version_id="about-version" copy_id="about-copy"/>
                </div>
            </section>
            <section class="card" id="licences">
                <div class="card-head"><h2>{t("program.licences")}</h2></div>
                <div class="card-body stack">
                    <p class="t-small">{t("program.licences_text")}</p>
                    {licences}
                </div>
            </section>
        }
    };
    let comes = move || about.value.with(Option::is_none) && about.failure.with(Option::is_none);
    view! {
        {move || about.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || comes().then(|| view! { <div class="skel"></div><div class="skel half"></div> })}
        {move || about.value.get().map(shown)}
    }
}

/// The parts, a search over them, and the texts of the one that is chosen.
#[component]
fn List(all: Licences) -> impl IntoView {
    let all = StoredValue::new(all);
    let wanted = RwSignal::new(String::new());
    let chosen = RwSignal::new(None::<Part>);
    let lines = move || {
        let found: Vec<Part> =
            all.with_value(|all| all.holding(&wanted.get()).into_iter().cloned().collect());
        let (count, more) = (found.len(), found.len().saturating_sub(LINES));
        let lines = found.into_iter().take(LINES).map(|part| line(part, chosen));
        view! {
            <p class="t-small t-mute" role="status" id="licences-found">{tn("program.parts", count as u64)}</p>
            <div class="licence-list" role="list">{lines.collect_view()}</div>
            {(more > 0).then(|| view! { <p class="t-small">{tn("program.more", more as u64)}</p> })}
        }
    };
    let texts = move || {
        chosen.get().map(|part| {
            let texts = all.with_value(|all| {
                let texts = part.texts.iter().filter_map(|at| all.texts.get(*at));
                texts.cloned().collect::<Vec<_>>()
            });
            let none = texts.is_empty().then(|| {
                view! { <p class="t-small">{tf("program.no_text", &[("licence", &part.licence)])}</p> }
            });
            view! {
                <h3>{part.name}" · "{part.licence}</h3>
                {none}
                {texts.into_iter().map(|text| view! { <pre class="licence-text" tabindex="0">{text}</pre> }).collect_view()}
            }
        })
    };
    view! {
        <div class="search">
            <Sign icon=Icon::Search/>
            <input
                class="input"
                id="licences-search"
                placeholder=t("program.search")
                aria-label=t("program.search")
                on:input:target=move |event| wanted.set(event.target().value())
            />
        </div>
        {lines}
        <div class="stack" id="licence-texts" aria-live="polite">{texts}</div>
    }
}

fn line(part: Part, chosen: RwSignal<Option<Part>>) -> impl IntoView {
    let (name, licence) = (part.name.clone(), part.licence.clone());
    let own = part.name.clone();
    let is_chosen = move || chosen.with(|now| now.as_ref().is_some_and(|now| now.name == own));
    view! {
        <div role="listitem">
            <button class="licence-row" aria-pressed=move || is_chosen().to_string() on:click=move |_| chosen.set(Some(part.clone()))>
                <span class="mono">{name}</span>
                <span class="t-mute">{licence}</span>
            </button>
        </div>
    }
}
