//! A reviewer's desk: the item that lies on it, what comes next, and the decisions that are on their way.
//!
//! The next items are fetched ahead, so that a key press shows the next one at once; decisions are saved one after another
//! in the order in which they were made. One that cannot be saved comes back onto the desk and holds the rest until it is
//! tried again or let go.
//!
//! The workspace changes under the desk: a job writes the questions anew, or another program does. What lies on the desk
//! stays there as long as somebody writes on it, and an item that has gone stays until one goes on, so that nobody decides
//! about another one than the one they have read.

use super::candidates::{Marking, with_marks};
use super::form::{Mode, TypeAhead};
use super::word::{did, name};
use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::i18n::{t, tag, tf};
use crate::state::App;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{ActView, NewDecision, QueueFilter, QueueItem, QueueView};
use lexforge_domain::review::{Choice, Edit, Score, Subject, SubjectKind};
use lexforge_domain::{Code, Failure, TermId};
use std::collections::{HashMap, VecDeque};

/// Items that are fetched before they are asked for.
const AHEAD: usize = 3;

#[derive(Clone)]
enum Deed {
    Decide(Box<NewDecision>, Option<Box<QueueItem>>),
    Undo,
}

/// The desk; a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct Desk {
    /// Which items come onto it.
    pub filter: RwSignal<QueueFilter>,
    /// The last answer about the queue.
    pub view: Fetched<QueueView>,
    /// The item that lies on it.
    pub item: RwSignal<Option<QueueItem>>,
    /// Why the decision about it could not be saved.
    pub unsaved: RwSignal<Option<Failure>>,
    /// The item on the desk is no longer in the workspace.
    pub gone: RwSignal<bool>,
    /// What a decision was about that came too late, because it was no longer in the workspace.
    pub too_late: RwSignal<Option<String>>,
    /// What was just done, for a screen reader.
    pub said: RwSignal<String>,
    /// What is open over the item.
    pub mode: RwSignal<Mode>,
    /// The mention that is shown.
    pub mention: RwSignal<usize>,
    /// The candidate that single keys mean.
    pub candidate: RwSignal<usize>,
    /// The class that the next acceptance gives.
    pub class: RwSignal<Option<String>>,
    /// Marks of pairs that were made here.
    pub marks: RwSignal<HashMap<Subject, Choice>>,
    /// Decisions that are not saved yet.
    pub waiting: RwSignal<usize>,
    /// What was typed for an item that is still on its way.
    pub ahead_typed: TypeAhead,
    shown: RwSignal<Option<Subject>>,
    deeds: StoredValue<VecDeque<Deed>>,
    sending: StoredValue<bool>,
    ahead: StoredValue<Vec<QueueItem>>,
    decided: StoredValue<Vec<Subject>>,
}

impl Desk {
    /// A desk for what the filter holds; it follows the filter and the workspace.
    pub fn new(app: App, filter: RwSignal<QueueFilter>, shown: RwSignal<Option<Subject>>) -> Self {
        let desk = Self {
            filter,
            view: Fetched::default(),
            item: RwSignal::new(None),
            unsaved: RwSignal::new(None),
            gone: RwSignal::new(false),
            too_late: RwSignal::new(None),
            said: RwSignal::new(String::new()),
            mode: RwSignal::new(Mode::Reading),
            mention: RwSignal::new(0),
            candidate: RwSignal::new(0),
            class: RwSignal::new(None),
            marks: RwSignal::new(HashMap::new()),
            waiting: RwSignal::new(0),
            ahead_typed: TypeAhead::default(),
            shown,
            deeds: StoredValue::new(VecDeque::new()),
            sending: StoredValue::new(false),
            ahead: StoredValue::new(Vec::new()),
            decided: StoredValue::new(Vec::new()),
        };
        Effect::new(move |before: Option<(QueueFilter, u64)>| {
            let now = (filter.get(), app.changes.get());
            if let Some((filter, changes)) = before {
                if filter != now.0 {
                    desk.clear();
                }
                if changes != now.1 {
                    // What was fetched ahead may be otherwise now, or gone.
                    desk.ahead.set_value(Vec::new());
                }
            }
            desk.refresh(desk.here());
            now
        });
        Effect::new(move |_| {
            if let Some(view) = desk.view.value.get() {
                desk.take(view);
            }
        });
        Effect::new(move |_| {
            if desk
                .view
                .failure
                .with(|failure| failure.as_ref().is_some_and(|f| f.code == Code::NotFound))
            {
                desk.missed();
            }
        });
        // What came while somebody wrote on the item is laid onto the desk when they have done so.
        Effect::new(move |before: Option<Mode>| {
            let now = desk.mode.get();
            if now == Mode::Reading && before.is_some_and(|before| before != now) {
                desk.refresh(desk.here());
            }
            now
        });
        desk
    }

