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
    /// Bring an exam in: tables as FinanceIQ and C-Eval have them, JEC-QA's JSON lines, or lines of {"question",
    /// "choices", "answer", "subject"?}; pairs as lines of {"question", "passage", "label"} or {"a", "b", "label"},
    /// similarity as {"a", "b", "score"}, texts with a class as {"text", "class"}.
    Import(ExamImportArgs),
    /// Write an exam's questions, each with its right choices, as passages ({"id", "text"} a line) that `import` takes
    /// as documents: a corpus for graph, questions and training. Measure what was trained on them by another exam.
    Passages {
        /// The workspace's file.
        workspace: PathBuf,
        /// The exam's name.
        name: String,
        /// The file to write; its name has to end in .jsonl to be imported.
        file: PathBuf,
    },
    /// List exams and sets of terms in contexts.
    List {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Remove one with its texts; the audit chain keeps that it was there.
    Remove {
        /// The workspace's file.
        workspace: PathBuf,
        /// Its name.
        name: String,
    },
}

/// `exam import`
#[derive(Debug, Args)]
pub struct ExamImportArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The files of one exam; of a folder, the tables and JSON lines in it.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The exam's name; none = that of the file or folder.
    #[arg(long)]
    pub name: Option<String>,
    /// The subject of questions that name none; none = the name of their file.
    #[arg(long)]
    pub subject: Option<String>,
}

/// `terms apart`
#[derive(Debug, Subcommand)]
pub enum ApartAction {
    /// Bring a set in: lines of {"term", "context_pos", "context_neg", "label"?, "shown_in"?, "act"?}.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The files of one set.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The set's name; none = that of the file.
        #[arg(long)]
        name: Option<String>,
    },
    /// Write a set in that form: what a snapshot's test part gives, or one that was brought in.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        file: PathBuf,
        /// The snapshot's number; none = the newest.
        #[arg(long)]
        dataset: Option<DatasetId>,
        /// The name of a set that was brought in.
        #[arg(long, conflicts_with = "dataset")]
        set: Option<String>,
    },
}
