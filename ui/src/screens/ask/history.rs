//! The questions that were asked, newest first.

use super::deeds::{begin_anew, begin_queue, fetch, reload_history, unjudged};
use super::place::Wish;
use super::verdicts;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::i18n::{t, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::AnswerRow;

/// How many questions are rendered before a user asks for older ones.
const AT_ONCE: usize = 200;

/// When something was asked, here: the time of day today, else the date.
fn when(stamp: &str) -> String {
    let (then, now) = (js_sys::Date::new(&stamp.into()), js_sys::Date::new_0());
    let day = |date: &js_sys::Date| (date.get_full_year(), date.get_month() + 1, date.get_date());
    if day(&then) == day(&now) {
        format!("{:02}:{:02}", then.get_hours(), then.get_minutes())
    } else {
        let (year, month, date) = day(&then);
        format!("{year}-{month:02}-{date:02}")
    }
}

/// The list, and the way to a new question.
#[component]
pub fn History() -> impl IntoView {
    let app = use_app();
    let history = app.ask.history;
    let shown = RwSignal::new(AT_ONCE);
    let rows = move || {
        let mut rows = history.value.get().unwrap_or_default();
        rows.truncate(shown.get());
        rows
    };
    let older = Memo::new(move |_| {
        let all = history.value.with(|rows| rows.as_ref().map_or(0, Vec::len));
        all.saturating_sub(shown.get())
    });
    let none = move || {
        history
            .value
            .with(|rows| rows.as_ref().is_some_and(Vec::is_empty))
    };
    view! {
        <Head/>
        <div class="scroll" id="ask-history">
            {move || history.failure.get().map(|failure| view! {
                <div class="pad">
                    <ErrorPanel failure>
                        <button class="btn sm" on:click=move |_| reload_history(app)>{t("action.again")}</button>
                    </ErrorPanel>
                </div>
            })}
            {move || none().then(|| view! { <p class="pad t-small t-mute">{t("answering.no_history")}</p> })}
            <For each=rows key=|row| format!("{row:?}") children=|row| view! { <Row row/> }/>
            {move || (older.get() > 0).then(|| view! {
                <div class="pad">
                    <button class="btn sm" id="ask-older" on:click=move |_| shown.update(|n| *n += AT_ONCE)>
                        {tn("answering.older_questions", older.get() as u64)}
                    </button>
                </div>
            })}
        </div>
    }
}

/// The ways to the questions that nobody judged yet, and to a new one.
#[component]
fn Head() -> impl IntoView {
    let app = use_app();
    let waiting = Memo::new(move |_| {
        let rows = |rows: &Option<Vec<AnswerRow>>| unjudged(rows.as_deref().unwrap_or_default());
        app.ask.history.value.with(rows).len() as u64
    });
    view! {
        <div class="pane-head">
            <h2>{t("answering.history")}</h2>
            <div class="push row g-1">
            {move || (waiting.get() > 0).then(|| view! {
                <button
                    class="btn ghost sm"
                    id="judge-queue"
                    title=move || tn("answering.queue_tip", waiting.get())
                    aria-pressed=move || app.ask.queue.get().to_string()
                    on:click=move |_| begin_queue(app)
                >
                    {t("answering.queue")} " " {move || waiting.get()}
                </button>
            })}
            <button
                class="btn ghost icon sm"
                id="ask-new"
                aria-label=t("answering.new")
                title=t("answering.new")
                on:click=move |_| begin_anew(app)
            >
                <Sign icon=Icon::Plus/>
            </button>
            </div>
        </div>
    }
}

#[component]
fn Row(row: AnswerRow) -> impl IntoView {
    let app = use_app();
    let id = row.id;
    let shown = Memo::new(move |_| {
        app.ask
            .answer
            .with(|answer| answer.as_ref().is_some_and(|a| a.id == Some(id)))
    });
    let found = if row.found {
        view! { <span>{tn("answering.citations", row.citations as u64)}</span> }.into_any()
    } else {
        view! { <span class="c-warn">{t("answering.unanswered")}</span> }.into_any()
    };
    let verdict = row
        .verdict
        .map(|verdict| view! { <span class="badge">{verdicts::words(verdict, row.found)}</span> });
    let changed = (row.changed > 0).then(|| {
        // The words stand in the row itself: a screen reader reads them with the question.
        view! {
            <span class="badge warn" data-changed=row.changed.to_string() title=t("answering.changed_tip")>
                {tn("answering.changed", row.changed as u64)}
            </span>
        }
    });
    view! {
        <button
            class="ask-row"
            data-answer=id.to_string()
            data-found=row.found.to_string()
            title=row.question.clone()
            aria-current=move || shown.get().then_some("true")
            on:click=move |_| fetch(app, Wish::Kept(id))
        >
            <b>{row.question.clone()}</b>
            <small>{when(&row.asked)}" · "{found}</small>
            {changed}
            {verdict}
        </button>
    }
}
