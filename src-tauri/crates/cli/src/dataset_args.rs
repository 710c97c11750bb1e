//! The grammar of questions and snapshots.

use crate::args::WorkspaceArgs;
use crate::review_args::{PolicyArg, QuestionReview};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `qca`
#[derive(Debug, Args)]
pub struct QcaArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: QcaAction,
}

/// What to do with questions.
#[derive(Debug, Subcommand)]
pub enum QcaAction {
    /// Print every question, a line each.
    Export(WorkspaceArgs),
    /// What reviewers do with them.
    #[command(flatten)]
    Review(QuestionReview),
    /// Show how far the reviewers agree on questions, by what they ask for and two by two.
    Agreement(WorkspaceArgs),
}

/// `dataset`
#[derive(Debug, Args)]
pub struct DatasetArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: DatasetAction,
}

/// What to do with snapshots.
#[derive(Debug, Subcommand)]
pub enum DatasetAction {
    /// Freeze the questions as a snapshot.
    Freeze {
        /// The workspace's file.
        workspace: PathBuf,
        /// Which questions it takes.
        #[arg(long, value_enum, default_value_t = PolicyArg::Unreviewed)]
        policy: PolicyArg,
    },
    /// List snapshots.
    List(WorkspaceArgs),
}
