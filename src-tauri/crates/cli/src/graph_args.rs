//! The arguments of `graph`.

use crate::workspace_args::WorkspaceArgs;
use clap::{Args, Subcommand, ValueEnum};
use lexforge_domain::api::EncoderChoice;
use lexforge_domain::graph::{BoundScale, GraphSettings};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure, RunId, SentenceId};
use lexforge_engine::Encoder;
use std::path::PathBuf;
use std::str::FromStr;

/// `graph`
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: GraphAction,
}

/// A value for all languages, or `LANGUAGE=VALUE` for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByLanguage<T> {
    language: Option<Language>,
    value: T,
}

/// Reads `VALUE` or `LANGUAGE=VALUE`. If the text before the `=` is not a language, the whole text is the value: it
/// may be the name of a folder with an `=` in it.
fn by_language<T: FromStr>(text: &str) -> Result<ByLanguage<T>, T::Err> {
    let named = text.split_once('=').and_then(|(tag, value)| {
        let language = Language::from_tag(tag);
        (language.tag() == tag).then_some((language, value))
    });
    Ok(match named {
        Some((language, value)) => ByLanguage {
            language: Some(language),
            value: value.parse()?,
        },
        None => ByLanguage {
            language: None,
            value: text.parse()?,
        },
    })
}

/// Returns what makes the vectors: one encoder for all languages, or one for each language that is named.
///
/// # Errors
/// When an encoder is given for all languages and another one for a single language, or when two are given for the same
/// language.
pub fn encoder_of(
    encoders: &[ByLanguage<String>],
    adapters: &[ByLanguage<RunId>],
) -> Result<Encoder, Failure> {
    let mut languages: Vec<Option<Language>> = Vec::new();
    let named = encoders.iter().map(|e| e.language);
    for language in named.chain(adapters.iter().map(|a| a.language)) {
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    let twice = encoders.len() > 1 && repeats(encoders) || adapters.len() > 1 && repeats(adapters);
    if twice || (languages.len() > 1 && languages.contains(&None)) {
        return Err(Failure::new(
            Code::InvalidRequest,
            "More than one encoder was given for a language.",
            "Give one for all languages, or one for each, such as `en=MODEL` and `zh=MODEL`.",
        ));
    }
    let of = |language: Option<Language>| {
        let encoder = encoders.iter().find(|e| e.language == language);
        let adapter = adapters.iter().find(|a| a.language == language);
        chosen(
            encoder.map_or("auto", |e| e.value.as_str()),
            adapter.map(|a| a.value),
        )
    };
    if languages.iter().all(Option::is_none) {
        return Ok(of(None));
    }
    let each = languages.into_iter().flatten();
    Ok(Encoder::ByLanguage(
        each.map(|language| (language, of(Some(language))))
            .collect(),
    ))
}

fn repeats<T>(given: &[ByLanguage<T>]) -> bool {
    let again = |(at, one): (usize, &ByLanguage<T>)| {
        given[..at]
            .iter()
            .any(|other| other.language == one.language)
    };
    given.iter().enumerate().any(again)
}

/// What makes the vectors, by the words of the command line.
fn chosen(encoder: &str, adapter: Option<RunId>) -> Encoder {
    // As the bench names a decoder that reads each text twice.
    let (echo, encoder) = match encoder.strip_prefix("echo ") {
        Some(model) => (true, model.trim()),
        None => (false, encoder),
    };
    let named = |model: Option<&str>| {
        Encoder::Named(EncoderChoice {
            model: model.map(str::to_owned),
            run: adapter,
            percent: None,
            echo,
        })
    };
    match (encoder, adapter) {
        ("auto", None) if !echo => Encoder::Auto,
        ("minilm", None) if !echo => Encoder::MiniLm,
        ("lsa", None) if !echo => Encoder::Lsa,
        ("auto", Some(_)) if !echo => named(None),
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
    /// Read the bounds as quantiles (0 to 1) and not as cosines. For each encoder, the quantile is taken over the
    /// cosines of its vectors with their nearest neighbours.
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
        /// What makes the vectors: auto (MiniLM for English, counted vectors for other languages), minilm, lsa
        /// (vectors counted from the characters, without a model), or a model by its name or the path of its folder. A
        /// model serves all languages. With a language before it (`en=`, `zh=`, `ko=`, `other=`) it serves that
        /// language alone. Name a model for each language that you want to set; the other languages are treated as
        /// with auto. With "echo " before the model, a decoder reads each text twice and the vector of its last token
        /// counts. Default: auto.
        #[arg(
            long = "encoder",
            value_name = "[LANGUAGE=]auto|minilm|lsa|NAME_OR_DIR",
            value_parser = by_language::<String>
        )]
        encoders: Vec<ByLanguage<String>>,
        /// The adapter of this training run, on its base model; with a language before it, for that language alone.
        #[arg(long = "adapter", value_name = "[LANGUAGE=]RUN", value_parser = by_language::<RunId>)]
        adapters: Vec<ByLanguage<RunId>>,
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_encoder_is_for_all_languages_or_for_the_one_before_it() {
        let named = |model: Option<&str>, run: Option<i64>| {
            Encoder::Named(EncoderChoice {
                model: model.map(str::to_owned),
                run: run.map(RunId),
                percent: None,
                echo: false,
            })
        };
        let each = |of: &[(Language, Encoder)]| Some(Encoder::ByLanguage(of.to_vec()));
        for (encoders, adapters, wanted) in [
            (vec![], vec![], Some(Encoder::Auto)),
            (vec!["lsa"], vec![], Some(Encoder::Lsa)),
            (vec![], vec!["7"], Some(named(None, Some(7)))),
            (
                vec!["models/a=b"],
                vec![],
                Some(named(Some("models/a=b"), None)),
            ),
            (
                vec!["zh=models/a=b", "en=minilm"],
                vec![],
                each(&[
                    (Language::Zh, named(Some("models/a=b"), None)),
                    (Language::En, Encoder::MiniLm),
                ]),
            ),
            (
                vec!["en=auto"],
                vec!["zh=3"],
                each(&[
                    (Language::En, Encoder::Auto),
                    (Language::Zh, named(None, Some(3))),
                ]),
            ),
            (
                vec!["zh=echo models/a=b", "en=lsa"],
                vec![],
                each(&[
                    (
                        Language::Zh,
                        Encoder::Named(EncoderChoice {
                            model: Some("models/a=b".to_owned()),
                            echo: true,
                            ..EncoderChoice::default()
                        }),
                    ),
                    (Language::En, Encoder::Lsa),
                ]),
            ),
            (vec!["lsa", "zh=minilm"], vec![], None),
            (vec!["zh=lsa"], vec!["7"], None),
            (vec!["zh=lsa", "zh=minilm"], vec![], None),
            (vec!["lsa", "minilm"], vec![], None),
        ] {
            let encoders: Vec<_> = encoders.iter().map(|e| by_language(e).unwrap()).collect();
            let adapters: Vec<_> = adapters.iter().map(|a| by_language(a).unwrap()).collect();
            assert_eq!(
                encoder_of(&encoders, &adapters).ok(),
                wanted,
                "{encoders:?}"
            );
        }
    }
}
