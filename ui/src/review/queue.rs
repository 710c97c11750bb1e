//! One item at a time: the item, the action bar below it, and the progress beside it; the same for items of every kind.

use super::actions::Actions;
use super::class::ClassChooser;
use super::desk::Desk;
use super::form::Mode;
use super::keys;
use super::merge::MergeChooser;
use super::pair_card::PairView;
use super::question_card::QuestionView;
use super::side::Side;
use super::similarity_card::SimilarityView;
use super::term_card::TermView;
use super::triplet_card::TripletView;
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::Icon;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::place::{ReviewPlace, ReviewTab};
use crate::state::use_app;
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::{QueueFilter, QueueItem};

#[component]
pub fn Queue(
    desk: Desk,
    /// Where the reader is.
    place: ReviewPlace,
) -> impl IntoView {
    let app = use_app();
    keys::listen(app, desk);
    let sheet = NodeRef::<Div>::new();
    lead_focus(desk, sheet);
    let at = Signal::derive(move || {
        let told = desk
            .view
            .value
            .with(|view| view.as_ref().map(|view| (view.place, view.standing.total)));
        told.map(|(place, of)| {
            if desk.gone.get() {
                return String::new();
            }
            let place = (place + desk.decided() as u64).min(of);
            tf(
                "review.item_of",
                &[("n", &format::count(place)), ("of", &format::count(of))],
            )
        })
        .unwrap_or_default()
    });
    let item = move || match desk.item.get() {
        Some(QueueItem::Term(card)) => view! { <TermView desk card=*card place=at/> }.into_any(),
        Some(QueueItem::Pair(card)) => view! { <PairView card=*card place=at/> }.into_any(),
        Some(QueueItem::Question(card)) => {
            view! { <QuestionView desk card=*card place=at/> }.into_any()
        }
        Some(QueueItem::Triplet(card)) => {
            view! { <TripletView desk card=*card place=at/> }.into_any()
        }
        Some(QueueItem::Similarity(card)) => {
            view! { <SimilarityView desk card=*card place=at/> }.into_any()
        }
        None => view! { <Nothing desk place/> }.into_any(),
    };
    view! {
        <div class="panes queue" id="queue" data-form=move || desk.writes().then_some("")>
            <section class="work" aria-label=t("review.queue") data-pane="list">
                <Gone desk/>
                <div class="scroll" node_ref=sheet>
                    <div class="sheet-of-work">
                        <Unsaved desk/>
                        {item}
                    </div>
                </div>
                <Actions desk/>
                <div class="sr" role="status" aria-live="polite" id="said">{move || desk.said.get()}</div>
            </section>
            <Side desk/>
        </div>
        <Over desk/>
    }
}

/// When another item comes, scrolls the sheet to its beginning and moves the focus to it.
fn lead_focus(desk: Desk, sheet: NodeRef<Div>) {
    let subject = Memo::new(move |_| desk.item.with(|item| item.as_ref().map(QueueItem::subject)));
    Effect::new(move |before: Option<Option<_>>| {
        let now = subject.get();
        if before.is_some_and(|before| before != now)
            && now.is_some()
            && let Some(sheet) = sheet.get_untracked()
        {
            sheet.set_scroll_top(0);
            // Move the focus to the new item as soon as its title is rendered. But if the user has moved the focus
            // before that, for example with the key that opens a form, it stays there. `preventScroll` is not needed,
            // because the title is at the top.
            let before = document().active_element();
            request_animation_frame(move || {
                let reading = desk.mode.try_get_untracked() == Some(Mode::Reading);
                if reading && !crate::keys::focus_was_taken(before.as_ref()) {
                    crate::keys::focus("#item-title");
                }
            });
        }
        now
    });
    // When an item is rendered again because it has changed, or when its form was closed, the focus would fall back to
    // the page. So it is put on the item.
    Effect::new(move |before: Option<Option<_>>| {
        let now = desk.item.with(|item| item.as_ref().map(QueueItem::subject));
        let reading = desk.mode.get() == Mode::Reading;
        if reading && now.is_some() && before == Some(now) {
            request_animation_frame(move || {
                if crate::keys::focus_is_lost() {
                    let top = sheet.get_untracked().map(|sheet| sheet.scroll_top());
                    crate::keys::focus("#item-title");
                    if let (Some(sheet), Some(top)) = (sheet.get_untracked(), top) {
                        sheet.set_scroll_top(top);
                    }
                }
            });
        }
        now
    });
}

