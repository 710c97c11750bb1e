//! The command line's grammar.

use crate::answering_args::{AskArgs, CalibrateArgs, PairsArgs, RankArgs};
use crate::audit_args::AuditArgs;
use crate::bench_args::BenchArgs;
use crate::compute_args::ComputeArgs;
use crate::dataset_args::{DatasetArgs, QcaArgs};
use crate::docs_args::DocsArgs;
use crate::drift_args::{DriftArgs, WatchArgs};
use crate::encoder_args::{EncoderArgs, FolderReadingArgs, Side};
use crate::endpoint_args::{AugmentArgs, EndpointsArgs};
use crate::exam_args::{ApartAction, ExamArgs};
use crate::export::ExportArgs;
use crate::gate_args::{ActivateArgs, GateArgs};
use crate::glossary::GlossaryAction;
use crate::graph_args::GraphArgs;
use crate::key::KeyArgs;
use crate::match_args::MatchArgs;
use crate::metrics_args::MetricsArgs;
use crate::mode::Mode;
use crate::prompt_args::PromptsArgs;
use crate::recipe_args::{AdaptArg, FigureArgs, LearnFromArg, RecipeArgs, TaskArg};
use crate::report_args::ReportArgs;
use crate::review_args::{PacketArgs, PeopleArgs, TermsReview, status};
use crate::runs_args::RunsArgs;
use crate::similarity_args::SimilarityArgs;
use crate::term_args::{ConfusablesArgs, ExtractArgs, SchemasAction};
use crate::triplet_args::TripletsArgs;
use crate::update::UpdateArgs;
use crate::workspace::CopiesArgs;
use crate::workspace_args::WorkspaceArgs;
use clap::{Args, Parser, Subcommand};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{DatasetId, RunId};
use std::path::PathBuf;

/// Teach your own language model your regulators' vocabulary, on your own machines.
#[derive(Debug, Parser)]
#[command(name = "lexforge", version, arg_required_else_help = true)]
pub struct Cli {
    /// Results as JSON on standard output.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The main job: import, terms, graph, questions, train, evaluate, report.
    Run(RunArgs),
    /// Make a new workspace.
    New(WorkspaceArgs),
    /// Back a workspace up, or restore a backup.
    Workspace(CopiesArgs),
    /// Import documents and folders of them: .pdf, .docx, .html, .md, .txt, .jsonl.
    Import(ImportArgs),
    /// Make the vectors that the search lacks, so that clauses in other words are found before there is a graph.
    Vectors(WorkspaceArgs),
    /// List documents, print one, link versions, show what changed between two, or check them before they are used to
    /// train.
    Docs(DocsArgs),
    /// Search the corpus.
    Search(SearchArgs),
    /// Ask the documents: an answer that cites its page, or that they hold none.
    Ask(AskArgs),
    /// Questions with the passages that answer them.
    Pairs(PairsArgs),
    /// Measure on labelled questions how often answers are wrong.
    Calibrate(CalibrateArgs),
    /// How well clauses are ranked, on questions whose right passages are known.
    Rank(RankArgs),
    /// Which policy statements cover which rules, what differs, and which rules nothing covers.
    Match(MatchArgs),
    /// Figures of files, without a workspace.
    Metrics(MetricsArgs),
    /// The text stages on a plain file, without a workspace.
    Text(TextArgs),
    /// Find terms, list them, and decide about them.
    Terms(TermsArgs),
    /// Who reviews, and how.
    People(PeopleArgs),
    /// Review packets for colleagues without access to the workspace.
    Packet(PacketArgs),
    /// Build the sentence graph, add to it, describe it, look into it, export it.
    Graph(GraphArgs),
    /// Write questions: offline, with a language model behind an endpoint, or through batch files.
    Augment(AugmentArgs),
    /// Name, try, list or remove the endpoints of language models.
    Endpoints(EndpointsArgs),
    /// What language models are told: list, show, edit and try the prompts.
    Prompts(PromptsArgs),
    /// Export questions, decide about them, or see what was turned down.
    Qca(QcaArgs),
    /// Freeze a dataset snapshot, list snapshots, or export one.
    Dataset(DatasetArgs),
    /// Pairs of sentences whose likeness in meaning experts score, 0 to 5, and encoders measured on them.
    Similarity(SimilarityArgs),
    /// Triplets of a sentence, one that says the same, and one that differs in meaning and hardly in words.
    Triplets(TripletsArgs),
    /// Train an adapter on a snapshot, or tune the search on labelled questions (--task retrieval) or an encoder on
    /// triplets (--task triplets).
    Train(TrainArgs),
    /// List, follow, pause, stop, resume or compare training runs.
    Runs(RunsArgs),
    /// Evaluate a finished run on the snapshot's test part.
    Eval(EvalArgs),
    /// Decide whether a run may go live: exit code 0 pass, 3 stop, 4 undecided.
    Gate(Box<GateArgs>),
    /// Bring exams of others in, list or remove them.
    Exam(ExamArgs),
    /// Put systems side by side on the snapshot's test questions, on an exam, or on terms in contexts.
    Bench(BenchArgs),
    /// Write a page for people who sign: the report, a comparison of systems, what the gate says, a model's card.
    Report(ReportArgs),
    /// List base models, describe one, embed with it, export a trained one, or make one active.
    Models(ModelsArgs),
    /// Sample what is new, and say what has moved: the fixed panel, new sentences, new questions.
    Drift(DriftArgs),
    /// Do this on a schedule.
    Watch(WatchArgs),
    /// Verify the audit chain, sign its head, or list it.
    Audit(AuditArgs),
    /// Put a key file behind a passphrase, or take the passphrase away.
    Key(KeyArgs),
    /// Machines that a training can run on, over SSH or through Slurm.
    Compute(ComputeArgs),
    /// What is there, what is missing, and the command that mends it.
    Doctor(DoctorArgs),
    /// Take in a newer version from a signed file, or go back to the one before.
    Update(UpdateArgs),
}

