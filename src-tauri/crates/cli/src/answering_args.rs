//! The grammar of questions to the corpus: `ask`, `pairs`, `calibrate`, `rank`.

use crate::encoder_args::EncoderArgs;
use crate::mode::Mode;
use crate::stands_for::stands_for;
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
    /// How clauses are searched. Default: by words, and also by vectors if the workspace has them.
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
    /// Which encoder makes the vectors.
    #[command(flatten)]
    pub encoder: EncoderArgs,
    /// Put the first clauses in order with the cross-encoder of this run. Without this option the cross-encoder that is
    /// switched on is used, if there is one (`rank rerank`).
    #[arg(long, value_name = "RUN", conflicts_with = "batch")]
    pub rerank: Option<RunId>,
    /// Treat the question as a follow-up to an earlier answer, given by its number. "And for processors?" is then read
    /// together with the question of that answer.
    #[arg(long, value_name = "ANSWER", requires = "question")]
    pub after: Option<AnswerId>,
    /// Use only what applied on this day.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub as_of: Option<String>,
    /// What writes the answer. With `extractive` (the default) the answer consists of quoted clauses. `adapter` is a
    /// decoder that was tuned in this workspace: the one of the named run, or else the active one, or the newest one
    /// if none is active. `base` is a decoder that was not tuned: the one that comes with the product, or a named
    /// decoder of this machine. `endpoint` is the model behind an endpoint: the only endpoint, or the named one.
    /// Before anything is sent to an endpoint, it is shown, and you are asked whether you agree. Each statement of the
    /// answer is checked against the clauses that it cites.
    #[arg(long = "with", value_name = "extractive|adapter[:RUN]|base[:MODEL]|endpoint[:NAME]", value_parser = way)]
    pub way: Option<AnswerWay>,
    /// Agree in advance to what is sent, so that the command does not ask.
    #[arg(long)]
    pub yes: bool,
    /// Answer in two ways and show the answers side by side. Both are kept.
    #[arg(long, value_name = "A,B", value_parser = pair, requires = "question", conflicts_with_all = ["way", "batch"])]
    pub compare: Option<Pair>,
    /// With --compare: do not show which way wrote which answer. With --prefer: record that this was not shown.
    #[arg(long)]
    pub blind: bool,
    /// Record which of two answers is better.
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
    /// The file to write the answers to (with --batch): a document if its name ends in .docx, a workbook if it ends in
    /// .xlsx, otherwise CSV.
    #[arg(
        long,
        value_name = "ANSWERS.csv|ANSWERS.xlsx|ANSWERS.docx",
        requires = "batch"
    )]
    pub out: Option<PathBuf>,
    /// Take in the verdicts that somebody wrote into the column `verdict` of a table of answers.
    #[arg(
        long,
        value_name = "ANSWERS.csv|ANSWERS.xlsx",
        conflicts_with_all = ["question", "batch", "history", "again", "prefer"]
    )]
    pub verdicts_from: Option<PathBuf>,
    /// List the answers that were given so far, newest first.
    #[arg(long, conflicts_with_all = ["question", "batch"])]
    pub history: bool,
    /// Show an earlier answer as it was given.
    #[arg(long, value_name = "ANSWER", conflicts_with_all = ["question", "batch", "history"])]
    pub again: Option<AnswerId>,
    /// With --again: record what you think of that answer.
    #[arg(long, value_enum, requires = "again", conflicts_with_all = ["question", "batch", "history"])]
    pub verdict: Option<Verdict>,
}

/// What a person thinks of an answer.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Verdict {
    /// It answers the question.
    Right,
    /// It does not answer the question.
    Wrong,
    /// Something important is missing from it.
    Incomplete,
    /// The documents do not answer the question, so no answer should have been given.
    ShouldHaveRefused,
}

/// Which of two answers is better.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Preference {
    /// The answer that was shown first.
    First,
    /// The answer that was shown second.
    Second,
    /// Both are equally good.
    Equal,
    /// Neither is good.
    Neither,
}

