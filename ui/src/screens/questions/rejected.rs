//! What was written and not taken, with the reason of each.

use super::source::source;
use crate::backend::{call, commands};
use crate::components::empty::{Empty, NoneLeft};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::picker::Picker;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::review::context::Stands;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{RejectedDraftRow, RejectedFilter, Rows};
use lexforge_domain::qca::QcaLevel;
use std::collections::BTreeMap;

/// Rows that are asked for at a time.
const PAGE: u64 = 40;

/// The list.
#[component]
pub fn Rejected() -> impl IntoView {
    let app = use_app();
    let filter = RwSignal::new(RejectedFilter {
        limit: PAGE,
        ..RejectedFilter::default()
    });
    let rows = Fetched::<Rows<RejectedDraftRow>>::default();
    // Reasons that were met, and how often: the list of choices does not shrink when one is chosen.
    let reasons = RwSignal::new(BTreeMap::<String, u64>::new());
    Effect::new(move |_| {
        app.changes.track();
        let filter = filter.get();
        rows.refresh(call(commands::RejectedDrafts { filter }));
    });
    let all = Fetched::<Rows<RejectedDraftRow>>::default();
    Effect::new(move |_| {
        app.changes.track();
        all.refresh(call(commands::RejectedDrafts {
            filter: RejectedFilter::default(),
        }));
    });
    Effect::new(move |_| {
        if let Some(found) = all.value.get() {
            let mut counts = BTreeMap::new();
            for row in found.rows {
                *counts.entry(row.draft.reason).or_default() += 1;
            }
            reasons.set(counts);
        }
    });
    let choices = Signal::derive(move || choices_of(reasons.get()));
    let levels = [QcaLevel::Sentence, QcaLevel::Token]
        .map(|l| (l.tag().to_owned(), tag("level", l.tag())))
        .to_vec();
    let list = move || {
        if let Some(failure) = rows.failure.get() {
            return view! { <div class="pad"><ErrorPanel failure/></div> }.into_any();
        }
        let Some(found) = rows.value.get() else {
            return view! { <div class="skel"></div><div class="skel"></div><div class="skel half"></div> }.into_any();
        };
        view! { <Drafts found filter/> }.into_any()
    };
    view! {
        <div class="panes">
            <section class="pane ground" aria-label=t("rejected.title") data-pane="list">
                <div class="pane-head filters">
                    <Picker all=t("rejected.all_reasons") choices now=Signal::derive(move || filter.with(|f| f.reason.clone()))
                        chosen=move |reason: String| filter.update(|f| f.reason = (!reason.is_empty()).then_some(reason)) id="rejected-reason"/>
                    <Picker all=t("rejected.all_levels") choices=levels now=Signal::derive(move || filter.with(|f| f.level.map(|l| l.tag().to_owned())))
                        chosen=move |level: String| filter.update(|f| f.level = QcaLevel::from_tag(&level)) id="rejected-level"/>
                    <span class="push t-small t-mute">{t("rejected.lead")}</span>
                </div>
                <div class="scroll">{list}</div>
            </section>
        </div>
    }
}

/// Reasons to choose from, the most frequent first, with how often each was met.
fn choices_of(reasons: BTreeMap<String, u64>) -> Vec<(String, String)> {
    let mut counts: Vec<(String, u64)> = reasons.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let named = |(reason, n): (String, u64)| {
        let name = tf(
            "rejected.counted",
            &[
                ("reason", &tag("rejection", &reason)),
                ("n", &format::count(n)),
            ],
        );
        (reason, name)
    };
    counts.into_iter().map(named).collect()
}

/// What was found, and the way to more of it.
#[component]
fn Drafts(found: Rows<RejectedDraftRow>, filter: RwSignal<RejectedFilter>) -> impl IntoView {
    let narrowed = filter.with_untracked(|f| f.reason.is_some() || f.level.is_some());
    if found.total == 0 && narrowed {
        let all = move |()| {
            filter.set(RejectedFilter {
                limit: PAGE,
                ..RejectedFilter::default()
            });
        };
        return view! { <NoneLeft text=t("rejected.none_fits") all/> }.into_any();
    }
    if found.total == 0 {
        return view! { <Empty icon=Icon::Check title=t("rejected.none") text=t("rejected.none_text")/> }
            .into_any();
    }
    let more = found.total > found.rows.len() as u64;
    let counted = tf(
        "graph.rows_of",
        &[
            ("n", &format::count(found.rows.len() as u64)),
            ("of", &format::count(found.total)),
        ],
    );
    let cards = found
        .rows
        .into_iter()
        .map(|row| view! { <Draft row/> })
        .collect_view();
    view! {
        <div class="page-body rejected-list" id="rejected-list">
            {cards}
            <div class="row">
                <span class="t-small t-mute">{counted}</span>
                {more.then(|| view! { <button class="btn sm" on:click=move |_| filter.update(|f| f.limit += PAGE)>{t("graph.more_rows")}</button> })}
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn Draft(row: RejectedDraftRow) -> impl IntoView {
    let app = use_app();
    let draft = row.draft;
    let (document, page, sentence) = (row.document, row.page, draft.anchor_sentence);
    let answer = draft.answer;
    let choices = draft
        .choices
        .into_iter()
        .enumerate()
        .map(|(at, choice)| {
            view! { <li class:right=at == answer>{(at == answer).then(|| view! { <Sign icon=Icon::Check small=true/> })}<span class="law sm">{choice}</span></li> }
        })
        .collect_view();
    let attempt = (draft.attempt > 0).then(|| tn("rejected.attempt", u64::from(draft.attempt)));
    let question = if draft.question.is_empty() {
        t("rejected.unreadable")
    } else {
        draft.question
    };
    view! {
        <article class="card">
            <div class="card-head">
                <span class="badge bad"><Sign icon=Icon::Close small=true/>{tag("rejection", &draft.reason)}</span>
                <span class="badge">{tag("level", draft.level.tag())}</span>
                <span class="badge">{source(draft.source)}</span>
                {draft.score.map(|score| view! { <span class="badge line">{tf("rejected.score", &[("score", &format!("{score:.1}"))])}</span> })}
                {attempt.map(|text| view! { <span class="t-small t-mute">{text}</span> })}
            </div>
            <div class="card-body stack">
                <p class="strong">{question}</p>
                <ul class="draft-choices">{choices}</ul>
                {draft.rephrased.map(|text| view! { <p class="law sm t-mute">{text}</p> })}
                {(!draft.note.is_empty()).then(|| view! { <p class="t-small">{draft.note}</p> })}
                <div class="pairbox shared">
                    <p class="law sm">{row.anchor_text}</p>
                    <button class="link t-small to-page" on:click=move |_| app.open_sentence(document, page, Some(sentence))>
                        <Stands title=row.document_title section=String::new() page/>
                    </button>
                </div>
            </div>
        </article>
    }
}
