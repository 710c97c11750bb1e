//! Deciding about several terms of the table at once.

use crate::backend::{call, commands};
use crate::components::waiting::Waiting;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::review::at_once::decide;
use crate::review::class::ClassChooser;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::TermId;
use lexforge_domain::api::TermFilter;
use lexforge_domain::review::{Choice, Edit, Subject};
use std::collections::BTreeSet;

/// The terms of a batch.
#[derive(Clone, Copy, Default)]
pub struct Batched(RwSignal<BTreeSet<TermId>>);

impl Batched {
    /// Takes a term in, or out.
    pub fn turn(self, id: TermId) {
        self.0.update(|terms| {
            if !terms.remove(&id) {
                terms.insert(id);
            }
        });
    }

    /// Whether a term is in it.
    pub fn has(self, id: TermId) -> bool {
        self.0.with(|terms| terms.contains(&id))
    }
}

/// The actions for the batch. Nothing is shown while it is empty.
#[component]
pub fn Batch(
    /// The terms.
    batched: Batched,
    /// Terms that fit the table's filter.
    total: RwSignal<Option<u64>>,
) -> impl IntoView {
    let app = use_app();
    let many = Memo::new(move |_| batched.0.with(BTreeSet::len) as u64);
    let classing = RwSignal::new(false);
    let act = move |choice: Choice, class: Option<String>| {
        let subjects = batched
            .0
            .with_untracked(|terms| terms.iter().map(|id| Subject::term(*id)).collect());
        decide(
            app,
            subjects,
            choice,
            Edit {
                class,
                ..Edit::default()
            },
            move || batched.0.set(BTreeSet::new()),
        );
    };
    let all = move |_| {
        let filter = TermFilter {
            offset: 0,
            limit: 0,
            ..app.term_filter.get_untracked()
        };
        let found = call(commands::Terms { filter });
        app.attempt_once(t("wait.terms"), found, move |rows| {
            batched
                .0
                .set(rows.rows.into_iter().map(|term| term.id).collect());
        });
    };
    let deciding = move || app.waits.has(&t("wait.decide"));
    view! {
        {move || (many.get() > 0).then(|| view! {
            <div class="pane-head batch" id="batch" role="toolbar" aria-label=t("terms.batch")>
                <b class="nowrap">{move || tn("terms.n_marked", many.get())}</b>
                {move || total.get().filter(|n| *n > many.get()).map(|n| view! {
                    <button class="link t-small" id="batch-all" disabled=move || app.waits.has(&t("wait.terms")) on:click=all>{tf("terms.mark_all", &[("n", &format::count(n))])}</button>
                })}
                <span class="push row g-1">
                    <Waiting words=t("wait.terms")/>
                    <Waiting words=t("wait.decide")/>
                    <button class="btn sm" id="batch-accept" disabled=deciding on:click=move |_| act(Choice::Accept, None)>{t("deed.accept")}</button>
                    <button class="btn sm" id="batch-reject" disabled=deciding on:click=move |_| act(Choice::Reject, None)>{t("deed.reject")}</button>
                    <button class="btn sm" id="batch-class" disabled=deciding on:click=move |_| classing.set(true)>{t("terms.accept_as")}</button>
                    <button class="btn ghost sm" on:click=move |_| batched.0.set(BTreeSet::new())>{t("terms.mark_none")}</button>
                </span>
            </div>
        })}
        {move || classing.get().then(|| view! {
            <ClassChooser pick=move |name| { classing.set(false); act(Choice::Accept, Some(name)); } close=move |()| classing.set(false)/>
        })}
    }
}
