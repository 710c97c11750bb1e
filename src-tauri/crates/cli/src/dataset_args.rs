//! The grammar of questions and snapshots.

use crate::review_args::{PolicyArg, QuestionReview};
use crate::stands_for::stands_for;
use crate::workspace_args::WorkspaceArgs;
use clap::{Args, Subcommand, ValueEnum};
use lexforge_domain::DatasetId;
use lexforge_domain::api::DatasetFormat;
use lexforge_domain::qca::{QcaLevel, SplitShares};
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
    /// Print every question, one a line.
    Export(WorkspaceArgs),
    /// List the drafts that were turned down when questions were last written, with the reasons.
    Rejected {
        /// The workspace's file.
        workspace: PathBuf,
        /// Only those turned down for this reason, for example `not_grounded`.
        #[arg(long, value_name = "REASON")]
        reason: Option<String>,
        /// Only those of this level.
        #[arg(long, value_enum)]
        level: Option<LevelArg>,
        /// The number of the first draft in the list, counted from 0.
        #[arg(long, value_name = "N", default_value_t = 0)]
        offset: u64,
        /// List at most this many drafts; 0 = all.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u64,
    },
    /// What reviewers do with them.
    #[command(flatten)]
    Review(QuestionReview),
    /// Show how far the reviewers agree on questions: for each type of question, and for each two reviewers.
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
        /// Which questions go into the snapshot.
        #[arg(long, value_enum, default_value_t = PolicyArg::Unreviewed)]
        policy: PolicyArg,
    },
    /// Show or set which share of the questions each part gets. Existing questions keep their parts until they are
    /// written again.
    Split {
        /// The workspace's file.
        workspace: PathBuf,
        /// The shares of the training, development and test parts, as in 6:1:3. Of two shares, as in 7:3, a tenth of
        /// all is taken from training for the development part. Without shares, the present ones are shown.
        #[arg(value_parser = shares)]
        shares: Option<SplitShares>,
    },
    /// List snapshots.
    List(WorkspaceArgs),
    /// Write a snapshot into a folder, one file for each part, so that other programs can train on it.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The format of the files.
        #[arg(long, value_enum, default_value_t = FormatArg::Jsonl)]
        format: FormatArg,
        /// The folder to write. It must be new or empty.
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
        /// The snapshot's number. Default: the newest.
        #[arg(long, value_name = "ID")]
        dataset: Option<DatasetId>,
        /// Write the questions without their choices (alpaca and sharegpt).
        #[arg(long)]
        without_choices: bool,
        /// What the owner of the documents allows, in the owner's words. It is written into the card beside the files.
        #[arg(long, value_name = "TEXT")]
        licence: Option<String>,
    },
}

fn shares(text: &str) -> Result<SplitShares, String> {
    let read = SplitShares::read(text).or_else(|| SplitShares::read_two(text));
    read.ok_or_else(|| {
        "three numbers from 1 to 1000 are wanted, for training, development and test part, as in 6:1:3; or two, as in 7:3, of which a \
         tenth of all is taken from training for the development part"
            .to_owned()
    })
}

/// A level of questions.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LevelArg {
    /// Choices are sentences.
    Sentence,
    /// Choices are terms.
    Token,
}

stands_for!(LevelArg => QcaLevel: Sentence, Token);

/// The form of an exported snapshot.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormatArg {
    /// One JSON object a line with everything about the item.
    Jsonl,
    /// Alpaca, as LLaMA-Factory reads it.
    Alpaca,
    /// ShareGPT, as LLaMA-Factory reads it.
    Sharegpt,
}

stands_for!(FormatArg => DatasetFormat: Jsonl, Alpaca, Sharegpt);
