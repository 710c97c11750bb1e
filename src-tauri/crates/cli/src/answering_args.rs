//! The grammar of questions to the corpus: `ask`, `pairs`, `calibrate`, `rank`.

use crate::encoder_args::EncoderArgs;
use crate::mode::Mode;
use clap::{Args, Subcommand};
use lexforge_domain::api::{AnswerWay, Preferred};
use lexforge_domain::{AnswerId, RunId};
use std::path::PathBuf;

/// `ask`
#[derive(Debug, Args)]
pub struct AskArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The question.
    #[arg(required_unless_present_any = ["batch", "verdicts_from", "history", "again", "prefer"])]
    pub question: Option<String>,
    /// How clauses are searched: by words, and by vectors where the workspace has them, unless this says otherwise.
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
    /// Which encoder makes the vectors.
    #[command(flatten)]
    pub encoder: EncoderArgs,
    /// Put the first clauses in order with the cross-encoder of this run. Without this option the cross-encoder that is
    /// switched on is used, if there is one (`rank rerank`).
    #[arg(long, value_name = "RUN", conflicts_with = "batch")]
    pub rerank: Option<RunId>,
    /// The answer that this question goes on from, by its number: "And for processors?" is then read with its question.
    #[arg(long, value_name = "ANSWER", requires = "question")]
    pub after: Option<AnswerId>,
    /// Only what applied on this day counts.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub as_of: Option<String>,
    /// What writes the answer. With `extractive` (the default) the answer consists of quoted clauses. `adapter` is a
    /// decoder that was tuned in this workspace: the one of the named run, or else the active one, or the newest one if
    /// none is active. `base` is a decoder that was not tuned: the one that comes with the product, or the named one of
    /// this machine. `endpoint` is the model behind an endpoint: the only endpoint, or the named one. Before anything
    /// is sent to an endpoint, it is shown, and you are asked whether you agree. Each statement of the answer is
    /// checked against the clauses that it cites.
    #[arg(long = "with", value_name = "extractive|adapter[:RUN]|base[:MODEL]|endpoint[:NAME]", value_parser = way)]
    pub way: Option<AnswerWay>,
    /// Agree to what would be sent, without being asked on the terminal.
    #[arg(long)]
    pub yes: bool,
    /// Answer in two ways, one beside the other; each is kept.
    #[arg(long, value_name = "A,B", value_parser = pair, requires = "question", conflicts_with_all = ["way", "batch"])]
    pub compare: Option<Pair>,
    /// With --compare: do not say who wrote which. With --prefer: it was not said.
    #[arg(long)]
    pub blind: bool,
    /// Keep which of two answers is better.
    #[arg(long, value_enum, requires = "between", conflicts_with_all = ["question", "batch", "history", "again"])]
    pub prefer: Option<Preference>,
    /// With --prefer: the numbers of the two answers, in the order in which they were shown.
    #[arg(long, value_name = "ANSWER,ANSWER", value_parser = between, requires = "prefer")]
    pub between: Option<Between>,
    /// A table of questions (.xlsx, .ods or CSV), answered row by row.
    #[arg(
        long,
        value_name = "QUESTIONS.xlsx|QUESTIONS.csv",
        requires = "out",
        conflicts_with = "question"
    )]
    pub batch: Option<PathBuf>,
    /// Where the answers to a batch go: a document where the name ends in .docx, a workbook where it ends in .xlsx,
    /// else CSV.
    #[arg(
        long,
        value_name = "ANSWERS.csv|ANSWERS.xlsx|ANSWERS.docx",
        requires = "batch"
    )]
    pub out: Option<PathBuf>,
    /// Take the verdicts that somebody wrote into a table of answers (its column verdict).
    #[arg(
        long,
        value_name = "ANSWERS.csv|ANSWERS.xlsx",
        conflicts_with_all = ["question", "batch", "history", "again", "prefer"]
    )]
    pub verdicts_from: Option<PathBuf>,
    /// List the answers that were given, newest first.
    #[arg(long, conflicts_with_all = ["question", "batch"])]
    pub history: bool,
    /// Show an answer as it was given.
    #[arg(long, value_name = "ANSWER", conflicts_with_all = ["question", "batch", "history"])]
    pub again: Option<AnswerId>,
    /// With --again: say what you think of it.
    #[arg(long, value_enum, requires = "again", conflicts_with_all = ["question", "batch", "history"])]
    pub verdict: Option<Verdict>,
}

