//! The questions that were written.

use super::Writing;
use crate::graph::with_changed_candidates;
use crate::workspace::Result;
use lexforge_domain::api::{AugmentReport, QuestionFilter, QuestionRow, Rows};

impl Writing<'_> {
    /// Questions that match a filter.
    pub fn questions(&self, filter: &QuestionFilter) -> Result<Rows<QuestionRow>> {
        let (mut found, changed) = self
            .workspace
            .store
            .read(|r| Ok((r.questions(filter)?, with_changed_candidates(r)?)))?;
        for row in &mut found.rows {
            row.candidates_changed = changed.contains(&row.question.id);
        }
        Ok(found)
    }

    /// The report on the questions that were written last. `None` if no questions were written yet.
    pub fn report(&self) -> Result<Option<AugmentReport>> {
        Ok(self.workspace.store.read(|r| r.augment_report())?)
    }
}
