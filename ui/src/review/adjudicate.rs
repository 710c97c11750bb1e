//! The decision that ends a conflict: one of a few choices, with a reason. Keys: the digits shown at the choices, Tab
//! for the reason, Ctrl Enter.

use super::similarity_card::POINTS;
use crate::attempt::attempt;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::field::Field;
use crate::i18n::{t, tag, tf, tn};
use crate::keys::{in_text, open_over};
use crate::state::{App, use_app};
use crate::toast::Toast;
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::api::{NewDecision, QueueItem, TermCard};
use lexforge_domain::review::{Choice, Edit, Score, Subject};

/// Letters that a reason has at least.
const LEAST: usize = 10;

/// One way to settle the item.
#[derive(Clone)]
struct Way {
    choice: Choice,
    edit: Edit,
    name: String,
    means: String,
    /// The digit that chooses it.
    key: Option<usize>,
}

impl Way {
    /// A choice that changes nothing of the item.
    fn plain(choice: Choice, name: String, means: String) -> Self {
        Self {
            choice,
            edit: Edit::default(),
            name,
            means,
            key: None,
        }
    }
}

/// The ways to settle an item: what somebody chose, and what always can be chosen.
fn ways(item: &QueueItem) -> Vec<Way> {
    let mut ways = match item {
        QueueItem::Term(card) => of_term(card),
        QueueItem::Pair(_) => [
            (Choice::Same, t("settle.same_means")),
            (Choice::Confusable, t("settle.confusable_means")),
            (Choice::Unrelated, t("settle.unrelated_means")),
        ]
        .map(|(choice, means)| Way::plain(choice, tag("pair", choice.tag()), means))
        .to_vec(),
        QueueItem::Question(_) | QueueItem::Triplet(_) => vec![
            Way::plain(
                Choice::Accept,
                t("deed.accept"),
                t("settle.accept_question_means"),
            ),
            Way::plain(
                Choice::Reject,
                t("deed.reject"),
                t("settle.reject_question_means"),
            ),
        ],
        QueueItem::Similarity(_) => scores().collect(),
    };
    for (way, key) in ways.iter_mut().zip(1..) {
        way.key = way
            .key
            .or(Some(key).filter(|_| way.choice.score().is_none()));
    }
    ways
}

/// The ways to settle a term: it is kept, joined to one of the first two that somebody named, or left out.
fn of_term(card: &TermCard) -> Vec<Way> {
    let mut ways = vec![Way::plain(
        Choice::Accept,
        t("settle.accept"),
        t("settle.accept_means"),
    )];
    let mut merged = Vec::new();
    for vote in card
        .history
        .iter()
        .filter(|v| !v.decision.undone && v.decision.choice == Choice::Merge)
    {
        let into = vote.decision.edit.into;
        if merged.contains(&into) || merged.len() == 2 {
            continue;
        }
        merged.push(into);
        let name = tf(
            "settle.merge",
            &[("term", &vote.into_text.clone().unwrap_or_default())],
        );
        let means = tn("settle.mentions_move", u64::from(card.term.mentions));
        ways.push(Way {
            edit: Edit {
                into,
                ..Edit::default()
            },
            ..Way::plain(Choice::Merge, name, means)
        });
    }
    ways.push(Way::plain(
        Choice::Reject,
        t("settle.reject"),
        t("settle.reject_means"),
    ));
    ways
}

/// All scores; the digits choose the whole points.
fn scores() -> impl Iterator<Item = Way> {
    Score::all().map(|score| {
        let points = usize::from(score.half_steps() / 2);
        let whole = score.half_steps().is_multiple_of(2);
        let of = |points: usize| POINTS.get(points).copied().unwrap_or_default();
        Way {
            choice: Choice::Score(score),
            edit: Edit::default(),
            name: score.written().to_owned(),
            means: if whole {
                tag("similarity_means", of(points))
            } else {
                tf(
                    "similarity.between",
                    &[("low", of(points)), ("high", of(points + 1))],
                )
            },
            key: whole.then_some(points),
        }
    })
}

/// Handles keys: the digits choose, if single keys are allowed here, and Ctrl + Enter records. `choose` returns whether
/// the digit belongs to a choice.
fn on_keys(app: App, choose: impl Fn(usize) -> bool + 'static, record: impl Fn() + 'static) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if event.is_composing() || event.default_prevented() || open_over() {
            return;
        }
        if event.ctrl_key() && event.key() == "Enter" {
            record();
        } else if !event.ctrl_key()
            && !event.alt_key()
            && !in_text(&event)
            && app.single_keys.get_untracked()
        {
            let code = event.code();
            let digit = code
                .strip_prefix("Digit")
                .and_then(|d| d.parse::<usize>().ok());
            if !digit.is_some_and(&choose) {
                return;
            }
        } else {
            return;
        }
        event.prevent_default();
    });
    on_cleanup(move || handle.remove());
}

