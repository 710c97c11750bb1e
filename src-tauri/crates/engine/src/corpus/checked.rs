//! What the last check said of the documents, for those who are about to use them as data.

use super::Corpus;
use crate::workspace::Result;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{CheckStanding, CorpusCheck, DocumentCheck};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The setting that keeps what was found, by document.
const CHECKED: &str = "documents.checked";

/// What was found in a document. A document is never changed: what was found in it holds for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Found {
    /// Places with data of persons.
    personal: u64,
    /// Whether it was probably read badly.
    noisy: bool,
}

impl From<&DocumentCheck> for Found {
    fn from(one: &DocumentCheck) -> Self {
        Self {
            personal: one.personal.values().sum(),
            noisy: one.noisy,
        }
    }
}

impl Corpus<'_> {
    /// Checks the document `only`, or all documents if it is `None`. If the workspace can be written, the results are
    /// stored.
    ///
    /// # Errors
    /// When there is no such document, or the workspace cannot be read or written.
    pub fn check_and_keep(&self, only: Option<DocumentId>) -> Result<CorpusCheck> {
        let check = self.check(only)?;
        if self.workspace.store.read_only().is_some() {
            return Ok(check);
        }
        let new: BTreeMap<i64, Found> = check
            .documents
            .iter()
            .map(|one| (one.document.0, Found::from(one)))
            .collect();
        self.workspace.store.write(&self.workspace.actor, |w| {
            let mut kept: BTreeMap<i64, Found> = w.json_setting(CHECKED)?.unwrap_or_default();
            let known = kept.clone();
            kept.extend(new);
            if kept == known {
                return Ok(());
            }
            w.set_setting(CHECKED, &serde_json::json!(kept).to_string())
        })?;
        Ok(check)
    }

    /// What the last check found in some documents (`None` = in all).
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn check_standing(&self, of: Option<&HashSet<DocumentId>>) -> Result<CheckStanding> {
        let (documents, kept) = self.workspace.store.read(|r| {
            let kept: Option<BTreeMap<i64, Found>> = r.json_setting(CHECKED)?;
            Ok((r.documents()?, kept.unwrap_or_default()))
        })?;
        let mut standing = CheckStanding::default();
        for document in documents {
            if of.is_some_and(|of| !of.contains(&document.id)) {
                continue;
            }
            let licence = document.metadata.licence.as_deref().unwrap_or_default();
            standing.documents += 1;
            standing.unlicensed += u64::from(licence.trim().is_empty());
            match kept.get(&document.id.0) {
                None => standing.unchecked += 1,
                Some(found) => {
                    standing.personal += u64::from(found.personal > 0);
                    standing.noisy += u64::from(found.noisy);
                }
            }
        }
        Ok(standing)
    }

    /// Records in the audit chain what the last check of all documents has found. This is called when a step begins
    /// that uses the documents.
    ///
    /// # Errors
    /// When the workspace cannot be read or written.
    pub(crate) fn note_standing(&self, subject: &str) -> Result<()> {
        let known = self.check_standing(None)?.words();
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            w.note(DATA_KNOWN, subject, Some(&known))
        })?)
    }
}

/// The action under which the chain has what was known of the data.
pub(crate) const DATA_KNOWN: &str = "data.known";
