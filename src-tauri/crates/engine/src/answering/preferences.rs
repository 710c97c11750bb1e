//! Which of two answers to a question is better.

use super::Answering;
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{Answer, AnswerPreference, Inquiry, Preferred};
use lexforge_domain::{AnswerId, Code, Failure, Remedy};

impl Answering<'_> {
    /// Answers as [`Answering::ask_watched`] does, for a comparison with another answer. Both answers are shown from
    /// the history. So if the workspace cannot be written, this fails before anything is asked.
    ///
    /// # Errors
    /// As [`Answering::ask_watched`]. Also [`Code::ReadOnly`].
    pub fn ask_aside(&self, inquiry: &Inquiry, watcher: &dyn Watcher) -> Result<Answer> {
        if self.workspace.store.read_only().is_some() {
            return Err(Failure::new(
                Code::ReadOnly,
                "Answers are kept before they are compared, and this workspace can only be read.",
                Remedy::WriteElsewhere,
            ));
        }
        self.ask_watched(inquiry, watcher)
    }

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
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::workspace::{OpenWorkspace, Silent};

    #[test]
    fn nothing_is_asked_for_a_comparison_that_cannot_be_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lexforge");
        drop(Engine::create(&path).unwrap());
        let workspace = OpenWorkspace::look_into(&path).unwrap();
        let inquiry = Inquiry {
            question: "Who reports an incident?".to_owned(),
            ..Inquiry::default()
        };
        let refused = Answering::of(&workspace).ask_aside(&inquiry, &Silent);
        let refused = refused.unwrap_err();
        assert_eq!(refused.code, Code::ReadOnly, "{refused:?}");
    }
}
