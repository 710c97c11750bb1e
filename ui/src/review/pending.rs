//! The unfinished part of a review: decisions that are not saved yet, items that were fetched in advance, and the items
//! decided since the queue was last requested. The desk reports each event to this type and then shows the new state.

use lexforge_domain::api::{NewDecision, QueueItem};
use lexforge_domain::review::Subject;
use std::collections::VecDeque;

/// Items that are fetched before they are asked for.
const AHEAD: usize = 3;

/// An action to be saved.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Deed {
    /// A decision, with the item that left the desk for it.
    Decide(Box<NewDecision>, Option<Box<QueueItem>>),
    /// The last decision is taken back.
    Undo,
}

/// The actions that are not saved yet.
#[derive(Debug, Default)]
pub(super) struct Pending {
    deeds: VecDeque<Deed>,
    sending: bool,
    ahead: Vec<QueueItem>,
    decided: Vec<Subject>,
}

impl Pending {
    /// Deeds that are not saved yet.
    pub(super) fn waiting(&self) -> usize {
        self.deeds.len()
    }

    /// Items that were decided since the queue was last asked for.
    pub(super) fn decided(&self) -> usize {
        self.decided.len()
    }

    /// The deed that is saved next.
    pub(super) fn first(&self) -> Option<Deed> {
        self.deeds.front().cloned()
    }

    /// The item on the desk is decided and leaves it.
    pub(super) fn decide(&mut self, decision: NewDecision, item: QueueItem) {
        self.decided.push(item.subject());
        let deed = Deed::Decide(Box::new(decision), Some(Box::new(item)));
        self.deeds.push_back(deed);
    }

    /// A decision about something beside the item, which stays on the desk.
    pub(super) fn decide_beside(&mut self, decision: NewDecision) {
        self.deeds.push_back(Deed::Decide(Box::new(decision), None));
    }

    /// The last decision is to be taken back.
    pub(super) fn undo(&mut self) {
        self.deeds.push_back(Deed::Undo);
    }

