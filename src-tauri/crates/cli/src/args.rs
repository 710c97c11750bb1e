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
use crate::recipe_args::{AdaptArg, FigureArgs, LearnFromArg, RecipeArgs, RecipesArgs, TaskArg};
use crate::report_args::ReportArgs;
use crate::review_args::{PacketArgs, PeopleArgs, TermsReview, status};
use crate::runs_args::RunsArgs;
use crate::similarity_args::SimilarityArgs;
use crate::term_args::{ConfusablesArgs, ExtractArgs, SchemasAction};
use crate::triplet_args::TripletsArgs;
use crate::update::UpdateArgs;
use crate::workspace::CopiesArgs;
use crate::workspace_args::{NewArgs, WorkspaceArgs};
use clap::{Args, Parser, Subcommand};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{DatasetId, RunId};
use std::path::PathBuf;

/// Teach your own language model your regulators' vocabulary, on your own machines.
#[derive(Debug, Parser)]
#[command(name = "lexforge", version, arg_required_else_help = true)]
pub struct Cli {
    /// Print results as JSON on standard output.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Do the whole job: import, terms, graph, questions, training, evaluation, report.
    Run(RunArgs),
    /// Make a new workspace.
    New(NewArgs),
    /// Back up a workspace, restore a backup, encrypt a workspace, or show the disk space.
    Workspace(CopiesArgs),
    /// Import documents, or folders of documents: .pdf, .docx, .html, .md, .txt, .jsonl.
    Import(ImportArgs),
    /// Make the vectors that the search lacks. With them the search also finds clauses that use other words than the
    /// question, even before there is a graph.
    Vectors(WorkspaceArgs),
    /// List documents, print one, link versions, show what changed between two of them, or check documents before they
    /// are used for training.
    Docs(DocsArgs),
    /// Search the documents.
    Search(SearchArgs),
    /// Ask the documents. The answer cites its page, or says that the documents do not hold an answer.
    Ask(AskArgs),
    /// Import, list or export labelled questions: questions with the passages that answer them.
    Pairs(PairsArgs),
    /// Measure on labelled questions how often answers are wrong.
    Calibrate(CalibrateArgs),
    /// Measure how well clauses are ranked on questions whose right passages are known, and choose how they are ranked.
    Rank(RankArgs),
    /// Show which policy statements cover which rules, what differs, and which rules no statement covers.
    Match(MatchArgs),
    /// Compute figures from files, without a workspace.
    Metrics(MetricsArgs),
    /// Run one stage of the text processing on a plain file, without a workspace.
    Text(TextArgs),
    /// Find terms, list them, and decide about them.
    Terms(TermsArgs),
    /// Say who reviews, and how.
    People(PeopleArgs),
    /// Exchange review packets with colleagues who have no access to the workspace.
    Packet(PacketArgs),
    /// Build the sentence graph, update it, describe it, show a part of it, or export it.
    Graph(GraphArgs),
    /// Write questions: offline, with a language model behind an endpoint, or through batch files.
    Augment(AugmentArgs),
    /// Name, try, list or remove the endpoints of language models.
    Endpoints(EndpointsArgs),
    /// List, show, edit and try the prompts, which tell language models what to do.
    Prompts(PromptsArgs),
    /// Export questions, decide about them, or show the drafts that were turned down.
    Qca(QcaArgs),
    /// Freeze a dataset snapshot, list snapshots, or export one.
    Dataset(DatasetArgs),
    /// Let experts score pairs of sentences by how alike they are in meaning, from 0 to 5, and measure encoders on
    /// these pairs.
    Similarity(SimilarityArgs),
    /// Make, review and measure triplets: a sentence, one that says the same, and one that differs in meaning but
    /// hardly in words.
    Triplets(TripletsArgs),
    /// Train an adapter on a snapshot, or tune the search on labelled questions (--task retrieval) or an encoder on
    /// triplets (--task triplets).
    Train(TrainArgs),
    /// Show line by line where each recipe departs from the publication that it follows, and why.
    Recipes(RecipesArgs),
    /// List, follow, pause, stop, resume or compare training runs.
    Runs(RunsArgs),
    /// Evaluate a finished run on the snapshot's test part.
    Eval(EvalArgs),
    /// Decide whether a run may go live. Exit code 0 = pass, 3 = stop, 4 = undecided.
    Gate(Box<GateArgs>),
    /// Import exams that others wrote, list them, or remove them.
    Exam(ExamArgs),
    /// Compare systems on the snapshot's test questions, on an exam, or on terms in contexts.
    Bench(BenchArgs),
    /// Write a page for the people who approve a model and sign for it: the report, a comparison of systems, the gate's
    /// decision, or a model's card.
    Report(ReportArgs),
    /// List base models, describe one, embed texts with it, export a trained model, or make one active.
    Models(ModelsArgs),
    /// Take a sample of new sentences and new questions, and show what has changed in them and in a fixed panel of
    /// texts.
    Drift(DriftArgs),
    /// Run the check of `drift` again and again, on a schedule.
    Watch(WatchArgs),
    /// Verify the audit chain, sign its head, or list its entries.
    Audit(AuditArgs),
    /// Protect a key file with a passphrase, or remove the passphrase.
    Key(KeyArgs),
    /// Register, check and set up machines that a training can run on, over SSH or through Slurm.
    Compute(ComputeArgs),
    /// Show what is installed and what is missing, with the command that mends it.
    Doctor(DoctorArgs),
    /// Take in a newer version from a signed file, or go back to the version before.
    Update(UpdateArgs),
}