    /// Asks for the queue again, with this item on the desk.
    pub fn refresh(self, at: Option<Subject>) {
        let filter = self.filter.get_untracked();
        self.view.ask(call(commands::ReviewQueue { filter, at }));
    }

    /// The item that the queue is asked for: the one on the desk, unless it has gone.
    fn here(self) -> Option<Subject> {
        self.shown
            .get_untracked()
            .filter(|_| self.gone.try_get_untracked() != Some(true))
    }

    fn clear(self) {
        self.gone.set(false);
        self.shown.set(None);
        self.item.set(None);
        self.mode.set(Mode::Reading);
        self.ahead_typed.forget();
    }

    /// The item that was asked for is not in the workspace. One that lies on the desk stays there until one goes on; the
    /// rest of the queue is asked for without it.
    fn missed(self) {
        let Some(subject) = self.here() else { return };
        if self
            .item
            .with_untracked(|item| item.as_ref().map(QueueItem::subject))
            == Some(subject)
        {
            self.gone.set(true);
            self.said.set(t("review.gone"));
        } else {
            self.shown.set(None);
        }
        self.refresh(None);
    }

    /// Leaves an item that has gone for the next one.
    pub fn go_on(self) {
        self.clear();
        self.refresh(None);
    }

    /// Whether the item on the desk has gone, so that nothing can be done with it: leads to the way on.
    pub fn stuck(self) -> bool {
        let gone = self.gone.get_untracked();
        if gone {
            crate::keys::focus("#go-on");
        }
        gone
    }

    fn take(self, view: QueueView) {
        // An answer from before the last decision would lay the decided item onto the desk again, and take the form of the next
        // one away from under whoever types.
        let old = !self.view.is_latest();
        if old || self.waiting.get_untracked() > 0 || self.unsaved.with_untracked(Option::is_some) {
            return;
        }
        self.decided.set_value(Vec::new());
        let coming: Vec<Subject> = view.coming.iter().map(|c| c.subject).collect();
        match view.item {
            _ if self.gone.get_untracked() => {}
            Some(item) => {
                let writing = self.mode.get_untracked() != Mode::Reading;
                let settled = self.item.with_untracked(|old| {
                    old.as_ref().is_some_and(|old| {
                        let same = old.subject() == item.subject();
                        (same && writing)
                            || with_marks(old.clone(), &self.marks.get_untracked()) == item
                    })
                });
                if !settled {
                    self.show(item);
                }
            }
            None => {
                self.ahead_typed.forget();
                self.item.set(None);
                self.shown.set(None);
            }
        }
        self.ahead
            .update_value(|ahead| ahead.retain(|item| coming.contains(&item.subject())));
        for subject in coming.into_iter().take(AHEAD) {
            if self
                .ahead
                .with_value(|ahead| ahead.iter().any(|item| item.subject() == subject))
            {
                continue;
            }
            spawn_local(async move {
                // An item that cannot be fetched ahead is asked for again when its turn comes.
                if let Ok(item) = call(commands::ReviewItem { subject }).await {
                    let _ = self.ahead.try_update_value(|ahead| {
                        ahead.retain(|known| known.subject() != subject);
                        ahead.push(item);
                    });
                }
            });
        }
    }

    /// Lays an item onto the desk.
    fn show(self, item: QueueItem) {
        let subject = item.subject();
        let another = self
            .item
            .with_untracked(|old| old.as_ref().map(QueueItem::subject) != Some(subject));
        self.shown.set(Some(subject));
        self.item.set(Some(item));
        if another {
            self.gone.set(false);
            self.mode.set(self.ahead_typed.form().unwrap_or_default());
            self.mention.set(0);
            self.candidate.set(0);
            self.class.set(None);
        }
    }

    /// Opens one item of the queue.
    pub fn open(self, subject: Subject) {
        self.gone.set(false);
        self.shown.set(Some(subject));
        self.refresh(Some(subject));
    }

