//! Since when and until when a document is in force: what a person set, and what documents say that nobody decided yet.

use crate::id::{DocumentId, SentenceId};
use serde::{Deserialize, Serialize};

/// The days from which and until which a document is in force, as a person set them. Each day is `YYYY-MM-DD`. If
/// neither day is set, the document's own statements count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Validity {
    /// The first day on which it is in force; `None` = as the document itself says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The last day on which it is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// It is repealed: the first day on which it is no longer in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repealed: Option<String>,
    /// Sentences that a person rejected: what they say of this document is proposed no more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<SentenceId>,
}

/// Why a document is not in force on a day.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum OutOfForce {
    /// It was repealed.
    Repealed {
        /// The first day on which it was no longer in force.
        since: String,
    },
    /// It was in force for a time, which is over.
    Expired {
        /// The last day on which it was in force.
        until: String,
    },
    /// It is in force only later.
    NotYet {
        /// The first day on which it is in force.
        from: String,
    },
}

impl Validity {
    /// Whether a person set any day.
    #[must_use]
    pub fn names_a_day(&self) -> bool {
        self.from.is_some() || self.ends()
    }

    /// Whether a person set how it ends.
    #[must_use]
    pub fn ends(&self) -> bool {
        self.until.is_some() || self.repealed.is_some()
    }

    /// Why a document is not in force on a day; `None` where nothing that was set speaks against it.
    #[must_use]
    pub fn out_of_force(&self, day: &str) -> Option<OutOfForce> {
        if let Some(since) = self.repealed.as_ref().filter(|since| since.as_str() <= day) {
            return Some(OutOfForce::Repealed {
                since: since.clone(),
            });
        }
        if let Some(until) = self.until.as_ref().filter(|until| until.as_str() < day) {
            return Some(OutOfForce::Expired {
                until: until.clone(),
            });
        }
        let from = self.from.as_ref().filter(|from| from.as_str() > day)?;
        Some(OutOfForce::NotYet { from: from.clone() })
    }
}

/// What a document says about how long it, or another document of the workspace, is in force. It has no effect until a
/// person accepts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidityProposal {
    /// The document that it is about.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// What would be set. Where it is repealed and no day is named, this holds no day: a person has to say it.
    pub validity: Validity,
    /// It is repealed, with or without a day.
    pub repealed: bool,
    /// The document that says so.
    pub said_by: DocumentId,
    /// Its title.
    pub by_title: String,
    /// The sentence that says so.
    pub sentence: SentenceId,
    /// Page on which the sentence begins, from 1.
    pub page: u32,
    /// Its words.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_in_force_on_its_last_day_and_not_on_the_day_of_its_repeal() {
        let day = |text: &str| Some(text.to_owned());
        let until = Validity {
            from: day("2020-01-01"),
            until: day("2025-12-31"),
            ..Validity::default()
        };
        let repealed = Validity {
            repealed: day("2025-12-31"),
            ..Validity::default()
        };
        let since = Some(OutOfForce::Repealed {
            since: "2025-12-31".to_owned(),
        });
        let expired = Some(OutOfForce::Expired {
            until: "2025-12-31".to_owned(),
        });
        let not_yet = Some(OutOfForce::NotYet {
            from: "2020-01-01".to_owned(),
        });
        for (validity, on, expected) in [
            (&until, "2019-12-31", not_yet),
            (&until, "2020-01-01", None),
            (&until, "2025-12-31", None),
            (&until, "2026-01-01", expired),
            (&repealed, "2025-12-30", None),
            (&repealed, "2025-12-31", since.clone()),
            (&repealed, "2030-01-01", since),
            (&Validity::default(), "1900-01-01", None),
        ] {
            assert_eq!(validity.out_of_force(on), expected, "{validity:?} {on}");
        }
    }
}
