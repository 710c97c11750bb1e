//! The grammar of `docs`.

use clap::{Args, Subcommand};
use lexforge_domain::{DocumentId, SentenceId};
use std::path::PathBuf;

/// `docs`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct DocsArgs {
    /// What else to do with documents.
    #[command(subcommand)]
    pub action: Option<DocsAction>,
    /// The workspace's file.
    #[arg(required = true)]
    pub workspace: Option<PathBuf>,
    /// Print this document's text in reading order. A form feed separates the pages.
    #[arg(long, value_name = "ID", conflicts_with_all = ["sentences", "removed", "link", "unlink"])]
    pub text: Option<DocumentId>,
    /// Print the lines that were taken out of this document's text because they are headers or footers, page numbers or
    /// marks of printing.
    #[arg(long, value_name = "ID", conflicts_with_all = ["sentences", "link", "unlink"])]
    pub removed: Option<DocumentId>,
    /// Print the sentences of this document or, without a number, of all documents.
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with_all = ["link", "unlink"])]
    pub sentences: Option<Option<DocumentId>>,
    /// Link this document as the new version of another.
    #[arg(
        long,
        value_name = "NEW",
        requires = "replaces",
        conflicts_with = "unlink"
    )]
    pub link: Option<DocumentId>,
    /// The document whose new version it is.
    #[arg(long, value_name = "OLD", requires = "link")]
    pub replaces: Option<DocumentId>,
    /// Undo the link between this document and its earlier version.
    #[arg(long, value_name = "NEW")]
    pub unlink: Option<DocumentId>,
    #[command(flatten)]
    pub force: ForceArgs,
}

/// Since when and until when a document is in force.
#[derive(Debug, Args)]
pub struct ForceArgs {
    /// Print the facts about this document, what the documents here say about how long it is in force, and which days a
    /// person set. Use one of the next five options to change how long it counts as in force, or to reject a proposal.
    #[arg(long, value_name = "ID", conflicts_with_all = ["text", "sentences", "removed", "link", "unlink"])]
    pub about: Option<DocumentId>,
    /// The first day on which it is in force.
    #[arg(long, value_name = "DAY", requires = "about")]
    pub from: Option<String>,
    /// The last day on which it is in force.
    #[arg(
        long,
        value_name = "DAY",
        requires = "about",
        conflicts_with = "repealed"
    )]
    pub until: Option<String>,
    /// It is repealed: the first day on which it is no longer in force.
    #[arg(long, value_name = "DAY", requires = "about")]
    pub repealed: Option<String>,
    /// Take back the days that were set: the document counts as it states itself. Nothing is proposed for it any more.
    #[arg(long, requires = "about", conflicts_with_all = ["from", "until", "repealed"])]
    pub as_stated: bool,
    /// Reject what this sentence says about how long the document is in force: it is not proposed again. The number of
    /// the sentence is shown with the proposal. Can be given several times.
    #[arg(long, value_name = "SENTENCE", requires = "about", conflicts_with_all = ["from", "until", "repealed", "as_stated"])]
    pub turn_down: Vec<SentenceId>,
}

/// What else to do with documents.
#[derive(Debug, Subcommand)]
pub enum DocsAction {
    /// Show what changed from one version of a document to another, sentence by sentence.
    Diff {
        /// The workspace's file.
        workspace: PathBuf,
        /// The older document. Or name only the newer one, to compare it with its earlier version.
        first: DocumentId,
        /// The newer document.
        second: Option<DocumentId>,
    },
    /// Show what to look at before the documents are used for training: personal data and where it is, character
    /// strings that are not words, licences, and how many questions of each type there are.
    Check {
        /// The workspace's file.
        workspace: PathBuf,
        /// Only this document.
        #[arg(long, value_name = "ID")]
        document: Option<DocumentId>,
    },
}
