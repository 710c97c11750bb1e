//! Items on which reviewers differ: who decided what, and the decision that ends it.

use super::adjudicate::Adjudicate;
use super::class;
use super::context::ContextCard;
use super::definitions::Definitions;
use super::triplet_card::Sides;
use super::votes::{Votes, sign};
use super::word::{name, word};
use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::keys::{in_text, open_over};
use crate::place::{ReviewPlace, ReviewTab};
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{
    AgreementView, ConflictRow, DecisionView, QueueItem, TermCard, TermContext,
};
use lexforge_domain::review::{Subject, SubjectKind};
use lexforge_domain::text::Language;

/// The conflicts of these kinds, the oldest first.
#[component]
pub fn Conflicts(
    /// The kinds of items.
    kinds: &'static [SubjectKind],
    /// Where the reader is.
    place: ReviewPlace,
    /// Something was adjudicated.
    #[prop(into)]
    changed: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let rows = Fetched::<Vec<ConflictRow>>::default();
    // The reason that is being written: as long as there is one, nothing takes the conflict out from under it.
    let reason = RwSignal::new(String::new());
    let load = move || {
        rows.refresh(async move {
            let mut all = Vec::new();
            for kind in kinds {
                all.extend(call(commands::Conflicts { kind: *kind }).await?);
            }
            all.sort_by(|a, b| a.since.cmp(&b.since));
            Ok(all)
        });
    };
    Effect::new(move |_| {
        app.changes.track();
        load();
    });
    stay_or_go_on(rows, place, reason);
    let settled = Callback::new(move |()| {
        load();
        changed.try_run(());
    });
    // The reason is read only if the list is empty. Otherwise each typed letter of it would draw the list again.
    let none = move || {
        let empty = rows
            .value
            .with(|all| all.as_ref().is_some_and(Vec::is_empty));
        empty && !(place.conflict.with(Option::is_some) && is_written(reason))
    };
    view! {
        {move || rows.failure.get().map(|failure| view! {
            <div class="pad"><ErrorPanel failure><button class="btn sm" on:click=move |_| load()>{t("action.again")}</button></ErrorPanel></div>
        })}
        {move || if rows.value.with(Option::is_none) && rows.failure.with(Option::is_some) {
            ().into_any()
        } else if rows.value.with(Option::is_none) {
            view! { <div class="skel half"></div><div class="skel"></div> }.into_any()
        } else if none() {
            view! { <Agreed kind=kinds[0] place/> }.into_any()
        } else {
            view! { <Panes rows place reason settled/> }.into_any()
        }}
    }
}

/// The list of conflicts, and the one that is looked at.
#[component]
fn Panes(
    rows: Fetched<Vec<ConflictRow>>,
    place: ReviewPlace,
    /// The reason that is being written.
    reason: RwSignal<String>,
    settled: Callback<()>,
) -> impl IntoView {
    let step = move |by: i64| {
        let here = place.conflict.get_untracked();
        rows.value.with_untracked(|all| {
            let all = all.as_deref().unwrap_or_default();
            let at = place_of(all, here).unwrap_or(0) as i64;
            reason.set(String::new());
            let many = all.len() as i64;
            if many > 0 {
                let next = all.get((at + by).rem_euclid(many) as usize);
                place.conflict.set(next.map(|row| row.subject));
            }
        });
    };
    on_arrows(step);
    let many = Memo::new(move |_| rows.value.with(|all| all.as_ref().map_or(0, Vec::len)));
    let list = move || {
        let rows = rows.value.get().unwrap_or_default();
        rows.into_iter()
            .map(|row| view! { <Listed row place reason/> })
            .collect_view()
    };
    let nth = Signal::derive(move || {
        let here = place.conflict.get();
        let at = rows.value.with(|all| place_of(all.as_ref()?, here));
        at.map(|at| {
            let (n, of) = ((at + 1).to_string(), many.get().to_string());
            tf("review.conflict_of", &[("n", &n), ("of", &of)])
        })
        .unwrap_or_default()
    });
    let open = move || {
        place.conflict.get().map(|subject| {
            view! { <Conflict subject nth reason settled next=move |()| step(1)/> }
        })
    };
    view! {
        <div class="panes conflicts" id="conflicts">
            <section class="pane" aria-label=t("review.conflicts") data-pane="list">
                <div class="pane-head">
                    <b>{move || tn("review.n_conflicts", many.get() as u64)}</b>
                    <span class="push t-small t-mute">{t("review.oldest_first")}</span>
                </div>
                <div class="scroll">{list}</div>
            </section>
            <section class="work" aria-label=t("review.adjudicate") data-pane="detail">
                <div class="scroll">{open}</div>
            </section>
        </div>
    }
}

