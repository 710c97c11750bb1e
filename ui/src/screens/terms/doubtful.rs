//! Candidates that are probably no terms, to be rejected at a stroke: one decision, which can be taken back.

use crate::backend::{call, commands};
use crate::components::check::Check;
use crate::components::dialog::Titled;
use crate::components::error_panel::ErrorPanel;
use crate::components::law::lang_tag;
use crate::components::waiting::{Coming, Waiting};
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::review::at_once;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{ComingItem, QueueFilter};
use lexforge_domain::review::{Choice, Edit, Subject};
use std::collections::HashSet;

/// What is shown at a time: as much as can be looked through at a glance.
const MOST: usize = 60;

/// The list, the most doubtful first.
#[component]
pub fn Doubtful(
    /// The filter of the terms.
    filter: QueueFilter,
    /// Puts it away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let found = Fetched::<Vec<ComingItem>>::default();
    found.ask(call(commands::DoubtfulTerms { filter, most: MOST }));
    let kept = RwSignal::new(HashSet::<Subject>::new());
    let none = move || {
        found
            .value
            .with(|all| all.as_ref().is_some_and(Vec::is_empty))
    };
    let some = move || {
        found
            .value
            .with(|all| all.as_ref().is_some_and(|all| !all.is_empty()))
    };
    let comes = move || found.value.with(Option::is_none) && found.failure.with(Option::is_none);
    view! {
        <Titled title=t("terms.doubtful") close id="doubtful-terms">
            {move || found.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || comes().then(|| view! { <Coming words=t("wait.doubtful")/> })}
            {move || none().then(|| view! { <p>{t("terms.doubtful_none")}</p> })}
            {move || some().then(|| view! { <Ticked found kept close/> })}
        </Titled>
    }
}

/// The terms, each with a tick, and the button that rejects those that are ticked.
#[component]
fn Ticked(
    found: Fetched<Vec<ComingItem>>,
    /// The terms that stay in the queue.
    kept: RwSignal<HashSet<Subject>>,
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let chosen = move || {
        let all = found.value.get().unwrap_or_default();
        let subjects = all.into_iter().map(|item| item.subject);
        kept.with(|kept| {
            subjects
                .filter(|subject| !kept.contains(subject))
                .collect::<Vec<_>>()
        })
    };
    let many = Memo::new(move |_| chosen().len() as u64);
    let reject = move |_| {
        let subjects = chosen();
        if !subjects.is_empty() {
            let then = move || {
                close.try_run(());
            };
            at_once::decide(app, subjects, Choice::Reject, Edit::default(), then);
        }
    };
    let lines = move || {
        let all = found.value.get().unwrap_or_default();
        all.into_iter()
            .map(|item| view! { <Line item kept/> })
            .collect_view()
    };
    let deciding = move || app.waits.has(&t("wait.decide"));
    view! {
        <p class="t-mute">{t("terms.doubtful_tip")}</p>
        <div class="doubtful" role="group" aria-label=t("terms.doubtful")>{lines}</div>
        <div class="row">
            <button class="btn primary" id="reject-doubtful" disabled=move || many.get() == 0 || deciding() on:click=reject>
                {move || tn("terms.doubtful_reject", many.get())}
            </button>
            <Waiting words=t("wait.decide")/>
        </div>
    }
}

/// One doubtful term. If it is unticked, it stays in the queue.
#[component]
fn Line(item: ComingItem, kept: RwSignal<HashSet<Subject>>) -> impl IntoView {
    let subject = item.subject;
    let set = move |ticked: bool| {
        kept.update(|kept| {
            if ticked {
                kept.remove(&subject);
            } else {
                kept.insert(subject);
            }
        });
    };
    let mentions = tf(
        "terms.doubtful_mentions",
        &[("n", &format::count(u64::from(item.mentions)))],
    );
    view! {
        <Check on=move || kept.with(|kept| !kept.contains(&subject)) tick=set>
            <span lang=lang_tag(item.language)>{item.text}</span>
            <span class="t-small t-mute num">{mentions}</span>
        </Check>
    }
}
