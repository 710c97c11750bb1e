//! The arguments of `similarity`.

use crate::review_args::WhoArgs;
use crate::triplet_args::EncoderArgs;
use clap::{ArgGroup, Args, Subcommand};
use lexforge_domain::SimilarityId;
use lexforge_domain::review::Score;
use std::path::PathBuf;

/// `similarity`
#[derive(Debug, Args)]
pub struct SimilarityArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: SimilarityAction,
}

/// What to do with pairs of sentences.
#[derive(Debug, Subcommand)]
pub enum SimilarityAction {
    /// Draw pairs of the documents' sentences by strata of an encoder's cosine; pairs that are there stay.
    Draw {
        /// The workspace's file.
        workspace: PathBuf,
        /// How many pairs.
        #[arg(long, value_name = "N", default_value_t = 120)]
        pairs: usize,
        /// Seed.
        #[arg(long)]
        seed: Option<u64>,
        /// The encoder: a base model's name or folder.
        #[arg(long)]
        encoder: Option<String>,
        /// Language of the sentences (en, zh, ko, other); none = the one that most of them are in.
        #[arg(long)]
        language: Option<String>,
    },
    /// Show the pair to score next, with what the scores mean.
    Queue(WhoArgs),
    /// Score pairs: 0 (about different things) to 5 (the same), in half steps.
    #[command(group(ArgGroup::new("said").required(true).args(["score", "skip"])))]
    Score {
        /// In whose name, where.
        #[command(flatten)]
        who: WhoArgs,
        /// Their numbers.
        #[arg(required = true)]
        ids: Vec<SimilarityId>,
        /// The score: 0, 0.5 … 5.
        #[arg(long, value_parser = score)]
        score: Option<Score>,
        /// Not now.
        #[arg(long)]
        skip: bool,
        /// Why.
        #[arg(long, default_value = "")]
        reason: String,
        /// Settle scores that are too far apart, for everybody; needs a reason.
        #[arg(long)]
        adjudicate: bool,
    },
    /// Take the newest decision back, of whichever kind.
    Undo(WhoArgs),
    /// List the pairs. In a blind review others' scores are told once one's own is given.
    List {
        /// In whose name, where.
        #[command(flatten)]
        who: WhoArgs,
        /// Only those that nobody has scored.
        #[arg(long)]
        unscored: bool,
        /// Only those whose scores are more than 2 points apart and that nobody settled.
        #[arg(long)]
        disputed: bool,
    },
    /// How far those who scored agree: Krippendorff's α, interval-scaled, over all and of each two.
    Agreement {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Write the scored pairs as a table (sentence1, sentence2, score, scores), and a card beside it.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The table to write; the card gets its name with .md behind it.
        file: PathBuf,
    },
    /// Spearman and Pearson of an encoder's cosines with the scores, before its tuning and after it, beside general
    /// language.
    Measure {
        /// The workspace's file.
        workspace: PathBuf,
        /// Which encoder.
        #[command(flatten)]
        encoder: EncoderArgs,
        /// Pairs of general language that people scored: a table with the columns sentence1, sentence2 and score; may
        /// be repeated.
        #[arg(long, value_name = "FILE.csv")]
        sts: Vec<PathBuf>,
    },
}

fn score(text: &str) -> Result<Score, String> {
    let points = text.trim().parse::<f64>().ok().and_then(Score::of);
    points.ok_or_else(|| "a score is 0, 0.5, 1 and so on up to 5".to_owned())
}
