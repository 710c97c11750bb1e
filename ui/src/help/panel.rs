//! The help over the screen: its pages at the left, one of them beside, a search over all.

use super::page::{Page, Topic, pages};
use super::pieces::{Piece, pieces};
use crate::components::dialog::Dialog;
use crate::components::icon::{Icon, Sign};
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;

/// The help, if it is open. It opens at the page of the screen that is shown.
#[component]
pub fn HelpPanel() -> impl IntoView {
    let app = use_app();
    move || app.help.get().then(|| view! { <Open/> })
}

#[component]
fn Open() -> impl IntoView {
    let app = use_app();
    let all = pages();
    let here = if app.workspace.with_untracked(Option::is_some) {
        Topic::Screen(app.route.get_untracked())
    } else {
        Topic::Start
    };
    let wanted = RwSignal::new(String::new());
    let chosen = RwSignal::new(here);
    let found = {
        let all = all.clone();
        Memo::new(move |_| {
            let wanted = wanted.get();
            let holding = all.iter().filter(|page| page.holds(&wanted));
            holding.copied().map(|page| page.topic).collect::<Vec<_>>()
        })
    };
    // The page that is read stays while it holds what is searched for.
    let topic = Memo::new(move |_| {
        let chosen = chosen.get();
        found.with(|found| {
            let stays = found.contains(&chosen).then_some(chosen);
            stays.or_else(|| found.first().copied())
        })
    });
    let entries = all
        .iter()
        .map(|page| entry(*page, found, topic, chosen))
        .collect_view();
    let text = move || {
        let page = topic
            .get()
            .and_then(|now| all.iter().find(|page| page.topic == now).copied());
        match page {
            Some(page) => view! {
                <h1>{page.title}</h1>
                {pieces(page.text).into_iter().map(drawn).collect_view()}
            }
            .into_any(),
            None => view! { <p class="t-mute">{t("help.none")}</p> }.into_any(),
        }
    };
    view! {
        <Dialog label=t("help.title") class="help" id="help" close=move |()| app.help.set(false)>
            <div class="help-side">
                <div class="search">
                    <Sign icon=Icon::Search/>
                    <input
                        class="input"
                        id="help-search"
                        autofocus=true
                        placeholder=t("help.search")
                        aria-label=t("help.search")
                        on:input:target=move |event| wanted.set(event.target().value())
                    />
                </div>
                <nav class="menu" aria-label=t("help.pages")>{entries}</nav>
                <button class="btn ghost sm" on:click=move |_| { app.help.set(false); app.keys.set(true); }>
                    {t("keys.title")} <kbd>"?"</kbd>
                </button>
            </div>
            <article class="help-text" tabindex="0" aria-live="polite">{text}</article>
        </Dialog>
    }
}

fn entry(
    page: Page,
    found: Memo<Vec<Topic>>,
    now: Memo<Option<Topic>>,
    chosen: RwSignal<Topic>,
) -> impl IntoView {
    let topic = page.topic;
    view! {
        <button
            id=format!("help-{}", topic.tag())
            hidden=move || !found.with(|found| found.contains(&topic))
            aria-current=move || (now.get() == Some(topic)).then_some("page")
            on:click=move |_| chosen.set(topic)
        >
            {page.title}
        </button>
    }
}

fn drawn(piece: Piece) -> AnyView {
    let all = |inner: Vec<Piece>| inner.into_iter().map(drawn).collect_view();
    match piece {
        Piece::Heading(inner) => view! { <h2>{all(inner)}</h2> }.into_any(),
        Piece::Paragraph(inner) => view! { <p>{all(inner)}</p> }.into_any(),
        Piece::List {
            numbered: true,
            items,
        } => view! { <ol>{all(items)}</ol> }.into_any(),
        Piece::List {
            numbered: false,
            items,
        } => view! { <ul>{all(items)}</ul> }.into_any(),
        Piece::Item(inner) => view! { <li>{all(inner)}</li> }.into_any(),
        Piece::Strong(inner) => view! { <strong>{all(inner)}</strong> }.into_any(),
        Piece::Named(inner) => view! { <em>{all(inner)}</em> }.into_any(),
        Piece::Key(words) => view! { <kbd>{words}</kbd> }.into_any(),
        Piece::Words(words) => words.into_any(),
    }
}
