//! Screens, everything that a button does, documents, terms and sentences by name.

use super::chooser::{Chooser, Line};
use super::icon::Icon;
use crate::actions::{ACTIONS, Action};
use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::fuzzy;
use crate::help::page::{Topic, pages};
use crate::i18n::{Lang, lang, speak, t, tf};
use crate::prefs;
use crate::route::Route;
use crate::screens::ask::deeds;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{DocumentRow, Rows, SearchHit, SearchMode, SearchRequest, TermFilter};
use lexforge_domain::term::Term;
use lexforge_domain::{DocumentId, SentenceId, TermId};

/// Something that the palette does.
#[derive(Clone, Debug, PartialEq)]
enum Deed {
    Go(Route),
    Import,
    Packet,
    Open,
    Create,
    Prepare,
    Theme,
    Language,
    Keys,
    Jobs,
    Help(Option<Topic>),
    Print,
    Sample,
    Workspace(String),
    /// What the button of this id does.
    Act(&'static str),
    Document(DocumentId),
    Term(TermId),
    Sentence(DocumentId, u32, SentenceId),
    Search(String),
    Ask(String),
}

type Entry = Line<Deed>;

/// Characters from which on something typed may be a question.
const QUESTION: usize = 3;
/// Characters from which on the documents are searched for it.
const SEARCHED: usize = 2;
/// Documents, and terms, that are offered.
const NAMES: u64 = 8;
/// Sentences that are offered; the library shows all.
const SENTENCES: usize = 5;

impl Deed {
    fn run(self, app: App) {
        app.palette.set(false);
        match self {
            Self::Go(route) => app.visit(route),
            Self::Import => app.import(),
            Self::Open => app.pick_workspace(),
            Self::Create => app.new_workspace(),
            Self::Packet => crate::review::packets::open(app),
            Self::Prepare => app.prepare(),
            Self::Theme => app.theme.update(|theme| *theme = theme.next()),
            Self::Language => speak(lang().other()),
            Self::Keys => app.keys.set(true),
            Self::Jobs => app.tray.set(true),
            Self::Help(topic) => {
                app.help_topic.set(topic);
                app.help.set(true);
            }
            Self::Print => crate::keys::print(),
            Self::Workspace(path) => {
                app.open_workspace(path);
            }
            Self::Act(id) => {
                if let Some(action) = Action::of(id) {
                    action.run(app);
                }
            }
            Self::Sample => app.open_sample(),
            Self::Document(id) => app.open_sentence(id, 1, None),
            Self::Term(id) => app.open_term(id),
            Self::Sentence(document, page, sentence) => {
                app.open_sentence(document, page, Some(sentence));
            }
            Self::Search(words) => {
                app.in_document.set(false);
                app.query.set(words);
                app.go(Route::Library);
            }
            Self::Ask(question) => {
                app.go(Route::Ask);
                deeds::ask(app, &question);
            }
        }
    }
}

fn commands(app: App) -> Vec<Entry> {
    let entry = |key, icon, name: String| Line {
        key,
        icon: Some(icon),
        name,
        law: None,
        hint: t("palette.command"),
    };
    let mut entries: Vec<Entry> = Route::ALL
        .into_iter()
        .map(|route| Line {
            key: Deed::Go(route),
            icon: Some(route.icon()),
            name: route.title(),
            law: None,
            hint: format!("G {}", route.key().1),
        })
        .collect();
    let open = app.workspace.with_untracked(Option::is_some);
    if open {
        entries.push(entry(Deed::Import, Icon::Plus, t("action.import")));
        entries.push(entry(Deed::Prepare, Icon::Play, t("action.prepare")));
    }
    entries.push(entry(Deed::Open, Icon::Folder, t("action.open_workspace")));
    entries.push(entry(Deed::Create, Icon::File, t("action.new_workspace")));
    entries.push(entry(Deed::Sample, Icon::Books, t("action.open_sample")));
    entries.push(entry(Deed::Packet, Icon::Folder, t("packet.open")));
    entries.push(entry(Deed::Theme, Icon::Sun, t("top.theme")));
    let other = if lang() == Lang::En {
        "中文"
    } else {
        "English"
    };
    entries.push(entry(Deed::Language, Icon::Globe, other.to_owned()));
    entries.push(entry(Deed::Keys, Icon::Keys, t("keys.title")));
    entries.push(entry(Deed::Jobs, Icon::Clock, t("tray.all")));
    entries.push(entry(Deed::Help(None), Icon::Info, t("help.title")));
    entries.push(entry(Deed::Print, Icon::Out, t("action.print")));
    let there = |action: &&Action| open || !action.needs_workspace();
    entries.extend(ACTIONS.iter().filter(there).map(|action| Line {
        key: Deed::Act(action.id),
        icon: Some(action.icon),
        name: (action.name)(),
        law: None,
        hint: action.part.route().title(),
    }));
    let recent = prefs::read("recent").unwrap_or_default();
    entries.extend(recent.lines().map(|path| Line {
        key: Deed::Workspace(path.to_owned()),
        icon: Some(Icon::Folder),
        name: path.to_owned(),
        law: None,
        hint: t("welcome.recent"),
    }));
    entries.extend(pages().into_iter().map(|page| Line {
        key: Deed::Help(Some(page.topic)),
        icon: Some(Icon::Info),
        name: page.title.to_owned(),
        law: None,
        hint: t("help.title"),
    }));
    entries
}

/// The entries whose name, or name and place, fits the typed text: the best first, equally good ones in their order.
fn fitting(lines: Vec<Entry>, typed: &str) -> Vec<Entry> {
    let fit = |line: &Entry| {
        let placed = || fuzzy::fit(&format!("{} {}", line.name, line.hint), typed);
        // Entries that fit only together with their place come after those that fit by their name.
        fuzzy::fit(&line.name, typed).or_else(|| placed().map(|fit| fit + 10))
    };
    let mut fitting: Vec<(u32, Entry)> = lines
        .into_iter()
        .filter_map(|line| fit(&line).map(|fit| (fit, line)))
        .collect();
    fitting.sort_by_key(|(fit, _)| *fit);
    fitting.into_iter().map(|(_, line)| line).collect()
}

/// What was typed, as a question to the documents, if there are any. It comes after all entries whose name fits.
fn question(app: App, typed: &str) -> Option<Entry> {
    let typed = typed.trim();
    let documents = untrack(|| app.documents());
    (documents > 0 && typed.chars().count() >= QUESTION).then(|| Line {
        key: Deed::Ask(typed.to_owned()),
        icon: Some(Icon::Ask),
        name: tf("palette.ask", &[("question", typed)]),
        law: None,
        hint: t("palette.command"),
    })
}

fn document(row: DocumentRow) -> Entry {
    Line {
        key: Deed::Document(row.id),
        icon: Some(Icon::File),
        name: row.title,
        law: None,
        hint: t("palette.document"),
    }
}

fn term(term: Term) -> Entry {
    Line {
        key: Deed::Term(term.id),
        icon: Some(Icon::Terms),
        name: term.text,
        law: None,
        hint: t("palette.term"),
    }
}

fn sentence(hit: SearchHit) -> Entry {
    Line {
        key: Deed::Sentence(hit.document, hit.page, hit.id),
        icon: Some(Icon::Books),
        name: hit.text,
        law: None,
        hint: tf("palette.page", &[("page", &hit.page.to_string())]),
    }
}

/// The search of the library for what was typed, if there are documents.
fn search(app: App, typed: &str) -> Option<Entry> {
    let typed = typed.trim();
    let documents = untrack(|| app.documents());
    (documents > 0 && typed.chars().count() >= SEARCHED).then(|| Line {
        key: Deed::Search(typed.to_owned()),
        icon: Some(Icon::Search),
        name: tf("palette.search", &[("words", typed)]),
        law: None,
        hint: t("palette.command"),
    })
}

/// The palette, over everything else.
#[component]
pub fn Palette() -> impl IntoView {
    let app = use_app();
    move || app.palette.get().then(|| view! { <Open/> })
}

#[component]
fn Open() -> impl IntoView {
    let app = use_app();
    let query = RwSignal::new(String::new());
    let documents = Fetched::<Vec<DocumentRow>>::default();
    let terms = Fetched::<Rows<Term>>::default();
    let sentences = Fetched::<Vec<SearchHit>>::default();
    if app.workspace.with_untracked(Option::is_some) {
        documents.ask(call(commands::Documents {}));
    }
    search_as_one_types(app, query, terms, sentences);
    let lines = Signal::derive(move || {
        let wanted = query.get().to_lowercase();
        let mut lines = fitting(commands(app), &wanted);
        if !wanted.is_empty() {
            let titles = documents.value.get().unwrap_or_default().into_iter();
            let titles = titles.filter(|d| d.title.to_lowercase().contains(&wanted));
            lines.extend(titles.take(NAMES as usize).map(document));
            let terms = terms.value.get().map(|rows| rows.rows);
            lines.extend(terms.unwrap_or_default().into_iter().map(term));
            let sentences = sentences.value.get().unwrap_or_default();
            lines.extend(sentences.into_iter().map(sentence));
            lines.extend(search(app, &query.get()));
            lines.extend(question(app, &query.get()));
        }
        lines
    });
    let failure = Signal::derive(move || {
        let typed = query.with(|query| !query.is_empty());
        let titles = documents.failure.get().filter(|_| typed);
        titles
            .or_else(|| terms.failure.get())
            .or_else(|| sentences.failure.get())
    });
    view! {
        <Chooser
            label=t("top.palette")
            placeholder=t("palette.placeholder")
            id="palette-field"
            query
            lines
            none=t("palette.none")
            failure
            pick=move |deed: Deed| deed.run(app)
            close=move |()| app.palette.set(false)
        />
    }
}

/// Searches terms and sentences for what is typed, from a few characters on.
fn search_as_one_types(
    app: App,
    query: RwSignal<String>,
    terms: Fetched<Rows<Term>>,
    sentences: Fetched<Vec<SearchHit>>,
) {
    Effect::new(move |_| {
        let query = query.get();
        if query.trim().chars().count() < SEARCHED || app.workspace.with_untracked(Option::is_none)
        {
            terms.forget();
            sentences.forget();
        } else {
            sentences.ask(call(commands::Search {
                request: SearchRequest {
                    query: query.clone(),
                    mode: SearchMode::Lexical,
                    top: SENTENCES,
                    document: None,
                    encoder: None,
                },
            }));
            let filter = TermFilter {
                query: Some(query),
                limit: NAMES,
                ..TermFilter::default()
            };
            terms.ask(call(commands::Terms { filter }));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_name_comes_first_and_places_last() {
        let line = |name: &str, hint: &str| Line {
            key: Deed::Act("x"),
            icon: None,
            name: name.to_owned(),
            law: None,
            hint: hint.to_owned(),
        };
        let all = vec![
            line("Export glossary as CSV", "Terms"),
            line("Rebuild", "Graph"),
            line("Graph", "G G"),
            line("Show the graph as a list", "Graph"),
        ];
        let names = |typed: &str| {
            let found = fitting(all.clone(), typed);
            found.into_iter().map(|line| line.name).collect::<Vec<_>>()
        };
        assert_eq!(
            names("graph"),
            ["Graph", "Show the graph as a list", "Rebuild"]
        );
        assert_eq!(names("terms csv"), ["Export glossary as CSV"]);
        assert_eq!(names("").len(), all.len());
        assert!(names("xyzzy").is_empty());
    }
}
