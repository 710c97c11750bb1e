//! The arguments of `bench`.

use crate::metrics_args::BertScoreArgs;
use clap::Args;
use lexforge_domain::DatasetId;
use lexforge_domain::api::BenchOn;
use std::path::PathBuf;

/// `bench`
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The snapshot's number. Default: the newest.
    #[arg(long)]
    pub dataset: Option<DatasetId>,
    /// The systems to compare, separated by commas. A system is tfidf, lsa, bm25, "base NAME", "eol NAME", "echo
    /// NAME", "run NUMBER" or "checkpoint NUMBER/NAME". "runs NUMBER+NUMBER" stands for runs of one recipe with
    /// different seeds. "endpoint NAME" is the language model behind an endpoint, and "endpoint local" is a decoder of
    /// this machine. Default: all existing systems except endpoints.
    #[arg(long, value_delimiter = ',')]
    pub systems: Vec<String>,
    /// Treat runs of one recipe with different seeds as one system. Its figures are the means over these runs.
    #[arg(long)]
    pub by_recipe: bool,
    /// The system that the others are compared with. Default: the first base model that was not tuned.
    #[arg(long)]
    pub baseline: Option<String>,
    /// Measure under attack: the test questions are misspelt, reworded, or given a wrong choice that is nearly right.
    /// There is no baseline here, because each system is compared with itself.
    #[arg(long, conflicts_with_all = ["exam", "terms"])]
    pub attack: bool,
    /// Use the questions of this exam instead of the snapshot's test questions.
    #[arg(long, value_name = "NAME", conflicts_with = "terms")]
    pub exam: Option<String>,
    /// Ask this many questions of each subject, drawn at random. Default: ask all questions.
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// The seed of the random draw.
    #[arg(long, value_name = "S", requires = "sample", default_value_t = lexforge_engine::DEFAULT_SEED)]
    pub seed: u64,
    /// Pairs of general sentences that people scored, one pair a line: {"a", "b", "score"}; or a table with the columns
    /// sentence1, sentence2 and score. The table then also shows how well each system's vectors follow these scores.
    #[arg(long, value_name = "FILE")]
    pub general: Option<PathBuf>,
    /// Which encoder compares what systems write with the right choices, token by token.
    #[command(flatten)]
    pub bertscore: BertScoreArgs,
    /// Let the language model behind this endpoint judge what systems write. It gives each answer five marks, and says
    /// which of two answers is better after it saw them in both orders. `local` = a decoder of this machine.
    #[arg(long, value_name = "ENDPOINT")]
    pub judge: Option<String>,
    /// Only say how many questions are still to be scored, how many answers are stored, and about how long the scoring
    /// takes on this machine. The time is learned from earlier measurements here. Nothing is scored or sent.
    #[arg(long)]
    pub plan: bool,
    /// Agree in advance to what is sent to endpoints, including the judge, so that the command does not ask.
    #[arg(long)]
    pub yes: bool,
    /// Test on terms in contexts instead: on an imported set, or, without a name, on a set that is made from the
    /// snapshot's test part.
    #[arg(long, value_name = "SET", num_args = 0..=1)]
    pub terms: Option<Option<String>>,
}

impl BenchArgs {
    /// What systems are measured on.
    pub fn on(&self) -> BenchOn {
        match (&self.exam, &self.terms) {
            (Some(name), _) => BenchOn::Exam { name: name.clone() },
            (None, Some(set)) => BenchOn::Terms { set: set.clone() },
            (None, None) if self.attack => BenchOn::Attack,
            (None, None) => BenchOn::Questions,
        }
    }
}