/// `doctor`
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Write a new file for a request for support. It contains versions, checks, settings, counts and logs, and nothing
    /// from the documents.
    #[arg(long, value_name = "FILE.zip")]
    pub bundle: Option<PathBuf>,
}

/// `run`
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The workspace's file. It is made if there is none.
    pub workspace: PathBuf,
    /// Documents and folders to import. Without them, the command works on what the workspace already contains.
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
    /// Read with the main reader only. This is faster, but shows no agreement between two readers.
    #[arg(long)]
    pub no_second_reader: bool,
    /// Do not read pages without a text layer, even if Tesseract is installed.
    #[arg(long)]
    pub no_ocr: bool,
    /// File that contains the password of locked PDFs.
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Take the password of locked PDFs from the first line of standard input.
    #[arg(long, conflicts_with = "password_file")]
    pub password_stdin: bool,
}

/// `import`
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The workspace's file. It is made if there is none.
    pub workspace: PathBuf,
    /// The documents. If a folder is named, everything in it and below it that can be imported.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// How they are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Also make the vectors of the new sentences (see `vectors`). If all earlier sentences have vectors, this is done
    /// without the option.
    #[arg(long)]
    pub vectors: bool,
    /// Make no vectors now. Until `vectors` has run, what is new is found by its words alone.
    #[arg(long, conflicts_with = "vectors")]
    pub no_vectors: bool,
}

/// `search`
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The words to look for.
    #[arg(required_unless_present = "queries")]
    pub query: Option<String>,
    /// How sentences are searched.
    #[arg(long, value_enum, default_value_t = Mode::Lexical)]
    pub mode: Mode,
    /// Which encoder makes the vectors.
    #[command(flatten)]
    pub encoder: EncoderArgs,
    /// Put the first fifty hits in order with the cross-encoder of this run (`train --task rerank`).
    #[arg(long, value_name = "RUN", conflicts_with = "queries")]
    pub rerank: Option<RunId>,
    /// Show at most this many hits.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub top: u16,
    /// A file of queries, one a line: {"id", "text"}.
    #[arg(long, value_name = "FILE", requires = "trec")]
    pub queries: Option<PathBuf>,
    /// Write the hits to this file as a TREC run, with the corpus' own ids.
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
    /// Print sentences with their offsets.
    Segment(FileArgs),
    /// Print definitions.
    Definitions(FileArgs),
    /// Print references to other clauses. A .jsonl corpus (`{"id","text","title"?,"section"?}` a line) is read passage
    /// by passage, and each reference is resolved to the passage that it names.
    References(FileArgs),
    /// Print candidates for terms.
    Terms(FileArgs),
}

