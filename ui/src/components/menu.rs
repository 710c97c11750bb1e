//! A button that opens a list of deeds.

use super::icon::{Icon, Sign};
use leptos::html::{Button, Div};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// A deed of a menu.
#[derive(Clone)]
pub struct Item {
    /// Id of its line.
    pub id: &'static str,
    /// Its sign.
    pub icon: Icon,
    /// What it is called.
    pub name: String,
    /// What it does.
    pub run: Callback<()>,
}

/// The button and, once pressed, its list: ↑ ↓ Enter, Esc leaves.
#[component]
pub fn Menu(
    /// Id of the button.
    id: &'static str,
    /// The text on the button.
    name: String,
    /// The deeds.
    items: Vec<Item>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let button = NodeRef::<Button>::new();
    let list = NodeRef::<Div>::new();
    let items = StoredValue::new(items);
    Effect::new(move |_| {
        if let Some(list) = list.get() {
            focus_line(&list, 0);
        }
    });
    let leave = move || {
        open.set(false);
        if let Some(button) = button.get_untracked() {
            let _ = button.focus();
        }
    };
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        let Some(list) = list.get_untracked() else {
            return;
        };
        match event.key().as_str() {
            "ArrowDown" => step(&list, 1),
            "ArrowUp" => step(&list, -1),
            "Escape" => leave(),
            "Tab" => return open.set(false),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let line = move |item: Item| {
        view! {
            <button id=item.id role="menuitem" tabindex="-1" on:click=move |_| { leave(); item.run.run(()); }>
                <Sign icon=item.icon/>
                <span>{item.name}</span>
            </button>
        }
    };
    let lines = move || items.get_value().into_iter().map(line).collect_view();
    view! {
        <span class="menu-holder">
            <button class="btn" id=id node_ref=button aria-haspopup="menu" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|on| *on = !*on)>
                {name.clone()}
                <Sign icon=Icon::Down small=true/>
            </button>
            {move || open.get().then(|| view! {
                <div class="menu-veil" on:click=move |_| open.set(false)></div>
                <div class="menu menu-list" role="menu" aria-label=name.clone() node_ref=list on:keydown=keydown>{lines()}</div>
            })}
        </span>
    }
}

fn lines(list: &web_sys::Element) -> Vec<HtmlElement> {
    let Ok(found) = list.query_selector_all("[role=menuitem]") else {
        return Vec::new();
    };
    (0..found.length())
        .filter_map(|i| found.item(i)?.dyn_into().ok())
        .collect()
}

/// Moves the focus by `by` lines; after the last line comes the first.
fn step(list: &web_sys::Element, by: isize) {
    let here = document().active_element();
    let lines = lines(list);
    let at = lines
        .iter()
        .position(|line| here.as_ref() == Some(line.as_ref()))
        .unwrap_or(0);
    let many = lines.len().max(1);
    focus_line(list, at.wrapping_add_signed(many as isize + by) % many);
}

fn focus_line(list: &web_sys::Element, at: usize) {
    if let Some(line) = lines(list).get(at) {
        let _ = line.focus();
    }
}