/// What a person thinks of an answer.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Verdict {
    /// It answers the question.
    Right,
    /// It does not.
    Wrong,
    /// Something that matters is missing.
    Incomplete,
    /// The documents do not answer it.
    ShouldHaveRefused,
}

/// Which of two answers is better.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Preference {
    /// The one that stood first.
    First,
    /// The other.
    Second,
    /// Both are as good.
    Equal,
    /// Neither is good.
    Neither,
}

impl From<Preference> for Preferred {
    fn from(preference: Preference) -> Self {
        match preference {
            Preference::First => Self::First,
            Preference::Second => Self::Second,
            Preference::Equal => Self::Equal,
            Preference::Neither => Self::Neither,
        }
    }
}

/// Two ways to an answer.
#[derive(Clone, Debug)]
pub struct Pair(pub AnswerWay, pub AnswerWay);

/// Two answers.
#[derive(Clone, Debug)]
pub struct Between(pub AnswerId, pub AnswerId);

fn way(text: &str) -> Result<AnswerWay, String> {
    let (kind, name) = match text.split_once(':') {
        Some((kind, name)) if !name.is_empty() => (kind, Some(name)),
        Some((kind, _)) => (kind, None),
        None => (text, None),
    };
    match (kind, name) {
        ("extractive", None) => Ok(AnswerWay::Extractive),
        ("adapter", None) => Ok(AnswerWay::Adapter { run: None }),
        ("adapter", Some(run)) => run
            .parse()
            .map(|run| AnswerWay::Adapter { run: Some(run) })
            .map_err(|_| format!("{run} is no number of a run")),
        ("base", name) => Ok(AnswerWay::Base {
            model: name.map(str::to_owned),
        }),
        ("endpoint", name) => Ok(AnswerWay::Endpoint {
            name: name.map(str::to_owned),
        }),
        _ => Err(
            "it is extractive, adapter, adapter:RUN, base, base:MODEL, endpoint or endpoint:NAME"
                .to_owned(),
        ),
    }
}

fn pair(text: &str) -> Result<Pair, String> {
    let (one, other) = text
        .split_once(',')
        .ok_or("two ways are compared, with a comma between them")?;
    Ok(Pair(way(one.trim())?, way(other.trim())?))
}

fn between(text: &str) -> Result<Between, String> {
    let numbers = text
        .split_once(',')
        .and_then(|(one, other)| Some((one.trim().parse().ok()?, other.trim().parse().ok()?)));
    let (one, other) = numbers.ok_or("two numbers of answers, with a comma between them")?;
    Ok(Between(one, other))
}

/// `pairs`
#[derive(Debug, Args)]
pub struct PairsArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: PairsAction,
}

/// What to do with labelled questions.
#[derive(Debug, Subcommand)]
pub enum PairsAction {
    /// Bring them in: lines of {"id"?, "question", "passage_ids", "answer"?}; no passage where nothing answers.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// List them.
    List {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Write them to a file, as `import` reads them.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        file: PathBuf,
    },
}

/// `calibrate`
#[derive(Debug, Args)]
pub struct CalibrateArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// Bring these labelled questions in first.
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// How clauses are searched.
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
    /// Which encoder makes the vectors.
    #[command(flatten)]
    pub encoder: EncoderArgs,
    /// Share of wrong answers among those given that is not to be exceeded.
    #[arg(long, default_value_t = lexforge_engine::ALPHA)]
    pub alpha: f64,
    /// How sure that is to be.
    #[arg(long, default_value_t = lexforge_engine::CONFIDENCE)]
    pub confidence: f64,
    /// Who puts the answers together that are measured, as `ask` takes it. A model is asked all labelled questions.
    #[arg(long = "with", value_name = "extractive|adapter[:RUN]|base[:MODEL]|endpoint[:NAME]", value_parser = way)]
    pub way: Option<AnswerWay>,
    /// Agree to what would be sent, without being asked on the terminal.
    #[arg(long)]
    pub yes: bool,
}

/// `rank`
#[derive(Debug, Args)]
pub struct RankArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: RankAction,
}

