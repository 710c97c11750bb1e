//! The single keys of a queue. They work only outside text fields, are taken by the physical key, and do nothing while
//! a dialog covers the screen.

use super::bindings::Deed;
use super::desk::Desk;
use super::form::Mode;
use crate::keys::{focus_is_idle, in_text, open_over, typed};
use crate::state::App;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use lexforge_domain::api::QueueItem;
use lexforge_domain::review::{Choice, Edit, Score, SubjectKind};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Listens for the keys of this desk's queue, as long as the calling component lives.
pub fn listen(app: App, desk: Desk) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if event.is_composing() || event.default_prevented() || event.ctrl_key() || event.meta_key()
        {
            return;
        }
        if in_text(&event) {
            return;
        }
        if let Some(field) = desk.mode.get_untracked().field() {
            return lead_into(desk, field, &event);
        }
        if open_over() || !app.single_keys.get_untracked() {
            return;
        }
        if untrack(|| desk.ahead_typed.waits()) {
            desk.ahead_typed.hear(&event);
            event.prevent_default();
        } else if press(app, desk, &event) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

/// Puts the focus back into the field of the open form if the focus was lost; the browser then puts the typed character
/// there. Escape closes the form. While a form is open, no key of the queue works.
fn lead_into(desk: Desk, field: &str, event: &KeyboardEvent) {
    if event.alt_key() || !focus_is_idle() {
        return;
    }
    if event.key() == "Escape" {
        desk.mode.set(Mode::Reading);
    } else if typed(&event.key()).is_some() {
        crate::keys::focus(field);
    }
}

fn press(app: App, desk: Desk, event: &KeyboardEvent) -> bool {
    let code = event.code();
    if let Some(at) = code
        .strip_prefix("Digit")
        .and_then(|digit| digit.parse::<usize>().ok())
    {
        if desk.kind() == SubjectKind::Similarity {
            let half = match (event.shift_key(), event.alt_key()) {
                (false, false) => 0,
                (true, false) => 1,
                _ => return false,
            };
            let score = u8::try_from(2 * at + half)
                .ok()
                .and_then(Score::of_half_steps);
            if let Some(score) = score {
                desk.score(score);
            }
            return score.is_some();
        }
        let mark = match (event.shift_key(), event.alt_key()) {
            (false, false) => Choice::Confusable,
            (true, false) => Choice::Same,
            (false, true) => Choice::Unrelated,
            (true, true) => return false,
        };
        if at > 0 {
            desk.mark(at - 1, mark);
        }
        return at > 0;
    }
    if event.shift_key() || event.alt_key() {
        return false;
    }
    match code.as_str() {
        "ArrowDown" if !in_list(event) => step(desk, 1),
        "ArrowUp" if !in_list(event) => step(desk, -1),
        _ => match app.bindings.with_untracked(|keys| keys.deed(&code)) {
            Some(deed) => act(app, desk, deed),
            None => return false,
        },
    }
    true
}

/// Whether the arrows mean something where the focus is.
fn in_list(event: &KeyboardEvent) -> bool {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| {
        element
            .closest("[role=grid], [role=menu], [role=listbox], [role=tablist]")
            .ok()
            .flatten()
            .is_some()
    })
}

fn step(desk: Desk, by: i64) {
    let many = desk.item.with_untracked(|item| match item {
        Some(QueueItem::Term(card)) => card.confusables.len(),
        _ => 0,
    });
    if many > 0 {
        desk.candidate
            .update(|at| *at = (*at as i64 + by).clamp(0, many as i64 - 1) as usize);
    }
}

/// Does what a key or a button of the action bar says.
pub fn act(app: App, desk: Desk, deed: Deed) {
    if !matches!(deed, Deed::Undo | Deed::Page | Deed::Mention) && desk.stuck() {
        return;
    }
    let plain = |choice| desk.decide(choice, Edit::default(), String::new());
    let open = |mode| {
        if desk.item.with_untracked(Option::is_some) {
            desk.mode.set(mode);
        } else if desk.expects() {
            desk.ahead_typed.wait_for(mode);
        }
    };
    let term = desk.kind() == SubjectKind::Term;
    match (desk.kind(), deed) {
        (_, Deed::Undo) => desk.undo(),
        (_, Deed::Skip) => plain(Choice::Skip),
        (SubjectKind::Pair, Deed::Confusable) => plain(Choice::Confusable),
        (SubjectKind::Pair, Deed::Merge) => plain(Choice::Same),
        (SubjectKind::Pair, Deed::Reject) => plain(Choice::Unrelated),
        (SubjectKind::Similarity, Deed::Page) => open_page(app, desk),
        (SubjectKind::Pair | SubjectKind::Similarity, _) => {}
        (_, Deed::Accept) => desk.accept(),
        (SubjectKind::Question | SubjectKind::Triplet, Deed::Reject) => open(Mode::Rejecting),
        (_, Deed::Reject) => plain(Choice::Reject),
        (_, Deed::Edit) => open(Mode::Editing),
        (_, Deed::Merge) if term => open(Mode::Merging),
        (_, Deed::Class) if term => open(Mode::Classing),
        (_, Deed::Confusable) if term => {
            let at = desk.candidate.get_untracked();
            desk.mark(at, Choice::Confusable);
            step(desk, 1);
        }
        (_, Deed::Page) => open_page(app, desk),
        (_, Deed::Mention) => next_mention(desk),
        _ => {}
    }
}

/// Shows the next mention of the term; after the last one the first.
pub fn next_mention(desk: Desk) {
    let many = desk.item.with_untracked(|item| match item {
        Some(QueueItem::Term(card)) => card.contexts.len(),
        _ => 0,
    });
    if many > 0 {
        desk.mention.update(|at| *at = (*at + 1) % many);
    }
}

fn open_page(app: App, desk: Desk) {
    let mention = desk.mention.get_untracked();
    let context = desk.item.with_untracked(|item| match item.as_ref()? {
        QueueItem::Term(card) => card.contexts.get(mention).cloned(),
        QueueItem::Pair(card) => card.one_context.clone(),
        QueueItem::Question(card) => card.anchor.clone(),
        QueueItem::Triplet(card) => card.anchor.clone(),
        QueueItem::Similarity(card) => card.one_context.clone(),
    });
    if let Some(context) = context {
        let s = context.sentence;
        app.open_sentence(s.document, s.page, Some(s.id));
    }
}
