//! The head of the Ask screen. It shows how many documents are asked and for which day. It has buttons to compare two
//! answers, to list the labelled questions, to measure how often answers are wrong, and to ask the questions of a file.

use super::deeds::{BATCH, MEASURING, certified_way, measure};
use super::place::Over;
use crate::components::icon::{Icon, Sign};
use crate::components::task_progress::Cancellable;
use crate::format::today;
use crate::i18n::{t, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;

/// The head of the screen.
#[component]
pub fn Head(
    /// The workspace has no documents.
    none: Memo<bool>,
) -> impl IntoView {
    let app = use_app();
    let summary = move || {
        let shown = app
            .ask
            .answer
            .with(|answer| answer.as_ref().map(|a| (a.documents, a.as_of.clone())));
        let (documents, day) = shown.unwrap_or_else(|| (app.documents(), today()));
        [
            tn("count.documents", documents),
            tf("answering.as_of", &[("day", &day)]),
        ]
        .join(" · ")
    };
    let open = move |over: Over| Callback::new(move |()| app.ask.over.set(Some(over)));
    view! {
        <div class="head">
            <h1>{t("nav.ask")}</h1>
            <span class="t-mute clip" id="ask-summary">{summary}</span>
            <div class="push row">
                <Begin id="ask-compare" icon=Icon::Match label=t("answering.compare") tip=t("answering.compare_tip") none begin=open(Over::Compare)/>
                <Begin id="ask-labels" icon=Icon::Check label=t("labels.title") tip=t("labels.text") none begin=open(Over::Labels)/>
                <Job
                    kind=MEASURING
                    id="ask-measure"
                    icon=Icon::Shield
                    label=t("answering.measure")
                    tip=t("answering.measure_tip")
                    none
                    begin=move |()| measure(app, untrack(|| certified_way(app)))
                />
                <Job
                    kind=BATCH
                    id="ask-batch"
                    icon=Icon::Question
                    label=t("answering.batch")
                    tip=t("answering.batch_tip")
                    none
                    begin=open(Over::Batch)
                />
            </div>
        </div>
    }
}

/// A button of the head.
#[component]
fn Begin(
    id: &'static str,
    /// Its sign.
    icon: Icon,
    /// What it says.
    label: String,
    /// What it will do.
    tip: String,
    /// The workspace has no documents.
    none: Memo<bool>,
    begin: Callback<()>,
) -> impl IntoView {
    view! {
        <button class="btn" id=id title=tip disabled=move || none.get() on:click=move |_| begin.run(())>
            <Sign icon/>
            {label}
        </button>
    }
}

/// A button that begins a job, or how far the job is.
#[component]
fn Job(
    /// The job's kind.
    kind: &'static str,
    /// The button's id.
    id: &'static str,
    /// Its sign.
    icon: Icon,
    /// What it says.
    label: String,
    /// What it will do.
    tip: String,
    /// The workspace has no documents.
    none: Memo<bool>,
    /// Begins the job.
    #[prop(into)]
    begin: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(kind));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let words = StoredValue::new((label, tip));
    move || {
        if working.get() {
            view! { <Cancellable task/> }.into_any()
        } else {
            let (label, tip) = words.get_value();
            view! { <Begin id icon label tip none begin/> }.into_any()
        }
    }
}