    /// Whether an item is on its way onto the empty desk.
    pub fn expects(self) -> bool {
        let none_left = self
            .view
            .value
            .with_untracked(|view| view.as_ref().is_some_and(|view| view.item.is_none()));
        self.item.with_untracked(Option::is_none)
            && self.view.failure.with_untracked(Option::is_none)
            && self.unsaved.with_untracked(Option::is_none)
            && (self.waiting.get_untracked() > 0 || !none_left)
    }

    /// Whether what is typed belongs to a form, be it open or on its way.
    pub fn writes(self) -> bool {
        self.mode.get() != Mode::Reading || self.ahead_typed.waits()
    }

    /// The kind of the queue.
    pub fn kind(self) -> SubjectKind {
        self.filter.with_untracked(|filter| filter.kind)
    }

    /// Decides about the item on the desk; the next one takes its place.
    pub fn decide(self, choice: Choice, edit: Edit, reason: String) {
        if self.stuck() {
            return;
        }
        let Some(item) = self
            .item
            .get_untracked()
            .filter(|_| self.unsaved.with_untracked(Option::is_none))
        else {
            return;
        };
        let subject = item.subject();
        let decision = NewDecision {
            subjects: vec![subject],
            choice,
            edit,
            reason,
            adjudicates: false,
        };
        self.said.set(did(choice, 1, &name(&item)));
        self.decided.update_value(|decided| decided.push(subject));
        self.enter(Deed::Decide(Box::new(decision), Some(Box::new(item))));
        self.next();
        self.send();
    }

    /// Takes the item, with the class that was chosen for it.
    pub fn accept(self) {
        let edit = Edit {
            class: self.class.get_untracked(),
            ..Edit::default()
        };
        self.decide(Choice::Accept, edit, String::new());
    }

    /// Scores the two sentences on the desk.
    pub fn score(self, score: Score) {
        self.decide(Choice::Score(score), Edit::default(), String::new());
    }

    /// Joins the term on the desk to another one.
    pub fn merge(self, into: TermId) {
        self.decide(
            Choice::Merge,
            Edit {
                into: Some(into),
                ..Edit::default()
            },
            String::new(),
        );
    }

    /// Says what the term on the desk and one of its candidates are to each other.
    pub fn mark(self, at: usize, choice: Choice) {
        if self.stuck() {
            return;
        }
        let pair = self.item.with_untracked(|item| match item {
            Some(QueueItem::Term(card)) => {
                let other = card.confusables.get(at)?;
                Some((
                    Subject::pair(card.term.id, other.term.id),
                    other.term.text.clone(),
                    other.mine,
                ))
            }
            _ => None,
        });
        let Some((subject, other, before)) = pair else {
            return;
        };
        self.candidate.set(at);
        if self
            .marks
            .with_untracked(|marks| marks.get(&subject).copied())
            .or(before)
            == Some(choice)
        {
            return;
        }
        self.marks.update(|marks| {
            marks.insert(subject, choice);
        });
        self.said.set(tf(
            "review.marked",
            &[("term", &other), ("mark", &tag("pair", choice.tag()))],
        ));
        let decision = NewDecision {
            subjects: vec![subject],
            choice,
            edit: Edit::default(),
            reason: String::new(),
            adjudicates: false,
        };
        self.enter(Deed::Decide(Box::new(decision), None));
        self.send();
    }

    /// Takes back what was done last; what could not be saved is let go first.
    pub fn undo(self) {
        if self.unsaved.with_untracked(Option::is_some) {
            self.let_go();
            return;
        }
        self.enter(Deed::Undo);
        self.send();
    }

    /// Tries to save again.
    pub fn again(self) {
        self.unsaved.set(None);
        let about = self.deeds.with_value(|deeds| match deeds.front() {
            Some(Deed::Decide(decision, Some(_))) => decision.subjects.first().copied(),
            _ => None,
        });
        if about.is_some() && about == self.shown.get_untracked() {
            self.decided.update_value(|decided| decided.extend(about));
            self.next();
        }
        self.send();
    }

    /// Gives up what could not be saved; its item stays on the desk.
    pub fn let_go(self) {
        self.deeds.set_value(VecDeque::new());
        self.waiting.set(0);
        self.marks.set(HashMap::new());
        self.unsaved.set(None);
        self.refresh(self.here());
    }

    /// Items that were decided since the queue was last asked for.
    pub fn decided(self) -> usize {
        self.decided.with_value(Vec::len)
    }

    fn enter(self, deed: Deed) {
        self.deeds.update_value(|deeds| deeds.push_back(deed));
        self.waiting.update(|n| *n += 1);
    }

