//! Which of two answers to a question is better.

use super::Answering;
use crate::workspace::Result;
use lexforge_domain::api::{AnswerPreference, Preferred};
use lexforge_domain::{AnswerId, Code, Failure};

impl Answering<'_> {
    /// Records which of two answers to the same question a person found better. `blind` says that the person did not
    /// know who wrote which answer.
    ///
    /// # Errors
    /// When no answer has such a number, both numbers are the same answer, the answers belong to different questions,
    /// or the workspace cannot be written.
    pub fn prefer_answer(
        &self,
        first: AnswerId,
        second: AnswerId,
        preferred: Preferred,
        blind: bool,
    ) -> Result<AnswerPreference> {
        let store = &self.workspace.store;
        let (one, other) = store.read(|r| Ok((r.reply_row(first)?, r.reply_row(second)?)))?;
        if first == second || one.question != other.question {
            return Err(Failure::new(
                Code::InvalidRequest,
                "These are not two answers to one question.",
                "Compare two answers that were given to the same question.",
            ));
        }
        Ok(store.write(&self.workspace.actor, |w| {
            w.prefer_reply(first, second, preferred, blind)
        })?)
    }

    /// Every comparison of two answers that a person made, newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn answer_preferences(&self) -> Result<Vec<AnswerPreference>> {
        Ok(self.workspace.store.read(|r| r.preferences())?)
    }
}
