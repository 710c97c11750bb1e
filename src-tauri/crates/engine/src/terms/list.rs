//! The terms that were found, one by one.

use super::Terms;
use crate::workspace::Result;
use lexforge_domain::TermId;
use lexforge_domain::api::{Rows, TermDetail, TermFilter};
use lexforge_domain::term::Term;

/// Contexts that a term's page shows.
const CONTEXTS: u64 = 50;

impl Terms<'_> {
    /// Terms that match a filter.
    pub fn terms(&self, filter: &TermFilter) -> Result<Rows<Term>> {
        Ok(self.workspace.store.read(|r| r.terms(filter))?)
    }

    /// A term with its contexts and the terms that it may be confused with.
    ///
    /// # Errors
    /// When there is no such term.
    pub fn term(&self, id: TermId) -> Result<TermDetail> {
        Ok(self.workspace.store.read(|r| {
            let similar = r.similar_to(id)?;
            let confusable = similar
                .into_iter()
                .map(|(other, cosine)| Ok((r.term(other)?, cosine)));
            Ok(TermDetail {
                term: r.term(id)?,
                contexts: r.contexts_of(id, CONTEXTS)?,
                confusable: confusable.collect::<lexforge_store::Result<_>>()?,
            })
        })?)
    }
}
