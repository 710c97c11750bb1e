//! The arguments of `triplets`.

use crate::endpoint_args::LocalArgs;
use crate::review_args::{WhoArgs, status};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use lexforge_domain::qca::Split;
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{RunId, TripletId};
use std::path::PathBuf;

/// `triplets`
#[derive(Debug, Args)]
pub struct TripletsArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: TripletsAction,
}

/// An encoder that is measured.
#[derive(Debug, Args)]
pub struct EncoderArgs {
    /// The run that tuned it; none = the base model alone.
    #[arg(long, conflicts_with = "base")]
    pub run: Option<RunId>,
    /// The base model, where no run is named.
    #[arg(long)]
    pub base: Option<String>,
    /// Hundredths of the tuning that are measured beside the base model.
    #[arg(long, value_delimiter = ',', default_values_t = [100], value_parser = clap::value_parser!(u8).range(0..=100))]
    pub points: Vec<u8>,
}

/// What to do with triplets.
#[derive(Debug, Subcommand)]
pub enum TripletsAction {
    /// Make triplets from the sentences that state a rule, by minimal edits and rewordings or by a language model.
    /// Triplets made in the same way before are replaced.
    Make {
        /// The workspace's file.
        workspace: PathBuf,
        /// Without a language model. The default.
        #[arg(long, conflicts_with = "endpoint")]
        offline: bool,
        /// Of the newest graph's lexical edges: rules in nearly the same words, and rules that share hardly one.
        #[arg(long, conflicts_with_all = ["endpoint", "offline"])]
        from_graph: bool,
        /// With the language model behind this endpoint, which judges them too; `local` = a decoder of this machine.
        #[arg(long, value_name = "NAME")]
        endpoint: Option<String>,
        /// Ask at most so many prompts now; the rest can be asked later.
        #[arg(long, value_name = "N", requires = "endpoint")]
        limit: Option<u64>,
        /// Agree to what would be sent, without being asked on the terminal.
        #[arg(long, requires = "endpoint")]
        yes: bool,
        /// Which model of this machine is asked.
        #[command(flatten)]
        local: LocalArgs,
        /// Say the same by a translation into the other language, English or Chinese, instead of in other words.
        #[arg(long, requires = "endpoint")]
        translate: bool,
        /// Most triplets a sentence, without a language model.
        #[arg(long, value_name = "N", default_value_t = 3)]
        most: usize,
        /// File with more ways of shifting: a JSON list of {"tag", "en", "zh", "what", "edits"?}.
        #[arg(long, value_name = "FILE")]
        shifts: Option<PathBuf>,
        /// Seed of what is chosen among edits.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// List them.
    List {
        /// The workspace's file.
        workspace: PathBuf,
        /// Which.
        #[command(flatten)]
        which: WhichArgs,
        /// The drafts that were turned down, each with its reason, instead.
        #[arg(long)]
        turned_down: bool,
        /// Most rows; 0 = all.
        #[arg(long, default_value_t = 0)]
        limit: u64,
    },
    /// List the ways in which a meaning can shift.
    Shifts {
        /// File with more of them.
        #[arg(long, value_name = "FILE")]
        shifts: Option<PathBuf>,
    },
    /// Accept, correct or reject some, as one reviewer. Rejected triplets are neither learnt from nor measured on. The
    /// same applies to triplets about which reviewers differ, until somebody settles them.
    Decide(DecideTripletsArgs),
    /// Show the triplet to decide next.
    Queue(WhoArgs),
    /// How far reviewers agree, over all and shift by shift.
    Agreement {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Write them to a file, a line of JSON each.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        file: PathBuf,
        /// Which.
        #[command(flatten)]
        which: WhichArgs,
    },
    /// Read some in: lines of {"source", "positive", "negative", "shift"?, "origin"?, "margin"?, "split"?}.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// Measure an encoder on them, and on pairs that people scored, before its tuning and after it.
    Measure {
        /// The workspace's file.
        workspace: PathBuf,
        /// Which encoder.
        #[command(flatten)]
        encoder: EncoderArgs,
        /// Which part of the triplets.
        #[arg(long, value_enum, default_value = "test")]
        split: SplitArg,
        /// Pairs that people scored: a table with the columns sentence1, sentence2 and score; may be repeated, for the
        /// domain and for general language.
        #[arg(long, value_name = "FILE.csv")]
        sts: Vec<PathBuf>,
    },
}

/// `triplets decide`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("choice").required(true).args(["accept", "reject", "skip"]))]
pub struct DecideTripletsArgs {
    /// In whose name, where.
    #[command(flatten)]
    pub who: WhoArgs,
    /// Their numbers, as the list shows them.
    #[arg(required = true)]
    pub triplets: Vec<TripletId>,
    /// Accept them.
    #[arg(long)]
    pub accept: bool,
    /// Reject them.
    #[arg(long)]
    pub reject: bool,
    /// Not now.
    #[arg(long)]
    pub skip: bool,
    /// Accept one with this positive in the place of its own.
    #[arg(long, value_name = "TEXT", requires = "accept", requires = "negative")]
    pub positive: Option<String>,
    /// Accept one with this negative in the place of its own.
    #[arg(long, value_name = "TEXT", requires = "accept", requires = "positive")]
    pub negative: Option<String>,
    /// Why.
    #[arg(long, default_value = "")]
    pub note: String,
    /// End a conflict for everybody; needs a note.
    #[arg(long)]
    pub adjudicate: bool,
}

/// Which triplets.
#[derive(Debug, Args)]
pub struct WhichArgs {
    /// Only of this shift (temporal.time_limit) or class of shifts (temporal).
    #[arg(long)]
    pub shift: Option<String>,
    /// Only of this part.
    #[arg(long, value_enum)]
    pub split: Option<SplitArg>,
    /// Only of this status: unreviewed, accepted, rejected, conflict.
    #[arg(long, value_parser = status)]
    pub status: Option<ReviewStatus>,
}

/// A part of the dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SplitArg {
    /// What is learnt from.
    Train,
    /// What is chosen by.
    Dev,
    /// What is measured on.
    Test,
}

impl From<SplitArg> for Split {
    fn from(split: SplitArg) -> Self {
        match split {
            SplitArg::Train => Self::Train,
            SplitArg::Dev => Self::Dev,
            SplitArg::Test => Self::Test,
        }
    }
}
