//! The answer of a model.

/// An answer that was received whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The model that the endpoint says it was.
    pub model: String,
    pub text: String,
    /// Why it ended: `stop`, `length`, or whatever the endpoint says.
    pub finish: String,
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub completion_tokens: Option<u64>,
}
