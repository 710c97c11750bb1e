//! What is known of the documents that a training learns from.

use super::Training;
use super::items::frozen;
use crate::corpus::Corpus;
use crate::workspace::Result;
use lexforge_domain::api::{CheckStanding, Preset};
use lexforge_domain::{DatasetId, DocumentId, SentenceId};
use std::collections::HashSet;

impl Training<'_> {
    /// What the last check found in the documents that a recipe would learn from. These are the documents of the
    /// snapshot's questions (`None` = the newest snapshot), or all documents.
    ///
    /// # Errors
    /// When there is no such snapshot, or the workspace cannot be read.
    pub(crate) fn data_of(
        &self,
        preset: Preset,
        dataset: Option<DatasetId>,
    ) -> Result<CheckStanding> {
        let dataset = match preset.learns_snapshot() {
            true => Some(self.newest_or(dataset)?.id),
            false => None,
        };
        self.data_standing(dataset)
    }

    /// What the last check said of the documents of a snapshot; without one, of all documents.
    pub(super) fn data_standing(&self, dataset: Option<DatasetId>) -> Result<CheckStanding> {
        let documents = dataset.map(|id| self.documents_of(id)).transpose()?;
        Corpus::of(self.workspace).check_standing(documents.as_ref())
    }

    /// The documents that a snapshot asks about.
    fn documents_of(&self, dataset: DatasetId) -> Result<HashSet<DocumentId>> {
        let rows = self
            .workspace
            .store
            .read(|r| r.dataset_items(dataset, None))?;
        let mut anchors: HashSet<SentenceId> = HashSet::new();
        for row in &rows {
            anchors.insert(frozen(row)?.question.draft.anchor_sentence);
        }
        let anchors: Vec<SentenceId> = anchors.into_iter().collect();
        let sentences = self
            .workspace
            .store
            .read(|r| r.sentences_by_ids(&anchors))?;
        Ok(sentences.into_iter().map(|s| s.document).collect())
    }
}