/// A plain text file.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// The file, in UTF-8.
    pub file: PathBuf,
    /// Language: en, zh, ko. Default: it is detected.
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
    /// Find the terms of the documents. They replace the terms that were found before.
    Extract(Box<ExtractArgs>),
    /// List the pairs of terms that could be taken for each other, or look for such pairs again.
    Confusables(ConfusablesArgs),
    /// List what the last extraction proposed but did not take.
    Rejected(WorkspaceArgs),
    /// List, show or change the classes of terms that a language model looks for.
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
        /// Only terms of this status: unreviewed, accepted, rejected, merged, conflict.
        #[arg(long, value_parser = status)]
        status: Option<ReviewStatus>,
        /// Only terms of this class of the schema; empty = those without a class.
        #[arg(long)]
        class: Option<String>,
        /// List at most this many terms; 0 = all.
        #[arg(long, default_value_t = 0)]
        limit: u64,
    },
    /// What reviewers do with them.
    #[command(flatten)]
    Review(TermsReview),
    /// Glossaries.
    #[command(flatten)]
    Glossary(GlossaryAction),
    /// Import or export terms in contexts. They measure whether models distinguish a term's meanings.
    Apart {
        /// What to do.
        #[command(subcommand)]
        action: ApartAction,
    },
    /// Show how far the reviewers agree on terms: for each class, and for each two reviewers.
    Agreement {
        /// The workspace's file.
        workspace: PathBuf,
        /// Show it for pairs of terms instead: the same, confusable, unrelated.
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
    /// How the task adapt teaches an encoder the language of the documents. Default: by masked words.
    #[arg(long, value_enum, requires = "task")]
    pub objective: Option<AdaptArg>,
    /// What the training learns from instead of a snapshot: questions (for the task retrieval) or matches.
    #[arg(long, value_enum, default_value = "labels")]
    pub learn_from: LearnFromArg,
    /// The snapshot's number. Default: the newest.
    #[arg(long)]
    pub dataset: Option<DatasetId>,
    /// Continue from the result of a finished run, with its base model, rank and way of tuning. For example, adapt an
    /// encoder first, and then tune it on triplets.
    #[arg(long, value_name = "RUN")]
    pub start_from: Option<RunId>,
    /// Settings.
    #[command(flatten)]
    pub recipe: RecipeArgs,
    /// Try several values of a setting: `lr=1e-4,2e-4`, `tau=.05,.07`, `weights=.4/.6,.2/.8` (sentences/terms) or
    /// `items=1,2,4,all` (training questions of each rule). Give the option once for each setting. Every combination is
    /// a run, and the best on the dev part is named. If the command was interrupted, give it again: it continues where
    /// it stopped.
    #[arg(long, value_name = "FIGURE=VALUES", conflicts_with = "detach")]
    pub sweep: Vec<String>,
    /// Start the worker and return. Follow it with `runs follow`.
    #[arg(long)]
    pub detach: bool,
    /// Train on a target (`compute list`) instead of this machine.
    #[arg(long, value_name = "TARGET", conflicts_with = "plan")]
    pub on: Option<String>,
    /// Bring the checkpoints back from the target, too. Default: only the adapter, the result and the log.
    #[arg(long, requires = "on", conflicts_with = "sweep")]
    pub with_checkpoints: bool,
    /// Show what would be done and what it would need, without training.
    #[arg(long, conflicts_with = "detach")]
    pub plan: bool,
}

/// `eval`
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The run's number. Default: the newest that has finished.
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
    /// Describe a model, and say what its training would need.
    Inspect {
        /// A name, or the path of a Hugging Face folder.
        model: String,
        /// The training whose memory is estimated.
        #[command(flatten)]
        figures: Box<FigureArgs>,
    },
    /// Set how the model in a folder reads texts, if its files do not say it or say something else. Without options,
    /// show it. The setting is written into the folder in the form of Sentence Transformers, and applies to everything
    /// that makes vectors. Vectors that were made before are no longer used.
    Reading(FolderReadingArgs),
    /// Embed the "text" of each line of a JSONL file.
    Embed {
        /// A name, or the path of a Hugging Face folder.
        model: String,
        /// A JSONL file with a "text" in each line.
        #[arg(long)]
        input: PathBuf,
        /// The safetensors file to write: one F32 tensor, with its rows in the order of the input.
        #[arg(long)]
        out: PathBuf,
        /// The folder of an adapter of this model.
        #[arg(long)]
        adapter: Option<PathBuf>,
        /// What the texts are. This matters if the model puts other words before questions than before passages.
        #[arg(long = "as", value_enum, default_value_t = Side::Plain)]
        side: Side,
    },
    /// Make a model folder from an encoder. Its tokenizer keeps accepted terms whole that the encoder's own tokenizer
    /// breaks into many pieces. The vector of each such term begins as the mean of the vectors of its pieces; train on
    /// the folder with --base and --all-weights.
    AddWords {
        /// The workspace's file.
        workspace: PathBuf,
        /// The folder to make.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// The encoder: a name, or the path of a Hugging Face folder.
        #[arg(long)]
        base: Option<String>,
        /// Add at most this many terms, the most frequent ones first.
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..))]
        most: u16,
        /// Add only terms that are broken into at least this many pieces.
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(2..))]
        pieces: u16,
    },
    /// Make the adapter of a run active, if the gate lets it pass.
    Activate(ActivateArgs),
    /// Show which adapter is active, and which adapters were active before.
    Active(WorkspaceArgs),
    /// Undo the last activation: the adapter that was active before is active again.
    Rollback(WorkspaceArgs),
    /// Export a finished run in a form that other programs load. The export is read back, and it is checked that it
    /// gives the same answers.
    Export(ExportArgs),
}