    /// Begins to save, unless that goes on already.
    pub(super) fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.sending, true)
    }

    /// Everything is saved.
    pub(super) fn end(&mut self) {
        self.sending = false;
    }

    /// The first deed is saved, or let go.
    pub(super) fn saved(&mut self) {
        self.deeds.pop_front();
    }

    /// Called if the first action could not be saved. The other actions wait until it is tried again. Returns the item
    /// that comes back onto the desk. A failed undo is dropped, and so are the actions after it.
    pub(super) fn failed(&mut self, deed: Deed) -> Option<QueueItem> {
        self.sending = false;
        if self.deeds.front() == Some(&Deed::Undo) {
            self.let_go();
        }
        let Deed::Decide(_, Some(item)) = deed else {
            return None;
        };
        self.decided.retain(|subject| *subject != item.subject());
        Some(*item)
    }

    /// Called before the first action that could not be saved is tried again. If this action decides the item on the
    /// desk, the item counts as decided again, and the result is true.
    pub(super) fn again(&mut self, on_desk: Option<Subject>) -> bool {
        let about = match self.deeds.front() {
            Some(Deed::Decide(decision, Some(_))) => decision.subjects.first().copied(),
            _ => None,
        };
        let decided = about.is_some() && about == on_desk;
        if decided {
            self.decided.extend(about);
        }
        decided
    }

    /// Gives up all actions that are not saved.
    pub(super) fn let_go(&mut self) {
        self.deeds.clear();
    }

    /// What was fetched ahead may be otherwise now, or gone.
    pub(super) fn forget_ahead(&mut self) {
        self.ahead.clear();
    }

    /// The queue was asked for, and this is what comes; gives the items that are to be fetched ahead.
    pub(super) fn answered(&mut self, coming: &[Subject]) -> Vec<Subject> {
        self.decided.clear();
        self.ahead.retain(|item| coming.contains(&item.subject()));
        let there = |subject: &Subject| self.ahead.iter().any(|item| item.subject() == *subject);
        let next = coming.iter().take(AHEAD).copied();
        next.filter(|subject| !there(subject)).collect()
    }

    /// An item was fetched ahead.
    pub(super) fn fetched(&mut self, subject: Subject, item: QueueItem) {
        self.ahead.retain(|known| known.subject() != subject);
        self.ahead.push(item);
    }

    /// The next item of the queue: its subject, and the item itself if it was fetched already.
    pub(super) fn next(
        &self,
        mut coming: impl Iterator<Item = Subject>,
    ) -> (Option<Subject>, Option<QueueItem>) {
        let next = coming.find(|subject| !self.decided.contains(subject));
        let is_next = |item: &&QueueItem| Some(item.subject()) == next;
        (next, self.ahead.iter().find(is_next).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SimilarityId;
    use lexforge_domain::api::SimilarityCard;
    use lexforge_domain::review::{Choice, Edit, Verdict};
    use lexforge_domain::text::Language;

    fn subject(id: i64) -> Subject {
        Subject::similarity(SimilarityId(id))
    }

    fn item(id: i64) -> QueueItem {
        QueueItem::Similarity(Box::new(SimilarityCard {
            id: SimilarityId(id),
            language: Language::En,
            one: format!("one {id}"),
            one_context: None,
            other: format!("other {id}"),
            other_context: None,
            verdict: Verdict::default(),
            history: Vec::new(),
            blind: false,
        }))
    }

    fn decision(id: i64) -> NewDecision {
        NewDecision {
            subjects: vec![subject(id)],
            choice: Choice::Skip,
            edit: Edit::default(),
            reason: String::new(),
            adjudicates: false,
        }
    }

    /// These items were decided, in this order.
    fn with_decided(ids: &[i64]) -> Pending {
        let mut pending = Pending::default();
        for id in ids {
            pending.decide(decision(*id), item(*id));
        }
        pending
    }

    fn about(deed: Option<Deed>) -> Option<Subject> {
        match deed {
            Some(Deed::Decide(decision, _)) => decision.subjects.first().copied(),
            _ => None,
        }
    }

    #[test]
    fn decisions_are_saved_one_after_another_in_their_order() {
        let mut pending = with_decided(&[1, 2]);
        pending.decide_beside(decision(7));
        assert_eq!((pending.waiting(), pending.decided()), (3, 2));
        assert!(pending.begin());
        assert!(!pending.begin(), "one saves, not two");
        for id in [1, 2, 7] {
            assert_eq!(about(pending.first()), Some(subject(id)));
            pending.saved();
        }
        assert_eq!((pending.waiting(), pending.first()), (0, None));
        pending.end();
        assert!(pending.begin());
    }

    #[test]
    fn what_cannot_be_saved_comes_back_and_holds_the_rest() {
        let mut pending = with_decided(&[1, 2]);
        assert!(pending.begin());
        let first = pending.first().unwrap_or(Deed::Undo);
        assert_eq!(pending.failed(first), Some(item(1)));
        assert_eq!((pending.waiting(), pending.decided()), (2, 1));
        // Tried again with its item on the desk it is decided again, and once; with another one there it is not.
        assert!(!pending.again(Some(subject(9))) && !pending.again(None));
        assert!(pending.again(Some(subject(1))));
        assert_eq!((pending.decided(), pending.begin()), (2, true));
        assert_eq!(about(pending.first()), Some(subject(1)));
        pending.let_go();
        assert_eq!(pending.waiting(), 0);
    }

    #[test]
    fn a_mark_that_cannot_be_saved_leaves_the_desk_as_it_is() {
        let mut pending = Pending::default();
        pending.decide_beside(decision(7));
        let first = pending.first().unwrap_or(Deed::Undo);
        assert_eq!(pending.failed(first), None);
        assert_eq!(pending.waiting(), 1);
        assert!(!pending.again(Some(subject(7))));
    }

    #[test]
    fn what_cannot_be_taken_back_is_let_go() {
        let mut pending = Pending::default();
        pending.undo();
        assert!(pending.begin());
        assert_eq!(pending.failed(Deed::Undo), None);
        assert_eq!(pending.waiting(), 0);
        assert!(pending.begin(), "more can be saved");
    }

    #[test]
    fn the_next_item_is_one_that_was_not_decided() {
        let mut pending = with_decided(&[1]);
        let coming = || [1, 2, 3].into_iter().map(subject);
        assert_eq!(pending.next(coming()), (Some(subject(2)), None));
        pending.fetched(subject(2), item(2));
        assert_eq!(pending.next(coming()), (Some(subject(2)), Some(item(2))));
        pending.decide(decision(2), item(2));
        assert_eq!(pending.next(coming()), (Some(subject(3)), None));
        assert_eq!(pending.next(coming().take(2)), (None, None));
    }

    #[test]
    fn the_first_of_what_comes_is_fetched_once() {
        let mut pending = with_decided(&[1]);
        let coming: Vec<Subject> = (2..9).map(subject).collect();
        assert_eq!(pending.answered(&coming), [2, 3, 4].map(subject));
        assert_eq!(pending.decided(), 0);
        pending.fetched(subject(3), item(3));
        pending.fetched(subject(3), item(3));
        assert_eq!(pending.answered(&coming), [2, 4].map(subject));
        // Items that no longer come are forgotten. When the workspace has changed, all are forgotten.
        assert_eq!(pending.answered(&coming[2..]), [4, 5, 6].map(subject));
        assert_eq!(pending.answered(&coming), [2, 3, 4].map(subject));
        pending.fetched(subject(2), item(2));
        pending.forget_ahead();
        assert_eq!(pending.answered(&coming[..1]), [subject(2)]);
    }
}