/// `doctor`
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Writes versions, checks, settings, counts and logs, and nothing of a document, to a new file for a request for
    /// support.
    #[arg(long, value_name = "FILE.zip")]
    pub bundle: Option<PathBuf>,
}

/// `run`
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The workspace's file; made where there is none.
    pub workspace: PathBuf,
    /// Documents and folders to import; none = work on what the workspace holds.
    pub files: Vec<PathBuf>,
    /// Training and reading settings.
    #[command(flatten)]
    pub recipe: RecipeArgs,
    /// How documents are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// How documents are read.
#[derive(Debug, Args)]
pub struct ReadingArgs {
    /// Read with the main reader only; faster, and no agreement is shown.
    #[arg(long)]
    pub no_second_reader: bool,
    /// Leave pages without a text layer unread, even where Tesseract is installed.
    #[arg(long)]
    pub no_ocr: bool,
    /// File that holds the password of locked PDFs.
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Take the password of locked PDFs from the first line of standard input.
    #[arg(long, conflicts_with = "password_file")]
    pub password_stdin: bool,
}

/// `import`
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The workspace's file; made where there is none.
    pub workspace: PathBuf,
    /// The documents; of a folder, everything below it that can be imported.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// How they are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Make the vectors of the new sentences as well (see `vectors`).
    #[arg(long)]
    pub vectors: bool,
}

/// `search`
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The words to look for.
    #[arg(required_unless_present = "queries")]
    pub query: Option<String>,
    /// How.
    #[arg(long, value_enum, default_value_t = Mode::Lexical)]
    pub mode: Mode,
    /// Which encoder makes the vectors.
    #[command(flatten)]
    pub encoder: EncoderArgs,
    /// Put the first fifty in order with the cross-encoder of this run (`train --task rerank`).
    #[arg(long, value_name = "RUN", conflicts_with = "queries")]
    pub rerank: Option<RunId>,
    /// Most hits.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub top: u16,
    /// File of queries, a line each: {"id", "text"}.
    #[arg(long, value_name = "FILE", requires = "trec")]
    pub queries: Option<PathBuf>,
    /// Write a TREC run with the corpus' own ids to this file.
    #[arg(long, value_name = "OUT", requires = "queries")]
    pub trec: Option<PathBuf>,
}

