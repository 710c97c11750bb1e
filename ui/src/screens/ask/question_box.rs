//! The box for a question. Enter asks, Shift and Enter begin a new line, Escape leaves it.

use super::coming::Coming;
use super::deeds::{BOX, ask, fetch};
use super::place::Wish;
use super::searched_by::ChooseSearch;
use super::ways::ChooseWay;
use crate::components::error_panel::ErrorPanel;
use crate::i18n::{t, tf, tn};
use crate::keys;
use crate::state::use_app;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use lexforge_domain::api::Task;

/// Most lines that the box shows at a time.
const LINES: usize = 5;
/// Narrow characters that fit into one of its lines where the window is smallest.
const WIDTH: usize = 52;
/// The code of a key while an input method handles it, also just after a composition has ended.
const COMPOSING: u32 = 229;

/// How many lines a text needs; ideographs are twice as wide.
fn lines(text: &str) -> usize {
    let wide = |line: &str| -> usize {
        line.chars()
            .map(|c| if c.len_utf8() > 2 { 2 } else { 1 })
            .sum()
    };
    let needed: usize = text
        .split('\n')
        .map(|line| wide(line).div_ceil(WIDTH).max(1))
        .sum();
    needed.clamp(1, LINES)
}

fn is_composing(event: &KeyboardEvent) -> bool {
    event.is_composing() || event.key_code() == COMPOSING
}

/// Whether a key sends the question: Enter alone, unless it ends a composition of the input method.
fn asks(event: &KeyboardEvent) -> bool {
    let with_others = event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key();
    event.key() == "Enter" && !is_composing(event) && !with_others
}

/// The box, what is on its way, and what failed.
#[component]
pub fn QuestionBox() -> impl IntoView {
    let app = use_app();
    let documents = Memo::new(move |_| app.documents());
    let none = Memo::new(move |_| documents.get() == 0);
    // Once, as the screen opens: what is typed then is a question, and no key of the window.
    request_animation_frame(|| {
        if !keys::open_over() {
            keys::focus(BOX);
        }
    });
    view! {
        <div class="ask-box">
            <div class="ask-box-in">
                <UnderWay/>
                <Coming/>
                <How/>
                {move || none.get().then(|| view! {
                    <p class="t-small" id="ask-why-not">{t("answering.box_why")}</p>
                })}
                <Question documents none/>
            </div>
        </div>
    }
}

/// Where the question is typed, and the button that asks it.
#[component]
fn Question(
    documents: Memo<u64>,
    /// There are no documents to ask.
    none: Memo<bool>,
) -> impl IntoView {
    let app = use_app();
    let typed = app.ask.typed;
    let send = move || {
        if typed.with_untracked(|typed| typed.trim().is_empty()) {
            keys::focus(BOX);
        } else if !none.get_untracked() {
            ask(app, &typed.get_untracked());
        }
    };
    let hint = move || {
        if none.get() {
            t("answering.box_none")
        } else {
            tn("answering.box", documents.get())
        }
    };
    let keydown = move |event: KeyboardEvent| {
        if asks(&event) {
            event.prevent_default();
            send();
        } else if event.key() == "Escape" && !is_composing(&event) {
            // The single keys act from there.
            keys::focus(".ask-scroll");
        }
    };
    view! {
        <div class="ask-field" class:off=move || none.get()>
            <textarea
                id="question"
                rows=move || typed.with(|typed| lines(typed)).to_string()
                aria-label=t("answering.question")
                placeholder=hint
                disabled=move || none.get()
                aria-describedby=move || none.get().then_some("ask-why-not")
                prop:value=typed
                on:input:target=move |event| typed.set(event.target().value())
                on:keydown=keydown
            ></textarea>
            <button class="btn primary" id="ask" disabled=move || none.get() on:click=move |_| send()>
                {t("answering.ask")} <kbd>"↵"</kbd>
            </button>
        </div>
    }
}

/// The request that failed, and the one that is running.
#[component]
fn UnderWay() -> impl IntoView {
    let app = use_app();
    // What a model writes has a line of its own.
    let is_written = Memo::new(move |_| {
        let id = app.ask.task.get();
        let writes = |task: &Task| Some(task.id) == id && task.so_far.is_some();
        app.tasks.with(|tasks| tasks.iter().any(writes))
    });
    let waiting = move || {
        let wish = app.ask.under_way.get();
        wish.filter(|_| !is_written.get()).map(|wish| match wish {
            Wish::Ask(question) => tf("answering.looking", &[("question", &question)]),
            Wish::Kept(_) => t("answering.opening"),
        })
    };
    let failed = move || {
        app.ask.failed.get().map(|(wish, failure)| {
            let again = match wish {
                Wish::Ask(_) => t("answering.again"),
                Wish::Kept(_) => t("action.again"),
            };
            view! {
                <div id="ask-failed">
                    <ErrorPanel failure>
                        <button class="btn sm" id="ask-again" on:click=move |_| fetch(app, wish.clone())>{again}</button>
                        <button class="btn ghost sm" on:click=move |_| app.ask.failed.set(None)>{t("error.put_away")}</button>
                    </ErrorPanel>
                </div>
            }
        })
    };
    view! {
        {failed}
        <p class="t-small t-mute ask-waiting" role="status" id="ask-waiting">{waiting}</p>
    }
}

/// The choices of who answers, for which day, and how to search. The last one is the widest: if it needs a line of its
/// own, the other two are on the line before it.
#[component]
fn How() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="row g-2 wrap" id="ask-way">
            <ChooseWay way=app.ask.way id="way"/>
            <label class="row g-1 t-small" title=t("answering.day_tip")>
                <span class="t-mute">{t("answering.day")}</span>
                <input
                    id="ask-day"
                    class="input ask-day"
                    inputmode="numeric"
                    placeholder=t("answering.day_today")
                    prop:value=app.ask.as_of
                    on:input:target=move |event| app.ask.as_of.set(event.target().value())
                />
            </label>
            <ChooseSearch/>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_box_grows_with_what_is_typed() {
        for (text, expected) in [
            (String::new(), 1),
            ("Who must report?".to_owned(), 1),
            ("a\nb\nc".to_owned(), 3),
            ("x".repeat(WIDTH + 1), 2),
            ("报".repeat(WIDTH), 2),
            ("x\n".repeat(40), LINES),
        ] {
            assert_eq!(lines(&text), expected, "{text}");
        }
    }
}
