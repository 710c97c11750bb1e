//! The keys of the screen: ↑ and ↓ go to another rule, A accepts, C followed by 1 to 4 corrects, L links, N writes a
//! note, O assigns, P shows the page, U or Ctrl Z takes back, `[` and `]` change the page, + and − zoom.

use super::actions::CORRECTIONS;
use super::deeds::{accept, correct, open_next, undo, walk};
use super::place::{Field, Over};
use crate::keys;
use crate::reading::Reading;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// Listens for the keys, as long as the calling component lives.
pub fn listen(reading: Reading) {
    let app = reading.app;
    let place = app.matching;
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if event.default_prevented() || event.is_composing() {
            return;
        }
        let ready = place.shown.with_untracked(Option::is_some) && !place.choosing.get_untracked();
        if !ready {
            return;
        }
        if place.over.get_untracked() == Some(Over::Correct) {
            if choose(reading, &event) {
                event.prevent_default();
            }
            return;
        }
        if keys::open_over() {
            return;
        }
        if (event.ctrl_key() || event.meta_key())
            && event.code() == "KeyZ"
            && !keys::in_text(&event)
        {
            event.prevent_default();
            return undo(app);
        }
        if event.code() == "Escape" && place.open.with_untracked(Option::is_some) {
            return place.open.set(None);
        }
        let Some(code) = keys::single(app, &event) else {
            return;
        };
        if event.shift_key() {
            return;
        }
        match code.as_str() {
            "ArrowDown" => walk(app, 1),
            "ArrowUp" => walk(app, -1),
            "KeyA" => accept(app),
            "KeyC" => place.over.set(Some(Over::Correct)),
            "KeyL" => place.over.set(Some(Over::Link(None))),
            "KeyN" => place.over.set(Some(Over::Remark(Field::Note))),
            "KeyO" => place.over.set(Some(Over::Remark(Field::Owner))),
            "KeyP" => open_next(app),
            "KeyU" => undo(app),
            code => {
                if !(place.open.with_untracked(Option::is_some) && reading.press(code)) {
                    return;
                }
            }
        }
        event.prevent_default();
    });
    on_cleanup(move || handle.remove());
}

/// The menu of verdicts is open: a number chooses one, Escape leaves.
fn choose(reading: Reading, event: &KeyboardEvent) -> bool {
    let app = reading.app;
    let code = event.code();
    if code == "Escape" {
        app.matching.over.set(None);
        return true;
    }
    let digit = code.strip_prefix("Digit").or(code.strip_prefix("Numpad"));
    let at = digit
        .and_then(|n| n.parse::<usize>().ok())
        .and_then(|n| n.checked_sub(1));
    match at.and_then(|at| CORRECTIONS.get(at)) {
        Some(verdict) => {
            correct(app, *verdict);
            true
        }
        None => false,
    }
}
