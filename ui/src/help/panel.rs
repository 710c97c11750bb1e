//! The help, which is shown over the screen. A list on the left has the pages of the help, the facts about the program
//! and the chapters of the guide. The open page is beside the list. The search covers everything in the list.

use super::guide::{Chapter, chapters};
use super::page::{Page, Topic, holds, pages};
use super::pieces::{Piece, pieces};
use crate::backend::{call, commands};
use crate::components::dialog::Dialog;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::keys_map::{Group, rows};
use crate::components::program::{self, Program};
use crate::fetched::Fetched;
use crate::i18n::t;
use crate::place::SettingsTab;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::About;

/// The help, if it is open. It opens at the page of the screen that is shown.
#[component]
pub fn HelpPanel() -> impl IntoView {
    let app = use_app();
    move || app.help.get().then(|| view! { <Open/> })
}

/// The page or chapter that is being read, or the facts about the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    /// A page of the help.
    Page(Topic),
    /// Which program this is.
    About,
    /// A chapter of the guide, by its place.
    Chapter(usize),
}

/// The page at which the help opens: the one that was asked for, or else the page of the screen.
fn begun_at(app: App) -> Topic {
    let here = if app.workspace.with_untracked(Option::is_some) {
        Topic::Screen(app.route.get_untracked())
    } else {
        Topic::Start
    };
    let asked = app.help_topic.get_untracked();
    app.help_topic.set(None);
    asked.unwrap_or(here)
}

/// What contains the searched text, in the order of the list.
fn holding(wanted: &str, all: &[Page], guide: &[Chapter]) -> Vec<Read> {
    let pages = all.iter().filter(|page| page.holds(wanted));
    let chapters = guide.iter().filter(|chapter| chapter.holds(wanted));
    let chapters = chapters.map(|chapter| Read::Chapter(chapter.number));
    let about = holds(&t("program.title"), &program::names(), wanted).then_some(Read::About);
    pages
        .map(|page| Read::Page(page.topic))
        .chain(about)
        .chain(chapters)
        .collect()
}

#[component]
fn Open() -> impl IntoView {
    let app = use_app();
    let (all, guide) = (pages(), chapters());
    let wanted = RwSignal::new(String::new());
    let chosen = RwSignal::new(Read::Page(begun_at(app)));
    let found = {
        let (all, guide) = (all.clone(), guide.clone());
        Memo::new(move |_| holding(&wanted.get(), &all, &guide))
    };
    // The page that is read stays while it holds what is searched for.
    let now = Memo::new(move |_| {
        let chosen = chosen.get();
        found.with(|found| {
            let stays = found.contains(&chosen).then_some(chosen);
            stays.or_else(|| found.first().copied())
        })
    });
    let listed =
        move |(read, id, title): (Read, String, String)| entry(read, id, title, found, now, chosen);
    let about = (Read::About, "about".to_owned(), t("program.title"));
    let entries = all.iter().map(of_page).chain([about]);
    let entries = entries.map(listed).collect_view();
    let further = guide.iter().map(of_chapter).map(listed).collect_view();
    let text = move || shown(now.get(), &all, &guide);
    let keys = move |_| {
        app.help.set(false);
        app.keys.set(true);
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
                <div class="help-lists">
                    <nav class="menu" aria-label=t("help.pages")>{entries}</nav>
                    <p class="help-cap">{t("help.guide")}</p>
                    <div class="menu" role="navigation" aria-label=t("help.guide")>{further}</div>
                </div>
                <button class="btn ghost sm" on:click=keys>{t("keys.title")} <kbd>"?"</kbd></button>
            </div>
            <div class="help-read">
                <button class="btn sm" id="help-close" on:click=move |_| app.help.set(false)>{t("action.close")} <kbd>"Esc"</kbd></button>
                <article class="help-text" tabindex="0" aria-live="polite">{text}</article>
            </div>
        </Dialog>
    }
}

