//! The arguments of finding terms.

use crate::endpoint_args::LocalArgs;
use clap::{ArgGroup, Args, Subcommand};
use std::path::PathBuf;

/// `terms extract`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("asks").multiple(true).args(["endpoint", "batch_out"]))]
pub struct ExtractArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// Find terms by counting (definitions, abbreviations and noun phrases), without a language model. This is the
    /// default.
    #[arg(long, conflicts_with_all = ["asks", "batch_in", "schema", "limit", "concurrency", "max_tokens", "base", "run"])]
    pub offline: bool,
    /// Ask the language model behind this endpoint; `local` = a decoder of this machine.
    #[arg(long, value_name = "NAME")]
    pub endpoint: Option<String>,
    /// Look for the classes of this schema; may be given several times. Default: general.
    #[arg(long, value_name = "NAME", requires = "asks")]
    pub schema: Vec<String>,
    /// Write the prompts into this file in OpenAI's batch form instead of sending them.
    #[arg(long, value_name = "FILE", conflicts_with = "batch_in")]
    pub batch_out: Option<PathBuf>,
    /// Read the answers to such a file back in, and make terms from them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["endpoint", "limit", "model", "schema"])]
    pub batch_in: Option<PathBuf>,
    /// With --batch-out and without an endpoint: the model that will answer.
    #[arg(
        long,
        value_name = "NAME",
        requires = "batch_out",
        conflicts_with = "endpoint"
    )]
    pub model: Option<String>,
    /// Send at most this many prompts now. The rest can be sent later.
    #[arg(long, value_name = "N", requires = "asks")]
    pub limit: Option<u64>,
    /// How many requests may run at the same time.
    #[arg(long, value_name = "N", requires = "asks")]
    pub concurrency: Option<u32>,
    /// Longest answer, in tokens.
    #[arg(long, value_name = "N", requires = "asks")]
    pub max_tokens: Option<u32>,
    /// Agree in advance to what is sent, so that the command does not ask.
    #[arg(long)]
    pub yes: bool,
    /// Which model of this machine is asked.
    #[command(flatten)]
    pub local: LocalArgs,
}

/// `terms confusables`
#[derive(Debug, Args)]
pub struct ConfusablesArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// Look for the pairs again. Without this option, the pairs of the last extraction are listed.
    #[arg(long)]
    pub find: bool,
    /// List at most this many pairs; 0 = all.
    #[arg(long, default_value_t = 50)]
    pub limit: u64,
}

/// What to do with schemas.
#[derive(Debug, Subcommand)]
pub enum SchemasAction {
    /// List the schemas with their classes.
    List {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Show one schema with its examples.
    Show {
        /// The workspace's file.
        workspace: PathBuf,
        /// The schema's name.
        name: String,
        /// The schema's language.
        #[arg(long, default_value = "en")]
        language: String,
    },
    /// Write schemas to a JSON file. It can be changed and read in again.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        file: PathBuf,
        /// Only the schemas of this name.
        #[arg(long)]
        name: Option<String>,
    },
    /// Take the schemas of a JSON file into the workspace. They replace schemas of the same name and language.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to read.
        file: PathBuf,
    },
    /// Remove the workspace's own schema. If one of this name comes with Lexforge, that one is used again.
    Remove {
        /// The workspace's file.
        workspace: PathBuf,
        /// The schema's name.
        name: String,
        /// The schema's language.
        #[arg(long, default_value = "en")]
        language: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        _args: ExtractArgs,
    }

    #[test]
    fn what_is_said_to_a_model_is_refused_where_none_is_asked() {
        let taken =
            |words: &[&str]| Line::try_parse_from([&["extract", "a"][..], words].concat()).is_ok();
        for what in [
            ["--schema", "banking"],
            ["--limit", "5"],
            ["--concurrency", "2"],
            ["--max-tokens", "50"],
        ] {
            assert!(!taken(&what), "{what:?} alone");
            assert!(
                !taken(&[&["--offline"][..], &what[..]].concat()),
                "{what:?} offline"
            );
            assert!(
                taken(&[&["--endpoint", "firm"][..], &what[..]].concat()),
                "{what:?}"
            );
        }
        assert!(taken(&[]) && taken(&["--offline"]) && taken(&["--offline", "--yes"]));
    }
}
