//! The arguments of exams and of terms in contexts.

use clap::{Args, Subcommand};
use lexforge_domain::DatasetId;
use std::path::PathBuf;

/// `exam`
#[derive(Debug, Args)]
pub struct ExamArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: ExamAction,
}

/// What to do with exams.
#[derive(Debug, Subcommand)]
pub enum ExamAction {
    /// Import an exam. Questions are a table in the form of FinanceIQ and C-Eval, JSON lines in the form of JEC-QA, or
    /// lines of {"question", "choices", "answer", "subject"?}. Pairs are lines of {"question", "passage", "label"} or
    /// {"a", "b", "label"}. Scored pairs are lines of {"a", "b", "score"}, and texts with a class are lines of
    /// {"text", "class"}.
    Import(ExamImportArgs),
    /// Write the questions of an exam, each with its right choices, as passages ({"id", "text"} a line) that `import`
    /// takes as documents. They then serve as the corpus for the graph, the questions and the training. Use another
    /// exam to measure a model that was trained on them.
    Passages {
        /// The workspace's file.
        workspace: PathBuf,
        /// The exam's name.
        name: String,
        /// The file to write. Its name has to end in .jsonl so that it can be imported.
        file: PathBuf,
    },
    /// List exams and sets of terms in contexts.
    List {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Remove an exam or a set, with its texts. The audit chain still records that it was there.
    Remove {
        /// The workspace's file.
        workspace: PathBuf,
        /// The name of the exam or set.
        name: String,
    },
}

/// `exam import`
#[derive(Debug, Args)]
pub struct ExamImportArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The files of one exam. If a folder is named, the tables and JSON lines in it are taken.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The exam's name. Default: the name of the file or folder.
    #[arg(long)]
    pub name: Option<String>,
    /// The subject of questions that name no subject. Default: the name of their file.
    #[arg(long)]
    pub subject: Option<String>,
    /// Only show what would be imported and what would be left out. Nothing is kept.
    #[arg(long)]
    pub plan: bool,
}

/// `terms apart`
#[derive(Debug, Subcommand)]
pub enum ApartAction {
    /// Import a set of terms in contexts: lines of {"term", "context_pos", "context_neg", "label"?, "shown_in"?,
    /// "act"?}.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The files of one set.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The set's name. Default: the name of the file.
        #[arg(long)]
        name: Option<String>,
    },
    /// Write a set of terms in contexts, in the form that `import` reads: an imported set, or a set that is made from
    /// a snapshot's test part.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        file: PathBuf,
        /// The snapshot's number. Default: the newest.
        #[arg(long)]
        dataset: Option<DatasetId>,
        /// The name of an imported set.
        #[arg(long, conflicts_with = "dataset")]
        set: Option<String>,
    },
}
