//! The arguments of `triplets`.

use crate::endpoint_args::LocalArgs;
use crate::review_args::{WhoArgs, status};
use crate::stands_for::stands_for;
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
    /// The run that tuned the encoder. Default: the base model alone.
    #[arg(long, conflicts_with = "base")]
    pub run: Option<RunId>,
    /// The base model, if no run is named.
    #[arg(long)]
    pub base: Option<String>,
    /// How much of the tuning is measured beside the base model, in percent; may be several values.
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
        /// Make them without a language model. This is the default.
        #[arg(long, conflicts_with = "endpoint")]
        offline: bool,
        /// Make them from the newest graph's lexical edges: rules in nearly the same words, and rules that share hardly
        /// any word.
        #[arg(long, conflicts_with_all = ["endpoint", "offline"])]
        from_graph: bool,
        /// Ask the language model behind this endpoint, which also judges the triplets; `local` = a decoder of this
        /// machine.
        #[arg(long, value_name = "NAME")]
        endpoint: Option<String>,
        /// Send at most this many prompts now. The rest can be sent later.
        #[arg(long, value_name = "N", requires = "endpoint")]
        limit: Option<u64>,
        /// Agree in advance to what is sent, so that the command does not ask.
        #[arg(long, requires = "endpoint")]
        yes: bool,
        /// Which model of this machine is asked.
        #[command(flatten)]
        local: LocalArgs,
        /// For the sentence that says the same, use a translation into the other language (English or Chinese) instead
        /// of other words.
        #[arg(long, requires = "endpoint")]
        translate: bool,
        /// Without a language model: the largest number of triplets for one sentence.
        #[arg(long, value_name = "N", default_value_t = 3)]
        most: usize,
        /// A file with more ways of shifting a meaning: a JSON list of {"tag", "en", "zh", "what", "edits"?}.
        #[arg(long, value_name = "FILE")]
        shifts: Option<PathBuf>,
        /// Make only these shifts (temporal.time_limit) or classes of shifts (temporal); may be several.
        #[arg(
            long,
            value_name = "SHIFT",
            value_delimiter = ',',
            conflicts_with = "from_graph"
        )]
        only: Vec<String>,
        /// Seed of the random choice among edits.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// List the triplets.
    List {
        /// The workspace's file.
        workspace: PathBuf,
        /// The choice of triplets.
        #[command(flatten)]
        which: WhichArgs,
        /// List the drafts that were turned down instead, each with its reason.
        #[arg(long)]
        turned_down: bool,
        /// List at most this many; 0 = all.
        #[arg(long, default_value_t = 0)]
        limit: u64,
    },
    /// List the ways in which a meaning can shift.
    Shifts {
        /// A file with more ways of shifting a meaning.
        #[arg(long, value_name = "FILE")]
        shifts: Option<PathBuf>,
    },
    /// Accept, correct or reject triplets, as one reviewer. Rejected triplets are used neither for training nor for
    /// measuring. The same applies to triplets about which reviewers differ, until somebody settles them.
    Decide(DecideTripletsArgs),
    /// Show the triplet to decide next.
    Queue(WhoArgs),
    /// Show how far the reviewers agree, over all triplets and for each shift.
    Agreement {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Write the triplets to a file, one JSON object a line.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        file: PathBuf,
        /// The choice of triplets.
        #[command(flatten)]
        which: WhichArgs,
    },
    /// Import triplets: lines of {"source", "positive", "negative", "shift"?, "origin"?, "margin"?, "split"?}.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// Measure an encoder on the triplets, and on pairs that people scored, before and after its tuning.
    Measure {
        /// The workspace's file.
        workspace: PathBuf,
        /// Which encoder.
        #[command(flatten)]
        encoder: EncoderArgs,
        /// Which part of the triplets is used.
        #[arg(long, value_enum, default_value = "test")]
        split: SplitArg,
        /// Pairs that people scored, from the domain or of general language: a table (CSV or TSV) with the
        /// columns sentence1, sentence2 and score, or these three without names; may be repeated.
        #[arg(long, value_name = "FILE")]
        sts: Vec<PathBuf>,
    },
}

/// `triplets decide`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("choice").required(true).args(["accept", "reject", "skip"]))]
pub struct DecideTripletsArgs {
    /// The workspace, and the person in whose name it is done.
    #[command(flatten)]
    pub who: WhoArgs,
    /// The triplets, by their numbers in the list.
    #[arg(required = true)]
    pub triplets: Vec<TripletId>,
    /// Accept the triplets.
    #[arg(long)]
    pub accept: bool,
    /// Reject the triplets.
    #[arg(long)]
    pub reject: bool,
    /// Put the decision off.
    #[arg(long)]
    pub skip: bool,
    /// Accept one triplet, with this positive sentence instead of its own.
    #[arg(long, value_name = "TEXT", requires = "accept", requires = "negative")]
    pub positive: Option<String>,
    /// Accept one triplet, with this negative sentence instead of its own.
    #[arg(long, value_name = "TEXT", requires = "accept", requires = "positive")]
    pub negative: Option<String>,
    /// The reason for the decision.
    #[arg(long, default_value = "")]
    pub note: String,
    /// Settle a conflict for everybody. This needs a note.
    #[arg(long)]
    pub adjudicate: bool,
}

/// The choice of triplets.
#[derive(Debug, Args)]
pub struct WhichArgs {
    /// Only triplets of this shift (temporal.time_limit) or class of shifts (temporal).
    #[arg(long)]
    pub shift: Option<String>,
    /// Only triplets of this part.
    #[arg(long, value_enum)]
    pub split: Option<SplitArg>,
    /// Only triplets of this status: unreviewed, accepted, rejected, conflict.
    #[arg(long, value_parser = status)]
    pub status: Option<ReviewStatus>,
}

/// A part of the dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SplitArg {
    /// The part that is learnt from.
    Train,
    /// The part by which settings are chosen.
    Dev,
    /// The part that is measured on.
    Test,
}

stands_for!(SplitArg => Split: Train, Dev, Test);
