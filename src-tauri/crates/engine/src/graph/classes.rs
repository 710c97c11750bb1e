//! The classes that the user gives documents.

use super::Graph;
use crate::workspace::Result;
use lexforge_domain::{Code, DocumentId, Failure, Remedy};
use std::collections::BTreeMap;

/// Setting under which the user's classes of the documents are kept.
const CLASSES_SETTING: &str = "documents.classes";

impl Graph<'_> {
    /// The classes that the user gave to documents. They are used as the types of the documents' sentences
    /// (docs/methods.md, "The sentence graph").
    pub fn document_classes(&self) -> Result<BTreeMap<DocumentId, String>> {
        let store = &self.workspace.store;
        let kept: Option<BTreeMap<i64, String>> =
            store.read(|r| r.json_setting(CLASSES_SETTING))?;
        Ok(kept
            .unwrap_or_default()
            .into_iter()
            .map(|(id, class)| (DocumentId(id), class))
            .collect())
    }

    /// Gives a document a class. An empty text removes its class. The next build or update of the graph uses it.
    ///
    /// # Errors
    /// When there is no such document, or the workspace cannot be written.
    pub fn set_document_class(&self, document: DocumentId, class: &str) -> Result<()> {
        if !self
            .workspace
            .store
            .read(|r| r.documents())?
            .iter()
            .any(|d| d.id == document)
        {
            let message = format!("There is no document {document}.");
            return Err(Failure::new(Code::NotFound, message, Remedy::ListDocuments));
        }
        let mut classes: BTreeMap<i64, String> = self
            .document_classes()?
            .into_iter()
            .map(|(id, class)| (id.0, class))
            .collect();
        match class.trim() {
            "" => classes.remove(&document.0),
            class => classes.insert(document.0, class.to_owned()),
        };
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            w.set_setting(CLASSES_SETTING, &serde_json::json!(classes).to_string())
        })?)
    }
}
