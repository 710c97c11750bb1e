//! The sentences around one, clause by clause.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::document::Sentence;

/// Clauses that are looked through for the lead-in of an item or the rest of a table.
const MOST_CLAUSES: u32 = 60;

impl Answering<'_> {
    /// Passes sentences to `more`, one by one and the nearest first: the sentences after `from`, or those before it if
    /// `forward` is false. It stops at the end of the document, when `more` returns `false`, or after a fixed number of
    /// clauses.
    pub(super) fn walk(
        &self,
        from: Option<&Sentence>,
        clauses: &Clauses,
        forward: bool,
        mut more: impl FnMut(Sentence) -> bool,
    ) -> Result<()> {
        let start = from.and_then(|from| Some((from, clauses.map.clause(from.id)?)));
        let Some((from, start)) = start else {
            return Ok(());
        };
        for step in 0..MOST_CLAUSES {
            let number = match forward {
                true => start.checked_add(step),
                false => start.checked_sub(step),
            };
            let Some((first, last)) = number.and_then(|n| clauses.map.sentences(n)) else {
                return Ok(());
            };
            let mut ids: Vec<SentenceId> = (first.0..=last.0)
                .map(SentenceId)
                .filter(|id| match forward {
                    true => id.0 > from.id.0,
                    false => id.0 < from.id.0,
                })
                .collect();
            if !forward {
                ids.reverse();
            }
            for sentence in self.workspace.store.read(|r| r.sentences_by_ids(&ids))? {
                if sentence.document != from.document || !more(sentence) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