/// `text`
#[derive(Debug, Args)]
pub struct TextArgs {
    /// The stage.
    #[command(subcommand)]
    pub stage: TextStage,
}

/// The text stages.
#[derive(Debug, Subcommand)]
pub enum TextStage {
    /// Sentences with offsets.
    Segment(FileArgs),
    /// Definitions.
    Definitions(FileArgs),
    /// References to other clauses. A .jsonl corpus (`{"id","text","title"?,"section"?}` a line) is read passage by
    /// passage, and every reference is led to the passage that it names.
    References(FileArgs),
    /// Term candidates.
    Terms(FileArgs),
}

/// A plain text file.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// UTF-8 text.
    pub file: PathBuf,
    /// Language: en, zh, ko; none = detect.
    #[arg(long)]
    pub language: Option<String>,
}

/// `terms`
#[derive(Debug, Args)]
pub struct TermsArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: TermsAction,
}

/// What to do with terms.
#[derive(Debug, Subcommand)]
pub enum TermsAction {
    /// Find the corpus' terms; replaces those found before.
    Extract(Box<ExtractArgs>),
    /// List the pairs of terms that could be taken for each other, or look for them anew.
    Confusables(ConfusablesArgs),
    /// List what the last extraction proposed and did not take.
    Rejected(WorkspaceArgs),
    /// The classes of terms that a language model looks for.
    Schemas {
        /// What to do.
        #[command(subcommand)]
        action: SchemasAction,
    },
    /// List terms.
    List {
        /// The workspace's file.
        workspace: PathBuf,
        /// Text that the term or its definition contains.
        #[arg(long)]
        query: Option<String>,
        /// Only of this status: unreviewed, accepted, rejected, merged, conflict.
        #[arg(long, value_parser = status)]
        status: Option<ReviewStatus>,
        /// Only of this class of the schema; empty = those without one.
        #[arg(long)]
        class: Option<String>,
        /// Most rows; 0 = all.
        #[arg(long, default_value_t = 0)]
        limit: u64,
    },
    /// What reviewers do with them.
    #[command(flatten)]
    Review(TermsReview),
    /// Glossaries.
    #[command(flatten)]
    Glossary(GlossaryAction),
    /// Terms in their contexts, to measure whether models tell their meanings apart.
    Apart {
        /// What to do.
        #[command(subcommand)]
        action: ApartAction,
    },
    /// Show how far the reviewers agree on terms, class by class and two by two.
    Agreement {
        /// The workspace's file.
        workspace: PathBuf,
        /// On pairs of terms instead: the same, confusable, unrelated.
        #[arg(long)]
        pairs: bool,
    },
}

