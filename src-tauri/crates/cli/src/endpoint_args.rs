//! The arguments of `endpoints` and `augment`.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use lexforge_domain::RunId;
use lexforge_domain::api::{DEFAULT_THRESHOLD, Extent, Per};
use lexforge_domain::endpoint::{AnswerForm, EndpointSettings, KeySource, Proxy};
use lexforge_engine::LocalModel;
use std::path::PathBuf;

/// `augment`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("asks").multiple(true).args(["endpoint", "batch_out"]))]
pub struct AugmentArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// Write questions offline, with patterns and minimal edits, without a language model. This is the default.
    // This list is needed because of the way in which clap checks required options: a missing option is no error if it
    // conflicts with an option that was given. Without the list, options that need a model would be ignored without a
    // message.
    #[arg(long, conflicts_with_all = ["asks", "batch_in", "per", "max_per_anchor", "max_questions", "limit", "concurrency",
        "max_tokens", "estimate", "reask", "judge", "judge_threshold", "base", "run"])]
    pub offline: bool,
    /// Ask the language model behind this endpoint; `local` = a decoder of this machine.
    #[arg(long, value_name = "NAME")]
    pub endpoint: Option<String>,
    /// Write the prompts into this file in OpenAI's batch form instead of sending them.
    #[arg(long, value_name = "FILE", conflicts_with = "batch_in")]
    pub batch_out: Option<PathBuf>,
    /// Read the answers to such a file back in, and make questions from them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["endpoint", "limit", "model"])]
    pub batch_in: Option<PathBuf>,
    /// With --batch-out and without an endpoint: the model that will answer.
    #[arg(
        long,
        value_name = "NAME",
        requires = "batch_out",
        conflicts_with = "endpoint"
    )]
    pub model: Option<String>,
    /// How many questions are asked about an anchor, which is a sentence that questions are written about. `anchor`:
    /// one question about the anchor with its nearest neighbour, and questions about at most two of its terms. `pair`:
    /// a question about each pair of the anchor and a neighbour, and about each term with all similar terms, up to
    /// eight choices.
    #[arg(long, value_enum, default_value = "anchor", requires = "asks")]
    pub per: PerArg,
    /// Ask at most this many questions about one anchor.
    #[arg(long, value_name = "N", requires = "asks", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_per_anchor: Option<u64>,
    /// Ask at most this many questions in all, shared out evenly among the anchors.
    #[arg(long, value_name = "N", requires = "asks", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_questions: Option<u64>,
    /// Send at most this many prompts now. The rest can be sent later.
    #[arg(long, value_name = "N", requires = "asks")]
    pub limit: Option<u64>,
    /// How many requests may run at the same time.
    #[arg(long, value_name = "N", requires = "asks")]
    pub concurrency: Option<u32>,
    /// Longest answer, in tokens.
    #[arg(long, value_name = "N", requires = "asks")]
    pub max_tokens: Option<u32>,
    /// Send a sample of 20 prompts, and estimate from it what all prompts would take. The answers are kept for the run.
    #[arg(long, requires = "endpoint", conflicts_with_all = ["batch_out", "batch_in", "limit"])]
    pub estimate: bool,
    /// How often the model is asked again, with the reason, when an answer cannot be used. Default: twice.
    #[arg(long, value_name = "N", requires = "asks")]
    pub reask: Option<u32>,
    /// Have each question that passes the checks scored from 0 to 10: by this endpoint or, without a name, by the one
    /// that writes the questions.
    #[arg(long, value_name = "NAME", num_args = 0..=1, requires = "endpoint", conflicts_with_all = ["batch_out", "batch_in"])]
    pub judge: Option<Option<String>>,
    /// Keep the questions that the judge gives at least this score.
    #[arg(long, value_name = "SCORE", default_value_t = DEFAULT_THRESHOLD, requires = "judge")]
    pub judge_threshold: f64,
    /// Agree in advance to what is sent, so that the command does not ask.
    #[arg(long)]
    pub yes: bool,
    /// Which model of this machine is asked.
    #[command(flatten)]
    pub local: LocalArgs,
}

