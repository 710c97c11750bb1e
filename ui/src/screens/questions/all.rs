//! The table of all questions, with one question's choices, origins and anchor beside it.

use super::detail::Detail;
use super::filters::Filters;
use super::source::source;
use crate::backend::{call, commands};
use crate::components::empty::NoneLeft;
use crate::components::grid::{Grid, Row, Store};
use crate::components::note::{Note, Tone};
use crate::components::status::StatusBadge;
use crate::fetched::Fetched;
use crate::i18n::{t, tag};
use crate::review::question_first::question_first;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{QuestionFilter, QuestionRow, QueueItem};
use lexforge_domain::qca::QuestionSource;
use lexforge_domain::review::Subject;
use lexforge_domain::{Code, Failure};

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
    keep_up(app);
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
                {move || (store.total.get() == Some(0)).then(|| view! {
                    <NoneLeft text=t("questions.none") all=move |()| app.question_filter.set(QuestionFilter::default())/>
                })}
            </section>
            <section class="pane quiet" aria-label=t("questions.detail") data-pane="detail"><Detail/></section>
        </div>
    }
}

/// After a change, reads the details of the chosen question again. If the question has gone, chooses the first one.
fn keep_up(app: App) {
    let chosen = Fetched::<QueueItem>::default();
    let here = move || {
        let id = |row: &Option<QuestionRow>| row.as_ref().map(|row| row.question.id);
        app.question.with_untracked(id)
    };
    Effect::new(move |_| {
        app.changes.track();
        if let Some(id) = here() {
            let subject = Subject::question(id);
            chosen.ask(call(commands::ReviewItem { subject }));
        }
    });
    Effect::new(move |_| {
        let gone =
            |failure: &Option<Failure>| failure.as_ref().is_some_and(|f| f.code == Code::NotFound);
        if chosen.failure.with(gone) {
            app.question.set(None);
        } else if let Some(QueueItem::Question(card)) = chosen.value.get()
            && here() == Some(card.row.question.id)
            && app
                .question
                .with_untracked(|q| q.as_ref() != Some(&card.row))
        {
            app.question.set(Some(card.row));
        }
    });
}

fn head() -> impl IntoView {
    view! {
        <span role="columnheader">{t("questions.question")}</span>
        <span role="columnheader">{t("questions.level")}</span>
        <span role="columnheader">{t("questions.type")}</span>
        <span role="columnheader">{t("terms.status")}</span>
        <span role="columnheader">{t("questions.split")}</span>
        <span role="columnheader" class="wide-only">{t("questions.source")}</span>
    }
}

fn cells(row: QuestionRow) -> impl IntoView {
    let draft = row.question.draft;
    view! {
        <span role="gridcell" class="law cell clip" title=draft.question.clone()>{question_first(&draft.question)}</span>
        <span role="gridcell" class="clip">{tag("level", draft.level.tag())}</span>
        <span role="gridcell" class="clip">{tag("question_type", draft.question_type.tag())}</span>
        <span role="gridcell"><StatusBadge status=row.question.status/></span>
        <span role="gridcell" class="clip">{tag("split", row.question.split.tag())}</span>
        <span role="gridcell" class="clip t-mute wide-only">{source(draft.source)}</span>
    }
}
