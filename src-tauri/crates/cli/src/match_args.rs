//! The grammar of `match`.

use crate::review_args::WhoArgs;
use crate::stands_for::stands_for;
use clap::{Args, Subcommand, ValueEnum};
use lexforge_domain::api::{MatchExport, MatchRelation, MatchVerdict};
use lexforge_domain::{DocumentId, RunId, SentenceId};
use std::path::PathBuf;

/// `match`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct MatchArgs {
    /// What is done with what was matched.
    #[command(subcommand)]
    pub action: Option<MatchAction>,
    /// The workspace's file.
    #[arg(required_unless_present = "benchmark")]
    pub workspace: Option<PathBuf>,
    /// The documents whose rules have to be covered, by their ids.
    #[arg(long, value_name = "DOC", num_args = 1.., value_delimiter = ',', required_unless_present = "benchmark")]
    pub rules: Vec<DocumentId>,
    /// The documents whose statements may cover the rules, by their ids.
    #[arg(long, value_name = "DOC", num_args = 1.., value_delimiter = ',', required_unless_present = "benchmark")]
    pub policies: Vec<DocumentId>,
    /// An encoder, by its name or the path of its folder. Default: the one that comes with the product.
    #[arg(long, value_name = "NAME_OR_DIR")]
    pub encoder: Option<String>,
    /// Compare only words, without vectors.
    #[arg(long, conflicts_with = "encoder")]
    pub words: bool,
    /// How many statements are listed for each rule.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub top: u16,
    /// Include recitals, explanations (summaries, replies to a consultation and the like), and rules that bind public
    /// bodies.
    #[arg(long)]
    pub everyone: bool,
    /// Do not match, but measure every method on a folder of requirements and controls whose links are known. The
    /// folder may also hold documents with labels that say which requirements each document covers. For each document,
    /// a method then learns from the labels of the other documents.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["workspace", "rules", "policies"])]
    pub benchmark: Option<PathBuf>,
    /// With --benchmark: write the ranking of the method in use to this file, as a TREC run.
    #[arg(long, value_name = "OUT", requires = "benchmark")]
    pub trec: Option<PathBuf>,
    /// With --benchmark: word vectors in the text form of word2vec or GloVe.
    #[arg(long, value_name = "FILE", requires = "benchmark")]
    pub word_vectors: Option<PathBuf>,
    /// With --benchmark: the encoders that were tuned in this workspace are methods, too, each named by what it learned
    /// (MLM, MNR, GPL, …).
    #[arg(long, value_name = "WORKSPACE", requires = "benchmark")]
    pub tuned: Option<PathBuf>,
    /// With --tuned: only the encoders of these training runs.
    #[arg(long, value_name = "RUN", num_args = 1.., value_delimiter = ',', requires = "tuned")]
    pub run: Vec<RunId>,
}

/// What is done with what was matched.
#[derive(Debug, Subcommand)]
pub enum MatchAction {
    /// List the rules of the newest matching, with the decisions about them.
    List {
        /// The workspace's file.
        workspace: PathBuf,
        /// Only rules with this verdict.
        #[arg(long)]
        verdict: Option<VerdictArg>,
    },
    /// List the sentences of the rules that oblige nobody, and so were not matched.
    PassedOver {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Tell what changed since the earlier version of the documents, and how many decisions that affects.
    Changes {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Show one rule of the newest matching: what was found, what each method alone finds, and what was decided.
    Show {
        /// The workspace's file.
        workspace: PathBuf,
        /// The rule, by the id of its sentence.
        rule: SentenceId,
    },
    /// Accept or correct what was found for rules. Nothing is overwritten: the newest decision about a rule counts.
    Decide {
        /// The workspace, and the person in whose name it is done.
        #[command(flatten)]
        who: WhoArgs,
        /// The rules, by the ids of their sentences.
        #[arg(long, value_name = "SENTENCE", num_args = 1.., required = true)]
        rule: Vec<SentenceId>,
        /// The verdict. Default: the one that was found.
        #[arg(long)]
        verdict: Option<VerdictArg>,
        /// The relation. Default: the one that was found, as far as it fits the verdict and the statements.
        #[arg(long)]
        relation: Option<RelationArg>,
        /// The statements that concern the rule, by the ids of their sentences. Default: those that were found.
        #[arg(long, value_name = "SENTENCE", num_args = 1..)]
        policy: Vec<SentenceId>,
        /// The reason, or what has to be done. A verdict other than “not covered” needs it if it has no statement.
        #[arg(long, default_value = "")]
        note: String,
        /// The person who has to close the gap.
        #[arg(long, default_value = "")]
        owner: String,
        /// The day by which the gap has to be closed, as 2026-12-31.
        #[arg(long)]
        due: Option<String>,
    },
    /// Read a mapping collection of OSCAL that others made. What it says about the documents' rules is kept as
    /// proposals, and nothing is decided. Places where it breaks the schema are reported.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The JSON file.
        file: PathBuf,
        /// The documents with the rules. Default: those of the newest matching.
        #[arg(long, value_name = "DOC", num_args = 1.., value_delimiter = ',')]
        rules: Vec<DocumentId>,
        /// The documents with the policies. Default: those of the newest matching.
        #[arg(long, value_name = "DOC", num_args = 1.., value_delimiter = ',')]
        policies: Vec<DocumentId>,
    },
    /// List what the mapping collections of others say about rules.
    Proposals {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Write the newest matching into a file.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// The form of the file. Default: the one that the ending of its name says.
        #[arg(long)]
        form: Option<FormArg>,
    },
}

/// A verdict as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum VerdictArg {
    /// A statement contains what the rule demands.
    Covered,
    /// Statements contain a part of what the rule demands.
    Partly,
    /// A statement demands less than the rule, or the contrary.
    Contradicted,
    /// No statement is about the rule.
    NotCovered,
}

stands_for!(VerdictArg => MatchVerdict: Covered, Partly, Contradicted, NotCovered);

/// A relation as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum RelationArg {
    /// Both demand the same.
    Equal,
    /// The statement demands all that the rule does, and more.
    Subset,
    /// The rule demands all that the statement does, and more.
    Superset,
    /// Each demands something that the other does not.
    Intersects,
}

stands_for!(RelationArg => MatchRelation: Equal, Subset, Superset, Intersects);

/// A form of a file as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormArg {
    /// A table as text.
    Csv,
    /// A table for a spreadsheet.
    Xlsx,
    /// A report of the gaps.
    Docx,
    /// A mapping collection of OSCAL.
    Oscal,
    /// A page for an auditor.
    Html,
}

stands_for!(FormArg => MatchExport: Csv, Xlsx, Docx, Oscal, Html);