/// What to do with rankings.
#[derive(Debug, Subcommand)]
pub enum RankAction {
    /// Fit a ranker on the labelled questions, which puts the scores by words and by vectors together.
    Train {
        /// The workspace's file.
        workspace: PathBuf,
        /// Bring these labelled questions in first.
        #[arg(long, value_name = "FILE")]
        labels: Option<PathBuf>,
        /// How clauses are searched.
        #[arg(long, value_enum)]
        mode: Option<Mode>,
        /// Which encoder makes the vectors.
        #[command(flatten)]
        encoder: EncoderArgs,
    },
    /// Search all questions with an encoder from now on, in the window too: --encoder, --adapter, or neither for the
    /// encoder of the graph.
    Use {
        /// The workspace's file.
        workspace: PathBuf,
        /// Which encoder makes the vectors.
        #[command(flatten)]
        encoder: EncoderArgs,
    },
    /// Measure on labelled questions whether the cross-encoder of a run (`train --task rerank`) puts clauses in a
    /// better order. If it does, it is used from now on. Without --run and --off, show the cross-encoders that there
    /// are.
    Rerank {
        /// The workspace's file.
        workspace: PathBuf,
        /// The run. What it and the encoder of the search learned from is left out.
        #[arg(long, value_name = "RUN")]
        run: Option<RunId>,
        /// Bring these labelled questions in first.
        #[arg(long, value_name = "FILE", requires = "run")]
        labels: Option<PathBuf>,
        /// Use it again as it was measured, without measuring.
        #[arg(long, requires = "run", conflicts_with = "labels")]
        on: bool,
        /// Use none from now on.
        #[arg(long, conflicts_with = "run")]
        off: bool,
    },
    /// How much of a tuning pays: ranking and general language between the base model (0) and the tuned one (100).
    Curve {
        /// The workspace's file.
        workspace: PathBuf,
        /// The run that tuned an encoder.
        run: RunId,
        /// The questions: lines of {"id", "text" or "question"}.
        #[arg(long, value_name = "FILE")]
        queries: PathBuf,
        /// The right passages, in TREC's form.
        #[arg(long, value_name = "FILE")]
        qrels: PathBuf,
        /// How clauses are searched.
        #[arg(long, value_enum, default_value = "dense")]
        mode: Mode,
        /// General sentences: a table with the columns sentence1, sentence2 and score.
        #[arg(long, value_name = "FILE.csv")]
        general: Option<PathBuf>,
        /// The points, in hundredths.
        #[arg(long, value_delimiter = ',', default_values_t = [0, 25, 50, 75, 100], value_parser = clap::value_parser!(u8).range(0..=100))]
        points: Vec<u8>,
    },
    /// Recall@10, MAP@10, nDCG@10, MRR and both@10 over questions whose right passages are known.
    Eval {
        /// The workspace's file.
        workspace: PathBuf,
        /// The questions: lines of {"id", "text" or "question", "kind"?}.
        #[arg(long, value_name = "FILE")]
        queries: PathBuf,
        /// The right passages, in TREC's form.
        #[arg(long, value_name = "FILE")]
        qrels: PathBuf,
        /// How clauses are searched.
        #[arg(long, value_enum)]
        mode: Option<Mode>,
        /// Which encoder makes the vectors.
        #[command(flatten)]
        encoder: EncoderArgs,
        /// Write the ranking in TREC's form.
        #[arg(long, alias = "out", value_name = "OUT")]
        trec: Option<PathBuf>,
        /// Use neither the ranker that was fitted nor the cross-encoder that is on: words and vectors have equal
        /// weight.
        #[arg(long)]
        half: bool,
        /// Put the first clauses in order with the cross-encoder of this run. If no other comparison is named, compare
        /// with the same search without it.
        #[arg(long, value_name = "RUN")]
        rerank: Option<RunId>,
        /// Compare with a run in TREC's form.
        #[arg(long, value_name = "RUN", conflicts_with_all = ["against_mode", "against_half"])]
        against: Option<PathBuf>,
        /// Compare with another way of searching.
        #[arg(long, value_enum, value_name = "MODE", conflicts_with = "against_half")]
        against_mode: Option<Mode>,
        /// Compare with an equal mixture of words and vectors.
        #[arg(long)]
        against_half: bool,
    },
}
