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
    /// Draw pairs of sentences from the documents, some from each range of an encoder's cosine. Pairs that are already
    /// there stay.
    Draw {
        /// The workspace's file.
        workspace: PathBuf,
        /// How many pairs are drawn.
        #[arg(long, value_name = "N", default_value_t = 120)]
        pairs: usize,
        /// Seed of the random draw.
        #[arg(long)]
        seed: Option<u64>,
        /// The encoder, by the name or folder of a base model.
        #[arg(long)]
        encoder: Option<String>,
        /// Language of the sentences (en, zh, ko, other). Default: the language of most sentences.
        #[arg(long)]
        language: Option<String>,
    },
    /// Show the pair to score next, with what the scores mean.
    Queue(WhoArgs),
    /// Score pairs: 0 (about different things) to 5 (the same), in half steps.
    #[command(group(ArgGroup::new("said").required(true).args(["score", "skip"])))]
    Score {
        /// The workspace, and the person in whose name it is done.
        #[command(flatten)]
        who: WhoArgs,
        /// The numbers of the pairs.
        #[arg(required = true)]
        ids: Vec<SimilarityId>,
        /// The score: 0, 0.5 … 5.
        #[arg(long, value_parser = score)]
        score: Option<Score>,
        /// Put the decision off.
        #[arg(long)]
        skip: bool,
        /// The reason for the score.
        #[arg(long, default_value = "")]
        reason: String,
        /// Settle scores that are too far apart, for everybody; needs a reason.
        #[arg(long)]
        adjudicate: bool,
    },
    /// Write the pairs that you have not scored as a table with an empty column for the score, to be filled in a
    /// spreadsheet.
    Sheet {
        /// The workspace, and the person in whose name it is done.
        #[command(flatten)]
        who: WhoArgs,
        /// The table to write.
        file: PathBuf,
    },
    /// Take over the scores of a filled table (sentence1, sentence2, score) in your name. Rows without a score are
    /// skipped; rows that cannot be used are listed.
    Import {
        /// The workspace, and the person in whose name it is done.
        #[command(flatten)]
        who: WhoArgs,
        /// The table, CSV or TSV.
        file: PathBuf,
    },
    /// Undo the newest decision, of whatever kind it is.
    Undo(WhoArgs),
    /// List the pairs. In a blind review, you see the scores of others only after you gave your own.
    List {
        /// The workspace, and the person in whose name it is done.
        #[command(flatten)]
        who: WhoArgs,
        /// Only pairs that nobody has scored.
        #[arg(long)]
        unscored: bool,
        /// Only pairs whose scores are more than 2 points apart and that nobody has settled.
        #[arg(long)]
        disputed: bool,
    },
    /// Show how far the scores of different people agree: Krippendorff's α (interval-scaled), over all people and for
    /// each two of them.
    Agreement {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Write the scored pairs as a table (sentence1, sentence2, score, scores), with a card beside it.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The table to write. The card gets the same name with .md added to it.
        file: PathBuf,
    },
    /// Measure how well an encoder's cosines follow the scores (Spearman and Pearson), before and after its tuning,
    /// and show the same for general sentences.
    Measure {
        /// The workspace's file.
        workspace: PathBuf,
        /// Which encoder.
        #[command(flatten)]
        encoder: EncoderArgs,
        /// Pairs of general sentences that people scored: a table (CSV or TSV) with the columns sentence1, sentence2
        /// and score, or these three without names; may be repeated.
        #[arg(long, value_name = "FILE")]
        sts: Vec<PathBuf>,
    },
}

fn score(text: &str) -> Result<Score, String> {
    let points = text.trim().parse::<f64>().ok().and_then(Score::of);
    points.ok_or_else(|| "a score is 0, 0.5, 1 and so on up to 5".to_owned())
}
