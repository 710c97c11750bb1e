//! The review: the queue, decisions, conflicts, agreement.

use crate::api::{
    ActView, AgreementView, ComingItem, ConflictRow, NewDecision, QueueFilter, QueueItem, QueueView,
};
use crate::review::{Subject, SubjectKind};

commands! {
    ReviewRequest;

    /// The item to decide now, or this one, with what surrounds it.
    ReviewQueue { filter: QueueFilter, at: Option<Subject> } -> QueueView;

    /// Everything about one item.
    ReviewItem { subject: Subject } -> QueueItem;

    /// Candidates that are probably no terms, the most doubtful first.
    DoubtfulTerms { filter: QueueFilter, most: usize } -> Vec<ComingItem>;

    /// Records a decision.
    Decide { decision: NewDecision } -> ActView;

    /// Takes back what this person did last; `None` where nothing is left.
    UndoDecision {} -> Option<ActView>;

    /// Items on which reviewers differ, the oldest first.
    Conflicts { kind: SubjectKind } -> Vec<ConflictRow>;

    /// How far reviewers agree.
    Agreement { kind: SubjectKind } -> AgreementView;
}