/// Whether a reason is being written.
fn is_written(reason: RwSignal<String>) -> bool {
    reason.with(|reason| !reason.trim().is_empty())
}

/// The place of an item among the conflicts.
fn place_of(all: &[ConflictRow], item: Option<Subject>) -> Option<usize> {
    all.iter().position(|row| Some(row.subject) == item)
}

/// The conflict that is looked at stays until it is settled; then the next one comes.
fn stay_or_go_on(rows: Fetched<Vec<ConflictRow>>, place: ReviewPlace, reason: RwSignal<String>) {
    Effect::new(move |_| {
        let Some(all) = rows.value.get() else { return };
        let here = place.conflict.get_untracked();
        let next = all.first().map(|row| row.subject);
        let writing = here.is_some() && untrack(|| is_written(reason));
        // Set only where it changes: with nothing left to settle, setting none to none would go on for ever.
        if here != next && !writing && place_of(&all, here).is_none() {
            place.conflict.set(next);
        }
    });
}

/// Steps through the conflicts by the arrow keys, as long as the list is there.
fn on_arrows(step: impl Fn(i64) + 'static) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if event.is_composing()
            || event.default_prevented()
            || event.ctrl_key()
            || open_over()
            || in_text(&event)
        {
            return;
        }
        match event.code().as_str() {
            "ArrowDown" => step(1),
            "ArrowUp" => step(-1),
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || handle.remove());
}

/// A conflict in the list, with how many said what.
#[component]
fn Listed(row: ConflictRow, place: ReviewPlace, reason: RwSignal<String>) -> impl IntoView {
    let app = use_app();
    let (subject, text) = (row.subject, row.text.clone());
    let said = row
        .said
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(choice, n)| {
            let title = word(*choice);
            let icon = sign(*choice).1.unwrap_or(Icon::Minus);
            let tip = title.clone();
            if let Some(score) = choice.score() {
                return view! { <span class="row g-1" title=tip>{format!("{} × {}", *n, score.written())}</span> }.into_any();
            }
            view! { <span class="row g-1" title=tip><Sign icon small=true/>{*n}<span class="sr">{title}</span></span> }.into_any()
        })
        .collect_view();
    let press = move |_| {
        reason.set(String::new());
        place.conflict.set(Some(subject));
    };
    view! {
        <button class="cf" aria-current=move || (place.conflict.get() == Some(subject)).then_some("true") on:click=press>
            <b class="law cell" lang=lang_tag(row.language)>{text}</b>
            <span class="row g-3 t-small">{said}<span class="push t-mute clip">{move || about(app, subject.kind(), &row.class)}</span></span>
        </button>
    }
}

/// The kind of an item. For a term, its class.
fn about(app: App, kind: SubjectKind, class: &str) -> String {
    match kind {
        SubjectKind::Term => class::title(app, class),
        SubjectKind::Pair => t("subject.pair"),
        SubjectKind::Question => t("subject.question"),
        SubjectKind::Triplet => t("subject.triplet"),
        SubjectKind::Similarity => t("subject.similarity"),
    }
}

/// There is no conflict. Shows how far the reviewers agree instead.
#[component]
fn Agreed(kind: SubjectKind, place: ReviewPlace) -> impl IntoView {
    let agreement = Fetched::<AgreementView>::default();
    agreement.ask(call(commands::Agreement { kind }));
    move || {
        let level = agreement
            .value
            .with(|view| view.as_ref().map(|view| view.overall.alpha))
            .filter(|a| a.value.is_some());
        let text = match level {
            Some(level) => tf("review.agreement_is", &[("level", &format::level(level))]),
            // It is not said that there is none before that is known.
            None if agreement.value.with(Option::is_none) => String::new(),
            None => t("review.agreement_none"),
        };
        let failure = agreement.failure.get();
        view! {
            {failure.map(|failure| view! { <div class="pad"><ErrorPanel failure/></div> })}
            <Empty icon=Icon::Check title=t("review.no_conflicts") text>
                <button class="btn" id="conflicts-to-queue" on:click=move |_| place.tab.set(ReviewTab::Queue)>{t("review.to_queue")}</button>
            </Empty>
        }
    }
}

