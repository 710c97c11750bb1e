//! The grammar of `drift` and `watch`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `drift`
#[derive(Debug, Args)]
pub struct DriftArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// When an alarm is raised.
    #[arg(long, value_enum, default_value_t = RuleArg::RunLength)]
    pub rule: RuleArg,
    /// With the rule run-length: days between false alarms.
    #[arg(long, value_name = "DAYS", default_value_t = 365.0)]
    pub days: f64,
    /// Days that count as recent.
    #[arg(long, value_name = "DAYS", default_value_t = 7.0)]
    pub window: f64,
    /// Days from one look to the next.
    #[arg(long, value_name = "DAYS", default_value_t = 1.0)]
    pub every: f64,
}

/// `watch`
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// What is watched, and how.
    #[command(flatten)]
    pub drift: DriftArgs,
    /// End after so many looks; none = go on.
    #[arg(long, value_name = "N")]
    pub looks: Option<u32>,
}

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleArg {
    /// By the days between false alarms.
    RunLength,
    /// The practice article's: the mean pairwise cosine rises by more than .05 within 30 days.
    Article,
}