/// About what there is one question each.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PerArg {
    /// One question for each anchor.
    Anchor,
    /// One question for each pair of an anchor and a neighbour.
    Pair,
}

impl AugmentArgs {
    /// How many questions are to be written.
    pub fn extent(&self) -> Extent {
        Extent {
            per: match self.per {
                PerArg::Anchor => Per::Anchor,
                PerArg::Pair => Per::Pair,
            },
            most_per_anchor: self.max_per_anchor,
            most_in_all: self.max_questions,
        }
    }
}

/// Which model `local` stands for.
#[derive(Debug, Args)]
pub struct LocalArgs {
    /// With `local`: the base model, by its name or folder. Default: the one of the run, or else the one that comes
    /// with Lexforge.
    #[arg(long, value_name = "MODEL")]
    pub base: Option<String>,
    /// With `local`: the run whose adapter is used.
    #[arg(long, value_name = "RUN")]
    pub run: Option<RunId>,
}

impl From<&LocalArgs> for LocalModel {
    fn from(args: &LocalArgs) -> Self {
        Self {
            base: args.base.clone(),
            run: args.run,
        }
    }
}

/// `endpoints`
#[derive(Debug, Args)]
pub struct EndpointsArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: EndpointsAction,
}

/// What to do with endpoints.
#[derive(Debug, Subcommand)]
pub enum EndpointsAction {
    /// Name an endpoint, or change one. Nothing is sent to it.
    Add(Box<AddArgs>),
    /// Try an endpoint with one test sentence. No text of the documents is sent.
    Check {
        /// The workspace's file.
        workspace: PathBuf,
        /// The endpoint's name; `local` = a decoder of this machine.
        name: String,
        /// Which model of this machine is tried.
        #[command(flatten)]
        local: LocalArgs,
    },
    /// Confirm an endpoint that came with the workspace: the address to which prompts are sent, the proxy, and the
    /// place where its key is. Until it is confirmed, nothing is sent to it, and its key is not looked for.
    Confirm {
        /// The workspace's file.
        workspace: PathBuf,
        /// The endpoint's name.
        name: String,
        /// Confirm the endpoint as it is, so that the command does not ask.
        #[arg(long)]
        yes: bool,
    },
    /// List the endpoints.
    List {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Remove an endpoint and its key. The answers that it gave are kept.
    Remove {
        /// The workspace's file.
        workspace: PathBuf,
        /// The endpoint's name.
        name: String,
    },
}

/// `endpoints add`
#[derive(Debug, Args)]
pub struct AddArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// A name for the endpoint.
    pub name: String,
    /// The endpoint's address, for example `https://llm.example.internal/v1`.
    #[arg(long)]
    pub url: String,
    /// The model, as the endpoint names it.
    #[arg(long)]
    pub model: String,
    /// Take the key from the first line of standard input, and put it into the key ring of this system.
    #[arg(long, conflicts_with_all = ["key_env", "key_file"])]
    pub key_stdin: bool,
    /// The key is in this environment variable.
    #[arg(long, value_name = "VARIABLE", conflicts_with = "key_file")]
    pub key_env: Option<String>,
    /// The key is on the first line of this file, which only its owner may read.
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// How many requests may run at the same time.
    #[arg(long, value_name = "N")]
    pub concurrency: Option<u32>,
    /// How many seconds one request may take.
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u32>,
    /// How many seconds one prompt may take, with all its retries.
    #[arg(long, value_name = "SECONDS")]
    pub total: Option<u32>,
    /// How many requests may be sent for one prompt.
    #[arg(long, value_name = "N")]
    pub attempts: Option<u32>,
    /// Longest answer, in bytes.
    #[arg(long, value_name = "BYTES")]
    pub max_bytes: Option<u64>,
    /// Longest answer, in tokens.
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// Price of a million tokens in prompts.
    #[arg(long, value_name = "PRICE")]
    pub price_in: Option<f64>,
    /// Price of a million tokens in answers.
    #[arg(long, value_name = "PRICE")]
    pub price_out: Option<f64>,
    /// How the endpoint can be made to answer in a given form. `endpoints check` finds this out.
    #[arg(long, value_enum)]
    pub form: Option<FormArg>,
    /// The proxy through which the endpoint is reached: an address, or `environment`. Without this option it is reached
    /// directly. A password in the address goes into the key ring.
    #[arg(long, value_name = "PROXY")]
    pub proxy: Option<String>,
    /// The proxy's password is in this environment variable.
    #[arg(
        long,
        value_name = "VARIABLE",
        requires = "proxy",
        conflicts_with = "proxy_password_file"
    )]
    pub proxy_password_env: Option<String>,
    /// The proxy's password is on the first line of this file, which only its owner may read.
    #[arg(long, value_name = "FILE", requires = "proxy")]
    pub proxy_password_file: Option<PathBuf>,
}

