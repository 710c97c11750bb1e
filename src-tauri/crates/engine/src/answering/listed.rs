//! The list of the answers that were given, each with a mark where a document that it cites counts otherwise by now.
//!
//! The marks need little of an answer, but it has to be read for that, and the list is asked for again after each
//! question and each verdict. A kept answer never changes. So what the marks need of it is read once and kept in memory.

use super::Answering;
use super::since::marked;
use crate::workspace::Result;
use lexforge_domain::AnswerId;
use lexforge_domain::api::{AnswerRow, AnswerThen};
use lexforge_store::Reader;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How the documents of answers counted when they were given; `None` = an answer that cannot be read.
#[derive(Default)]
struct Kept(Mutex<HashMap<AnswerId, Option<AnswerThen>>>);

impl Answering<'_> {
    /// All answers given in this workspace, newest first, each with how many of its documents count otherwise by now.
    pub fn answers(&self) -> Result<Vec<AnswerRow>> {
        self.listed(|reader| reader.replies())
    }

    /// The newest answers given in this workspace, newest first: as many as the window lists.
    pub fn newest_answers(&self) -> Result<Vec<AnswerRow>> {
        self.listed(|reader| reader.newest_replies())
    }

    fn listed(
        &self,
        rows: impl FnOnce(&Reader<'_>) -> lexforge_store::Result<Vec<AnswerRow>>,
    ) -> Result<Vec<AnswerRow>> {
        let memo = self.workspace.memo::<Kept>();
        let mut kept = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (rows, documents) = self.workspace.store.read(|r| {
            let rows = rows(r)?;
            // One that cites nothing has no mark.
            let is_missing = |row: &&AnswerRow| row.citations > 0 && !kept.contains_key(&row.id);
            let missing: Vec<AnswerId> = rows.iter().filter(is_missing).map(|row| row.id).collect();
            kept.extend(r.replies_then(&missing)?);
            Ok((rows, r.documents()?))
        })?;
        Ok(marked(rows, &kept, &documents))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