/// A way to settle the conflict.
#[component]
fn Card(at: usize, way: Way, chosen: RwSignal<Option<usize>>) -> impl IntoView {
    view! {
        <label class="preset" class:on=move || chosen.get() == Some(at)>
            <input type="radio" name="settle" id=format!("settle-{}", at + 1) prop:checked=move || chosen.get() == Some(at) on:change=move |_| chosen.set(Some(at))/>
            <span class="stack g-half"><b>{way.name}</b><small>{way.means}</small></span>
            {way.key.map(|key| view! { <kbd class="push">{key}</kbd> })}
        </label>
    }
}

/// The decision as far as it is made.
#[derive(Clone, Copy)]
struct Settling {
    ways: StoredValue<Vec<Way>>,
    /// The place of the way that is chosen.
    chosen: RwSignal<Option<usize>>,
    reason: RwSignal<String>,
    failure: RwSignal<Option<Failure>>,
    busy: RwSignal<bool>,
}

impl Settling {
    /// Letters that the reason lacks.
    fn missing(self) -> usize {
        LEAST.saturating_sub(self.reason.with(|reason| reason.trim().chars().count()))
    }

    fn is_ready(self) -> bool {
        self.chosen.get().is_some() && self.missing() == 0 && !self.busy.get()
    }

    /// Chooses the way of a digit, if there is one.
    fn choose(self, digit: usize) -> bool {
        let of = |way: &Way| way.key == Some(digit);
        let at = self.ways.with_value(|ways| ways.iter().position(of));
        if at.is_some() {
            self.chosen.set(at);
        }
        at.is_some()
    }

    /// The missing input, or the effect of the decision.
    fn remark(self) -> String {
        match (self.chosen.get().is_some(), self.missing()) {
            (false, _) => t("settle.choose"),
            (true, 0) => t("settle.recorded_with"),
            (true, n) => tn("settle.longer", n as u64),
        }
    }

    /// Records the decision where it is whole; `text` is what the item is called.
    fn record(self, app: App, subject: Subject, text: String, settled: Callback<()>) {
        let at = self.chosen.get_untracked();
        let way = at.and_then(|at| self.ways.with_value(|ways| ways.get(at).cloned()));
        let Some(way) = way.filter(|_| untrack(|| self.is_ready())) else {
            return;
        };
        let decision = NewDecision {
            subjects: vec![subject],
            choice: way.choice,
            edit: way.edit,
            reason: self.reason.with_untracked(|r| r.trim().to_owned()),
            adjudicates: true,
        };
        self.busy.set(true);
        let decided = async move {
            let answer = call(commands::Decide { decision }).await;
            self.busy.try_set(false);
            answer
        };
        attempt(self.failure, decided, move |_| {
            self.reason.try_set(String::new());
            let text = tf("settle.done", &[("text", &text), ("way", &way.name)]);
            app.toast.set(Some(Toast { text, undo: None }));
            settled.try_run(());
        });
    }
}

/// The form.
#[component]
pub fn Adjudicate(
    item: QueueItem,
    /// The reason as far as it is written.
    reason: RwSignal<String>,
    /// It was recorded.
    settled: Callback<()>,
    /// Leaves this conflict for the next one.
    next: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let (subject, text) = (item.subject(), StoredValue::new(super::word::name(&item)));
    let all = ways(&item);
    let settling = Settling {
        ways: StoredValue::new(all.clone()),
        chosen: RwSignal::new(None),
        reason,
        failure: RwSignal::new(None),
        busy: RwSignal::new(false),
    };
    let (chosen, failure) = (settling.chosen, settling.failure);
    let record = move || settling.record(app, subject, text.get_value(), settled);
    on_keys(app, move |digit| settling.choose(digit), record);
    let cards = all.into_iter().enumerate();
    let cards = cards
        .map(|(at, way)| view! { <Card at way chosen/> })
        .collect_view();
    view! {
        <section class="card">
            <div class="card-head">
                <h2>{t("review.adjudicate")}</h2>
                <span class="t-small t-mute">{t("settle.earlier_stay")}</span>
            </div>
            <div class="card-body stack g-3">
                <div class="settle-ways" role="radiogroup" aria-label=t("review.adjudicate")>{cards}</div>
                <Field id="settle-reason" label=tf("settle.reason", &[("n", &LEAST.to_string())])>
                    <textarea class="textarea" id="settle-reason" prop:value=reason on:input:target=move |event| reason.set(event.target().value())></textarea>
                </Field>
                {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                <div class="row wrap">
                    <span class="t-small t-mute grow" role="status">{move || settling.remark()}</span>
                    <button class="btn" on:click=move |_| next.run(())>{t("settle.next")}</button>
                    <button class="btn primary" id="settle" disabled=move || !settling.is_ready() on:click=move |_| record()>
                        {t("settle.record")}
                        <kbd>"Ctrl ↵"</kbd>
                    </button>
                </div>
            </div>
        </section>
    }
}
