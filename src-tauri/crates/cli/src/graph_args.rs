//! The arguments of `graph`.

use crate::workspace_args::WorkspaceArgs;
use clap::{Args, Subcommand, ValueEnum};
use lexforge_domain::api::EncoderChoice;
use lexforge_domain::graph::{BoundScale, GraphSettings};
use lexforge_domain::{DocumentId, RunId, SentenceId};
use lexforge_engine::Encoder;
use std::path::PathBuf;

/// `graph`
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: GraphAction,
}

/// What makes the vectors, by the words of the command line.
pub fn chosen(encoder: &str, adapter: Option<RunId>) -> Encoder {
    let named = |model: Option<&str>| {
        Encoder::Named(EncoderChoice {
            model: model.map(str::to_owned),
            run: adapter,
            percent: None,
        })
    };
    match (encoder, adapter) {
        ("auto", None) => Encoder::Auto,
        ("minilm", None) => Encoder::MiniLm,
        ("lsa", None) => Encoder::Lsa,
        ("auto", Some(_)) => named(None),
        _ => named(Some(encoder)),
    }
}

/// The form of an exported graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// One JSON object a line: nodes, then edges.
    #[default]
    Jsonl,
    /// GraphML, which Gephi, yEd and NetworkX read.
    Graphml,
}

/// Bounds and limits; what is not given keeps its default.
#[derive(Debug, Default, Args)]
pub struct SettingsArgs {
    /// The bounds are quantiles, 0 to 1, of the nearest-neighbour cosines that each encoder's vectors show, and not
    /// cosines.
    #[arg(long)]
    pub quantiles: bool,
    /// Lower bound of similar entities, exclusive.
    #[arg(long)]
    pub entity_low: Option<f32>,
    /// Upper bound of similar entities, exclusive.
    #[arg(long)]
    pub entity_high: Option<f32>,
    /// Lower bound of a sentence candidate.
    #[arg(long)]
    pub sentence_threshold: Option<f32>,
    /// Lower TF-IDF cosine of a lexical edge.
    #[arg(long)]
    pub lexical_threshold: Option<f32>,
    /// Compare the sub-words that this model's tokenizer makes, instead of words, for lexical edges.
    #[arg(long, value_name = "NAME_OR_DIR")]
    pub lexical_tokenizer: Option<String>,
    /// Most candidates of a sentence or term.
    #[arg(long)]
    pub max_candidates: Option<usize>,
    /// Most candidates of a sentence from one section, as long as there are others.
    #[arg(long)]
    pub max_per_section: Option<usize>,
    /// More entities or sentences than this are joined by an index (HNSW) whose recall is measured.
    #[arg(long)]
    pub approximate_over: Option<usize>,
}

impl SettingsArgs {
    /// Settings with what was given in the place of what was there.
    pub fn over(&self, there: GraphSettings) -> GraphSettings {
        // A graph outlives the folder from which its command was given.
        let whole = |model: &String| match std::fs::canonicalize(model) {
            Ok(folder) if folder.is_dir() => folder.display().to_string(),
            _ => model.clone(),
        };
        GraphSettings {
            scale: if self.quantiles {
                BoundScale::Quantile
            } else {
                there.scale
            },
            entity_low: self.entity_low.unwrap_or(there.entity_low),
            entity_high: self.entity_high.unwrap_or(there.entity_high),
            sentence_threshold: self.sentence_threshold.unwrap_or(there.sentence_threshold),
            lexical_threshold: self.lexical_threshold.unwrap_or(there.lexical_threshold),
            lexical_tokenizer: self
                .lexical_tokenizer
                .as_ref()
                .map(whole)
                .or(there.lexical_tokenizer),
            max_candidates: self.max_candidates.unwrap_or(there.max_candidates),
            max_per_section: self.max_per_section.unwrap_or(there.max_per_section),
            approximate_over: self.approximate_over.unwrap_or(there.approximate_over),
            calibrate_share: there.calibrate_share,
            anchor_share: there.anchor_share,
        }
    }
}

/// What to do with the graph.
#[derive(Debug, Subcommand)]
pub enum GraphAction {
    /// Embed and build.
    Build {
        /// The workspace's file.
        workspace: PathBuf,
        /// What makes the vectors: auto (MiniLM for English, counted vectors otherwise), minilm, lsa (counted from the
        /// characters; needs no model), or a model by its name or the path of its folder, for all languages.
        #[arg(
            long,
            value_name = "auto|minilm|lsa|NAME_OR_DIR",
            default_value = "auto"
        )]
        encoder: String,
        /// The adapter of a training run, on its base model.
        #[arg(long, value_name = "RUN")]
        adapter: Option<RunId>,
        /// Bounds and limits.
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Take in what is new or has changed, with the bounds of the graph as it is.
    Update(WorkspaceArgs),
    /// Describe the newest graph: figures, age, hubs, isolated sentences.
    Stats(WorkspaceArgs),
    /// All builds, newest first.
    List(WorkspaceArgs),
    /// Show what thresholds stand on and what a choice of them would give; nothing is built.
    Calibrate {
        /// The workspace's file.
        workspace: PathBuf,
        /// Bounds and limits.
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Show what is around a term or a sentence.
    Show {
        /// The workspace's file.
        workspace: PathBuf,
        /// A term by its id or its text.
        #[arg(
            long,
            required_unless_present = "sentence",
            conflicts_with = "sentence"
        )]
        term: Option<String>,
        /// A sentence by its id.
        #[arg(long, value_name = "ID")]
        sentence: Option<SentenceId>,
        /// Most neighbours of each kind.
        #[arg(long, default_value_t = 10)]
        limit: usize,
    },
    /// Write nodes and edges for other programs.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The form.
        #[arg(long, value_enum, default_value_t = GraphFormat::Jsonl)]
        format: GraphFormat,
        /// The file to write; else standard output.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Set the class of a document: the type of its sentences. Without a class, remove the document's class.
    Classify {
        /// The workspace's file.
        workspace: PathBuf,
        /// The document.
        document: DocumentId,
        /// Its class, for example `loan management`.
        #[arg(default_value = "")]
        class: String,
    },
}
