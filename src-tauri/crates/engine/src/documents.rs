//! Looking at documents: the list, the outline, a page with its sentences, its image.

use crate::{Engine, Result};
use lexforge_domain::api::{
    DocumentOutline, DocumentRow, PageView, QuestionFilter, QuestionRow, Rows, TermContext, TermDetail, TermFilter,
};
use lexforge_domain::document::{DocumentFormat, Sentence};
use lexforge_domain::term::Term;
use lexforge_domain::{Code, DocumentId, Failure, SentenceId, TermId};
use lexforge_ingest::Parser;
use std::collections::HashMap;

/// Contexts that a term's page shows.
const CONTEXTS: usize = 50;

impl Engine {
    /// All documents, in the order of their import.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn documents(&self) -> Result<Vec<DocumentRow>> {
        Ok(self.store.read(|r| r.documents())?)
    }

    /// A document with its sections.
    ///
    /// # Errors
    /// When there is no such document.
    pub fn outline(&self, id: DocumentId) -> Result<DocumentOutline> {
        let document = self.document(id)?;
        let sections = self.store.read(|r| r.sections(id))?;
        Ok(DocumentOutline { document, sections })
    }

    /// A document's text in reading order, pages separated by a form feed, running heads gone.
    ///
    /// # Errors
    /// When there is no such document.
    pub fn document_text(&self, id: DocumentId) -> Result<String> {
        self.document(id)?;
        Ok(self.store.read(|r| r.document_text(id))?)
    }

    /// The sentences of a document, or of all documents, in reading order.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn sentences(&self, document: Option<DocumentId>) -> Result<Vec<Sentence>> {
        Ok(self.store.read(|r| r.sentences(document))?)
    }

    /// One sentence.
    ///
    /// # Errors
    /// When there is no such sentence.
    pub fn sentence(&self, id: SentenceId) -> Result<Sentence> {
        self.store.read(|r| r.sentence(id))?.ok_or_else(|| missing("sentence", id.0))
    }

    /// A page (from 1) with its text and sentences.
    ///
    /// # Errors
    /// When there is no such document or page.
    pub fn page(&self, document: DocumentId, number: u32) -> Result<PageView> {
        self.document(document)?;
        Ok(self.store.read(|r| r.page(document, number))?)
    }

    /// The picture of a page as PNG, drawn by the parser process from the stored bytes.
    ///
    /// # Errors
    /// When there is no such page, or the document has no pages to draw (plain text).
    pub fn page_image(&self, document: DocumentId, number: u32, dpi: f32) -> Result<Vec<u8>> {
        let row = self.document(document)?;
        if row.format != DocumentFormat::Pdf {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("{} is plain text and has no page image.", row.file),
                "Read its text instead.",
            ));
        }
        let bytes = self.store.read(|r| r.document_bytes(document))?;
        Parser::locate()?.render_page(&bytes, number, dpi)
    }

    /// Terms that match a filter.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn terms(&self, filter: &TermFilter) -> Result<Rows<Term>> {
        Ok(self.store.read(|r| r.terms(filter))?)
    }

    /// A term with its contexts and the terms that it may be confused with.
    ///
    /// # Errors
    /// When there is no such term.
    pub fn term(&self, id: TermId) -> Result<TermDetail> {
        self.store
            .read(|r| {
                let Some(term) = r.term(id)? else { return Ok(None) };
                let titles: HashMap<DocumentId, String> =
                    r.documents()?.into_iter().map(|d| (d.id, d.title)).collect();
                let mut contexts = Vec::new();
                for mention in r.mentions_of(id, CONTEXTS)? {
                    if let Some(sentence) = r.sentence(mention.sentence)? {
                        let document_title = titles.get(&sentence.document).cloned().unwrap_or_default();
                        contexts.push(TermContext { sentence, document_title, start: mention.start, end: mention.end });
                    }
                }
                let mut confusable = Vec::new();
                for (other, cosine) in r.similar_to(id)? {
                    if let Some(other) = r.term(other)? {
                        confusable.push((other, cosine));
                    }
                }
                Ok(Some(TermDetail { term, contexts, confusable }))
            })?
            .ok_or_else(|| missing("term", id.0))
    }

    /// Questions that match a filter.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn questions(&self, filter: &QuestionFilter) -> Result<Rows<QuestionRow>> {
        Ok(self.store.read(|r| r.questions(filter))?)
    }

    fn document(&self, id: DocumentId) -> Result<DocumentRow> {
        self.store
            .read(|r| r.documents())?
            .into_iter()
            .find(|d| d.id == id)
            .ok_or_else(|| missing("document", id.0))
    }
}

/// The failure for an id that names nothing.
pub(crate) fn missing(what: &str, id: i64) -> Failure {
    Failure::new(
        Code::NotFound,
        format!("There is no {what} {id} in this workspace."),
        format!("List what there is; the number of a {what} stands at the start of its line."),
    )
}