/// The form that is open over the item.
#[component]
fn Over(desk: Desk) -> impl IntoView {
    move || match desk.mode.get() {
        Mode::Merging => view! { <MergeChooser desk/> }.into_any(),
        Mode::Classing => view! {
            <ClassChooser
                typed=desk.ahead_typed.text()
                pick=move |name| { desk.class.set(Some(name)); desk.mode.set(Mode::Reading); }
                close=move |()| desk.mode.set(Mode::Reading)
            />
        }
        .into_any(),
        _ => ().into_any(),
    }
}

/// The item has gone, or a decision came too late: said above the item, where no scrolling hides it.
#[component]
fn Gone(desk: Desk) -> impl IntoView {
    let way_on = move || {
        desk.gone.get().then(|| {
            view! {
                <div class="remark-row" id="item-gone">
                    <Note tone=Tone::Warn>
                        <b>{t("review.gone")}</b>{t("list.sentence")}{t("review.gone_means")}
                        {move || (desk.mode.get() != Mode::Reading).then(|| format!("{}{}", t("list.sentence"), t("review.gone_typed")))}
                        <span class="row note-acts">
                            <button class="btn sm" id="go-on" on:click=move |_| desk.go_on()>{t("review.go_on")}</button>
                        </span>
                    </Note>
                </div>
            }
        })
    };
    let too_late = move || {
        desk.too_late.get().map(|text| {
            view! {
                <div class="remark-row" id="too-late">
                    <Note tone=Tone::Warn>
                        {tf("review.too_late", &[("text", &text)])}
                        <span class="row note-acts">
                            <button class="btn sm" on:click=move |_| desk.too_late.set(None)>{t("action.close")}</button>
                        </span>
                    </Note>
                </div>
            }
        })
    };
    view! { {way_on}{too_late} }
}

/// A decision that could not be saved stays in view until it is.
#[component]
fn Unsaved(desk: Desk) -> impl IntoView {
    move || {
        desk.unsaved.get().map(|failure| {
            view! {
                <ErrorPanel failure>
                    <span class="t-small">{move || tn("review.unsaved", desk.waiting.get() as u64)}</span>
                    <button class="btn sm" id="save-again" on:click=move |_| desk.again()>{t("action.again")}</button>
                    <button class="btn ghost sm" on:click=move |_| desk.let_go()>{t("review.let_go")}</button>
                </ErrorPanel>
            }
        })
    }
}

/// Shown if no item is on the desk: the next one is still being fetched, or all are reviewed.
#[component]
fn Nothing(desk: Desk, place: ReviewPlace) -> impl IntoView {
    let done = move || {
        let conflicts = desk.view.value.with(|view| {
            view.as_ref()
                .map(|view| (view.item.is_none(), view.conflicts))
        });
        conflicts.filter(|_| desk.waiting.get() == 0)
    };
    move || {
        if let Some(failure) = desk.view.failure.get() {
            return view! {
                <ErrorPanel failure>
                    <button class="btn sm" on:click=move |_| desk.refresh(None)>{t("action.again")}</button>
                </ErrorPanel>
            }
            .into_any();
        }
        match done() {
            Some((true, conflicts)) => {
                let filtered = desk.filter.with(|filter| *filter != QueueFilter::of(filter.kind));
                let text = match (filtered, conflicts) {
                    (true, _) => t("review.filter_done"),
                    (false, 0) => t("review.all_done"),
                    (false, n) => tn("review.conflicts_wait", n),
                };
                view! {
                    <Empty icon=Icon::Check title=t("review.all_reviewed") text>
                        {filtered.then(|| view! {
                            <button class="btn" on:click=move |_| desk.filter.update(|filter| *filter = QueueFilter::of(filter.kind))>{t("review.no_filter")}</button>
                        })}
                        {(conflicts > 0).then(|| view! {
                            <button class="btn" on:click=move |_| place.tab.set(ReviewTab::Conflicts)>{t("review.to_conflicts")}</button>
                        })}
                    </Empty>
                }
                .into_any()
            }
            _ => view! { <div class="skel half"></div><div class="skel"></div><div class="skel"></div><div class="skel half"></div> }
                .into_any(),
        }
    }
}
