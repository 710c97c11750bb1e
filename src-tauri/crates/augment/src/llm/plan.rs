//! The plan of one question about an anchor: its prompt, and how a draft is made from the answer.

use crate::endpoint::Prompt;
use crate::endpoint::object::Unparseable;
use crate::wording::{Why, Wording};
use lexforge_domain::SentenceId;
use lexforge_domain::api::PromptKind;
use lexforge_domain::qca::{QcaDraft, QcaLevel};

/// The plan of one question about an anchor: its prompt, and how a draft is made from the answer.
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
