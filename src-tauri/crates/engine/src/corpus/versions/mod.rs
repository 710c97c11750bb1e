//! Versions: which document follows which, and what changed from one to the other.

mod compare;
mod succession;
mod words;

use crate::corpus::Corpus;
use crate::workspace::Result;
pub(crate) use compare::compare as compare_versions;
use lexforge_domain::api::{ChangedSentence, DocumentDiff, DocumentRow};
use lexforge_domain::document::Sentence;
use lexforge_domain::{DocumentId, Failure, Remedy};
use lexforge_store::Writer;
pub(super) use succession::Known;
use succession::Wording;

impl Corpus<'_> {
    /// What changed from one document to another. Moved and renumbered sentences count as unchanged; tables of
    /// contents are not compared.
    ///
    /// # Errors
    /// When one of the documents does not exist.
    pub fn document_diff(&self, from: DocumentId, to: DocumentId) -> Result<DocumentDiff> {
        let (old, new) = self.workspace.store.read(|r| {
            r.document(from)?;
            r.document(to)?;
            Ok((r.sentences(Some(from))?, r.sentences(Some(to))?))
        })?;
        let found = compare::compare(&old, &new);
        let pick = |all: &[Sentence], at: &[usize]| at.iter().map(|&i| all[i].clone()).collect();
        Ok(DocumentDiff {
            from,
            to,
            added: pick(&new, &found.added),
            removed: pick(&old, &found.removed),
            changed: found
                .changed
                .iter()
                .map(|&(i, j)| ChangedSentence {
                    before: old[i].clone(),
                    after: new[j].clone(),
                })
                .collect(),
            unchanged: found.unchanged,
        })
    }

    /// The changes in a document since the version before it.
    ///
    /// # Errors
    /// When there is no such document, or it has no predecessor.
    pub fn document_changes(&self, document: DocumentId) -> Result<DocumentDiff> {
        let row = self.workspace.store.read(|r| r.document(document))?;
        let Some(from) = row.predecessor else {
            return Err(Failure::invalid(
                format!("Document {document} is linked to no earlier version."),
                Remedy::LinkVersions { document },
            ));
        };
        self.document_diff(from, document)
    }

    /// Links a document to the older version of the same text, or removes that link. Returns the document's row.
    ///
    /// # Errors
    /// When one of the documents does not exist, or the link would make a circle.
    pub fn link_predecessor(
        &self,
        document: DocumentId,
        predecessor: Option<DocumentId>,
    ) -> Result<DocumentRow> {
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            w.link_predecessor(document, predecessor)?;
            w.document(document)
        })?)
    }

    /// The documents among which a new one may find its predecessor.
    pub(crate) fn known_documents(&self) -> Result<Vec<Known>> {
        let rows = self.documents()?;
        let mut known: Vec<Known> = rows
            .iter()
            .map(|d| Known::new(d.id, &d.title, &d.metadata))
            .collect();
        for row in rows.iter().filter(|d| d.predecessor.is_some()) {
            for k in &mut known {
                k.followed |= Some(k.id) == row.predecessor;
                k.follows |= k.id == row.id;
            }
        }
        Ok(known)
    }
}

/// Links a document that was just stored to its predecessor among the known documents. If the new document turns out to
/// be the older one, the known document is linked to it instead. Returns the later and the earlier of the two
/// documents; `None` if no known document fits.
pub(super) fn link(
    writer: &mut Writer,
    new: &Known,
    known: &[Known],
) -> lexforge_store::Result<Option<(DocumentId, DocumentId)>> {
    let mut wording = None;
    let mut best: Option<(f64, &Known)> = None;
    for other in known.iter().filter(|k| k.id != new.id) {
        let Some(demanded) = new.demands(other) else {
            continue;
        };
        // A version takes its place at an end of the chain.
        if if new.older_than(other) {
            other.follows
        } else {
            other.followed
        } {
            continue;
        }
        let mine = match &mut wording {
            Some(mine) => mine,
            None => wording.insert(Wording::of(&writer.sentences(Some(new.id))?)),
        };
        let theirs = Wording::of(&writer.sentences(Some(other.id))?);
        let shared = mine.shared(&theirs);
        if shared >= demanded
            && !mine.is_copy_of(&theirs)
            && best.is_none_or(|(most, _)| shared >= most)
        {
            best = Some((shared, other));
        }
    }
    let Some((_, other)) = best else {
        return Ok(None);
    };
    let (later, earlier) = if new.older_than(other) {
        (other.id, new.id)
    } else {
        (new.id, other.id)
    };
    writer.link_predecessor(later, Some(earlier))?;
    Ok(Some((later, earlier)))
}
