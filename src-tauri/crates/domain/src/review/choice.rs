//! The choices in a review.

use super::score::Score;
use super::subject::SubjectKind;
use serde::{Deserialize, Serialize};

/// The choices in a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// A term, a question, a triplet: take it.
    Accept,
    /// A term, a question, a triplet: leave it out.
    Reject,
    /// A term: it is another name for the term of [`super::Edit::into`].
    Merge,
    /// A pair: two names for the same.
    Same,
    /// A pair: two different things that are easily confused; a hard negative.
    Confusable,
    /// A pair of terms that nobody would confuse.
    Unrelated,
    /// Any: not now. It says nothing about the item, which comes again at the end of the queue.
    Skip,
    /// Two sentences: how alike they are in meaning.
    Score(Score),
}

impl Serialize for Choice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.tag())
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tag = String::deserialize(deserializer)?;
        Self::from_tag(&tag)
            .ok_or_else(|| serde::de::Error::custom(format!("`{tag}` names no choice")))
    }
}

impl Choice {
    /// All choices but the scores.
    pub const WORDS: [Self; 7] = [
        Self::Accept,
        Self::Reject,
        Self::Merge,
        Self::Same,
        Self::Confusable,
        Self::Unrelated,
        Self::Skip,
    ];

    /// All choices, the scores last and in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::WORDS.into_iter().chain(Score::all().map(Self::Score))
    }

    /// The score that it gives.
    pub fn score(self) -> Option<Score> {
        match self {
            Self::Score(score) => Some(score),
            _ => None,
        }
    }

    /// The tag that is stored and printed.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Merge => "merge",
            Self::Same => "same",
            Self::Confusable => "confusable",
            Self::Unrelated => "unrelated",
            Self::Skip => "skip",
            Self::Score(score) => score.tag(),
        }
    }

    /// The choice of a tag.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::all().find(|choice| choice.tag() == tag)
    }

    /// The tag under which it is recorded in the audit chain. All scores have the same tag.
    pub fn deed(self) -> &'static str {
        match self {
            Self::Score(_) => "score",
            other => other.tag(),
        }
    }

    /// Whether it can be said about items of this kind.
    pub fn suits(self, kind: SubjectKind) -> bool {
        match self {
            Self::Skip => true,
            Self::Accept | Self::Reject => {
                !matches!(kind, SubjectKind::Pair | SubjectKind::Similarity)
            }
            Self::Merge => kind == SubjectKind::Term,
            Self::Same | Self::Confusable | Self::Unrelated => kind == SubjectKind::Pair,
            Self::Score(_) => kind == SubjectKind::Similarity,
        }
    }
}
