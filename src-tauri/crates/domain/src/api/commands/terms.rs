//! Terms, their schemas, and lists of them as files.

use crate::api::{GlossaryFormat, GlossaryReport, Rows, TermDetail, TermFilter};
use crate::endpoint::{AskPlan, Consent};
use crate::id::TermId;
use crate::schema::{OwnSchema, TermSchema};
use crate::term;
use crate::text::Language;

commands! {
    TermsRequest;

    /// Terms that match a filter.
    Terms { filter: TermFilter } -> Rows<term::Term>;

    /// One term with its contexts and neighbours.
    Term { id: TermId } -> TermDetail;

    /// The prompts that finding terms by these schemas would send, and where. Nothing is sent.
    PlanTerms { endpoint: String, schemas: Vec<String> } -> AskPlan;

    /// Finds terms in the background, once somebody agreed to what is sent; the answer is the job's number.
    FindTerms { endpoint: String, schemas: Vec<String>, consent: Option<Consent> } -> u64;

    /// Finds terms that could be taken for each other, in the background; the answer is the job's number. If only
    /// spelling could be compared, the job says why.
    FindConfusables {} -> u64;

    /// The schemas of terms, shipped and own.
    TermSchemas {} -> Vec<TermSchema>;

    /// The schemas that are stored in the workspace.
    OwnTermSchemas {} -> Vec<OwnSchema>;

    /// Keeps a schema.
    PutTermSchema { schema: TermSchema } -> ();

    /// Takes a schema of the workspace's own away; one that comes with the product is back then.
    RemoveTermSchema { name: String, language: Language } -> ();

    /// Takes a glossary in.
    ImportGlossary { path: String, format: GlossaryFormat } -> GlossaryReport;

    /// Writes a glossary of what nobody rejected; the answer is how many terms.
    ExportGlossary { path: String, format: GlossaryFormat } -> u64;
}
