//! What cannot be measured.

use lexforge_domain::{Code, Failure, QcaId};

/// Why a measurement was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvaluateError {
    /// Two systems that are to be compared did not answer the same questions.
    #[error("the two systems did not answer the same questions: {0}")]
    NotPaired(String),
    /// The answer of an item is not among its choices.
    #[error("question {id} has {choices} scores but its answer is number {answer}")]
    AnswerOutOfRange {
        /// The question.
        id: QcaId,
        /// Scores that it came with.
        choices: usize,
        /// Index of the answer, from 0.
        answer: usize,
    },
    /// A rating has no place in its table.
    #[error("item {item} of the table of ratings: {what}")]
    Rating {
        /// The item, from 0.
        item: usize,
        /// What is wrong with it.
        what: String,
    },
}

/// Result of a measurement.
pub type Result<T> = std::result::Result<T, EvaluateError>;

impl From<EvaluateError> for Failure {
    fn from(error: EvaluateError) -> Self {
        Self::new(
            Code::InvalidRequest,
            format!("The evaluation was not made: {error}."),
            "Evaluate both models again on the same dataset snapshot.",
        )
    }
}
