//! What happened to the documents of an answer since it was given. The kept answer itself never changes.

use super::validity::OutOfForce;
use crate::id::DocumentId;
use serde::{Deserialize, Serialize};

/// How the documents of an answer counted when it was given: what of a kept answer the list of all answers needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AnswerThen {
    /// When it was asked, RFC 3339, UTC.
    pub asked: String,
    /// The day for which it holds, `YYYY-MM-DD`.
    pub as_of: String,
    /// Its citations.
    pub citations: Vec<CitedThen>,
}

/// How the document of one citation counted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CitedThen {
    /// The document.
    pub document: DocumentId,
    /// The newer version that was known of.
    #[serde(default)]
    pub superseded_by: Option<DocumentId>,
    /// Why it was not in force.
    #[serde(default)]
    pub out_of_force: Option<OutOfForce>,
}

/// A document that an answer cites and that counts otherwise by now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerChange {
    /// The document.
    pub document: DocumentId,
    /// Its title, as it is cited.
    pub title: String,
    /// The citations of it, as indices in [`super::Answer::citations`].
    pub citations: Vec<usize>,
    /// What happened.
    #[serde(flatten)]
    pub change: DocumentChange,
}

/// What happened to a document, on the day for which the answer holds: today, or the day that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum DocumentChange {
    /// It is no longer in the workspace.
    Removed,
    /// It is not in force, which the answer does not say, or says otherwise.
    OutOfForce {
        /// Why.
        out_of_force: OutOfForce,
    },
    /// It counts as in force again; the answer says that it does not.
    InForce,
    /// A newer version of it applies.
    Replaced {
        /// That version.
        by: DocumentId,
    },
    /// A newer version of it is in the workspace, which applies only later.
    Newer {
        /// That version.
        by: DocumentId,
    },
}