    fn next(self) {
        let decided = self.decided.get_value();
        let coming = self.view.value.with_untracked(|view| {
            let coming = view
                .as_ref()
                .map(|view| view.coming.as_slice())
                .unwrap_or_default();
            coming
                .iter()
                .map(|c| c.subject)
                .find(|subject| !decided.contains(subject))
        });
        let ready = coming.and_then(|subject| {
            self.ahead
                .with_value(|ahead| ahead.iter().find(|item| item.subject() == subject).cloned())
        });
        match ready {
            Some(item) => self.show(item),
            None => {
                self.shown.set(coming);
                self.item.set(None);
                self.gone.set(false);
                self.mode.set(Mode::Reading);
            }
        }
    }

    fn send(self) {
        let busy = self
            .sending
            .try_update_value(|sending| std::mem::replace(sending, true));
        if busy != Some(false) {
            return;
        }
        spawn_local(async move {
            let mut at = None;
            while let Some(deed) = self
                .deeds
                .try_with_value(|deeds| deeds.front().cloned())
                .flatten()
            {
                let answer = match &deed {
                    Deed::Decide(decision, _) => call(commands::Decide {
                        decision: NewDecision::clone(decision),
                    })
                    .await
                    .map(|_| None),
                    Deed::Undo => call(commands::UndoDecision {}).await.map(Some),
                };
                let Some(current) = self.shown.try_get_untracked() else {
                    return;
                };
                match answer {
                    Ok(undone) => {
                        self.saved();
                        at = match undone {
                            None => at,
                            Some(act) => self.undone(act).or(current),
                        };
                    }
                    Err(failure) if failure.code == Code::NotFound && is_gone(&deed).await => {
                        // To try again would not help, and what lies on the desk by now is another item: it stays.
                        self.drop_first(&deed);
                    }
                    Err(failure) => {
                        self.said.set(t("review.not_saved"));
                        if let Deed::Decide(_, Some(item)) = deed {
                            self.decided.update_value(|decided| {
                                decided.retain(|subject| *subject != item.subject())
                            });
                            self.show(*item);
                        }
                        if matches!(
                            self.deeds.with_value(|deeds| deeds.front().cloned()),
                            Some(Deed::Undo)
                        ) {
                            self.deeds.set_value(VecDeque::new());
                            self.waiting.set(0);
                        }
                        self.unsaved.set(Some(failure));
                        self.sending.set_value(false);
                        return;
                    }
                }
            }
            self.sending.set_value(false);
            self.refresh(at.or(self.here()));
        });
    }

    /// The first deed is off the desk.
    fn saved(self) {
        self.deeds.update_value(|deeds| {
            deeds.pop_front();
        });
        self.waiting.update(|n| *n = n.saturating_sub(1));
    }

    /// Lets the first deed go, which was about something that is no longer there, and says so.
    fn drop_first(self, deed: &Deed) {
        self.saved();
        let Deed::Decide(decision, item) = deed else {
            return;
        };
        self.marks
            .update(|marks| marks.retain(|subject, _| !decision.subjects.contains(subject)));
        let text = item
            .as_ref()
            .map_or_else(|| t("subject.pair"), |item| name(item));
        self.said.set(tf("review.too_late", &[("text", &text)]));
        self.too_late.set(Some(text));
    }

    /// Says what was undone; gives the item to go back to.
    fn undone(self, act: Option<ActView>) -> Option<Subject> {
        let Some(act) = act else {
            self.said.set(t("review.nothing_to_undo"));
            return None;
        };
        self.said.set(tf(
            "review.undone",
            &[("deed", &did(act.choice, act.items, &act.text))],
        ));
        self.marks.update(|marks| {
            marks.remove(&act.subject);
        });
        if act.subject.kind() != self.kind() {
            return None;
        }
        self.gone.set(false);
        self.shown.set(Some(act.subject));
        Some(act.subject)
    }
}

/// Whether what a decision is about is no longer in the workspace; it may also name a term that is not.
async fn is_gone(deed: &Deed) -> bool {
    let Deed::Decide(decision, _) = deed else {
        return false;
    };
    let Some(subject) = decision.subjects.first().copied() else {
        return false;
    };
    matches!(call(commands::ReviewItem { subject }).await, Err(failure) if failure.code == Code::NotFound)
}

impl From<Desk> for Marking {
    fn from(desk: Desk) -> Self {
        let mark = Callback::new(move |(at, choice)| desk.mark(at, choice));
        Self {
            marks: desk.marks,
            chosen: desk.candidate,
            mark,
        }
    }
}
