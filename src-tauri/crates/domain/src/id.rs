//! Identifiers: one newtype a table, so that a term's id cannot be passed for a sentence's.

use serde::{Deserialize, Serialize};

/// The error for a text that is not an id, because it is not a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoNumber;

impl std::fmt::Display for NoNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("it is no whole number")
    }
}

impl std::error::Error for NoNumber {}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = NoNumber;

            fn from_str(s: &str) -> Result<Self, Self::Err> {
                s.parse().map(Self).map_err(|_| NoNumber)
            }
        }
    )+};
}

ids! {
    /// A document of the workspace.
    DocumentId,
    /// A node of a document's section tree.
    SectionId,
    /// A sentence.
    SentenceId,
    /// A term.
    TermId,
    /// A question with choices and answer.
    QcaId,
    /// A frozen dataset snapshot.
    DatasetId,
    /// A training run.
    RunId,
    /// A checkpoint of a run.
    CheckpointId,
    /// A build of the sentence graph.
    GraphBuildId,
    /// A recorded evaluation.
    EvaluationId,
    /// A job of the queue.
    JobId,
    /// An asking: one round of requests of a use case to an endpoint.
    AskingId,
    /// A person who reviews.
    PersonId,
    /// An act of a person: one decision, or a batch of decisions.
    ActId,
    /// An answer to a question that was asked of the corpus.
    AnswerId,
    /// A sentence with its rewording and one that says something else.
    TripletId,
    /// Two sentences whose likeness in meaning is scored.
    SimilarityId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_told_in_words() {
        assert_eq!("12".parse(), Ok(RunId(12)));
        for text in ["", "abc", "1.5", "1 2", "99999999999999999999"] {
            let said = text.parse::<RunId>().map_err(|e| e.to_string());
            assert_eq!(said, Err("it is no whole number".to_owned()), "{text}");
        }
    }
}