#[component]
fn Conflict(
    subject: Subject,
    nth: Signal<String>,
    reason: RwSignal<String>,
    settled: Callback<()>,
    #[prop(into)] next: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let item = Fetched::<QueueItem>::default();
    Effect::new(move |_| {
        app.changes.track();
        // New decisions of others are shown only after the reason that is being typed was recorded or dropped.
        if !is_written(reason) {
            item.refresh(call(commands::ReviewItem { subject }));
        }
    });
    view! {
        <div class="sheet-of-work">
            {move || item.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || match item.value.get() {
                None if item.failure.with(Option::is_some) => ().into_any(),
                None => view! { <div class="skel half"></div><div class="skel"></div> }.into_any(),
                Some(item) => view! { <Open item nth reason settled next/> }.into_any(),
            }}
        </div>
    }
}

/// The parts of an item that a conflict shows.
fn parts(
    item: &QueueItem,
) -> (
    Language,
    Option<TermContext>,
    Vec<DecisionView>,
    Option<String>,
) {
    match item {
        QueueItem::Term(card) => (
            card.term.language,
            card.contexts.first().cloned(),
            card.history.clone(),
            Some(card.term.class.clone()),
        ),
        QueueItem::Pair(card) => (
            card.one.language,
            card.one_context.clone(),
            card.history.clone(),
            None,
        ),
        QueueItem::Question(card) => (
            Language::Other,
            card.anchor.clone(),
            card.history.clone(),
            None,
        ),
        QueueItem::Triplet(card) => (
            card.row.triplet.language,
            card.anchor.clone(),
            card.history.clone(),
            None,
        ),
        // Both sentences are in the title.
        QueueItem::Similarity(card) => (card.language, None, card.history.clone(), None),
    }
}

/// The term whose definitions a conflict shows: reviewers may differ because the acts do.
fn defined(item: &QueueItem) -> Option<TermCard> {
    match item {
        QueueItem::Term(card) if !card.definitions.is_empty() => Some((**card).clone()),
        _ => None,
    }
}

#[component]
fn Open(
    item: QueueItem,
    nth: Signal<String>,
    reason: RwSignal<String>,
    settled: Callback<()>,
    next: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let (language, context, history, class) = parts(&item);
    let other = match &item {
        QueueItem::Pair(card) => card
            .other
            .context
            .clone()
            .map(|context| (context, card.other.term.language)),
        _ => None,
    };
    let texts = match &item {
        QueueItem::Triplet(card) => Some(card.row.triplet.clone()),
        _ => None,
    };
    let defined = defined(&item);
    let of = item.subject().kind();
    let kind = move || about(app, of, class.as_deref().unwrap_or_default());
    let long = matches!(of, SubjectKind::Triplet | SubjectKind::Similarity);
    let counted: Vec<DecisionView> = history
        .into_iter()
        .filter(|vote| !vote.decision.undone)
        .collect();
    view! {
        <header class="stack g-1">
            <div class="row wrap">
                <span class="badge info">{kind}</span>
                <span class="badge warn"><Sign icon=Icon::Warning small=true/>{t("review.differ")}</span>
                <span class="push t-small t-mute nowrap">{nth}</span>
            </div>
            <h2 class=if long { "law question" } else { "law term" } lang=lang_tag(language)>{name(&item)}</h2>
        </header>
        {context.map(|context| view! { <ContextCard context language/> })}
        {other.map(|(context, language)| view! { <ContextCard context language/> })}
        {defined.map(|card| view! { <Definitions card/> })}
        {texts.map(|triplet| view! { <Sides triplet/> })}
        <section class="stack">
            <h2>{t("review.who_decided")}</h2>
            <Votes history=counted/>
        </section>
        <Adjudicate item reason settled next/>
    }
}

#[cfg(test)]
mod tests;
