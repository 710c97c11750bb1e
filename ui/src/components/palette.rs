//! Screens, commands, documents and terms by name.

use super::icon::{Icon, Sign};
use crate::backend;
use crate::fetched::Fetched;
use crate::i18n::{Lang, lang, speak, t};
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::html::Input;
use leptos::prelude::*;
use lexforge_domain::api::{DocumentRow, Rows, TermFilter};
use lexforge_domain::term::Term;
use lexforge_domain::{DocumentId, TermId};

/// Something that the palette does.
#[derive(Clone, Debug, PartialEq)]
enum Deed {
    Go(Route),
    Import,
    Open,
    Create,
    Prepare,
    Theme,
    Language,
    Keys,
    Document(DocumentId),
    Term(TermId),
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    deed: Deed,
    icon: Icon,
    name: String,
    hint: String,
}

impl Deed {
    fn run(self, app: App) {
        app.palette.set(false);
        match self {
            Self::Go(route) => app.go(route),
            Self::Import => app.import(),
            Self::Open => app.pick_workspace(),
            Self::Create => app.new_workspace(),
            Self::Prepare => app.prepare(),
            Self::Theme => app.theme.update(|theme| *theme = theme.next()),
            Self::Language => speak(lang().other()),
            Self::Keys => app.keys.set(true),
            Self::Document(id) => app.open_sentence(id, 1, None),
            Self::Term(id) => app.open_term(id),
        }
    }
}

fn commands(app: App) -> Vec<Entry> {
    let entry = |deed, icon, name: String| Entry { deed, icon, name, hint: t("palette.command") };
    let mut entries: Vec<Entry> = Route::ALL
        .into_iter()
        .map(|route| Entry {
            deed: Deed::Go(route),
            icon: route.icon(),
            name: route.title(),
            hint: format!("G {}", route.key().1),
        })
        .collect();
    if app.workspace.with_untracked(Option::is_some) {
        entries.push(entry(Deed::Import, Icon::Plus, t("action.import")));
        entries.push(entry(Deed::Prepare, Icon::Play, t("action.prepare")));
    }
    entries.push(entry(Deed::Open, Icon::Folder, t("action.open_workspace")));
    entries.push(entry(Deed::Create, Icon::File, t("action.new_workspace")));
    entries.push(entry(Deed::Theme, Icon::Sun, t("top.theme")));
    let other = if lang() == Lang::En { "中文" } else { "English" };
    entries.push(entry(Deed::Language, Icon::Globe, other.to_owned()));
    entries.push(entry(Deed::Keys, Icon::Keys, t("keys.title")));
    entries
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
    let chosen = RwSignal::new(0_usize);
    let field = NodeRef::<Input>::new();
    let documents = Fetched::<Vec<DocumentRow>>::default();
    let terms = Fetched::<Rows<Term>>::default();
    if app.workspace.with_untracked(Option::is_some) {
        documents.ask(backend::library::documents());
    }
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
        }
    });
    Effect::new(move |_| {
        let query = query.get();
        chosen.set(0);
        if query.chars().count() < 2 || app.workspace.with_untracked(Option::is_none) {
            terms.forget();
        } else {
            let filter = TermFilter { query: Some(query), limit: 8, ..TermFilter::default() };
            terms.ask(async move { backend::terms::terms(&filter).await });
        }
    });
    let entries = Memo::new(move |_| {
        let wanted = query.get().to_lowercase();
        let mut entries = commands(app);
        entries.retain(|entry| entry.name.to_lowercase().contains(&wanted));
        if !wanted.is_empty() {
            let titles = documents.value.get().unwrap_or_default();
            entries.extend(titles.into_iter().filter(|d| d.title.to_lowercase().contains(&wanted)).take(8).map(|d| {
                Entry { deed: Deed::Document(d.id), icon: Icon::File, name: d.title, hint: t("palette.document") }
            }));
            entries.extend(terms.value.get().map(|rows| rows.rows).unwrap_or_default().into_iter().map(|term| Entry {
                deed: Deed::Term(term.id),
                icon: Icon::Terms,
                name: term.text,
                hint: t("palette.term"),
            }));
        }
        entries
    });
    let menu = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        chosen.track();
        if let Some(menu) = menu.get() {
            request_animation_frame(move || show_chosen(&menu));
        }
    });
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        if event.is_composing() {
            return;
        }
        let many = entries.with_untracked(Vec::len);
        match event.key().as_str() {
            "ArrowDown" => chosen.update(|at| *at = (*at + 1).min(many.saturating_sub(1))),
            "ArrowUp" => chosen.update(|at| *at = at.saturating_sub(1)),
            "Enter" => {
                if let Some(entry) = entries.with_untracked(|all| all.get(chosen.get_untracked()).cloned()) {
                    entry.deed.run(app);
                }
            }
            "Escape" => app.palette.set(false),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let list = move || {
        entries
            .get()
            .into_iter()
            .enumerate()
            .map(|(at, entry)| {
                let deed = entry.deed.clone();
                view! {
                    <button
                        role="option"
                        tabindex="-1"
                        aria-selected=move || (chosen.get() == at).to_string()
                        on:click=move |_| deed.clone().run(app)
                    >
                        <Sign icon=entry.icon/>
                        <span class="clip">{entry.name}</span>
                        <span class="hint">{entry.hint}</span>
                    </button>
                }
            })
            .collect_view()
    };
    view! {
        <div class="scrim" on:click=move |_| app.palette.set(false)>
            <div class="dialog" role="dialog" aria-modal="true" aria-label=t("top.palette") on:click=|e| e.stop_propagation()>
                <div class="search">
                    <Sign icon=Icon::Search/>
                    <input
                        class="input"
                        id="palette-field"
                        node_ref=field
                        placeholder=t("palette.placeholder")
                        aria-label=t("top.palette")
                        on:input:target=move |event| query.set(event.target().value())
                        on:keydown=keydown
                    />
                </div>
                <div class="menu" node_ref=menu role="listbox" aria-label=t("top.palette")>
                    {list}
                    {move || entries.with(Vec::is_empty).then(|| view! { <p class="pad t-small">{t("palette.none")}</p> })}
                </div>
            </div>
        </div>
    }
}

/// Scrolls the list until the chosen entry is in view.
fn show_chosen(menu: &web_sys::Element) {
    let Some(entry) = menu.query_selector("[aria-selected='true']").ok().flatten() else { return };
    let (frame, place) = (menu.get_bounding_client_rect(), entry.get_bounding_client_rect());
    let by = if place.top() < frame.top() {
        place.top() - frame.top()
    } else if place.bottom() > frame.bottom() {
        place.bottom() - frame.bottom()
    } else {
        return;
    };
    menu.set_scroll_top(menu.scroll_top() + by.round() as i32);
}
