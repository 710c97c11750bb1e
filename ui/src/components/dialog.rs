//! A dialog: over everything else, with the focus inside until it is put away.

use crate::i18n::t;
use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsCast;

/// Until then the page has drawn what a press changed.
const AFTER_PRESS: Duration = Duration::from_millis(60);
/// What in a dialog can take the focus.
const FOCUSABLE: &str = "button:not(:disabled):not([tabindex='-1']), input:not(:disabled), select:not(:disabled), \
    textarea:not(:disabled), a[href], [tabindex='0']";

/// Shows its children above everything else. The focus goes to the first field with `autofocus` or, if there is none,
/// to the dialog. It stays inside, and returns to its earlier place when the dialog closes. Escape and a click outside
/// close the dialog.
#[component]
pub fn Dialog(
    /// What it is called by a screen reader.
    label: String,
    /// Puts it away.
    #[prop(into)]
    close: Callback<()>,
    #[prop(optional)] id: Option<&'static str>,
    /// Classes beside `dialog`.
    #[prop(optional)]
    class: &'static str,
    /// What it holds.
    children: Children,
) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    let before = focused();
    Effect::new(move |_| {
        if let Some(frame) = frame.get() {
            let field = frame.query_selector("[autofocus]").ok().flatten();
            let field = field.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
            let _ = field.unwrap_or_else(|| frame.into()).focus();
        }
    });
    let before = StoredValue::new_local(before);
    on_cleanup(move || {
        if let Some(Some(element)) = before.try_get_value() {
            let _ = element.focus();
        }
    });
    take_lost_keys(frame, close);
    view! {
        <div class="scrim" on:click=move |_| close.run(())>
            <div
                class=format!("dialog {class}")
                id=id
                role="dialog"
                aria-modal="true"
                aria-label=label
                tabindex="-1"
                node_ref=frame
                on:click=move |event| {
                    event.stop_propagation();
                    // The pressed element may be removed or disabled now. Then the focus is lost, and keys would reach
                    // the screen behind the dialog.
                    set_timeout(move || keep_inside(frame), AFTER_PRESS);
                }
                on:keydown=move |event| pressed(&event, frame, close)
            >
                {children()}
            </div>
        </div>
    }
}

/// A key inside: Escape puts the dialog away, Tab stays in it.
fn pressed(event: &KeyboardEvent, frame: NodeRef<Div>, close: Callback<()>) {
    if event.is_composing() {
        return;
    }
    // Single keys of the screen behind do nothing meanwhile; those with Ctrl do.
    if !event.ctrl_key() && !event.meta_key() {
        event.stop_propagation();
    }
    match event.key().as_str() {
        "Escape" => {
            event.prevent_default();
            close.run(());
        }
        "Tab" => {
            let Some(frame) = frame.get_untracked() else {
                return;
            };
            if let Some(element) = next_inside(&frame, event.shift_key()) {
                event.prevent_default();
                let _ = element.focus();
            }
        }
        _ => {}
    }
}

/// If the focused element is removed or disabled, the focus is lost, and keys go to the page behind the dialog. This
/// function puts the focus back into the dialog at the next key. Escape closes the dialog even then.
fn take_lost_keys(frame: NodeRef<Div>, close: Callback<()>) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        let Some(Some(frame)) = frame.try_get_untracked() else {
            return;
        };
        if focused().is_some_and(|element| element.tag_name() != "BODY") || event.is_composing() {
            return;
        }
        let _ = frame.focus();
        if event.key() == "Escape" {
            event.prevent_default();
            close.run(());
        }
    });
    on_cleanup(move || handle.remove());
}

/// A dialog with its title at its head, and beside it the button that puts it away.
#[component]
pub fn Titled(
    title: String,
    /// Puts it away.
    #[prop(into)]
    close: Callback<()>,
    id: &'static str,
    /// It is as wide as a table needs.
    #[prop(optional)]
    wide: bool,
    /// The content below the title.
    children: Children,
) -> impl IntoView {
    let class = if wide { "padded wide" } else { "padded" };
    view! {
        <Dialog label=title.clone() close id=id class=class>
            <div class="row between">
                <h2>{title}</h2>
                <button class="btn sm" on:click=move |_| close.run(())>{t("action.close")}</button>
            </div>
            {children()}
        </Dialog>
    }
}

/// The foot of a dialog: at first the button that changes nothing, at the end what acts. Forms have the same order.
#[component]
pub fn Foot(
    /// Leaves without doing anything.
    #[prop(into)]
    cancel: Callback<()>,
    /// The words on the button that leaves, where they are not "Cancel".
    #[prop(optional)]
    word: Option<String>,
    /// The id of that button.
    #[prop(optional)]
    id: Option<&'static str>,
    /// That button has the focus when the dialog opens, where the other acts for good.
    #[prop(optional)]
    focus: bool,
    /// What stands before the buttons.
    #[prop(optional, into)]
    before: ViewFn,
    /// The buttons that act.
    children: Children,
) -> impl IntoView {
    let word = word.unwrap_or_else(|| t("action.cancel"));
    view! {
        <div class="row foot">
            <div class="row grow">{before.run()}</div>
            <button class="btn" id=id autofocus=focus on:click=move |_| cancel.run(())>{word}</button>
            {children()}
        </div>
    }
}

/// Takes the focus back into the dialog where it was lost.
fn keep_inside(frame: NodeRef<Div>) {
    if let Some(Some(frame)) = frame.try_get_untracked()
        && !focused().is_some_and(|element| frame.contains(Some(&element)))
    {
        let _ = frame.focus();
    }
}

fn focused() -> Option<web_sys::HtmlElement> {
    document()
        .active_element()
        .and_then(|element| element.dyn_into().ok())
}

/// The element to which the Tab key must move the focus, so that the focus stays inside the dialog. From the last
/// element it moves to the first one, and with Shift from the first to the last. `None` if the browser's own order
/// keeps the focus inside.
fn next_inside(frame: &web_sys::HtmlElement, back: bool) -> Option<web_sys::HtmlElement> {
    let all = frame.query_selector_all(FOCUSABLE).ok()?;
    let at = |index: u32| {
        all.item(index)
            .and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok())
    };
    let (first, last) = (at(0)?, at(all.length().checked_sub(1)?)?);
    let now = focused()?;
    let leaving = if back { now == first } else { now == last };
    let outside = !frame.contains(Some(&now)) || &now == frame;
    (leaving || (outside && back)).then_some(if back { last } else { first })
}
