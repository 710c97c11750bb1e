//! The grammar of `drift` and `watch`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `drift`
#[derive(Debug, Args)]
pub struct DriftArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The rule that decides when there is an alarm. Default: that of the last sample, else run-length
    #[arg(long, value_enum)]
    pub rule: Option<RuleArg>,
    /// With the rule run-length: how many days lie between two false alarms on average. Default: 365
    #[arg(long, value_name = "DAYS")]
    pub days: Option<f64>,
    /// How many of the last days count as recent.
    #[arg(long, value_name = "DAYS", default_value_t = 7.0)]
    pub window: f64,
    /// How many days pass between two checks.
    #[arg(long, value_name = "DAYS", default_value_t = 1.0)]
    pub every: f64,
}

/// `watch`
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// What is watched, and how.
    #[command(flatten)]
    pub drift: DriftArgs,
    /// End after this many checks. Default: go on without end.
    #[arg(long, value_name = "N")]
    pub looks: Option<u32>,
}

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleArg {
    /// By the days between two false alarms.
    RunLength,
    /// The rule of the practice article: drift is reported if the mean pairwise cosine rises by more than .05 within
    /// 30 days. On few and short texts that did not change, it raised 106 false alarms a year.
    Article,
}
