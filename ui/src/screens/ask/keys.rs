//! The keys of the screen: J K citation, Enter its page, [ ] page, + − zoom, 1 to 4 the verdict.

use super::deeds::{show_active, walk};
use super::verdicts::judge_by_number;
use crate::keys;
use crate::reading::Reading;
use leptos::prelude::*;

/// Listens for the keys, as long as the calling component lives.
pub fn listen(reading: Reading) {
    let app = reading.app;
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if event.default_prevented() || keys::open_over() {
            return;
        }
        let Some(code) = keys::single(app, &event) else {
            return;
        };
        if let Some(number) = code.strip_prefix("Digit").and_then(|n| n.parse().ok()) {
            if !event.shift_key() {
                judge_by_number(app, number);
            }
            return;
        }
        match code.as_str() {
            "KeyJ" => walk(app, 1),
            "KeyK" => walk(app, -1),
            // On a button it presses the button.
            "Enter" if keys::focus_is_idle() => show_active(app),
            code => _ = reading.press(code),
        }
    });
    on_cleanup(move || handle.remove());
}
