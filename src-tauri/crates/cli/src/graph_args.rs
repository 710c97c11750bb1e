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
    /// Read the bounds as quantiles, from 0 to 1, of the nearest-neighbour cosines that each encoder's vectors show,
    /// and not as cosines.
    #[arg(long)]
    pub quantiles: bool,
    /// Two entities are similar only if their cosine is above this bound.
    #[arg(long)]
    pub entity_low: Option<f32>,
    /// Two entities are similar only if their cosine is below this bound.
    #[arg(long)]
    pub entity_high: Option<f32>,
    /// The lowest cosine that makes a sentence a candidate.
    #[arg(long)]
    pub sentence_threshold: Option<f32>,
    /// The lowest TF-IDF cosine that makes a lexical edge.
    #[arg(long)]
    pub lexical_threshold: Option<f32>,
    /// For lexical edges, compare the sub-words of this model's tokenizer instead of words.
    #[arg(long, value_name = "NAME_OR_DIR")]
    pub lexical_tokenizer: Option<String>,
    /// The largest number of candidates for a sentence or a term.
    #[arg(long)]
    pub max_candidates: Option<usize>,
    /// The largest number of candidates for a sentence from the same section, as long as there are others.
    #[arg(long)]
    pub max_per_section: Option<usize>,
    /// If there are more entities or sentences than this, an index (HNSW) finds the neighbours, and its recall is
    /// measured.
    #[arg(long)]
    pub approximate_over: Option<usize>,
}

impl SettingsArgs {
    /// The present settings, changed by those that were given.
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
    /// Make the vectors and build the graph.
    Build {
        /// The workspace's file.
        workspace: PathBuf,
        /// What makes the vectors: auto (MiniLM for English, counted vectors for other languages), minilm, lsa (vectors
        /// counted from the characters, without a model), or a model by its name or the path of its folder, which then
        /// serves all languages.
        #[arg(
            long,
            value_name = "auto|minilm|lsa|NAME_OR_DIR",
            default_value = "auto"
        )]
        encoder: String,
        /// The adapter of this training run, on its base model.
        #[arg(long, value_name = "RUN")]
        adapter: Option<RunId>,
        /// Bounds and limits.
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Take in what is new or has changed, with the bounds of the present graph.
    Update(WorkspaceArgs),
    /// Describe the newest graph: figures, age, hubs, isolated sentences.
    Stats(WorkspaceArgs),
    /// List all builds, the newest first.
    List(WorkspaceArgs),
    /// Show the figures by which thresholds can be chosen, and what the given thresholds would result in. Nothing is
    /// built.
    Calibrate {
        /// The workspace's file.
        workspace: PathBuf,
        /// Bounds and limits.
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Show what a term or a sentence is linked to.
    Show {
        /// The workspace's file.
        workspace: PathBuf,
        /// A term, by its id or its text.
        #[arg(
            long,
            required_unless_present = "sentence",
            conflicts_with = "sentence"
        )]
        term: Option<String>,
        /// A sentence, by its id.
        #[arg(long, value_name = "ID")]
        sentence: Option<SentenceId>,
        /// Show at most this many neighbours of each kind.
        #[arg(long, default_value_t = 10)]
        limit: usize,
    },
    /// Write nodes and edges in a form that other programs read.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The format.
        #[arg(long, value_enum, default_value_t = GraphFormat::Jsonl)]
        format: GraphFormat,
        /// The file to write. Default: standard output.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Set the class of a document, which is the type of its sentences. Without a class, the document's class is
    /// removed.
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