stands_for!(Preference => Preferred: First, Second, Equal, Neither);

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
    /// Import labelled questions, one JSON object a line: {"id"?, "question", "passage_ids", "answer"?}. If no passage
    /// answers a question, its list of passages is empty.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// List the labelled questions.
    List {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Write the labelled questions to a file that `pairs import` can read.
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
    /// Import these labelled questions first.
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// How clauses are searched.
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
    /// Which encoder makes the vectors.
    #[command(flatten)]
    pub encoder: EncoderArgs,
    /// The largest share of wrong answers, among all answers given, that is accepted.
    #[arg(long, default_value_t = lexforge_engine::ALPHA)]
    pub alpha: f64,
    /// How certain it has to be that this share is not exceeded.
    #[arg(long, default_value_t = lexforge_engine::CONFIDENCE)]
    pub confidence: f64,
    /// The way of answering that is measured, named as for `ask`. A model is asked all labelled questions.
    #[arg(long = "with", value_name = "extractive|adapter[:RUN]|base[:MODEL]|endpoint[:NAME]", value_parser = way)]
    pub way: Option<AnswerWay>,
    /// Agree in advance to what is sent, so that the command does not ask.
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
    /// Fit a ranker on the labelled questions. It combines the scores by words with the scores by vectors.
    Train {
        /// The workspace's file.
        workspace: PathBuf,
        /// Import these labelled questions first.
        #[arg(long, value_name = "FILE")]
        labels: Option<PathBuf>,
        /// How clauses are searched.
        #[arg(long, value_enum)]
        mode: Option<Mode>,
        /// Which encoder makes the vectors.
        #[command(flatten)]
        encoder: EncoderArgs,
    },
    /// From now on, search with this encoder for all questions, also in the window. Name it with --encoder or
    /// --adapter; without either option, the encoder of the graph is used.
    Use {
        /// The workspace's file.
        workspace: PathBuf,
        /// Which encoder makes the vectors.
        #[command(flatten)]
        encoder: EncoderArgs,
    },
    /// Measure on labelled questions whether the cross-encoder of a run (`train --task rerank`) puts clauses in a
    /// better order. If it does, it is used from now on. Without --run and --off, list the existing cross-encoders.
    Rerank {
        /// The workspace's file.
        workspace: PathBuf,
        /// The run that tuned the cross-encoder. The measurement leaves out the questions that this run or the search's
        /// encoder learned from.
        #[arg(long, value_name = "RUN")]
        run: Option<RunId>,
        /// Import these labelled questions first.
        #[arg(long, value_name = "FILE", requires = "run")]
        labels: Option<PathBuf>,
        /// Switch the cross-encoder on again because of its earlier measurement, without measuring again.
        #[arg(long, requires = "run", conflicts_with = "labels")]
        on: bool,
        /// Use no cross-encoder from now on.
        #[arg(long, conflicts_with = "run")]
        off: bool,
    },
    /// Measure how much of a tuning is best. At several points between the base model (0) and the tuned model (100),
    /// this shows how well clauses are ranked and how much general language is kept.
    Curve {
        /// The workspace's file.
        workspace: PathBuf,
        /// The run that tuned an encoder.
        run: RunId,
        /// The questions: lines of {"id", "text" or "question"}.
        #[arg(long, value_name = "FILE")]
        queries: PathBuf,
        /// The right passages, in the form that TREC uses.
        #[arg(long, value_name = "FILE")]
        qrels: PathBuf,
        /// How clauses are searched.
        #[arg(long, value_enum, default_value = "dense")]
        mode: Mode,
        /// General sentences: a table (CSV or TSV) with the columns sentence1, sentence2 and score, or these three
        /// without names.
        #[arg(long, value_name = "FILE")]
        general: Option<PathBuf>,
        /// The points to measure, in percent of the tuning.
        #[arg(long, value_delimiter = ',', default_values_t = [0, 25, 50, 75, 100], value_parser = clap::value_parser!(u8).range(0..=100))]
        points: Vec<u8>,
    },
    /// Measure how well clauses are ranked, on questions whose right passages are known: Recall@10, MAP@10, nDCG@10,
    /// MRR and both@10.
    Eval {
        /// The workspace's file.
        workspace: PathBuf,
        /// The questions: lines of {"id", "text" or "question", "kind"?}.
        #[arg(long, value_name = "FILE")]
        queries: PathBuf,
        /// The right passages, in the form that TREC uses.
        #[arg(long, value_name = "FILE")]
        qrels: PathBuf,
        /// How clauses are searched.
        #[arg(long, value_enum)]
        mode: Option<Mode>,
        /// Which encoder makes the vectors.
        #[command(flatten)]
        encoder: EncoderArgs,
        /// Write the ranking to this file, in the form that TREC uses.
        #[arg(long, alias = "out", value_name = "OUT")]
        trec: Option<PathBuf>,
        /// Use neither the fitted ranker nor the cross-encoder that is switched on. Words and vectors then have equal
        /// weight.
        #[arg(long)]
        half: bool,
        /// Put the first clauses in order with the cross-encoder of this run. If no other comparison is named, compare
        /// with the same search without it.
        #[arg(long, value_name = "RUN")]
        rerank: Option<RunId>,
        /// Compare with the ranking in this file, which is in the form that TREC uses.
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
