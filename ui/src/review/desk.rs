//! A reviewer's desk: the present item, the next items, and the decisions that are being saved.
//!
//! The next items are fetched in advance, so that a key press shows the next one at once. Decisions are saved one after
//! another in their order. If a decision cannot be saved, its item comes back onto the desk. The later decisions wait
//! until the reviewer tries again or gives up.
//!
//! The workspace may change meanwhile, because a job or another program writes the questions again. The item on the
//! desk stays as long as somebody types in it. An item that no longer exists stays until the reviewer goes on. So a
//! reviewer only decides about the item that they have read.

mod laid;
mod saving;
mod unsettled;

use super::candidates::{Marking, with_marks};
use super::form::{Mode, TypeAhead};
use super::pending::Pending;
use super::word::{did, name};
use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::i18n::{t, tag, tf};
use crate::state::App;
use laid::{Laid, laid};
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{NewDecision, QueueFilter, QueueItem, QueueView};
use lexforge_domain::review::{Choice, Edit, Score, Subject, SubjectKind};
use lexforge_domain::{Code, Failure, TermId};
use std::collections::HashMap;
use unsettled::Unsettled;

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
    /// Text that was typed for an item that is still being fetched.
    pub ahead_typed: TypeAhead,
    shown: RwSignal<Option<Subject>>,
    pending: StoredValue<Pending>,
}

impl Desk {
    /// A desk for the items that the filter lets through. It is updated when the filter or the workspace changes.
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
            pending: StoredValue::new(Pending::default()),
        };
        Effect::new(move |before: Option<(QueueFilter, u64)>| {
            let now = (filter.get(), app.changes.get());
            if let Some((filter, changes)) = before {
                if filter != now.0 {
                    desk.clear();
                }
                if changes != now.1 {
                    desk.pending.update_value(Pending::forget_ahead);
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
        // An item that came while somebody wrote on the present one is put onto the desk when they have finished.
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

    /// Called if the requested item no longer exists in the workspace. If it is the item on the desk, it stays there
    /// with a note until the reviewer goes on. The rest of the queue is requested without it.
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
        if !self.unsettled().takes_answer(self.view.is_latest()) {
            return;
        }
        let coming: Vec<Subject> = view.coming.iter().map(|c| c.subject).collect();
        let marks = self.marks.get_untracked();
        let on_desk = self.item.get_untracked().map(|old| with_marks(old, &marks));
        let gone = self.gone.get_untracked();
        let writing = self.mode.get_untracked() != Mode::Reading;
        match laid(on_desk.as_ref(), gone, writing, view.item.as_ref()) {
            Laid::Stays => {}
            Laid::Answered => view.item.into_iter().for_each(|item| self.show(item)),
            Laid::Nothing => {
                self.ahead_typed.forget();
                self.item.set(None);
                self.shown.set(None);
            }
        }
        let missing = self
            .pending
            .try_update_value(|pending| pending.answered(&coming));
        for subject in missing.unwrap_or_default() {
            spawn_local(async move {
                // An item that cannot be fetched ahead is asked for again when its turn comes.
                if let Ok(item) = call(commands::ReviewItem { subject }).await {
                    let _ = self
                        .pending
                        .try_update_value(|pending| pending.fetched(subject, item));
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
        let lies = self.item.with_untracked(Option::is_some);
        let failed = self.view.failure.with_untracked(Option::is_some);
        self.unsettled().expects(lies, failed, none_left)
    }

    /// The decisions that are not saved.
    fn unsettled(self) -> Unsettled {
        Unsettled {
            waiting: self.waiting.get_untracked(),
            refused: self.unsaved.with_untracked(Option::is_some),
        }
    }

    /// Whether what is typed belongs to a form that is open or about to open.
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
        let decision = NewDecision {
            subjects: vec![item.subject()],
            choice,
            edit,
            reason,
            adjudicates: false,
        };
        self.said.set(did(choice, 1, &name(&item)));
        self.change(|pending| pending.decide(decision, item));
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
        self.change(|pending| pending.decide_beside(decision));
        self.send();
    }

    /// Takes back what was done last; what could not be saved is let go first.
    pub fn undo(self) {
        if self.unsaved.with_untracked(Option::is_some) {
            self.let_go();
            return;
        }
        self.change(Pending::undo);
        self.send();
    }

    /// Tries to save again.
    pub fn again(self) {
        self.unsaved.set(None);
        let shown = self.shown.get_untracked();
        if self
            .pending
            .try_update_value(|pending| pending.again(shown))
            == Some(true)
        {
            self.next();
        }
        self.send();
    }

    /// Gives up what could not be saved; its item stays on the desk.
    pub fn let_go(self) {
        self.change(Pending::let_go);
        self.marks.set(HashMap::new());
        self.unsaved.set(None);
        self.refresh(self.here());
    }

    /// Items that were decided since the queue was last asked for.
    pub fn decided(self) -> usize {
        self.pending.with_value(Pending::decided)
    }

    /// Changes what is to be saved, and says how much that is.
    fn change(self, change: impl FnOnce(&mut Pending)) {
        let waiting = self.pending.try_update_value(|pending| {
            change(pending);
            pending.waiting()
        });
        self.waiting.set(waiting.unwrap_or_default());
    }

    fn next(self) {
        let (coming, ready) = self.view.value.with_untracked(|view| {
            let coming = view.iter().flat_map(|view| &view.coming).map(|c| c.subject);
            self.pending.with_value(|pending| pending.next(coming))
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
