//! The stored answers of a workspace, for code that looks up many of them.

use super::Asking;
use crate::workspace::{OpenWorkspace, Result};
use lexforge_augment::AnswerText;
use lexforge_augment::endpoint::PromptKey;
use lexforge_domain::Failure;
use std::cell::RefCell;

/// The answers that a workspace has. A loop over many prompts cannot stop at an answer that cannot be read. So the
/// failure is stored here, and [`StoredAnswers::all_read`] reports it.
pub(crate) struct StoredAnswers<'w> {
    asking: Asking<'w>,
    failure: RefCell<Option<Failure>>,
}

impl<'w> StoredAnswers<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self {
            asking: Asking::of(workspace),
            failure: RefCell::new(None),
        }
    }

    /// The answer to a prompt. `None` if the workspace has none, or if it cannot be read.
    pub(crate) fn get(&self, key: &PromptKey) -> Option<AnswerText> {
        match self.asking.answer(key) {
            Ok(answer) => answer,
            Err(failure) => {
                self.failure.borrow_mut().get_or_insert(failure);
                None
            }
        }
    }

    /// Checks that every answer that was looked up could be read. Callers do this before they use the answers or send
    /// prompts. Otherwise an unreadable answer would look like a missing one: it would be paid for again, and what was
    /// made from it earlier would be removed.
    ///
    /// # Errors
    /// The first failure to read an answer.
    pub(crate) fn all_read(&self) -> Result<()> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_cannot_be_read_is_told_and_does_not_count_as_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.lexforge");
        let workspace = OpenWorkspace::create(&path).unwrap();
        let (answers, key) = (StoredAnswers::of(&workspace), [7; 32]);
        assert!(answers.get(&key).is_none());
        assert!(answers.all_read().is_ok());
        // Somebody moves the file away: nothing can be read any more.
        std::fs::rename(&path, folder.path().join("elsewhere.lexforge")).unwrap();
        assert!(Asking::of(&workspace).answer(&key).is_err());
        assert!(answers.get(&key).is_none());
        assert!(answers.all_read().is_err());
    }
}
