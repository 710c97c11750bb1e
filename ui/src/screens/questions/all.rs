//! The table of all questions, with one question's choices, origins and anchor beside it.

use super::detail::Detail;
use super::filters::Filters;
use super::source::source;
use crate::backend::{call, commands};
use crate::components::grid::{Grid, Row, Store};
use crate::components::note::{Note, Tone};
use crate::components::status::StatusBadge;
use crate::fetched::Fetched;
use crate::i18n::{t, tag};
use crate::review::question_first::question_first;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Code;
use lexforge_domain::api::{QuestionFilter, QuestionRow, QueueItem};
use lexforge_domain::qca::QuestionSource;
use lexforge_domain::review::Subject;

impl Row for QuestionRow {
    fn key(&self) -> i64 {
        self.question.id.0
    }
}

/// The table and the question.
#[component]
pub fn AllQuestions() -> impl IntoView {
    let app = use_app();
    let store = Store::new(move |offset, limit| {
        let filter = QuestionFilter {
            offset,
            limit,
            ..app.question_filter.get_untracked()
        };
        call(commands::Questions { filter })
    });
    Effect::new(move |_| {
        app.question_filter.track();
        app.changes.track();
        store.reload();
    });
    // What is told about the chosen question may be otherwise after a change; where it has gone, the first one is chosen.
    let chosen = Fetched::<QueueItem>::default();
    Effect::new(move |_| {
        app.changes.track();
        if let Some(id) = app
            .question
            .with_untracked(|q| q.as_ref().map(|row| row.question.id))
        {
            chosen.ask(call(commands::ReviewItem {
                subject: Subject::question(id),
            }));
        }
    });
    Effect::new(move |_| {
        let here = app
            .question
            .with_untracked(|q| q.as_ref().map(|row| row.question.id));
        if chosen
            .failure
            .with(|failure| failure.as_ref().is_some_and(|f| f.code == Code::NotFound))
        {
            app.question.set(None);
        } else if let Some(QueueItem::Question(card)) = chosen.value.get()
            && here == Some(card.row.question.id)
            && app
                .question
                .with_untracked(|q| q.as_ref() != Some(&card.row))
        {
            app.question.set(Some(card.row));
        }
    });
    Effect::new(move |_| {
        if app.question.with(Option::is_none)
            && let Some(first) = store.get(0)
        {
            app.question.set(Some(first));
        }
    });
    let offline = Memo::new(move |_| {
        store
            .get(0)
            .is_some_and(|row| row.question.draft.source == QuestionSource::Offline)
    });
    view! {
        <div class="panes listing">
            <section class="pane" aria-label=t("nav.questions") data-pane="list">
                <Filters/>
                {move || offline.get().then(|| view! { <div class="remark-row"><Note tone=Tone::Info>{t("questions.offline_note")}</Note></div> })}
                <Grid
                    store
                    label=t("nav.questions")
                    class="questions-columns"
                    head=ViewFn::from(head)
                    cells=cells
                    selected=Signal::derive(move || app.question.with(|q| q.as_ref().map(Row::key)))
                    pick=move |row: QuestionRow| app.question.set(Some(row))
                />
                {move || (store.total.get() == Some(0)).then(none)}
            </section>
            <section class="pane quiet" aria-label=t("questions.detail") data-pane="detail"><Detail/></section>
        </div>
    }
}

fn head() -> impl IntoView {
    view! {
        <span>{t("questions.question")}</span>
        <span>{t("questions.level")}</span>
        <span>{t("questions.type")}</span>
        <span>{t("terms.status")}</span>
        <span>{t("questions.split")}</span>
        <span class="wide-only">{t("questions.source")}</span>
    }
}

fn cells(row: QuestionRow) -> impl IntoView {
    let draft = row.question.draft;
    view! {
        <span class="law cell clip" title=draft.question.clone()>{question_first(&draft.question)}</span>
        <span class="clip">{tag("level", draft.level.tag())}</span>
        <span class="clip">{tag("question_type", draft.question_type.tag())}</span>
        <span><StatusBadge status=row.question.status/></span>
        <span class="clip">{tag("split", row.question.split.tag())}</span>
        <span class="clip t-mute wide-only">{source(draft.source)}</span>
    }
}

fn none() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="empty small">
            <b>{t("questions.none")}</b>
            <div class="acts">
                <button class="btn sm" on:click=move |_| app.question_filter.set(QuestionFilter::default())>{t("action.all")}</button>
            </div>
        </div>
    }
}
