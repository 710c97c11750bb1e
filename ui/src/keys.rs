//! Keys that work on every screen. Single keys work only outside text fields, and never while a text is being composed
//! with an input method. A key is identified by its place on the keyboard, so it also works while a Chinese input
//! method is on.

use crate::route::Route;
use crate::state::App;
use crate::text_size;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// A single key outside text fields without Ctrl, Alt or Meta, by its physical name.
pub fn single(app: App, event: &KeyboardEvent) -> Option<String> {
    let plain = !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing());
    (plain && app.single_keys.get_untracked() && !in_text(event) && !form_open())
        .then(|| event.code())
}

/// Whether the event was meant for a field that takes text.
pub fn in_text(event: &KeyboardEvent) -> bool {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| takes_text(&element))
}

fn takes_text(element: &Element) -> bool {
    matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
        || element
            .dyn_ref::<HtmlElement>()
            .is_some_and(HtmlElement::is_content_editable)
}

/// Whether something lies over the screen and has the keys for itself.
pub fn open_over() -> bool {
    document()
        .query_selector(".scrim, .menu-list")
        .ok()
        .flatten()
        .is_some()
}

/// Whether a form of a queue is open or on its way: what is typed is text then, wherever the focus is.
pub fn form_open() -> bool {
    document()
        .query_selector("[data-form]")
        .ok()
        .flatten()
        .is_some()
}

/// The character that a key writes, as [`KeyboardEvent::key`] names it. `None` for keys that write no character.
pub fn typed(key: &str) -> Option<char> {
    let mut all = key.chars();
    all.next().filter(|_| all.next().is_none())
}

/// Whether a key that is pressed now would reach nothing that takes it: the focus is nowhere, or on a text.
pub fn focus_is_idle() -> bool {
    let Some(active) = document().active_element() else {
        return true;
    };
    active.tag_name() == "BODY" || active.get_attribute("tabindex").as_deref() == Some("-1")
}

/// Listens for the keys of all screens, as long as the calling component lives.
pub fn listen(app: App) {
    let after_g = StoredValue::new(false);
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if event.is_composing() {
            return;
        }
        let went = after_g.get_value();
        after_g.set_value(false);
        if event.ctrl_key() || event.meta_key() {
            if !event.alt_key() && with_control(app, &event.code(), &event.key()) {
                event.prevent_default();
            }
            return;
        }
        match event.code().as_str() {
            "Escape" => return close(app),
            "F1" => {
                event.prevent_default();
                return app.help.update(|on| *on = !*on);
            }
            "F6" => {
                event.prevent_default();
                return next_pane(event.shift_key());
            }
            _ => {}
        }
        let Some(code) = single(app, &event) else {
            return;
        };
        if went {
            if let Some(route) = Route::ALL.into_iter().find(|route| route.key().0 == code) {
                event.prevent_default();
                app.visit(route);
            }
        } else if code == "KeyG" && !event.shift_key() {
            after_g.set_value(true);
        } else if event.key() == "?" {
            app.keys.update(|on| *on = !*on);
        }
    });
    on_cleanup(move || handle.remove());
}

fn with_control(app: App, code: &str, key: &str) -> bool {
    if let Some(size) = text_size::by_key(app.text_size.get_untracked(), key, code) {
        app.text_size.set(size);
        return true;
    }
    match code {
        "KeyK" => app.palette.update(|on| *on = !*on),
        "KeyI" => app.import(),
        "KeyJ" => app.tray.update(|on| *on = !*on),
        "KeyP" => print(),
        "Comma" => app.go(Route::Settings),
        "KeyF" => return focus("#find"),
        _ => return false,
    }
    true
}

fn close(app: App) {
    for open in [app.palette, app.keys, app.help, app.tray] {
        if open.get_untracked() {
            open.set(false);
            return;
        }
    }
}

/// Has the system print what is shown, once what lies over it is off the page.
pub fn print() {
    request_animation_frame(|| {
        let _ = window().print();
    });
}

/// Moves the focus to the first element of a selector.
pub fn focus(selector: &str) -> bool {
    let found = document()
        .query_selector(selector)
        .ok()
        .flatten()
        .and_then(|e| e.dyn_into::<HtmlElement>().ok());
    found.is_some_and(|element| element.focus().is_ok())
}

/// Whether the focus has moved away from this element, or somebody is typing.
pub fn focus_was_taken(before: Option<&Element>) -> bool {
    let Some(now) = document().active_element() else {
        return false;
    };
    takes_text(&now) || (now.tag_name() != "BODY" && before != Some(&now))
}

/// Moves the focus into a field behind what stands in it.
pub fn focus_end(field: &HtmlInputElement) {
    let _ = field.focus();
    let end = field.value().encode_utf16().count() as u32;
    let _ = field.set_selection_range(end, end);
}

/// Whether the focus is nowhere, as after what had it was taken off the page.
pub fn focus_is_lost() -> bool {
    document()
        .active_element()
        .is_none_or(|element| element.tag_name() == "BODY")
}

/// Moves the focus to the next pane, in the order of the page.
fn next_pane(back: bool) {
    let Ok(list) = document().query_selector_all("[data-pane]") else {
        return;
    };
    let panes: Vec<HtmlElement> = (0..list.length())
        .filter_map(|i| list.item(i)?.dyn_into::<HtmlElement>().ok())
        .collect();
    if panes.is_empty() {
        return;
    }
    let active = document().active_element();
    let here = panes
        .iter()
        .position(|pane| active.as_ref().is_some_and(|a| pane.contains(Some(a))));
    let next = match (here, back) {
        (Some(at), false) => (at + 1) % panes.len(),
        (Some(at), true) => (at + panes.len() - 1) % panes.len(),
        (None, _) => 0,
    };
    let pane = &panes[next];
    let inside = pane
        .query_selector("[tabindex='0'], button:not(:disabled), input, select")
        .ok()
        .flatten();
    match inside.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        Some(element) => {
            let _ = element.focus();
        }
        None => {
            let _ = pane.set_attribute("tabindex", "-1");
            let _ = pane.focus();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_that_write_are_text() {
        for (key, expected) in [
            ("a", Some('a')),
            (" ", Some(' ')),
            ("条", Some('条')),
            ("Enter", None),
            ("F6", None),
            ("", None),
        ] {
            assert_eq!(typed(key), expected, "{key}");
        }
    }
}
