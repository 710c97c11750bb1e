//! The questions that were written.

use crate::{Engine, Result};
use lexforge_domain::api::{QuestionFilter, QuestionRow, Rows};

impl Engine {
    /// Questions that match a filter.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn questions(&self, filter: &QuestionFilter) -> Result<Rows<QuestionRow>> {
        Ok(self.store.read(|r| r.questions(filter))?)
    }
}
