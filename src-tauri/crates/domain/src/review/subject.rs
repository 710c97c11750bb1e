//! The items that people decide about.

use crate::id::{QcaId, SimilarityId, TermId, TripletId};
use crate::tags::{all, read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(SubjectKind);
read_by_tag!(SubjectKind);

/// An item that people decide about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Subject {
    /// Whether this is a term, and how it is written and classed.
    Term {
        /// The term.
        id: TermId,
    },
    /// The relation of two terms. The smaller id comes first.
    Pair {
        /// The one with the smaller id.
        a: TermId,
        /// The other.
        b: TermId,
    },
    /// Whether a question is sound.
    Question {
        /// The question.
        id: QcaId,
    },
    /// Whether a triplet is sound.
    Triplet {
        /// The triplet.
        id: TripletId,
    },
    /// How alike two sentences are in meaning.
    Similarity {
        /// The two sentences.
        id: SimilarityId,
    },
}

/// The kinds of items that are reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SubjectKind {
    /// Terms.
    Term,
    /// Pairs of terms.
    Pair,
    /// Questions.
    Question,
    /// Triplets.
    Triplet,
    /// Pairs of sentences that get a score.
    Similarity,
}

impl SubjectKind {
    /// All kinds.
    pub const ALL: [Self; 5] = all(Self::VARIANTS);
}

impl Subject {
    /// A term.
    pub fn term(id: TermId) -> Self {
        Self::Term { id }
    }

    /// Two terms, in whichever order they are named.
    pub fn pair(one: TermId, other: TermId) -> Self {
        Self::Pair {
            a: one.min(other),
            b: one.max(other),
        }
    }

    /// A question.
    pub fn question(id: QcaId) -> Self {
        Self::Question { id }
    }

    /// A triplet.
    pub fn triplet(id: TripletId) -> Self {
        Self::Triplet { id }
    }

    /// Two sentences.
    pub fn similarity(id: SimilarityId) -> Self {
        Self::Similarity { id }
    }

    /// The kind of the item.
    pub fn kind(self) -> SubjectKind {
        match self {
            Self::Term { .. } => SubjectKind::Term,
            Self::Pair { .. } => SubjectKind::Pair,
            Self::Question { .. } => SubjectKind::Question,
            Self::Triplet { .. } => SubjectKind::Triplet,
            Self::Similarity { .. } => SubjectKind::Similarity,
        }
    }

    /// The ids by which it is stored: a second one for pairs, else 0.
    pub fn keys(self) -> (i64, i64) {
        match self {
            Self::Term { id } => (id.0, 0),
            Self::Pair { a, b } => (a.0, b.0),
            Self::Question { id } => (id.0, 0),
            Self::Triplet { id } => (id.0, 0),
            Self::Similarity { id } => (id.0, 0),
        }
    }

    /// The subject of a kind and its ids.
    pub fn from_keys(kind: SubjectKind, first: i64, second: i64) -> Self {
        match kind {
            SubjectKind::Term => Self::Term { id: TermId(first) },
            SubjectKind::Pair => Self::pair(TermId(first), TermId(second)),
            SubjectKind::Question => Self::Question { id: QcaId(first) },
            SubjectKind::Triplet => Self::Triplet {
                id: TripletId(first),
            },
            SubjectKind::Similarity => Self::Similarity {
                id: SimilarityId(first),
            },
        }
    }
}
