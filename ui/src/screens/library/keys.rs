//! The keys of the library: J K sentence, [ ] page, + − zoom.

use crate::keys;
use crate::reading::Reading;
use leptos::prelude::*;
use lexforge_domain::api::SentenceView;

/// Listens for the keys, as long as the calling component lives.
pub fn listen(reading: Reading) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        let Some(code) = keys::single(reading.app, &event) else {
            return;
        };
        if reading.app.compared.with_untracked(Option::is_some) {
            return;
        }
        match code.as_str() {
            "KeyJ" => walk(reading, 1),
            "KeyK" => walk(reading, -1),
            code => _ = reading.press(code),
        }
    });
    on_cleanup(move || handle.remove());
}

/// Pins the sentence so many places on, turning the page at its ends.
fn walk(reading: Reading, by: i64) {
    let place = reading.app.place.get_untracked();
    let sentences: Vec<SentenceView> = reading
        .page
        .value
        .with_untracked(|p| p.as_ref().map(|p| p.sentences.clone()).unwrap_or_default());
    let at = sentences
        .iter()
        .position(|s| Some(s.sentence.id) == place.sentence);
    let next = match at {
        Some(at) => at as i64 + by,
        None if by > 0 => 0,
        None => sentences.len() as i64 - 1,
    };
    match usize::try_from(next)
        .ok()
        .and_then(|next| sentences.get(next))
    {
        Some(sentence) => reading
            .app
            .place
            .update(|place| place.sentence = Some(sentence.sentence.id)),
        None => reading.turn_by(by.signum()),
    }
}
