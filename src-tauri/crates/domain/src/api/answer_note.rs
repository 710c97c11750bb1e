//! Notes for the reader of an answer.

use super::{ModelGap, RerankGap};
use crate::gate::GateVerdict;
use crate::id::RunId;
use crate::text::Language;
use serde::{Deserialize, Serialize};

/// Something that a reader of an answer should know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "note")]
pub enum AnswerNote {
    /// The question is in another language than the documents.
    OtherLanguage {
        /// The question's.
        question: Language,
        /// The language of most documents.
        documents: Language,
    },
    /// Not every sentence has a vector, or what makes a question's vector is missing: only words were searched.
    WordsOnly,
    /// Some sentences were imported after the vectors were made. The search by vectors could not find them, so they
    /// were searched by their words alone.
    WithoutVectors {
        /// Sentences.
        sentences: u64,
        /// The step that makes their vectors.
        made_by: VectorStep,
    },
    /// The cross-encoder that is to put the first clauses in order did not: they stand as the search found them.
    NotReranked {
        /// Its run.
        run: RunId,
        /// Why.
        gap: RerankGap,
    },
    /// The question was longer than can be searched: so many of its words were left out.
    QuestionCut {
        /// Words left out.
        words: usize,
    },
    /// The question goes on from an earlier one, and was read together with it.
    ReadWith {
        /// The question before.
        question: String,
    },
    /// The question is written in traditional Chinese characters and the documents in simplified ones, or the other way
    /// round. The search used the characters of the documents.
    OtherScript {
        /// The question in their characters.
        read: String,
    },
    /// A word of the question occurs in no document. It was read as a similar word that does occur, because it may be a
    /// typing mistake or another spelling.
    ReadAs {
        /// The word, as it was written.
        typed: String,
        /// The question in the form in which it was searched.
        read: String,
    },
    /// Words of the question that are in no document: what is asked may be something else, or be misspelt.
    StandNowhere {
        /// The words, as they were written.
        words: Vec<String>,
    },
    /// An older version of a document was left out, since a newer one is in the workspace.
    OlderVersionsLeftOut {
        /// Documents.
        documents: usize,
    },
    /// Documents whose text applies only later, or not yet on the day that was asked for, were left out.
    NotYetInForce {
        /// Documents.
        documents: usize,
    },
    /// Only documents in force were searched. Documents were left out if a person marked them as repealed, as no longer
    /// in force, or as not yet in force.
    OutOfForceLeftOut {
        /// Documents.
        documents: usize,
    },
    /// No document in force answers: what is said is from documents that are not in force on the day.
    OnlyOutOfForce {
        /// The documents that are cited.
        documents: usize,
    },
    /// No document in force answers a part of the question. The answer to this part comes from documents that are not
    /// in force.
    PartOutOfForce {
        /// The words of the part.
        part: String,
        /// The documents that are cited for it.
        documents: usize,
    },
    /// A model was to write, and the clauses themselves stand there.
    ClausesInstead {
        /// Why.
        #[serde(flatten)]
        gap: ModelGap,
    },
    /// Statements that a model wrote could not be read, and are left out.
    StatementsUnreadable {
        /// Statements.
        statements: u32,
    },
    /// The adapter that wrote the answer is not the active one: nobody let it pass the gate.
    NotActivated {
        /// Its run.
        run: RunId,
    },
    /// The active adapter was made active against the gate.
    AgainstTheGate {
        /// Its run.
        run: RunId,
        /// The gate's verdict.
        verdict: GateVerdict,
        /// The person who takes responsibility.
        by: String,
        /// Why.
        reason: String,
    },
}

/// A step that makes vectors of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VectorStep {
    /// The vectors alone, by the encoders that come with the product.
    Vectors,
    /// An update of the graph, whose encoder makes them.
    Graph,
}