/// `train`
#[derive(Debug, Args)]
pub struct TrainArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// What the training is for. Each task except `questions` sets the recipe. `retrieval`, `rerank` and `gpl` set the
    /// recipe of the same name; `triplets` sets `nmixx`, `matches` sets `rules-and-policies`, and `adapt` sets `adapt`,
    /// or `tsdae` with `--objective tsdae`.
    #[arg(long, value_enum)]
    pub task: Option<TaskArg>,
    /// How the task adapt teaches an encoder the language of the documents; by masked words without it.
    #[arg(long, value_enum, requires = "task")]
    pub objective: Option<AdaptArg>,
    /// What is learnt from instead of a snapshot: questions for the task retrieval, or matches.
    #[arg(long, value_enum, default_value = "labels")]
    pub learn_from: LearnFromArg,
    /// Snapshot; none = the newest.
    #[arg(long)]
    pub dataset: Option<DatasetId>,
    /// Go on from the result of a finished run, with its base model, rank and way of tuning. For example, adapt an
    /// encoder first, and then tune it on triplets.
    #[arg(long, value_name = "RUN")]
    pub start_from: Option<RunId>,
    /// Settings.
    #[command(flatten)]
    pub recipe: RecipeArgs,
    /// Try several values of a figure: `lr=1e-4,2e-4`, `tau=.05,.07`, `weights=.4/.6,.2/.8` (sentences/terms) or
    /// `items=1,2,4,all` (training questions of each rule). Give the option once for each figure. Every combination is
    /// a run, and the best on the dev part is named. If the command was ended, the same command goes on from there.
    #[arg(long, value_name = "FIGURE=VALUES", conflicts_with = "detach")]
    pub sweep: Vec<String>,
    /// Start the worker and return; follow it with `runs follow`.
    #[arg(long)]
    pub detach: bool,
    /// Train on a target (`compute list`) instead of this machine.
    #[arg(long, value_name = "TARGET", conflicts_with = "plan")]
    pub on: Option<String>,
    /// Show what would be done and what it would need, and train nothing.
    #[arg(long, conflicts_with = "detach")]
    pub plan: bool,
}

/// `eval`
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The run's number; none = the newest that has finished.
    #[arg(long)]
    pub run: Option<RunId>,
}

/// `models`
#[derive(Debug, Args)]
pub struct ModelsArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: ModelsAction,
}

/// What to do with base models.
#[derive(Debug, Subcommand)]
pub enum ModelsAction {
    /// List the models that can be trained: the shipped ones, those in LEXFORGE_MODELS and the usual folders, and those
    /// of a workspace's runs.
    List {
        /// The workspace's file.
        workspace: Option<PathBuf>,
    },
    /// Describe a model, and what training it would need.
    Inspect {
        /// A name, or the path of a Hugging Face folder.
        model: String,
        /// The training whose memory is estimated.
        #[command(flatten)]
        figures: Box<FigureArgs>,
    },
    /// Say how the model in a folder reads texts, if its files do not say it or say something else; without options,
    /// show it. It is written into the folder in the form of Sentence Transformers, and applies to everything that
    /// makes vectors. Vectors made before are no longer used.
    Reading(FolderReadingArgs),
    /// Embed the "text" of each line of a JSONL file.
    Embed {
        /// A name, or the path of a Hugging Face folder.
        model: String,
        /// JSONL with a "text" a line.
        #[arg(long)]
        input: PathBuf,
        /// safetensors file to write: one F32 tensor, rows in input order.
        #[arg(long)]
        out: PathBuf,
        /// Folder of an adapter of this model.
        #[arg(long)]
        adapter: Option<PathBuf>,
        /// What the texts are, where the model puts other words before questions than before passages.
        #[arg(long = "as", value_enum, default_value_t = Side::Plain)]
        side: Side,
    },
    /// Make a model folder from an encoder, with a tokenizer that keeps accepted terms whole which the encoder's own
    /// broke into many pieces. Each term begins as the mean of its pieces; train on the folder with --base and
    /// --all-weights.
    AddWords {
        /// The workspace's file.
        workspace: PathBuf,
        /// The folder to make.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// The encoder: a name, or the path of a Hugging Face folder.
        #[arg(long)]
        base: Option<String>,
        /// Most terms that are added, the most frequent ones first.
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..))]
        most: u16,
        /// Pieces that a term is broken into at least.
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(2..))]
        pieces: u16,
    },
    /// Make the adapter of a run active, where the gate lets it pass.
    Activate(ActivateArgs),
    /// Show which adapter is active, and which were before.
    Active(WorkspaceArgs),
    /// Take the last activation back: what was active before it is active again.
    Rollback(WorkspaceArgs),
    /// Make of a finished run something that other programs load, read it back, and prove that it answers the same.
    Export(ExportArgs),
}
