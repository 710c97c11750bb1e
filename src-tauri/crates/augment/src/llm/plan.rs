//! What is asked about an anchor for one question, and what an answer makes of it.

use crate::endpoint::Prompt;
use crate::endpoint::object::Unparseable;
use crate::wording::{Why, Wording};
use lexforge_domain::SentenceId;
use lexforge_domain::api::PromptKind;
use lexforge_domain::qca::{QcaDraft, QcaLevel};

/// What is asked about an anchor for one question, and what an answer makes.
pub(super) trait Plan {
    fn level(&self) -> QcaLevel;
    fn kind(&self) -> PromptKind;
    fn sentences(&self) -> Vec<SentenceId>;
    fn prompt(&self, words: &Wording, max_tokens: u32, again: Option<(usize, Why)>) -> Prompt;
    fn read(&self, answer: &AnswerText) -> Result<QcaDraft, Unparseable>;
}

/// An answer as the writer needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerText {
    pub text: String,
    /// Why it ended: `stop`, `length`, or whatever the endpoint says.
    pub finish: String,
}
