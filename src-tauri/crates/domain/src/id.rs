//! Identifiers: one newtype a table, so that a term's id cannot be passed for a sentence's.

use serde::{Deserialize, Serialize};

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
            type Err = std::num::ParseIntError;

            fn from_str(s: &str) -> Result<Self, Self::Err> {
                s.parse().map(Self)
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
