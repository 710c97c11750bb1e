//! The arguments of `bench`.

use crate::metrics_args::BertScoreArgs;
use clap::Args;
use lexforge_domain::DatasetId;
use std::path::PathBuf;

/// `bench`
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The snapshot's number; none = the newest.
    #[arg(long)]
    pub dataset: Option<DatasetId>,
    /// The systems, separated by commas: tfidf, lsa, bm25, "base NAME", "eol NAME", "echo NAME", "run NUMBER",
    /// "checkpoint NUMBER/NAME", for runs of one recipe with other seeds "runs NUMBER+NUMBER", and "endpoint NAME" for
    /// the language model behind an endpoint (`endpoint local` = a decoder of this machine); none = all that are there
    /// but endpoints.
    #[arg(long, value_delimiter = ',')]
    pub systems: Vec<String>,
    /// Runs of one recipe with other seeds are one system, whose figures are means over them.
    #[arg(long, conflicts_with_all = ["systems", "attack", "exam", "terms"])]
    pub by_recipe: bool,
    /// The system that the others are compared with; none = the first untouched base model.
    #[arg(long, conflicts_with = "terms")]
    pub baseline: Option<String>,
    /// Measure under attack: the test questions are misspelt, put in other words, or get a wrong choice that is nearly
    /// the right one. There is no baseline: each system is compared with itself.
    #[arg(long, conflicts_with_all = ["baseline", "exam", "terms", "bertscore", "judge"])]
    pub attack: bool,
    /// On this exam instead of the snapshot's test questions.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["dataset", "terms", "bertscore", "judge"])]
    pub exam: Option<String>,
    /// Ask so many questions of each subject, drawn by the seed; none = ask all.
    #[arg(long, value_name = "N", requires = "exam")]
    pub sample: Option<usize>,
    /// The seed by which a sample is drawn.
    #[arg(long, value_name = "S", requires = "sample", default_value_t = lexforge_engine::DEFAULT_SEED)]
    pub seed: u64,
    /// Pairs of general language that people scored, a line each: {"a", "b", "score"}. The table then also shows how
    /// well each system's vectors follow these scores.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["attack", "exam", "terms"])]
    pub general: Option<PathBuf>,
    /// Which encoder compares what systems write with the right choices, token by token.
    #[command(flatten)]
    pub bertscore: BertScoreArgs,
    /// Let the language model behind this endpoint judge what systems write: five marks each, and which of two answers
    /// is better, shown in both orders. `local` = a decoder of this machine.
    #[arg(long, value_name = "ENDPOINT")]
    pub judge: Option<String>,
    /// Agree to what endpoints are sent, the judge among them, without being asked.
    #[arg(long, conflicts_with = "terms")]
    pub yes: bool,
    /// On terms in contexts: of a set that was brought in, or, without a name, of what the snapshot's test part gives.
    #[arg(long, value_name = "SET", num_args = 0..=1, conflicts_with_all = ["bertscore", "judge"])]
    pub terms: Option<Option<String>>,
}
