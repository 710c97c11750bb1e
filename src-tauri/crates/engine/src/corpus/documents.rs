//! Looking at documents: the list, the outline, a page with its sentences, its image.

use super::Corpus;
use super::passwords::Passwords;
use crate::workspace::Result;
use lexforge_domain::api::{DocumentOutline, DocumentRow, PageView};
use lexforge_domain::document::{DocumentFormat, ReadEngine, RemovedLine, Sentence};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure, SentenceId};
use lexforge_ingest::Parser;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Resolution at which a password is tried.
const TRIAL_DPI: f32 = 36.0;

impl Corpus<'_> {
    /// All documents, in the order of their import.
    pub fn documents(&self) -> Result<Vec<DocumentRow>> {
        Ok(self.workspace.store.read(|r| r.documents())?)
    }

    /// The title of each document.
    pub(crate) fn titles(&self) -> Result<HashMap<DocumentId, String>> {
        let documents = self.documents()?.into_iter();
        Ok(documents.map(|d| (d.id, d.title)).collect())
    }

    /// A document with its sections.
    ///
    /// # Errors
    /// When there is no such document.
    pub fn outline(&self, id: DocumentId) -> Result<DocumentOutline> {
        let (document, sections, mut pages, removed) = self.workspace.store.read(|r| {
            Ok((
                r.document(id)?,
                r.sections(id)?,
                r.page_marks(id)?,
                r.removed_lines(id)?,
            ))
        })?;
        let warned: HashSet<u32> = document.warnings.iter().filter_map(|w| w.page).collect();
        for page in &mut pages {
            let other = matches!(page.engine, ReadEngine::PdfExtract | ReadEngine::Ocr);
            page.look = page.scanned || other || warned.contains(&page.number);
        }
        Ok(DocumentOutline {
            document,
            sections,
            pages,
            removed,
        })
    }

    /// The lines that were removed from a document's text: running heads, page numbers, lines that a program printed.
    ///
    /// # Errors
    /// When there is no such document.
    pub fn removed_lines(&self, id: DocumentId) -> Result<Vec<RemovedLine>> {
        Ok(self.workspace.store.read(|r| r.removed_lines(id))?)
    }

    /// A document's text in reading order, without running heads. Pages are separated by a form feed.
    ///
    /// # Errors
    /// When there is no such document.
    pub fn document_text(&self, id: DocumentId) -> Result<String> {
        Ok(self.workspace.store.read(|r| r.document_text(id))?)
    }

    /// The sentences of a document, or of all documents, in reading order.
    ///
    /// # Errors
    /// When there is no such document, or the workspace cannot be read.
    pub fn sentences(&self, document: Option<DocumentId>) -> Result<Vec<Sentence>> {
        Ok(self.workspace.store.read(|r| {
            if let Some(id) = document {
                r.document(id)?;
            }
            r.sentences(document)
        })?)
    }

    /// All sentences, grouped by the language of their document, in reading order.
    pub(crate) fn sentences_by_language(&self) -> Result<BTreeMap<Language, Vec<Sentence>>> {
        let (documents, sentences) = self
            .workspace
            .store
            .read(|r| Ok((r.documents()?, r.sentences(None)?)))?;
        let language: HashMap<DocumentId, Language> =
            documents.into_iter().map(|d| (d.id, d.language)).collect();
        let mut grouped: BTreeMap<Language, Vec<Sentence>> = BTreeMap::new();
        for sentence in sentences {
            let language = language
                .get(&sentence.document)
                .copied()
                .unwrap_or(Language::Other);
            grouped.entry(language).or_default().push(sentence);
        }
        Ok(grouped)
    }

    /// One sentence.
    ///
    /// # Errors
    /// When there is no such sentence.
    pub fn sentence(&self, id: SentenceId) -> Result<Sentence> {
        Ok(self.workspace.store.read(|r| r.sentence(id))?)
    }

    /// A page (from 1) with its text and sentences, the terms in them, and the clauses to which they refer.
    ///
    /// # Errors
    /// When there is no such document or page.
    pub fn page(&self, document: DocumentId, number: u32) -> Result<PageView> {
        let mut page = self.workspace.store.read(|r| r.page(document, number))?;
        self.refer(&mut page)?;
        Ok(page)
    }

    /// The picture of a page as PNG. The parser process makes it from the stored bytes. A document that is locked with
    /// a password can be shown in the session in which the password was given.
    ///
    /// # Errors
    /// When there is no such page, the document has no pages to show (plain text), or its password is not known.
    pub fn page_image(&self, document: DocumentId, number: u32, dpi: f32) -> Result<Vec<u8>> {
        let row = self.workspace.store.read(|r| r.document(document))?;
        if row.format != DocumentFormat::Pdf {
            return Err(Failure::invalid(
                format!("{} is no PDF and has no page images.", row.file),
                "Read its text instead.",
            ));
        }
        let bytes = self.workspace.store.read(|r| r.document_bytes(document))?;
        let password = self.workspace.memo::<Passwords>().of(&row.sha256);
        Parser::locate()?.render_page(&bytes, password.as_deref(), number, dpi).map_err(|failure| {
            let locked = failure.code == Code::PasswordRequired;
            let hint = "The text is here; import the same file again with its password to see its pages as well. The \
                        password is not stored and is forgotten when the workspace is closed.";
            if locked { Failure::new(failure.code, failure.message, hint).in_file(row.file) } else { failure }
        })
    }

    /// Tries a password on a locked document, and keeps it in memory while the workspace is open, so that pages can be
    /// shown. It is never stored.
    ///
    /// # Errors
    /// When there is no such document, or the password does not open it.
    pub fn unlock(&self, document: DocumentId, password: &str) -> Result<()> {
        let row = self.workspace.store.read(|r| r.document(document))?;
        let bytes = self.workspace.store.read(|r| r.document_bytes(document))?;
        Parser::locate()?
            .render_page(&bytes, Some(password), 1, TRIAL_DPI)
            .map_err(|failure| failure.in_file(row.file))?;
        self.workspace
            .memo::<Passwords>()
            .keep(&row.sha256, password);
        Ok(())
    }
}
