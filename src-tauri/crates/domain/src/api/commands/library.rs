//! Documents and their pages.

use crate::api::{self, DocumentOutline, DocumentRow, PageView, SearchHit, SearchRequest};
use crate::{DocumentId, Failure, SentenceId, document};

commands! {
    LibraryRequest;

    /// All documents.
    Documents {} -> Vec<DocumentRow>;

    /// A document's sections.
    Outline { document: DocumentId } -> DocumentOutline;

    /// A page with its sentences.
    Page { document: DocumentId, number: u32 } -> PageView;

    /// One sentence.
    Sentence { id: SentenceId } -> document::Sentence;

    /// Passages with the words of a query, best first, in one document or in all.
    Search { request: SearchRequest } -> Vec<SearchHit>;

    /// Why a page cannot be drawn; `None` where it can.
    PageProblem { document: DocumentId, number: u32 } -> Option<Failure>;

    /// Opens a locked document's pages for as long as the workspace is open.
    Unlock { document: DocumentId, password: String } -> ();

    /// The changes from one document to another.
    DocumentDiff { from: DocumentId, to: DocumentId } -> api::DocumentDiff;

    /// How much changed from one document to another.
    DiffCounts { from: DocumentId, to: DocumentId } -> api::DiffCounts;

    /// What to look at before the documents are used to train.
    CheckCorpus {} -> api::CorpusCheck;

    /// What the last check said of all documents.
    CheckStanding {} -> api::CheckStanding;

    /// Links a document to the one whose new version it is, or takes the link back.
    LinkPredecessor { document: DocumentId, predecessor: Option<DocumentId> } -> DocumentRow;

    /// What documents say about how long they, or others here, are in force, where nobody decided yet.
    ValidityProposals {} -> Vec<api::ValidityProposal>;

    /// Sets since when and until when a document is in force; without a day it counts as it states itself.
    SetValidity { document: DocumentId, validity: api::Validity } -> DocumentRow;
}