/// A page in the list: what is read there, its id, and its title.
fn of_page(page: &Page) -> (Read, String, String) {
    let read = Read::Page(page.topic);
    (read, page.topic.tag().to_owned(), page.title.to_owned())
}

/// A chapter in the list, as a page is.
fn of_chapter(chapter: &Chapter) -> (Read, String, String) {
    let id = format!("chapter-{}", chapter.number);
    (Read::Chapter(chapter.number), id, chapter.title.to_owned())
}

/// The content of the help: the chosen page or chapter, or a note that no page contains the searched words.
fn shown(read: Option<Read>, all: &[Page], guide: &[Chapter]) -> AnyView {
    let keys = match read {
        Some(Read::Page(Topic::Screen(route))) => Group::of(route),
        _ => None,
    };
    let found = match read {
        Some(Read::Page(topic)) => {
            let page = all.iter().find(|page| page.topic == topic);
            page.map(|page| (page.title, page.text))
        }
        Some(Read::About) => return view! { <AboutPage/> }.into_any(),
        Some(Read::Chapter(at)) => guide.get(at).map(|c| (c.title, c.text)),
        None => return view! { <p class="t-mute">{t("help.none")}</p> }.into_any(),
    };
    let page = found.map(|(title, text)| {
        view! {
            <div class="help-page">
                <h1>{title}</h1>
                {pieces(text).into_iter().map(drawn).collect_view()}
                {keys.map(|group| view! { <ScreenKeys group/> })}
            </div>
        }
    });
    page.into_any()
}

/// The keys of the screen that the page is about.
#[component]
fn ScreenKeys(group: Group) -> impl IntoView {
    let app = use_app();
    let lines = app.bindings.with_untracked(|keys| group.lines(keys));
    view! {
        <h2>{t("keys.here")}</h2>
        <div class="keys">{rows(lines)}</div>
    }
}

/// The facts about the program, and the way to the licences of what others wrote.
#[component]
fn AboutPage() -> impl IntoView {
    let app = use_app();
    let about = Fetched::<About>::default();
    about.ask(call(commands::About {}));
    let comes = move || about.value.with(Option::is_none) && about.failure.with(Option::is_none);
    let licences = move |_| {
        app.help.set(false);
        app.open_settings(SettingsTab::About);
    };
    view! {
        <div class="help-page" id="help-program">
            <h1>{t("program.title")}</h1>
            {move || about.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || comes().then(|| view! { <div class="skel"></div><div class="skel half"></div> })}
            {move || about.value.get().map(|about| view! { <Program about version_id="help-version" copy_id="help-copy"/> })}
            <div class="row"><button class="btn" id="help-licences" on:click=licences>{t("program.to_licences")}</button></div>
        </div>
    }
}

fn entry(
    read: Read,
    id: String,
    title: String,
    found: Memo<Vec<Read>>,
    now: Memo<Option<Read>>,
    chosen: RwSignal<Read>,
) -> impl IntoView {
    view! {
        <button
            id=format!("help-{id}")
            hidden=move || !found.with(|found| found.contains(&read))
            aria-current=move || (now.get() == Some(read)).then_some("page")
            on:click=move |_| chosen.set(read)
        >
            {title}
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
        Piece::Typed(lines) => view! { <pre tabindex="0">{lines}</pre> }.into_any(),
        Piece::Table(rows) => view! { <table class="table">{all(rows)}</table> }.into_any(),
        Piece::Row(cells) => view! { <tr>{all(cells)}</tr> }.into_any(),
        Piece::Cell(inner) => view! { <td>{all(inner)}</td> }.into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn a_search_finds_the_facts_about_the_program() {
        speak(Lang::En);
        for (wanted, found) in [
            ("", true),
            ("libtorch", true),
            ("ABOUT models", true),
            ("gate override", false),
        ] {
            let holds = holding(wanted, &[], &[]).contains(&Read::About);
            assert_eq!(holds, found, "{wanted}");
        }
    }
}