/// How far an endpoint can be held to a form of answer.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormArg {
    /// It follows a JSON schema.
    Schema,
    /// It answers with a JSON object, without a schema.
    Object,
    /// Only the prompt tells it the form.
    Free,
}

impl AddArgs {
    /// Where the key is; a key on standard input goes into the key ring.
    pub fn key(&self) -> KeySource {
        source(self.key_env.as_ref(), self.key_file.as_ref())
    }

    /// The settings that were named, the usual ones for the rest.
    pub fn settings(&self) -> EndpointSettings {
        let usual = EndpointSettings::default();
        EndpointSettings {
            concurrency: self.concurrency.unwrap_or(usual.concurrency),
            timeout_s: self.timeout.unwrap_or(usual.timeout_s),
            total_s: self.total.unwrap_or(usual.total_s),
            attempts: self.attempts.unwrap_or(usual.attempts),
            max_bytes: self.max_bytes.unwrap_or(usual.max_bytes),
            max_tokens: self.max_tokens.unwrap_or(usual.max_tokens),
            price_in: self.price_in,
            price_out: self.price_out,
            form: match self.form {
                None | Some(FormArg::Schema) => AnswerForm::Schema,
                Some(FormArg::Object) => AnswerForm::Object,
                Some(FormArg::Free) => AnswerForm::Free,
            },
            proxy: match self.proxy.as_deref() {
                None | Some("none") => Proxy::None,
                Some("environment") => Proxy::Environment,
                Some(url) => Proxy::Url(url.to_owned()),
            },
            proxy_password: source(
                self.proxy_password_env.as_ref(),
                self.proxy_password_file.as_ref(),
            ),
        }
    }
}

/// Where a key or a password is.
fn source(variable: Option<&String>, file: Option<&PathBuf>) -> KeySource {
    match (variable, file) {
        (Some(name), _) => KeySource::Variable { name: name.clone() },
        (None, Some(path)) => {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            KeySource::File {
                path: path.display().to_string(),
            }
        }
        (None, None) => KeySource::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        _args: AugmentArgs,
    }

    #[test]
    fn what_is_said_to_a_model_is_refused_where_none_is_asked() {
        let taken =
            |words: &[&str]| Line::try_parse_from([&["augment", "a"][..], words].concat()).is_ok();
        for what in [
            &["--estimate"][..],
            &["--judge"],
            &["--per", "pair"],
            &["--max-per-anchor", "3"],
            &["--max-questions", "9"],
            &["--limit", "5"],
            &["--concurrency", "2"],
            &["--max-tokens", "50"],
            &["--reask", "1"],
        ] {
            assert!(!taken(what), "{what:?} alone");
            assert!(
                !taken(&[&["--offline"][..], what].concat()),
                "{what:?} offline"
            );
            assert!(
                taken(&[&["--endpoint", "firm"][..], what].concat()),
                "{what:?}"
            );
        }
        assert!(taken(&[]) && taken(&["--offline"]) && taken(&["--batch-in", "answers.jsonl"]));
    }
}
