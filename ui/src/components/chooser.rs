//! A list to choose one thing from by typing, over everything else: ↑ ↓ Enter, Esc leaves.

use super::dialog::Dialog;
use super::error_panel::ErrorPanel;
use super::icon::{Icon, Sign};
use leptos::ev::KeyboardEvent;
use leptos::html::{Div, Input};
use leptos::prelude::*;
use lexforge_domain::Failure;

/// A line of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<K> {
    /// The value that is chosen with this line.
    pub key: K,
    /// Its sign.
    pub icon: Option<Icon>,
    /// What it is called.
    pub name: String,
    /// The tag for `lang` where the name is in the words of a document.
    pub law: Option<&'static str>,
    /// The text at the end of the line.
    pub hint: String,
}

/// The field and the lines.
#[component]
pub fn Chooser<K>(
    /// What is chosen, for a screen reader.
    label: String,
    /// What to type.
    placeholder: String,
    /// Id of the field.
    id: &'static str,
    /// What was typed.
    query: RwSignal<String>,
    /// The lines that fit it.
    #[prop(into)]
    lines: Signal<Vec<Line<K>>>,
    /// The text that is shown if no line fits.
    none: String,
    /// Why lines may be missing: the search for them failed.
    #[prop(optional, into)]
    failure: Option<Signal<Option<Failure>>>,
    /// One was chosen.
    #[prop(into)]
    pick: Callback<K>,
    /// Puts the list away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView
where
    K: Clone + Send + Sync + 'static,
{
    let chosen = RwSignal::new(0_usize);
    Effect::new(move |_| {
        query.track();
        chosen.set(0);
    });
    let failed =
        Signal::derive(move || failure.is_some_and(|failure| failure.with(Option::is_some)));
    let keydown = move |event: KeyboardEvent| {
        let take = |at: usize| {
            if let Some(line) = lines.with_untracked(|all| all.get(at).cloned()) {
                pick.run(line.key);
            }
        };
        let leave = || {
            close.run(());
            true
        };
        walk(&event, lines.with_untracked(Vec::len), chosen, take, leave);
    };
    view! {
        <Dialog label=label.clone() close>
            <SearchField id label=label.clone() placeholder query keydown/>
            <Lines label lines chosen none failed pick/>
            {move || failure.and_then(|failure| failure.get()).map(|failure| view! { <ErrorPanel failure/> })}
        </Dialog>
    }
}

/// The field, which has the focus.
#[component]
fn SearchField(
    id: &'static str,
    label: String,
    placeholder: String,
    query: RwSignal<String>,
    keydown: impl Fn(KeyboardEvent) + Send + 'static,
) -> impl IntoView {
    let field = NodeRef::<Input>::new();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            crate::keys::focus_end(&field);
        }
    });
    view! {
        <div class="search">
            <Sign icon=Icon::Search/>
            <input
                class="input"
                id=id
                node_ref=field
                autofocus=true
                value=query.get_untracked()
                placeholder=placeholder
                aria-label=label
                on:input:target=move |event| query.set(event.target().value())
                on:keydown=keydown
            />
        </div>
    }
}

/// The lines, of which the chosen one stays in view, or a text if there is none.
#[component]
fn Lines<K>(
    label: String,
    lines: Signal<Vec<Line<K>>>,
    chosen: RwSignal<usize>,
    none: String,
    /// The search failed: whether there are any is not known.
    failed: Signal<bool>,
    pick: Callback<K>,
) -> impl IntoView
where
    K: Clone + Send + Sync + 'static,
{
    let menu = NodeRef::<Div>::new();
    Effect::new(move |_| {
        chosen.track();
        if let Some(menu) = menu.get() {
            request_animation_frame(move || show_chosen(&menu));
        }
    });
    let list = move || {
        let all = lines.get().into_iter().enumerate();
        all.map(|(at, line)| option(at, line, chosen, pick))
            .collect_view()
    };
    let empty = move || lines.with(Vec::is_empty) && !failed.get();
    view! {
        <div class="menu" node_ref=menu role="listbox" aria-label=label>
            {list}
            {move || empty().then(|| view! { <p class="pad t-small">{none.clone()}</p> })}
        </div>
    }
}

/// A line of the list.
fn option<K>(at: usize, line: Line<K>, chosen: RwSignal<usize>, pick: Callback<K>) -> impl IntoView
where
    K: Clone + Send + Sync + 'static,
{
    let Line {
        key,
        icon,
        name,
        law,
        hint,
    } = line;
    view! {
        <button
            role="option"
            tabindex="-1"
            aria-selected=move || (chosen.get() == at).to_string()
            on:click=move |_| pick.run(key.clone())
        >
            {icon.map(|icon| view! { <Sign icon/> })}
            <span class="clip" class:law=law.is_some() class:cell=law.is_some() lang=law title=name.clone()>{name.clone()}</span>
            <span class="hint">{hint}</span>
        </button>
    }
}

/// Handles the keys of a list of `many` lines, one of which is chosen: ↑ and ↓ choose another line, Enter takes it,
/// Escape leaves the list. Other keys go to the field. Escape goes to the field, too, if `leave` says that there was no
/// list to leave.
pub fn walk(
    event: &KeyboardEvent,
    many: usize,
    chosen: RwSignal<usize>,
    take: impl Fn(usize),
    leave: impl Fn() -> bool,
) {
    if event.is_composing() {
        return;
    }
    match event.key().as_str() {
        "ArrowDown" => chosen.update(|at| *at = (*at + 1).min(many.saturating_sub(1))),
        "ArrowUp" => chosen.update(|at| *at = at.saturating_sub(1)),
        "Enter" => take(chosen.get_untracked()),
        "Escape" if leave() => {}
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

/// Scrolls the list until the chosen line is in view.
fn show_chosen(menu: &web_sys::Element) {
    let Some(line) = menu.query_selector("[aria-selected='true']").ok().flatten() else {
        return;
    };
    let (frame, place) = (
        menu.get_bounding_client_rect(),
        line.get_bounding_client_rect(),
    );
    let by = if place.top() < frame.top() {
        place.top() - frame.top()
    } else if place.bottom() > frame.bottom() {
        place.bottom() - frame.bottom()
    } else {
        return;
    };
    menu.set_scroll_top(menu.scroll_top() + by.round() as i32);
}
